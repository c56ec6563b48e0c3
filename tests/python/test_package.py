"""The wheel: made of the build that is tested, installed into a clean environment, with all libraries inside."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import lamella

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(lamella.__file__).parent  # with links into the build folder
BUILD = PACKAGE.parents[1]


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


needed = [("pip", "python3-pip"), ("setuptools", "python3-setuptools"), ("wheel", "python3-wheel"), ("venv", "python3-venv")]
missing = [package for module, package in needed if not has(module)] + ([] if shutil.which("patchelf") else ["patchelf"])
pytestmark = [
    pytest.mark.skipif(bool(missing), reason=f"wheels cannot be made here; missing: {', '.join(missing)}"),
    pytest.mark.skipif(not (BUILD / "CMakeCache.txt").exists(), reason="the module that is tested is installed, not built"),
]


def run(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Made of a copy of the sources, so that setuptools leaves nothing in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    (source / "bindings").mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    shutil.copytree(ROOT / "bindings/python", source / "bindings/python")
    shutil.copytree(ROOT / "include", source / "include")
    environment = {**os.environ, "LAMELLA_BUILD": str(BUILD), "LAMELLA_BUNDLE": "1"}
    run(sys.executable, "-m", "pip", "wheel", source, "--no-deps", "--no-build-isolation", "--wheel-dir", folder,
        env=environment)
    return next(folder.glob("lamella-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The interpreter of an environment that has nothing but the wheel, and numpy of the system's."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--system-site-packages", folder)
    python = folder / "bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
    return python


def clean():
    """The environment's variables without those that could lead to the build folder."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LAMELLA", "LD_"))}


def test_the_wheel_has_what_it_needs(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert any(re.match(r"lamella/_lamella\..*\.so$", name) for name in names)
    for name in ("lamella/__init__.py", "lamella/py.typed", "lamella/bin/lamella", "lamella/lib/libtbb.so.12"):
        assert name in names
    assert wheel.stat().st_size < 60e6


def test_the_wheel_works_where_it_is_installed(installed, tmp_path):
    told = run(installed, "-c", "import lamella; print(lamella.__file__); print(lamella.intersect('model:hand', 'model:phone').volume)",
               cwd=tmp_path, env=clean()).split()
    assert str(installed.parent.parent) in told[0]
    assert float(told[1]) == lamella.intersect("model:hand", "model:phone").volume


def test_its_libraries_are_its_own(installed, tmp_path):
    folder = run(installed, "-c", "import lamella, pathlib; print(pathlib.Path(lamella.__file__).parent)", cwd=tmp_path,
                 env=clean()).strip()
    for program in [next(pathlib.Path(folder).glob("_lamella*.so")), pathlib.Path(folder) / "bin/lamella"]:
        listing = run("ldd", program, env=clean())
        for name in ("libtbb", "libhwy", "libfmt"):
            where = re.search(rf"{name}\S* => (\S+)", listing).group(1)
            assert os.path.realpath(where).startswith(os.path.realpath(folder)), listing
        assert "not found" not in listing


def test_the_program_comes_with_it(installed, tmp_path):
    for words in ([installed, "-m", "lamella"], [installed.parent / "lamella"]):
        assert lamella.__version__ in run(*words, "--version", cwd=tmp_path, env=clean())
