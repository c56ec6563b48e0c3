"""What the tests of the program share: FILE_test.py TEST PROGRAM LAUNCHER..., where the launcher's last argument takes
the number of processes."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

test, program, *launcher = sys.argv[1:]


def run_test(tests):
    """The test that was asked for, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        tests[test](pathlib.Path(name))
    print("passed")


def expect(holds, what, done=None):
    if holds:
        return
    print("failed:", what)
    if done is not None:
        print("status", done.returncode, "\n", done.stdout, "\n", done.stderr)
    sys.exit(1)


def command_of(processes, *arguments):
    """0 processes: without the launcher."""
    return [program, *arguments] if processes == 0 else [*launcher, processes, program, *arguments]


@contextlib.contextmanager
def started(command, **more):
    """A program, or a launcher with its processes, that is ended with the block, also where an expectation fails."""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, **more}
    process = subprocess.Popen([str(word) for word in command], **more)
    try:
        yield process
    finally:
        if process.poll() is None:
            end(process)


def end(process):
    process.terminate()  # a launcher ends its processes, too
    try:
        process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        for pid in [*descendants_of(process.pid), process.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def run(processes, *arguments, timeout=240, **more):
    with started(command_of(processes, *arguments), stderr=subprocess.PIPE, **more) as process:
        stdout, stderr = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def wait_while_running(process, holds):
    """Until something holds; not for ever."""
    deadline = time.time() + 120
    while time.time() < deadline and process.poll() is None and not holds():
        time.sleep(0.01)


def children_of(pid):
    return [int(p) for p in subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True,
                                           text=True).stdout.split()]


def descendants_of(pid):
    return [p for child in children_of(pid) for p in (child, *descendants_of(child))]


def is_rank(pid, rank):
    """Whether a process has this rank in its job; False for one that is gone."""
    try:
        environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment.split(b"\0")


def on_machines(folder, names, *command, first=""):
    """A process on each of several "machines": Open MPI's launcher starts them by a remote shell, and this one stays
    here, under another name. They share no memory, and talk by TCP. Needs the right to change its name. `first`: what
    each of them does before, in sh, where $host is its name; it may mount folders, which the others do not see."""
    said = subprocess.run([launcher[0], "--version"], capture_output=True, text=True).stdout
    if "Open" not in said or subprocess.run(["unshare", "-um", "hostname", "a"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: no Open MPI, or no right to change the name of the machine")
        sys.exit(77)
    shell = folder / "shell"
    shell.write_text('#!/bin/sh\nexport host=$1\nshift\n'
                     f'exec unshare -um sh -c "hostname $host; {first or ":"}; $*"\n')
    shell.chmod(0o755)
    options = {"plm": "rsh", "plm_rsh_agent": shell, "oob_tcp_if_include": "lo", "btl_tcp_if_include": "lo"}
    set_options = [x for name, value in options.items() for x in ("--mca", name, value)]
    return started([launcher[0], "--oversubscribe", "--host", ",".join(names), *set_options, program, *command],
                   env={k: v for k, v in os.environ.items() if k != "OMPI_MCA_plm"})
