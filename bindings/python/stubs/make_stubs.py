#!/usr/bin/env python3
"""Writes lamella/__init__.pyi and lamella/_lamella.pyi, the types of everything public, from the built module.

    PYTHONPATH=build/release/python python3 bindings/python/stubs/make_stubs.py           # writes them
    PYTHONPATH=build/release/python python3 bindings/python/stubs/make_stubs.py --check   # says whether they are up to date

pybind11 tells each signature in the docstring. Where C++ takes any object, or numpy's types are not told, the tables of
stub_types.py say more. Keywords of options are listed one by one, so that editors know them.
"""

import inspect
import re
import sys
from pathlib import Path

import lamella
import stub_types as types
from lamella import _lamella

PACKAGE = Path(__file__).resolve().parents[1] / "lamella"


def split_arguments(text):
    """At commas that are in no brackets and no quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "[(":
            depth += 1
        elif c in "])":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def signatures(function):
    """Pairs of arguments and result, as pybind11 writes them, and what the docstring says beside."""
    name, found, words = function.__name__, [], []
    for line in (function.__doc__ or "").split("\n"):
        match = re.fullmatch(rf"(?:\d+\. )?{name}\((.*)\) -> (.*)", line.strip())
        if match:
            found.append((split_arguments(match[1]), match[2]))
        elif not line.strip().startswith("Overloaded function") and (words or line.strip()):
            words.append(line)
    return found, "\n".join(words).strip()


def option_keywords(kinds):
    """All options of these classes as keywords."""
    out = []
    for kind in kinds:
        for name, member in vars(getattr(_lamella, kind)).items():
            if isinstance(member, property):
                said = member.fget.__doc__.strip().rpartition(" -> ")[2]
                out.append(f"{name}: {types.of_keyword(said, name)} = ...")
    return out


def argument_text(text, where, kinds):
    """One argument; `kinds`: the classes of options whose fields **kwargs stands for."""
    if text in ("*", "*args") or text.startswith("self:") or text.startswith("arg0:"):
        return "self" if ":" in text else text
    if text == "**kwargs":
        return ", ".join(option_keywords(kinds))
    declared, _, default = text.partition(" = ")
    name, _, kind = declared.partition(": ")
    told = types.of_argument(kind, name, where, kinds)
    if default == "None" and "None" not in told and told not in types.TAKE_NONE:
        told += " | None"
    return f"{name}: {told}" + (" = ..." if default else "")


def arguments_text(arguments, where, kinds):
    if "**kwargs" in arguments and "*" not in arguments and option_keywords(kinds):
        arguments = arguments[:-1] + ["*", "**kwargs"]
    return ", ".join(argument_text(a, where, kinds) for a in arguments)


def document(words, indent):
    """A docstring, or nothing."""
    words = words.strip()
    if not words:
        return ""
    words = words.replace("\\", "\\\\")
    words = words[:-1] + '\\"' if words.endswith('"') else words
    lines = words.split("\n")
    text = "\n".join([lines[0]] + [indent + line if line else "" for line in lines[1:]])
    return f'{indent}"""{text}"""\n' if "\n" not in text else f'{indent}"""{text}\n{indent}"""\n'


def function_text(name, function, indent="", owner=""):
    where = f"{owner}.{name}" if owner else name
    if where in types.WRITTEN:
        found, words = types.WRITTEN[where], signatures(function)[1]
    else:
        told, words = signatures(function)
        kinds = types.options_of(where, owner)
        found = [(arguments_text(a, where, kinds), types.of_result(r, name, owner)) for a, r in told]
    if not found:
        return python_function_text(name, function, indent)
    out = ""
    for i, (arguments, result) in enumerate(found):
        if len(found) > 1:
            out += f"{indent}@overload\n"
        doc = document(words, indent + "    ") if i == 0 and name != "__init__" else ""
        out += f"{indent}def {name}({arguments}) -> {result}:" + (f"\n{doc}" if doc else " ...\n")
    return out


def python_function_text(name, function, indent):
    """Of a method that is written in Python (lamella/_records.py)."""
    if not inspect.isfunction(function):
        return ""
    extra = ", **keywords: Any" if "keywords" in inspect.signature(function).parameters else ""
    result = "dict[str, Any]" if name == "to_dict" else "Any"
    return f"{indent}def {name}(self{extra}) -> {result}: ...\n"


def property_text(name, member, owner):
    said = member.fget.__doc__.strip().split("\n")[0].rpartition(" -> ")[2]
    is_options = "replace" in vars(getattr(_lamella, owner))
    kind = types.of_property(said, name, owner, is_options)
    doc = document(member.__doc__ or "", "        ")
    doc = "" if (member.__doc__ or "").startswith("(") else doc
    given = ""
    if member.fset:
        given = types.of_keyword(said, name) if is_options else types.of_setter(said, name)
        if given == kind:
            return f"    {name}: {kind}\n" + doc.replace(" " * 8, " " * 4)
    out = f"    @property\n    def {name}(self) -> {kind}:" + (f"\n{doc}" if doc else " ...\n")
    return out + (f"    @{name}.setter\n    def {name}(self, value: {given}) -> None: ...\n" if given else "")


DUNDERS = ("__init__", "__call__", "__len__", "__getitem__")


def class_text(name, kind):
    bases = [b.__name__ for b in kind.__bases__ if b.__name__ != "pybind11_object"]
    out = f"class {name}({', '.join(bases)}):\n" if bases else f"class {name}:\n"
    out += document(kind.__doc__ or "", "    ")
    if name == "Error":
        return out + '    kind: str\n\n'
    if vars(kind).get("__hash__", 1) is None:
        out += "    __hash__: ClassVar[None]  # type: ignore[assignment]\n"
    for member_name, member in vars(kind).items():
        if member_name.startswith("_") and member_name not in DUNDERS:
            continue
        if isinstance(member, property):
            out += property_text(member_name, member, name)
        elif callable(member):
            out += function_text(member_name, member, "    ", name)
    if name in types.ITEMS:
        out += f"    def __iter__(self) -> Iterator[{types.ITEMS[name]}]: ...\n"
    return out + "\n"


def native_stub():
    out = types.HEADER
    for name, value in vars(_lamella).items():
        if name.startswith("_"):
            continue
        out += class_text(name, value) if isinstance(value, type) else function_text(name, value) + "\n"
    return out + "__version__: str\n__cpu_features__: tuple[str, ...]\n"


def package_stub():
    """Everything in __all__, from where it is defined."""
    homes = {}
    for name in lamella.__all__:
        if hasattr(_lamella, name):
            homes.setdefault("_lamella", []).append(name)
        else:
            homes.setdefault(getattr(lamella, name).__module__.partition(".")[2], []).append(name)
    out = ""
    for home in sorted(homes):
        out += f"from .{home} import (\n" + "".join(f"    {n} as {n},\n" for n in sorted(homes[home])) + ")\n"
    return out + "\n__all__ = [\n" + "".join(f'    "{n}",\n' for n in lamella.__all__) + "]\n"


def main():
    stale = 0
    for name, text in (("_lamella.pyi", native_stub()), ("__init__.pyi", package_stub())):
        path = PACKAGE / name
        if "--check" in sys.argv[1:]:
            stale += not path.exists() or path.read_text() != text
        else:
            path.write_text(text)
    if stale:
        sys.exit("the stubs are not those of this module: run bindings/python/stubs/make_stubs.py")


if __name__ == "__main__":
    main()
