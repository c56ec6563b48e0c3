"""Runs pytest on the files given; exit status 77 where it is missing, or where it skipped every test."""

import sys

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-numpy python3-pytest)")
    sys.exit(77)


class Counter:
    ran = 0

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and not report.skipped:
            self.ran += 1


def main():
    counter = Counter()
    status = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[counter])
    return 77 if counter.ran == 0 and status in (0, 5) else status


if __name__ == "__main__":  # children of multiprocessing import this file again
    sys.exit(main())
