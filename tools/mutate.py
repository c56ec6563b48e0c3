#!/usr/bin/env python3
"""Do the tests notice? Makes small breaks in the library, one at a time, runs the tests of the folder that was broken,
and lists the breaks that no test noticed.

The checkout is not touched. It is built once, in a scratch folder; for each break the files that depend on the broken
one are compiled again into a folder of that break, and linked in place of the sound ones.

A break is a line that still compiles and
  compare   < is <=, == is !=, …                 sign      + is -, -x is x, += is -=
  logic     && is ||, !x is x                    constant  3 is 4, 0.5 is 1, true is false
  drop      a + b is a, a && b is a              product   * is /
  swap      f(a, b) is f(b, a)                   mirror    min is max, .x is .y, first is second
  leave     a statement is left out
Not broken: comments, text in quotes, preprocessor lines, static_assert, and what only asks for memory in advance
(reserve) or names the size of a share of work (grain).
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# ---- breaks


class Break:
    def __init__(self, path, line, column, end, kind, before, after):
        self.path, self.line, self.column, self.end, self.kind = path, line, column, end, kind
        self.before, self.after = before, after  # the whole line

    def name(self):
        return f"{self.path}:{self.line} {self.kind}"

    def describe(self):
        return f"{self.name()}\n  - {self.before.strip()}\n  + {self.after.strip()}"


def blank(match):
    return re.sub(r"[^\n]", "\x01", match.group(0))


NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:\\\n|[^\n])*"
    r"|\bstatic_assert\((?:[^;])*;",
    re.S | re.M)
UNBROKEN_LINES = re.compile(r"reserve\(|[gG]rain|^\s*(?:using|namespace|template|friend|typedef|class|struct|enum)\b")

EXCHANGES = [
    ("compare", r"(?<= )<(?= )", "<="), ("compare", r"(?<= )<=(?= )", "<"), ("compare", r"(?<= )>(?= )", ">="),
    ("compare", r"(?<= )>=(?= )", ">"), ("compare", r"(?<= )==(?= )", "!="), ("compare", r"(?<= )!=(?= )", "=="),
    ("sign", r"(?<= )\+(?= )", "-"), ("sign", r"(?<= )-(?= )", "+"), ("sign", r"(?<= )\+=(?= )", "-="),
    ("sign", r"(?<= )-=(?= )", "+="), ("sign", r"(?<=[(,=?:{] )-(?=[\w(])", ""), ("sign", r"(?<=[({])-(?=[\w(])", ""),
    ("sign", r"(?<=return )-(?=[\w(])", ""),
    ("logic", r"(?<= )&&(?= )", "||"), ("logic", r"(?<= )\|\|(?= )", "&&"), ("logic", r"(?<=[( ])!(?=[\w(])", ""),
    ("product", r"(?<= )\*(?= [\w(])", "/"), ("product", r"(?<= )/(?= )", "*"), ("product", r"(?<= )%(?= )", "/"),
    ("constant", r"\btrue\b", "false"), ("constant", r"\bfalse\b", "true"),
    ("mirror", r"\bstd::min\(", "std::max("), ("mirror", r"\bstd::max\(", "std::min("),
    ("mirror", r"(?<=\.)x\b", "y"), ("mirror", r"(?<=\.)y\b", "z"), ("mirror", r"(?<=\.)z\b", "x"),
    ("mirror", r"(?<=\.)a\b(?!\()", "b"), ("mirror", r"(?<=\.)b\b(?!\()", "a"),
    ("mirror", r"(?<=\.)first\b", "second"), ("mirror", r"(?<=\.)second\b", "first"),
    ("mirror", r"(?<=\.)lower\b", "upper"), ("mirror", r"(?<=\.)upper\b", "lower"),
    ("mirror", r"(?<=\.)min\b(?!\()", "max"), ("mirror", r"(?<=\.)max\b(?!\()", "min"),
]
LESSER = re.compile(r"([\w.]+) [<>]=? ([\w.]+) \? (?:\1 : \2|\2 : \1)(?![\w.])")  # equal ones are the same either way
INTEGER = re.compile(r"(?<![\w.'])(0x[0-9a-fA-F]+|[0-9]+)(?=[uUlLzZ]*\b)(?![\w.]*\.)(?![eE.'])")
ARRAY = re.compile(r"\s*(?!\s|return\b)[\w:<>,*& ]+ \w+\[[0-9]+\]")  # declared; a longer one is the same
FLOAT = re.compile(r"(?<![\w.'])([0-9]+\.[0-9]*(?:e[+-]?[0-9]+)?|[0-9]+e[+-]?[0-9]+|\.[0-9]+)(?=f?\b)")
STATEMENT = re.compile(r"^\s*(?:if \(.*\) )?(?!(?:return|throw|using|else|case|default|if|for|while|delete)\b)"
                       r"([\w:.\[\]>-]+ (?:[-+*/|&]|<<|>>)?= .*;|[\w:.\[\]>-]+\(.*\);|\+\+.*;|--.*;|continue;|break;)$")
DECLARATION = re.compile(r"^\s*(?:const |constexpr |static |auto |inline )|^\s*[\w:<>,*& ]+ \w+(?: = |\{|\()")


def end_of_term(code, at, stops):
    """Where the term that begins at `at` ends, in this line; None if it does not."""
    depth = 0
    i = at
    while i < len(code):
        c = code[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return i
            depth -= 1
        elif depth == 0:
            if c in ",;":
                return i
            if c == " ":
                for stop in stops:
                    if code.startswith(f" {stop} ", i):
                        return i
        i += 1
    return None


COMMUTE = {"min", "max", "fminf", "fmaxf", "dot", "unite", "Min", "Max", "And", "Or", "Xor", "Add", "Mul"}


def swaps(code):
    """(begin, end, text) of calls whose first two arguments change places."""
    for call in re.finditer(r"(\w+)(?:<[\w:, <>]+>)?\(", code):
        begin = call.end()
        if call.group(1) in COMMUTE:
            continue
        first = end_of_term(code, begin, [])
        if first is None or code[first] != "," or code[first:first + 2] != ", ":
            continue
        second = end_of_term(code, first + 2, [])
        if second is None or code[second] not in ",)":
            continue
        a, b = code[begin:first], code[first + 2:second]
        if not a or not b or a == b or "\x01" in a + b:
            continue
        if re.match(r"(?:const |[\w:<>]+[&*]? \w+$|[\w:<>]+[&*] )", a) or re.match(r"(?:const |[\w:<>]+[&*]? \w+$)", b):
            continue  # a declaration's parameters
        yield begin, second, f"{b}, {a}"


def breaks_of_line(path, number, text, code):
    if UNBROKEN_LINES.search(code):
        return
    def made(kind, begin, end, new):
        return Break(path, number, begin, end, kind, text, text[:begin] + new + text[end:])

    for kind, pattern, new in EXCHANGES:
        for m in re.finditer(pattern, code):
            if kind == "compare" and LESSER.search(code):
                continue
            yield made(kind, m.start(), m.end(), new)
    for m in INTEGER.finditer(code):
        if code[m.start(1) - 1] == "[" and ARRAY.fullmatch(code[:m.end(1) + 1]):
            continue
        value = int(m.group(1), 16 if "x" in m.group(1) else 10)
        yield made("constant", m.start(1), m.end(1), str(value + 1) if value != 1 else "0")
    for m in FLOAT.finditer(code):
        value = float(m.group(1))
        yield made("constant", m.start(1), m.end(1), repr(2 * value) if value else "1.0")
    for m in re.finditer(r" (&&|\|\||\+|-) ", code):
        stops = {"&&": ["&&", "||", "?"], "||": ["||", "?"]}.get(
            m.group(1), ["+", "-", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "?", ":", "<<", ">>", "&", "|"])
        end = end_of_term(code, m.end(), stops)
        if end is not None and "\x01" not in code[m.start():end]:
            yield made("drop", m.start(), end, "")
    for begin, end, new in swaps(code):
        yield made("swap", begin, end, new)
    statement = STATEMENT.match(code.rstrip())
    if statement and not DECLARATION.match(code):
        yield made("leave", statement.start(1), statement.end(1), ";")


def breaks_of(path):
    text = (ROOT / path).read_text()
    code = NOT_CODE.sub(blank, text).split("\n")
    for number, (line, clean) in enumerate(zip(text.split("\n"), code), 1):
        if clean.strip("\x01 "):
            yield from breaks_of_line(path, number, line, clean)


def choose(files, rng):
    """All breaks of these files in a random order in which the kinds take turns by lot."""
    kinds = {}
    for path in files:
        for b in breaks_of(path):
            kinds.setdefault(b.kind, []).append(b)
    for some in kinds.values():
        rng.shuffle(some)
    while kinds:
        kind = rng.choice(sorted(kinds))
        yield kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]


# ---- the sound build


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          **more)


def die(text):
    sys.exit(f"mutate: {text}")


class Build:
    """What the build folder is made of: objects, the commands that make them, programs and what they link."""

    def __init__(self, folder):
        self.folder = folder

    def configure(self, options):
        result = run(["cmake", "-S", str(ROOT), "-B", str(self.folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                      "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DLAMELLA_CUDA=OFF", "-DLAMELLA_BENCH=OFF",
                      "-DLAMELLA_FCL=OFF", "-DLAMELLA_TESTS=ON", *options])
        if result.returncode:
            die(f"cmake failed:\n{result.stdout}")
        entries = json.loads(subprocess.run(["ninja", "-C", str(self.folder), "-t", "compdb"], check=True,
                                            stdout=subprocess.PIPE, text=True).stdout)
        self.compile = {}   # object -> (source, command)
        self.in_folder = {}  # folder of tests/ -> test programs
        self.link = {}      # program -> command
        self.members = {}   # archive -> objects
        for e in entries:
            out, command = e["output"], e["command"]
            if out.endswith(".o"):
                self.compile[out] = (e["file"], command)
            elif out.endswith(".a"):
                self.members[out] = set(re.findall(r"\S+\.o\b", command))
            elif re.fullmatch(r"bin/test_\w+", out):
                self.link[Path(out).name] = command.split(" && ", 1)[1] if command.startswith(": && ") else command

        for obj, (source, _) in self.compile.items():
            program = re.search(r"CMakeFiles/(test_\w+)\.dir/", obj)
            if program and program.group(1) in self.link:
                self.in_folder.setdefault(Path(self.folder, source).resolve().parent, set()).add(program.group(1))

    def programs_of(self, path):
        """The test programs of the folder of tests/ that is this file's: the nearest one that has any."""
        folder = ROOT / "tests" / Path(path).relative_to("src").parent
        while folder != ROOT / "tests":
            found = self.programs_in(folder)
            if found:
                return found
            folder = folder.parent
        return []

    def programs_in(self, folder):
        return sorted(self.in_folder.get(folder, ()))

    def all_programs(self):
        """The test programs of every folder that src/ and tests/ both have."""
        folders = [ROOT / "tests" / f.relative_to(ROOT / "src") for f in (ROOT / "src").rglob("*") if f.is_dir()]
        return sorted({p for folder in folders for p in self.programs_in(folder)})

    def make(self, programs, jobs):
        command = ["ninja", "-C", str(self.folder), "-j", str(jobs), *(f"bin/{p}" for p in programs)]
        if subprocess.run(command, stdout=sys.stderr).returncode:
            die("the sound library does not build")
        self.depends = {}   # file below ROOT -> objects
        current = None
        for line in run(["ninja", "-C", str(self.folder), "-t", "deps"]).stdout.split("\n"):
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line.strip():
                path = Path(os.path.normpath(self.folder / line.strip()))
                if path.is_relative_to(ROOT) and not path.is_relative_to(self.folder):
                    self.depends.setdefault(str(path.relative_to(ROOT)), set()).add(current)

    def objects_in(self, program):
        command = self.link[program]
        mine = {o for o in re.findall(r"\S+\.o\b", command)}
        for archive in re.findall(r"\S+\.a\b", command):
            mine |= self.members.get(archive, set())
        return mine


# ---- one break


class Runner:
    def __init__(self, build, jobs, arguments):
        self.build, self.arguments = build, arguments
        self.slots = threading.Semaphore(jobs)
        self.filters, self.limits = {}, {}
        self.others = build.all_programs() if arguments.others else []

    def call(self, command, cwd, limit=None, env=None):
        """(status, output); a status of None: it took longer than the limit."""
        with self.slots:
            child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                     errors="replace", shell=isinstance(command, str), env=env, start_new_session=True)
            try:
                output, _ = child.communicate(timeout=limit)
                return child.returncode, output
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.communicate()
                return None, ""

    def test(self, program, path, limit, stop):
        with tempfile.TemporaryDirectory(prefix="lamella-mutate-") as scratch:
            env = dict(os.environ, TEST_TMPDIR=scratch, TMPDIR=scratch)
            options = [f"--gtest_filter={self.filters[program]}"] if program in self.filters else []
            # A break may ask for memory without end.
            limited = ["sh", "-c", f"ulimit -d {16 << 20} && exec \"$@\"", "sh"]
            options += ["--gtest_fail_fast"] if stop else []
            return self.call([*limited, str(path), "--gtest_brief=1", *options], scratch, limit, env)

    def sound(self, program):
        """Runs it as it is: how long it takes, and which tests fail here for another cause."""
        start = time.monotonic()
        status, output = self.test(program, self.build.folder / "bin" / program, 1800, False)
        failed = sorted(set(re.findall(r"^\[  FAILED  \] ([\w/.]+)", output, re.M)))
        if status is None or (status != 0 and not failed):
            die(f"{program} does not run through even without a break:\n{output[-2000:]}")
        if failed:
            print(f"mutate: left out, for they fail without a break: {' '.join(failed)}", file=sys.stderr)
            self.filters[program] = "-" + ":".join(failed)
        self.limits[program] = 30 + 5 * (time.monotonic() - start)

    def compile_one(self, obj, b, folder):
        source, command = self.build.compile[obj]
        out = folder / obj
        out.parent.mkdir(parents=True, exist_ok=True)
        broken = folder / "tree" / b.path
        words = shlex.split(command)
        made = []
        i = 0
        while i < len(words):
            w = words[i]
            if w in ("-MF", "-MT", "-MQ"):
                i += 2
                continue
            if w in ("-MD", "-MMD"):
                i += 1
                continue
            if w == "-o":
                made += ["-o", str(out)]
                i += 2
                continue
            if os.path.normpath(self.build.folder / w) == str(ROOT / b.path):
                w = str(broken)
            made.append(w)
            i += 1
        # The broken file is found before the sound one, by the names that files are included by.
        at = 2 if Path(made[0]).name == "ccache" else 1
        made[at:at] = ["-w", "-I", str(folder / "tree/src"), "-I", str(folder / "tree/include"),
                     "-iquote", str((ROOT / b.path).parent)]
        return self.call(made, self.build.folder, 600)

    def try_break(self, b):
        """own or others: which tests noticed it; survived, uncompiled or unbuilt; and by what."""
        own = self.arguments.tests or self.build.programs_of(b.path)
        programs = own + [p for p in self.others if p not in own]
        folder = Path(tempfile.mkdtemp(prefix="break-", dir=self.build.folder))
        try:
            broken = folder / "tree" / b.path
            broken.parent.mkdir(parents=True)
            lines = (ROOT / b.path).read_text().split("\n")
            lines[b.line - 1] = b.after
            broken.write_text("\n".join(lines))
            linked = {p: self.build.objects_in(p) for p in programs}
            needed = self.build.depends.get(b.path, set()) & set().union(*linked.values())
            if not needed:
                return "unbuilt", ""
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                for status, output in pool.map(lambda o: self.compile_one(o, b, folder), sorted(needed)):
                    if status != 0:
                        return "uncompiled", output
            for p in programs:
                mine = needed & linked[p]
                if not mine:
                    continue
                words = shlex.split(self.build.link[p])
                words = words[:words.index("&&")] if "&&" in words else words
                first = [str(folder / o) for o in sorted(mine) if o not in words]
                words = [str(folder / w) if w in mine else w for w in words]
                at = next((i for i, w in enumerate(words) if w.endswith(".a")), len(words))
                words[at:at] = first
                out = folder / p
                words[words.index("-o") + 1] = str(out)
                status, output = self.call(words, self.build.folder, 600)
                if status != 0:
                    return "uncompiled", output
                status, output = self.test(p, out, self.limits[p], True)
                by = "own" if p in own else "others"
                if status is None:
                    return by, f"{p} does not end"
                if status != 0:
                    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", output, re.M)
                    return by, failed[0] if failed else f"{p} crashed"
                out.unlink()
            return "survived", ""
        finally:
            shutil.rmtree(folder, ignore_errors=True)


# ---- the whole


def folder_of(path):
    parts = Path(path).parts
    return "/".join(parts[:3] if parts[1] == "engines" and len(parts) > 3 else parts[:2])


def table(results):
    rows = {}
    for b, outcome, _ in results:
        row = rows.setdefault(folder_of(b.path), [0, 0, 0])
        row[0] += 1
        row[1] += outcome == "own"
        row[2] += outcome != "survived"
    total = [sum(column) for column in zip(*rows.values())] or [0, 0, 0]
    width = max(map(len, [*rows, "folder"]))
    lines = [f"{'folder':{width}}  breaks  noticed by its tests  by any   share"]
    for name, (n, own, any_) in [*sorted(rows.items()), ("all", total)]:
        lines.append(f"{name:{width}}  {n:6}  {own:20}  {any_:6}  {100 * any_ / max(n, 1):5.1f} %")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=["src"], metavar="FOLDER",
                        help="folder or file of src/ to break (default: src)")
    parser.add_argument("-n", "--count", type=int, default=20, help="how many breaks (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1); the same seed, the same breaks")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="processes side by side")
    parser.add_argument("--tests", nargs="+", metavar="PROGRAM",
                        help="test programs to run (test_query …), not those of the broken folder")
    parser.add_argument("--others", action="store_true",
                        help="what those do not notice is shown to the tests of all other folders")
    parser.add_argument("--list", action="store_true", help="only say which breaks would be made")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="status 1 if fewer are noticed")
    parser.add_argument("--build", type=Path, default=ROOT / "build/mutate", metavar="FOLDER",
                        help="scratch folder (default: build/mutate)")
    parser.add_argument("--cmake", action="append", default=[], metavar="OPTION",
                        help="one more option for CMake: --cmake=-DX=Y")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no break after this many minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="one line for each break, as it is done")
    arguments = parser.parse_args()

    start = time.monotonic()
    files = []
    for folder in arguments.folders:
        folder = Path(os.path.relpath(Path(folder).resolve(), ROOT))
        if not (ROOT / folder).exists() or folder.parts[0] != "src":
            die(f"{folder} is not a folder or file of src/")
        found = [folder] if (ROOT / folder).is_file() else (ROOT / folder).rglob("*")
        files += [os.path.relpath(ROOT / f, ROOT) for f in found if Path(f).suffix in (".cpp", ".hpp", ".cu", ".cuh")]
    files = sorted(set(files))
    rng = random.Random(arguments.seed)
    candidates = choose(files, rng)
    if arguments.list:
        for _, b in zip(range(arguments.count), candidates):
            print(b.describe())
        return 0

    build = Build(arguments.build.resolve())
    build.configure(arguments.cmake)
    programs = {path: build.programs_of(path) for path in files}
    wanted = set(arguments.tests or (p for some in programs.values() for p in some))
    wanted = sorted(wanted | set(build.all_programs() if arguments.others else []))
    unknown = [p for p in wanted if p not in build.link]
    if unknown:
        die(f"there is no test program {' '.join(unknown)}; there are {' '.join(sorted(build.link))}")
    build.make(wanted, arguments.jobs)
    runner = Runner(build, arguments.jobs, arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(runner.sound, wanted))

    results, passed = [], 0
    out = arguments.json.open("w") if arguments.json else None
    terminal = sys.stderr.isatty()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        going = {}
        while True:
            late = time.monotonic() - start > 60 * arguments.minutes
            while not late and len(results) + len(going) < arguments.count and len(going) < arguments.jobs:
                b = next(candidates, None)
                if b is None:
                    break
                going[pool.submit(runner.try_break, b)] = b
            if not going:
                break
            done, _ = concurrent.futures.wait(going, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                b = going.pop(future)
                outcome, by = future.result()
                if outcome in ("uncompiled", "unbuilt"):
                    passed += 1
                    continue
                results.append((b, outcome, by))
                if out:
                    out.write(json.dumps({"file": b.path, "line": b.line, "kind": b.kind, "before": b.before.strip(),
                                          "after": b.after.strip(), "outcome": outcome, "by": by}) + "\n")
                    out.flush()
            if terminal:
                print(f"\r{len(results)} of {arguments.count} ", end="", file=sys.stderr)
    results.sort(key=lambda r: (r[0].path, r[0].line))
    if terminal:
        print("\r", end="", file=sys.stderr)
    survivors = [b for b, outcome, _ in results if outcome == "survived"]
    for b in survivors:
        print(b.describe())
    print(("\n" if survivors else "") + table(results))
    print(f"{len(survivors)} not noticed; {passed} more did not compile or are not in this build")
    noticed = len(results) - len(survivors)
    return 1 if 100 * noticed < arguments.least * len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
