"""Sweeps by the processes of an MPI job: the same bytes, processes that die or are stopped, and errors; commands that
refuse to spread. See job.py."""

import contextlib
import csv
import os
import signal

from job import children_of, command_of, expect, on_machines, run, run_test, started, wait_while_running


def make_jobs(folder, count, ending="csv"):
    jobs = folder / f"jobs.{ending}"
    done = run(0, "sweep", "--make", count, "model:hand:2000", "model:phone:800", "model:knot:1500", "-o", jobs)
    expect(done.returncode == 0, "jobs are made", done)
    return jobs


def sweep(processes, jobs, answers, *more):
    return run(processes, "sweep", jobs, "-o", answers, "--resolution", 32, "--threads", 1, *more)


def sweep_same_bytes(folder):
    for ending in ("csv", "jobs"):
        jobs = make_jobs(folder, 6000, ending)
        one = folder / f"one-{ending}.csv"
        done = sweep(0, jobs, one)
        expect(done.returncode in (0, 4), "one process answers", done)
        for processes in (1, 2, 3, 4):
            many = folder / f"{processes}-{ending}.csv"
            done = sweep(processes, jobs, many)
            expect(many.exists() and many.read_bytes() == one.read_bytes(),
                   f"{processes} processes write the same bytes ({ending})", done)


@contextlib.contextmanager
def at_work(jobs, cut):
    """Three processes that have written some answers: the launcher, and the processes."""
    command = command_of(3, "sweep", jobs, "-o", cut, "--resolution", 32, "--threads", 1, "--checkpoint", 0)
    with started(command) as process:
        wait_while_running(process, lambda: cut.exists() and cut.stat().st_size >= 100_000)
        ranks = children_of(process.pid)
        expect(process.poll() is None and len(ranks) == 3, "three processes are at work")
        yield process, ranks


def sweep_rank_killed(folder):
    jobs = make_jobs(folder, 30000)
    whole, cut = folder / "whole.csv", folder / "cut.csv"
    expect(sweep(0, jobs, whole).returncode in (0, 4), "one process answers")
    with at_work(jobs, cut) as (process, ranks):
        os.kill(max(ranks), signal.SIGKILL)
        said = process.communicate(timeout=120)[0]
    expect(process.returncode != 0 and said.strip(), "the job ends with a word")
    before = cut.stat().st_size
    expect(0 < before < whole.stat().st_size, "a part of the answers is on the disk")
    done = sweep(2, jobs, cut)
    expect(cut.read_bytes() == whole.read_bytes(), "continued, the file is the same", done)
    rows = list(csv.DictReader(cut.open()))
    expect(len(rows) == 30000 and len({r[next(iter(r))] for r in rows}) == 30000, "no answer is lost or there twice")


def sweep_rank_stopped(folder):
    jobs = make_jobs(folder, 30000)
    with at_work(jobs, folder / "cut.csv") as (process, ranks):
        os.kill(max(ranks), signal.SIGTERM)
        said = process.communicate(timeout=120)[0]
    expect(process.returncode == 143 and "another process of the job was stopped" in said,
           "a signal for one process stops the job with a word: " + said)
    answered = folder.joinpath("cut.csv.state").read_text().split("\njobs ")[1].split()[0]
    expect(0 < int(answered) < 30000, "a part is answered")


def sweep_job_stopped(folder):
    """Open MPI's launcher asks its processes to stop a second after it was asked, and kills them another second later.
    A busy process may be killed before it says a word; what it wrote must be whole all the same."""
    jobs = make_jobs(folder, 80000)
    whole, cut = folder / "whole.csv", folder / "cut.csv"
    expect(sweep(2, jobs, whole).returncode in (0, 4), "two processes answer")
    with at_work(jobs, cut) as (process, _):
        process.terminate()
        said = process.communicate(timeout=120)[0]
    expect(process.returncode != 0, "a signal for the launcher stops the job: " + said)
    expect(0 < cut.stat().st_size < whole.stat().st_size, "a part of the answers is on the disk")
    done = sweep(3, jobs, cut)
    expect(done.returncode in (0, 4), "it is continued", done)
    expect(cut.read_bytes() == whole.read_bytes(), "continued, the file is the same", done)


def sweep_make(folder):
    """One process writes the jobs."""
    expect(run(3, "sweep", "--make", 500, "model:hand:500", "-o", folder / "3.csv").returncode == 0, "jobs are made")
    expect(run(0, "sweep", "--make", 500, "model:hand:500", "-o", folder / "0.csv").returncode == 0, "jobs are made")
    expect((folder / "3.csv").read_bytes() == (folder / "0.csv").read_bytes(), "and are those of one process")


def sweep_other_files(folder):
    """The second machine sees another mesh under the same name: an error instead of wrong answers."""
    meshes, other = folder / "meshes", folder / "other"
    for at, model in ((meshes, "knot:500"), (other, "knot:700")):
        at.mkdir()
        done = run(0, "models", "-o", at, model, "hand:500")
        expect(done.returncode == 0, "meshes are written", done)
    same = run(0, "sweep", "--make", 400, meshes / "knot.ply", meshes / "hand.ply", "-o", folder / "jobs.csv")
    expect(same.returncode == 0, "jobs are made", same)
    answers = folder / "answers.csv"
    arguments = ["sweep", folder / "jobs.csv", "-o", answers, "--resolution", 16, "--threads", 1]
    with on_machines(folder, ["a:1", "b:1"], *arguments) as process:
        said = process.communicate(timeout=240)[0]
        expect(process.returncode in (0, 4), f"two machines with the same files answer: {said}")
    both = answers.read_bytes()
    expect(run(0, *arguments, "--restart").returncode in (0, 4) and answers.read_bytes() == both,
           "and write the bytes of one process")
    swap = f"test $host = a || mount --bind {other} {meshes}"
    with on_machines(folder, ["a:1", "b:1"], *arguments, "--restart", first=swap) as process:
        said = process.communicate(timeout=240)[0]
        expect(process.returncode == 2 and "knot.ply: process " in said and "reads another mesh than process" in said,
               f"another file is noticed: {said}")


def sweep_bad_jobs(folder):
    jobs = folder / "jobs.csv"
    jobs.write_text("mesh_a,mesh_b\nmodel:hand:500,missing.ply\n")
    for processes in (0, 3):
        done = sweep(processes, jobs, folder / f"{processes}.csv")
        expect(done.returncode == 2 and "missing.ply" in done.stderr and "jobs.csv:2" in done.stderr,
               "a mesh that is missing is an error that names its job", done)


def sweep_unwritable_output(folder):
    jobs = make_jobs(folder, 100)
    for processes in (0, 3):
        done = sweep(processes, jobs, folder / "none" / "out.csv")
        expect(done.returncode == 2 and done.stderr.count("lamella: ") == 1 and "MPI_ABORT" not in done.stderr,
               "rank 0 alone says so: status 2", done)


def other_commands_refuse(folder):
    done = run(2, "intersect", "model:hand:500", "model:phone:500")
    expect(done.returncode == 2 and done.stderr.count("only sweep and clash") == 1,
           "others say that they do not spread", done)


run_test(globals())
