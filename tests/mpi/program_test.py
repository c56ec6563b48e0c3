"""Runs the program as the processes of an MPI job: program_test.py TEST PROGRAM LAUNCHER..., where the launcher's last
argument takes the number of processes."""

import csv
import fcntl
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

test, program, *launcher = sys.argv[1:]


def run(processes, *arguments, timeout=240, **more):
    command = [program] if processes == 0 else [*launcher, str(processes), program]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **more)


def expect(holds, what, done=None):
    if holds:
        return
    print("failed:", what)
    if done is not None:
        print("status", done.returncode, "\n", done.stdout, "\n", done.stderr)
    sys.exit(1)


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


def children_of(pid):
    return [int(p) for p in subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True,
                                           text=True).stdout.split()]


def start_sweep(jobs, cut):
    """Three processes that have written some answers: the launcher, and the processes."""
    command = [*launcher, "3", program, "sweep", jobs, "-o", cut, "--resolution", "32", "--threads", "1",
               "--checkpoint", "0"]
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.time() + 120
    while time.time() < deadline and (not cut.exists() or cut.stat().st_size < 100_000) and process.poll() is None:
        time.sleep(0.02)
    ranks = children_of(process.pid)
    expect(process.poll() is None and len(ranks) == 3, "three processes are at work")
    return process, ranks


def sweep_rank_killed(folder):
    jobs = make_jobs(folder, 30000)
    whole, cut = folder / "whole.csv", folder / "cut.csv"
    expect(sweep(0, jobs, whole).returncode in (0, 4), "one process answers")
    process, ranks = start_sweep(jobs, cut)
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
    process, ranks = start_sweep(jobs, folder / "cut.csv")
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
    process, _ = start_sweep(jobs, cut)
    process.terminate()
    said = process.communicate(timeout=120)[0]
    expect(process.returncode != 0, "a signal for the launcher stops the job: " + said)
    expect(0 < cut.stat().st_size < whole.stat().st_size, "a part of the answers is on the disk")
    done = sweep(3, jobs, cut)
    expect(done.returncode in (0, 4) and cut.read_bytes() == whole.read_bytes(), "continued, the file is the same", done)


def sweep_bad_jobs(folder):
    jobs = folder / "jobs.csv"
    jobs.write_text("mesh_a,mesh_b\nmodel:hand:500,missing.ply\n")
    for processes in (0, 3):
        done = sweep(processes, jobs, folder / f"{processes}.csv")
        expect(done.returncode == 2 and "missing.ply" in done.stderr and "jobs.csv:2" in done.stderr,
               "a mesh that is missing is an error that names its job", done)


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


def answer_of(processes, folder, arguments, files=()):
    """Status, warnings and bytes of a clash report."""
    outputs = [folder / f"{processes}.{ending}" for ending in ("csv", *files)]
    options = [x for out in outputs for x in (f"--{out.suffix[1:]}", out)]
    done = run(processes, "clash", *arguments, "--json", *options, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    answer = json.loads(done.stdout) if done.stdout else {}
    answer.pop("ms", None)
    said = [line for line in done.stderr.splitlines() if line.startswith("lamella")]  # the launcher has words of its own
    return done, (done.returncode, said, json.dumps(answer), *(o.read_bytes() for o in outputs if o.exists()))


def same_for_any_number(folder, what, status, arguments, files=(), numbers=(3,)):
    expected = answer_of(0, folder, arguments, files)
    expect(expected[0].returncode == status, f"{what}: the status is {status}", expected[0])
    for processes in numbers:
        done, answer = answer_of(processes, folder, arguments, files)
        expect(answer == expected[1], f"{what}: {processes} processes answer the same as\n{expected[0].stderr}", done)


def make_files(folder):
    """Files that overlap, one of them with a hole, in folders; two boxes in one OBJ; something that is no mesh."""
    (folder / "in").mkdir(parents=True)
    for name, faces in (("hand", 900), ("phone", 500), ("knot", 700), ("rabbit", 600)):
        done = run(0, "models", f"{name}:{faces}", "-o", folder / "in" / name)
        expect(done.returncode == 0, "a model is written", done)
    hand = next((folder / "in" / "hand").iterdir())
    rows = ["o first", *box(0), "o second", *box(0.5, 8)]
    (folder / "in" / "boxes.obj").write_text("\n".join(rows) + "\n")
    (folder / "in" / "open.obj").write_text("\n".join(box(0.25)[:-1]) + "\n")
    (folder / "in" / "notes.step").write_text("no mesh\n")
    return hand


def box(low, before=0, along_x=0):
    high = low + 1
    corners = [(x + along_x, y, z) for x in (low, high) for y in (low, high) for z in (low, high)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    return [*(f"v {x} {y} {z}" for x, y, z in corners),
            *("f " + " ".join(str(i + before) for i in face) for face in faces)]


def clash_files_same_bytes(folder):
    hand = make_files(folder)
    inputs = [folder / "in", hand, "model:hand:300"]
    rules = ["--ignore", "boxes.obj*,hand*", "--ignore", "boxs*,*"]
    same_for_any_number(folder, "a folder, a file twice and a model", 1, [*inputs, *rules, "--clearance", "0.05"], ["glb"],
                        (1, 2, 3, 4))
    same_for_any_number(folder, "scaled and repaired", 1, [folder / "in", "--scale", "2.5", "--repair"])
    same_for_any_number(folder, "one file of two parts", 1, [folder / "in" / "boxes.obj"])
    far = ["o first", *box(1000.37), "o second", *box(1000.37, 8, 0.99999)]
    (folder / "far.obj").write_text("\n".join(far) + "\n")
    same_for_any_number(folder, "a film that only doubles hold", 1, [folder / "far.obj"], ["glb"])
    same_for_any_number(folder, "the same in another scale", 1, [folder / "far.obj", "--scale", "0.7"], ["glb"])
    same_for_any_number(folder, "one part", 0, [folder / "in" / "boxes.obj", "--split", "none"])


def stl_of_sliver():
    corners = [(0, 0, 0), (1, 0, 0), (1.00000001, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 3, 1), (1, 3, 2), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    lines = ["solid sliver"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex %.8f %.8f %.8f" % corners[i] for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid sliver", ""])


def clash_scene_same_bytes(folder):
    hand = make_files(folder)
    name = str(hand.relative_to(folder))
    scene = {"meshes": {"hand": name, "boxes": {"file": "in/boxes.obj", "split": "auto"}, "again": name,
                        "ball": {"model": "torus", "faces": 400}},
             "objects": [{"mesh": "ball", "name": "b", "scale": 0.7}, {"mesh": "boxes", "name": "pair"},
                         {"mesh": "hand", "group": "g"}, {"mesh": "hand", "scale": 2, "layer": "l"},
                         {"mesh": "again", "pose": {"translation": [0.1, 0, 0]}}, {"mesh": "ball", "scale": 0.7}],
             "ignore": [["b", "pair/first"], [0, 3]]}
    file = folder / "scene.json"
    file.write_text(json.dumps(scene))
    same_for_any_number(folder, "a scene", 1, [file], ["glb"], (1, 2, 3, 4))
    shaped = {**scene, "frames": 2, "objects": [*scene["objects"], {"mesh": "hand", "shapes": [name]}]}
    file.write_text(json.dumps(shaped))
    same_for_any_number(folder, "a scene with shapes", 1, [file])
    # Two corners that are one in floats: meshes and shapes must be read alike.
    (folder / "sliver.stl").write_text(stl_of_sliver())
    file.write_text(json.dumps({"frames": 2, "meshes": {"m": "sliver.stl", "hand": name},
                                "objects": [{"mesh": "m", "shapes": ["sliver.stl"]}, {"mesh": "hand"}]}))
    same_for_any_number(folder, "a shape in doubles", 1, [file])


def clash_bad_files(folder):
    """A file that cannot be read ends the job with status 2, and the words of one process, at once."""
    make_files(folder)
    broken = folder / "in" / "broken.ply"
    broken.write_text("ply\nformat ascii 1.0\nelement vertex 3\n")
    scene = folder / "scene.json"
    scene.write_text(json.dumps({"meshes": {"a": "in/boxes.obj", "b": "in/broken.ply"}, "objects": [{"mesh": "c"}]}))
    for what, arguments in (("broken", [folder / "in"]), ("missing", [folder / "in" / "boxes.obj", folder / "none.ply"]),
                            ("no folder", [folder / "nothing"]), ("no model", ["model:hand:300", "model:hnad"]),
                            ("a scene's", [scene])):
        same_for_any_number(folder, what, 2, arguments)
    scene.write_text(json.dumps({"meshes": {"a": "in/boxes.obj"}, "objects": [{"mesh": "c"}]}))
    same_for_any_number(folder, "a scene's object", 2, [scene])


def clash_unwritable_output(folder):
    """Rank 0 alone writes. What it cannot write ends all processes in order: the words of one process, status 2, and
    nothing of MPI's own, which would say that a process failed or was killed."""
    (folder / "full.csv").symlink_to("/dev/full")
    (folder / "folder.csv").mkdir()
    for what, option, name in (("no folder", "--csv", "none/a.csv"), ("no folder for GLB", "--glb", "none/a.glb"),
                               ("no folder for BCF", "--bcf", "none/a.bcfzip"), ("no folder for a page", "--html",
                               "none/a.html"), ("a folder", "--csv", "folder.csv"), ("a full disk", "--csv", "full.csv")):
        arguments = ["clash", "assembly:crowd:100", option, folder / name]
        one = run(0, *arguments)
        expect(one.returncode == 2 and one.stderr.startswith("lamella: "), f"{what}: status 2", one)
        for processes in (1, 3) if name == "none/a.csv" else (3,):
            done = run(processes, *arguments)
            expect(done.returncode == 2 and done.stderr.count(one.stderr) == 1, f"{what}: the same words, once", done)
            rest = done.stderr.replace(one.stderr, "").replace("Primary job  terminated normally", "")
            for word in ("MPI_ABORT", "MPI Error", "ORTE_ERROR", "NBC", "signal", "lamella: "):
                expect(word not in rest, f"{what}: no '{word}' beside them", done)
    jobs = make_jobs(folder, 100)
    for processes in (0, 3):
        done = sweep(processes, jobs, folder / "none" / "out.csv")
        expect(done.returncode == 2 and done.stderr.count("lamella: ") == 1 and "MPI_ABORT" not in done.stderr,
               "a sweep's answers: status 2", done)


def on_machines(folder, names, *command):
    """A process on each of several "machines": Open MPI's launcher starts them by a remote shell, and this one stays
    here, under another name. They share no memory, and talk by TCP. Needs the right to change its name."""
    said = subprocess.run([launcher[0], "--version"], capture_output=True, text=True).stdout
    if "Open" not in said or subprocess.run(["unshare", "-u", "hostname", "a"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: no Open MPI, or no right to change the name of the machine")
        sys.exit(77)
    shell = folder / "shell"
    shell.write_text('#!/bin/sh\nhost=$1\nshift\nexec unshare -u sh -c "hostname $host; $*"\n')
    shell.chmod(0o755)
    options = {"plm": "rsh", "plm_rsh_agent": shell, "oob_tcp_if_include": "lo", "btl_tcp_if_include": "lo"}
    set_options = [x for name, value in options.items() for x in ("--mca", name, str(value))]
    return subprocess.Popen([launcher[0], "--oversubscribe", "--host", ",".join(names), *set_options, program,
                             *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={k: v for k, v in os.environ.items() if k != "OMPI_MCA_plm"})


def clash_on_machines(folder):
    one = folder / "one.csv"
    arguments = ["clash", "assembly:crowd:400", "--clearance", "0.1"]
    solids = folder / "1.glb"
    expect(run(0, *arguments, "--csv", one, "--glb", solids).returncode == 1, "there are clashes")
    for names in (["a:2", "b:2"], ["a:1", "b:1", "c:1"]):
        many, glb = folder / f"{len(names)}.csv", folder / f"{len(names)}.glb"
        process = on_machines(folder, names, *arguments, "--csv", many, "--glb", glb, "--threads", 1)
        said = process.communicate(timeout=240)[0]
        expect(process.returncode == 1 and many.read_bytes() == one.read_bytes(), f"{names} write the same CSV: " + said)
        expect("fetched from other machines" in said and "found no room" not in said, f"{names}: meshes travel: " + said)
        expect(glb.read_bytes() == solids.read_bytes(), f"{names}: rank 0 gets the same meshes")
    little = folder / "little.csv"
    process = on_machines(folder, ["a:1", "b:1"], *arguments, "--csv", little, "--threads", 1, "--mesh-memory", 1)
    said = process.communicate(timeout=240)[0]
    expect(process.returncode == 1 and little.read_bytes() == one.read_bytes(), "without memory the CSV is the same: " + said)
    expect("of these 0 made room for others" in said and "found no room" in said, "--mesh-memory is kept to: " + said)


def clash_machine_dies(folder):
    csv_file = folder / "cut.csv"
    process = on_machines(folder, ["a:1", "b:1"], "clash", "assembly:crowd:3000", "--resolution", 512, "--threads", 1,
                          "--csv", csv_file, "--cache", folder / "cache")
    deadline = time.time() + 120
    while time.time() < deadline and process.poll() is None and not (
            (folder / "cache.rank1").exists() and (folder / "cache.rank1").stat().st_size > 10_000):
        time.sleep(0.01)
    mine = []
    for at in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = at.joinpath("cmdline").read_bytes().split(b"\0")
            rank = b"OMPI_COMM_WORLD_RANK=1" in at.joinpath("environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if rank and str(csv_file).encode() in words:
            mine.append(int(at.name))
    expect(process.poll() is None and len(mine) == 1, f"two processes are at work: {mine}")
    os.kill(mine[0], signal.SIGKILL)
    said = process.communicate(timeout=120)[0]
    expect(process.returncode != 0 and said.strip() and not csv_file.exists(), "the job ends with a word: " + said)


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
        done = subprocess.run([*launcher, "3", "sh", "-c", script], capture_output=True, text=True, timeout=240)
        expect(done.returncode == 2 and done.stderr.count("none.json") == 1, f"process {failing} says why", done)
        expect("MPI Error" not in done.stderr and "MPI_ERR" not in done.stderr, "MPI finds no errors", done)


def clash_idle_rules(folder):
    """Of parts that no process holds as a whole, rules that have no effect are told as by one process."""
    answers = set()
    for processes in (0, 1, 3):
        done = run(processes, "clash", "assembly:crowd:300", "--json", "--exit-zero", "--ignore", "part 1*,*", "--ignore",
                   "prat 7,*", "--ignore", "*,group:none")
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

    process = subprocess.Popen([*launcher, "3", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    deadline = time.time() + 120
    while time.time() < deadline and process.poll() is None and sum(p.stat().st_size for p in caches()) < 30_000:
        time.sleep(0.01)
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

    process = subprocess.Popen([*launcher, "3", program, *arguments, "--glb", str(glb)], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    deadline = time.time() + 120
    while time.time() < deadline and process.poll() is None and not (folder / "cache.rank1").exists():
        time.sleep(0.01)
    ranks = [pid for pid in children_of(process.pid)
             if b"OMPI_COMM_WORLD_RANK=1" in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")]
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


def clash_cache_in_use(folder):
    for name in ("cache", "cache.rank1"):
        with open(folder / name, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            done = run(3, "clash", "assembly:crowd:100", "--cache", folder / "cache")
            expect(done.returncode == 2 and done.stderr.count("another process is writing this file") == 1 and
                   name + ":" in done.stderr, "a cache in use ends the job with a word", done)


def other_commands_refuse(folder):
    done = run(2, "intersect", "model:hand:500", "model:phone:500")
    expect(done.returncode == 2 and done.stderr.count("only sweep and clash") == 1, "others say that they do not spread",
           done)


with tempfile.TemporaryDirectory() as name:
    globals()[test](pathlib.Path(name))
print("passed")
