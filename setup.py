"""Builds the Python package by CMake: `pip install --no-build-isolation .`, or `./run wheel`.

LAMELLA_BUILD=FOLDER: a build folder of CMake's to use, and to build in if something is missing there (default: one of
setuptools' own). LAMELLA_BUNDLE=1: puts the shared libraries that are needed into the package, so that the wheel runs
where they are not installed; needs patchelf.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
# What every Linux has, or what must be the system's own: the C and C++ run time, drivers.
SYSTEM_LIBRARIES = re.compile(
    r"^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread|libutil|libresolv|libstdc\+\+|libgcc_s|libcuda|libpython.*)\.so"
)


def version():
    text = (ROOT / "include/lamella/version.hpp").read_text()
    return re.search(r'kVersion = "([^"]+)"', text).group(1)


def run(*words):
    subprocess.run([str(w) for w in words], check=True)


def needed_libraries(programs):
    """Paths of the shared libraries that the programs load, by the name they ask for, without the system's."""
    found = {}
    for program in programs:
        listing = subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listing, re.M):
            if not SYSTEM_LIBRARIES.match(name):
                found[name] = Path(path)
    return found


def bundle(package):
    """Copies the libraries that the package needs to package/lib, and has everything look for them there."""
    if shutil.which("patchelf") is None:
        raise SystemExit("LAMELLA_BUNDLE=1 needs patchelf (Debian: patchelf)")
    extension = next(package.glob("_lamella*.so"))
    program = package / "bin" / "lamella"
    folder = package / "lib"
    folder.mkdir(exist_ok=True)
    for name, path in needed_libraries([extension, program]).items():
        shutil.copyfile(path, folder / name)
        run("patchelf", "--set-rpath", "$ORIGIN", folder / name)
    run("patchelf", "--set-rpath", "$ORIGIN/lib", extension)
    run("patchelf", "--set-rpath", "$ORIGIN/../lib", program)


class CMakeBuild(build_ext):
    """The extension and the program `lamella`, by CMake; the extension goes where setuptools wants it."""

    def build_extension(self, ext):
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        folder = Path(os.environ.get("LAMELLA_BUILD") or self.build_temp).resolve()
        if not (folder / "CMakeCache.txt").exists():
            run("cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DLAMELLA_TESTS=OFF",
                "-DLAMELLA_BENCH=OFF", "-DLAMELLA_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}")
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
        run("cmake", "--build", folder, "-j", jobs, "--target", "lamella_python", "lamella_cli")
        package.mkdir(parents=True, exist_ok=True)
        (package / "bin").mkdir(exist_ok=True)
        for built in (folder / "python" / "lamella").glob("_lamella*.so"):
            self._copy(built, package / built.name)
        self._copy(folder / "bin" / "lamella", package / "bin" / "lamella")
        if os.environ.get("LAMELLA_BUNDLE"):
            bundle(package)

    @staticmethod
    def _copy(source, to):
        shutil.copyfile(source, to)
        to.chmod(0o755)
        subprocess.run(["strip", "--strip-unneeded", str(to)], check=False)


setup(
    version=version(),
    packages=["lamella"],
    package_dir={"lamella": "bindings/python/lamella"},
    package_data={"lamella": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("lamella._lamella", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)
