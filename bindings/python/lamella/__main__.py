"""``python -m lamella``: the command line."""

import os
import shutil
import sys
from pathlib import Path


def program():
    """The path of the program: that of the package, else the one on PATH. None when there is none."""
    own = Path(__file__).resolve().parent / "bin" / "lamella"
    linked = Path(__file__).parent / "bin" / "lamella"
    for path in (linked, own):
        if path.exists():
            return str(path)
    return shutil.which("lamella")


def main():
    path = program()
    if path is None:
        print("lamella: the program is not in this package and not on PATH; ./run install installs it", file=sys.stderr)
        return 2
    os.execv(path, ["lamella", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
