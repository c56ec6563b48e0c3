"""Progress of long work: a callable, or a bar of tqdm's where it is installed."""

import sys


class _Lines:
    """Percentages on one line of a terminal; nothing where there is none."""

    def __init__(self, what):
        self._what = what
        self._shown = -1

    def __call__(self, done, total):
        percent = 100 * done // max(total, 1)
        if percent == self._shown or not sys.stderr.isatty():
            return
        self._shown = percent
        print(f"\r{self._what}: {percent} %", end="", file=sys.stderr, flush=True)

    def close(self):
        if self._shown >= 0:
            print(file=sys.stderr)


class _Bar:
    def __init__(self, tqdm, what):
        self._bar = tqdm(desc=what, disable=None)

    def __call__(self, done, total):
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self):
        self._bar.close()


def reporter(given, what):
    """What to call with (done, total): `given` itself, or a bar if it is True; None for nothing."""
    if given is None or given is False:
        return None
    if given is not True:
        if not callable(given):
            raise TypeError(f"progress must be True or something to call with (done, total), not {given!r}")
        return given
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines(what)
    return _Bar(tqdm, what)
