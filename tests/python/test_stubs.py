"""The type stubs say what the module has, and type checkers accept what works and refuse what does not."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import lamella

HERE = Path(__file__).parent
GENERATOR = HERE.parents[1] / "bindings" / "python" / "stubs" / "make_stubs.py"
PACKAGE = Path(lamella.__file__).parent

# What stubtest says of every class of pybind11 and of every enumeration, and cannot know.
NO_FAULT = ("metaclass differs", 'stub does not have *args argument "args"', ".__new__ is inconsistent")


def run(*command):
    """A Python program that finds the package where this one did."""
    paths = str(PACKAGE.parent)
    types = {} if "-packages" in paths else {"MYPYPATH": paths}
    with tempfile.TemporaryDirectory() as cache:  # nothing is left in the checkout
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **types}
        return subprocess.run(
            [sys.executable, *map(str, command)], cwd=cache, env=environment, capture_output=True, text=True, timeout=300
        )


def test_stubs_are_those_of_the_module():
    answer = run(GENERATOR, "--check")
    assert answer.returncode == 0, answer.stderr


def test_everything_public_is_in_the_stub():
    stub = (PACKAGE / "__init__.pyi").read_text()
    assert (PACKAGE / "py.typed").exists()
    missing = [name for name in lamella.__all__ if f"    {name} as {name},\n" not in stub]
    assert not missing


def test_mypy_accepts_good_code_and_refuses_mistakes():
    pytest.importorskip("mypy")
    answer = run("-m", "mypy", "--strict", "--config-file", HERE / "mypy.ini", HERE / "typing_example.py")
    assert answer.returncode == 0, answer.stdout + answer.stderr


# Modules of plain Python have their types beside the code: there is no stub that could differ.
TYPED_IN_PLACE = ("lamella.torch", "lamella.cuda", "lamella.trimesh", "lamella._torch_asks")


def test_stubtest_finds_no_difference():
    pytest.importorskip("mypy.stubtest")
    answer = run("-m", "mypy.stubtest", "--concise", "--mypy-config-file", HERE / "mypy.ini", "lamella")
    lines = [line for line in answer.stdout.splitlines() if not line.startswith(TYPED_IN_PLACE)]
    faults = [line for line in lines if not any(words in line for words in NO_FAULT)]
    assert not faults, "\n".join(faults)
    assert not answer.stderr.strip() or answer.returncode == 0, answer.stderr
