"""Clashes by the processes of an MPI job, on one machine and on several: the same bytes, processes that die or are
stopped, and errors. See job.py."""

import csv
import fcntl
import json
import os
import pathlib
import resource
import signal

from job import (children_of, command_of, expect, is_rank, launcher, on_machines, program, run, run_test, started,
                 wait_while_running)


def clash_same_bytes(folder):
    outputs = {}
    for processes in (0, 1, 2, 4):
        out = folder / f"{processes}.csv"
        done = run(processes, "clash", "assembly:crowd:400", "--clearance", 0.1, "--csv", out, "--json")
        expect(done.returncode == 1, "there are clashes", done)
        answer = json.loads(done.stdout)
        answer.pop("ms", None)
        outputs[processes] = (out.read_bytes(), json.dumps(answer, sort_keys=True))
        expect(outputs[processes][0] == outputs[0][0], f"{processes} processes write the same CSV", done)
        if outputs[processes][1] != outputs[0][1]:
            print(outputs[0][1][:2000], "\n\n", outputs[processes][1][:2000])
        expect(outputs[processes][1] == outputs[0][1], f"{processes} processes print the same JSON")


def clash_unwritable_output(folder):
    """Rank 0 alone writes. What it cannot write ends all processes in order: the words of one process, status 2, and
    nothing of MPI's own, which would say that a process failed or was killed."""
    (folder / "full.csv").symlink_to("/dev/full")
    (folder / "folder.csv").mkdir()
    for what, option, name in (("no folder", "--csv", "none/a.csv"), ("no folder for GLB", "--glb", "none/a.glb"),
                               ("no folder for BCF", "--bcf", "none/a.bcfzip"),
                               ("no folder for a page", "--html", "none/a.html"),
                               ("a folder", "--csv", "folder.csv"), ("a full disk", "--csv", "full.csv")):
        arguments = ["clash", "assembly:crowd:100", option, folder / name]
        one = run(0, *arguments)
        expect(one.returncode == 2 and one.stderr.startswith("lamella: "), f"{what}: status 2", one)
        for processes in (1, 3) if name == "none/a.csv" else (3,):
            done = run(processes, *arguments)
            expect(done.returncode == 2 and done.stderr.count(one.stderr) == 1, f"{what}: the same words, once", done)
            rest = done.stderr.replace(one.stderr, "").replace("Primary job  terminated normally", "")
            for word in ("MPI_ABORT", "MPI Error", "ORTE_ERROR", "NBC", "signal", "lamella: "):
                expect(word not in rest, f"{what}: no '{word}' beside them", done)


def clash_on_machines(folder):
    one = folder / "one.csv"
    arguments = ["clash", "assembly:crowd:400", "--clearance", "0.1"]
    solids = folder / "1.glb"
    expect(run(0, *arguments, "--csv", one, "--glb", solids).returncode == 1, "there are clashes")

    def said_by(names, csv_file, *more):
        with on_machines(folder, names, *arguments, "--csv", csv_file, "--threads", 1, *more) as process:
            said = process.communicate(timeout=240)[0]
            expect(process.returncode == 1, f"{names} find clashes: {said}")
            expect(csv_file.read_bytes() == one.read_bytes(), f"{names} write the same CSV: {said}")
            return said

    for names in (["a:2", "b:2"], ["a:1", "b:1", "c:1"]):
        glb = folder / f"{len(names)}.glb"
        said = said_by(names, folder / f"{len(names)}.csv", "--glb", glb)
        expect("fetched from other machines" in said and "found no room" not in said, f"{names}: meshes travel: {said}")
        expect(glb.read_bytes() == solids.read_bytes(), f"{names}: rank 0 gets the same meshes")
    said = said_by(["a:1", "b:1"], folder / "little.csv", "--mesh-memory", 1)
    expect("of these 0 made room for others" in said and "found no room" in said, f"--mesh-memory is kept to: {said}")


def clash_machine_dies(folder):
    csv_file, cache = folder / "cut.csv", folder / "cache.rank1"
    with on_machines(folder, ["a:1", "b:1"], "clash", "assembly:crowd:3000", "--resolution", 512, "--threads", 1,
                     "--csv", csv_file, "--cache", folder / "cache") as process:
        wait_while_running(process, lambda: cache.exists() and cache.stat().st_size > 10_000)
        mine = []
        for at in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = at.joinpath("cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(csv_file).encode() in words and is_rank(at.name, 1):
                mine.append(int(at.name))
        expect(process.poll() is None and len(mine) == 1, f"two processes are at work: {mine}")
        os.kill(mine[0], signal.SIGKILL)
        said = process.communicate(timeout=120)[0]
        expect(process.returncode != 0 and said.strip(), "the job ends with a word: " + said)
    expect(not csv_file.exists(), "there is no CSV yet")


def clash_no_shared_memory(folder):
    """36 MB of meshes, where files, and MPI's shared memory is files, may have 8: as in a container."""
    done = run(2, "clash", "assembly:crowd:20000", "--resolution", 8, "--threads", 1,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20)))
    expect(done.returncode == 2 and "MPI gave no shared memory" in done.stderr and "/dev/shm" in done.stderr,
           "the job ends with a word", done)


def clash_one_fails(folder):
    """A process that fails alone, since its machine lacks a file, ends the job with its words, and no errors of MPI's
    that hide them."""
    (folder / "rules.json").write_text('{"rules": []}')
    for failing in (0, 2):
        script = f'[ $OMPI_COMM_WORLD_RANK = {failing} ] && rules=none.json || rules=rules.json; ' \
                 f'exec {program} clash assembly:crowd:100 --rules {folder}/$rules'
        with started([*launcher, 3, "sh", "-c", script]) as process:
            said = process.communicate(timeout=240)[0]
            expect(process.returncode == 2 and said.count("none.json") == 1, f"process {failing} says why: {said}")
            expect("MPI Error" not in said and "MPI_ERR" not in said, f"MPI finds no errors: {said}")


def clash_idle_rules(folder):
    """Of parts that no process holds as a whole, rules that have no effect are told as by one process."""
    answers = set()
    for processes in (0, 1, 3):
        done = run(processes, "clash", "assembly:crowd:300", "--json", "--exit-zero", "--ignore", "part 1*,*",
                   "--ignore", "prat 7,*", "--ignore", "*,group:none")
        expect(done.returncode == 0, "it answers", done)
        answer = json.loads(done.stdout)
        answer.pop("ms", None)
        expect(len(answer["warnings"]) == 2, f"{processes}: two of three rules have no effect", done)
        answers.add(json.dumps(answer))
    expect(len(answers) == 1, "the JSON is the same for any number of processes")


def singletons_refuse(folder):
    """A launcher whose processes do not find each other: here, none at all."""
    done = run(0, "clash", "assembly:crowd:50", "--exit-zero", env={**os.environ, "SLURM_STEP_NUM_TASKS": "4"})
    expect(done.returncode == 3 and "4 processes were started, but MPI sees one" in done.stderr and
           "--mpi=pmix" in done.stderr, "processes that are alone say so", done)


def clash_rank_killed(folder):
    arguments = ["clash", "assembly:crowd:3000", "--resolution", "512", "--threads", "1"]
    whole, cut, cache = folder / "whole.csv", folder / "cut.csv", folder / "cache"
    expect(run(0, *arguments, "--csv", whole).returncode == 1, "there are clashes")
    arguments += ["--csv", str(cut), "--cache", str(cache)]

    def caches():
        return [p for p in folder.iterdir() if p.name.startswith("cache")]

    def count_in(done, word):
        line = next(line for line in done.stdout.splitlines() if line.startswith(word))
        return int(line.split()[1].replace(",", ""))

    with started(command_of(3, *arguments)) as process:
        wait_while_running(process, lambda: sum(p.stat().st_size for p in caches()) >= 30_000)
        ranks = children_of(process.pid)
        expect(process.poll() is None and len(ranks) == 3, "three processes are at work")
        os.kill(max(ranks), signal.SIGKILL)
        said = process.communicate(timeout=120)[0]
        expect(process.returncode != 0 and said.strip(), "the job ends with a word")
    expect({p.name for p in caches()} == {"cache", "cache.rank1", "cache.rank2"}, "each process has a file")
    expect(not cut.exists(), "there is no CSV yet")
    for processes in (2, 0, 4):
        done = run(processes, *arguments)
        expect(done.returncode == 1 and cut.read_bytes() == whole.read_bytes(),
               f"continued by {processes} processes, the CSV is the same", done)
        reused, most = count_in(done, "reused"), count_in(done, "candidates")
        expect(0 < reused < most if processes == 2 else reused == most, f"{processes} processes reuse answers", done)
        cut.unlink()


def clash_rank_stopped(folder):
    """A signal for one process, which is not rank 0, before it has tested its first pairs: it leaves out its pairs, the
    others test theirs, and rank 0 writes what they found, however long that takes."""
    cut, glb, cache = folder / "cut.csv", folder / "cut.glb", folder / "cache"
    arguments = ["clash", "assembly:crowd:3000", "--resolution", "512", "--threads", "1", "--csv", str(cut), "--cache",
                 str(cache)]

    def found(rows):
        return {(row["a"], row["b"], row["class"], row["volume"]) for row in rows}

    with started(command_of(3, *arguments, "--glb", glb)) as process:
        wait_while_running(process, (folder / "cache.rank1").exists)
        ranks = [pid for pid in children_of(process.pid) if is_rank(pid, 1)]
        expect(process.poll() is None and len(ranks) == 1, f"process 1 is at work: {ranks}")
        os.kill(ranks[0], signal.SIGTERM)
        said = process.communicate(timeout=240)[0]
        expect(process.returncode == 143 and "another process of the job was stopped" in said,
               f"a signal for one process stops the job with a word: {process.returncode} " + said)
    expect("lamella: process" not in said and "MPI_ABORT" not in said, "nobody fails: " + said)
    some = list(csv.DictReader(cut.open(newline="")))
    expect(len(some) > 1 and some[-1]["class"] == "incomplete", "what the others found is written, and marked")
    expect(glb.exists(), "all files are written")
    done = run(3, *arguments)
    more = list(csv.DictReader(cut.open(newline="")))
    expect(done.returncode == 1 and more[-1]["class"] != "incomplete", "continued, the report is complete", done)
    expect(found(some[:-1]) <= found(more), "it has what was found before")


def clash_rank_0_interrupted(folder):
    csv_file, cache = folder / "cut.csv", folder / "cache"
    with started(command_of(3, "clash", "assembly:crowd:3000", "--resolution", 512, "--threads", 1, "--csv", csv_file,
                            "--cache", cache)) as process:
        wait_while_running(process, cache.exists)
        ranks = [pid for pid in children_of(process.pid) if is_rank(pid, 0)]
        expect(process.poll() is None and len(ranks) == 1, f"process 0 is at work: {ranks}")
        os.kill(ranks[0], signal.SIGINT)
        said = process.communicate(timeout=240)[0]
        expect(process.returncode == 130 and "stopped by Ctrl-C" in said, f"{process.returncode}, by Ctrl-C: {said}")
    expect("incomplete" in csv_file.read_text(), "what was found is written, and marked")


def clash_cache_in_use(folder):
    for name in ("cache", "cache.rank1"):
        with open(folder / name, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            done = run(3, "clash", "assembly:crowd:100", "--cache", folder / "cache")
            expect(done.returncode == 2 and done.stderr.count("another process is writing this file") == 1 and
                   name + ":" in done.stderr, "a cache in use ends the job with a word", done)


run_test(globals())
