"""tools/mutate.py: which breaks it makes of a line, and which lines it leaves alone."""
import importlib.util
import random
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools/mutate.py")
mutate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutate)


def after(line, kind):
    code = mutate.NOT_CODE.sub(mutate.blank, line)
    return {b.after for b in mutate.breaks_of_line("a.cpp", 1, line, code) if b.kind == kind}


class Breaks(unittest.TestCase):
    def test_each_kind(self):
        self.assertEqual(after("if (a < b) x();", "compare"), {"if (a <= b) x();"})
        self.assertEqual(after("y = a - -b;", "sign"), {"y = a + -b;"})
        self.assertEqual(after("y = f(-b);", "sign"), {"y = f(b);"})
        self.assertEqual(after("if (!a || b) x();", "logic"), {"if (a || b) x();", "if (!a && b) x();"})
        self.assertEqual(after("y = 0 + 0.5f;", "constant"), {"y = 1 + 0.5f;", "y = 0 + 1.0f;"})
        self.assertEqual(after("y = 1;", "constant"), {"y = 0;"})
        self.assertEqual(after("y = a * b;", "product"), {"y = a / b;"})
        self.assertEqual(after("y = a + f(b, c) - d;", "drop"), {"y = a - d;", "y = a + f(b, c);"})
        self.assertEqual(after("y = f(a, b);", "swap"), {"y = f(b, a);"})
        self.assertEqual(after("y = f<int>(a, b);", "swap"), {"y = f<int>(b, a);"})
        self.assertEqual(after("y = f<A<int>>(a, b);", "swap"), {"y = f<A<int>>(b, a);"})
        self.assertEqual(after("y = p.z;", "mirror"), {"y = p.x;"})
        self.assertEqual(after("  out.sum += x;", "leave"), {"  ;"})
        self.assertEqual(after("  if (late) continue;", "leave"), {"  if (late) ;"})

    def test_left_alone(self):
        for line in ("// if (a < b)", '#include "a + b"', "static_assert(a < b);", "v.reserve(n + 1);",
                     "using T = std::array<int, 3>;"):
            code = mutate.NOT_CODE.sub(mutate.blank, line)
            self.assertEqual(list(mutate.breaks_of_line("a.cpp", 1, line, code)), [], line)
        self.assertEqual(after("std::vector<int> f();", "compare"), set())  # no comparison
        self.assertEqual(after('fail("a < b");', "compare"), set())
        self.assertEqual(after("y = std::min(a, b);", "swap"), set())       # the same
        self.assertEqual(after("y = std::min<int>(a, b);", "swap"), set())
        self.assertEqual(after("y = a < b ? a : b;", "compare"), set())     # the same
        self.assertEqual(after("void f(const A& a, int b);", "swap"), set())  # parameters
        self.assertEqual(after("  std::vector<int> v[2];", "constant"), set())  # a longer array is the same
        self.assertEqual(after("  y = v[2];", "constant"), {"  y = v[3];"})
        self.assertEqual(after("  return v[2];", "constant"), {"  return v[3];"})

    def test_a_seed_gives_the_same_breaks_and_each_changes_its_line(self):
        files = ["src/core/voi.cpp", "src/query/ldi_intersect.cpp"]

        def chosen(seed):
            return [b for _, b in zip(range(60), mutate.choose(files, random.Random(seed)))]

        first = chosen(5)
        self.assertEqual([b.describe() for b in first], [b.describe() for b in chosen(5)])
        self.assertNotEqual([b.describe() for b in first], [b.describe() for b in chosen(6)])
        self.assertGreater(len({b.kind for b in first}), 6)
        for b in first:
            self.assertEqual((ROOT / b.path).read_text().split("\n")[b.line - 1], b.before)
            self.assertNotEqual(b.before, b.after)


if __name__ == "__main__":
    unittest.main()
