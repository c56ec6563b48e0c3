"""Examples of docstrings are run."""

import doctest
import importlib
import inspect

import pytest

import lamella
import lamella._enums
import lamella._records

FINDER = doctest.DocTestFinder(exclude_empty=True)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def tests():
    """Of the package itself, and of every public name, of the extension too, with its methods."""
    yield from FINDER.find(lamella, "lamella", globs={})
    for name in lamella.__all__:
        thing = getattr(lamella, name)
        if inspect.getdoc(thing):
            yield doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {}, f"lamella.{name}", None, 0)
        for method, value in vars(thing).items() if inspect.isclass(thing) else ():
            if inspect.getdoc(value) and not method.startswith("__"):
                yield doctest.DocTestParser().get_doctest(inspect.getdoc(value), {}, f"lamella.{name}.{method}", None, 0)


EXAMPLES = [t for t in tests() if t.examples]


def test_there_are_examples():
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda t: t.name)
def test_example(example):
    said = []
    failed, _ = doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=said.append)
    assert failed == 0, "".join(said)


def test_every_public_name_says_what_it_is():
    silent = [name for name in lamella.__all__ if not name.startswith("__") and not inspect.getdoc(getattr(lamella, name))]
    assert silent == []
