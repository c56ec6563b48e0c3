"""Sweeps: answers equal those of a Batch; sweep_file can be continued, Sweep reads meshes by name as it needs them."""

import csv
import gc
import json
import os
import signal
import threading
import weakref

import numpy as np
import pytest

import lamella

MESHES = ["model:box", "model:hand:400"]


def random_pairs(count, seed=1):
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 2, count), random.integers(0, 2, count)
    poses = np.zeros((count, 7))
    poses[:, :3] = random.uniform(-1.5, 1.5, (count, 3))
    turns = random.normal(size=(count, 4))
    poses[:, 3:] = turns / np.linalg.norm(turns, axis=1)[:, None]
    return a, b, poses


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.jsonl", "jobs.jobs"])
def test_answers_are_those_of_a_batch(tmp_path, name):
    a, b, poses = random_pairs(200)
    lamella.write_jobs(tmp_path / name, MESHES, a, b, pose_b=poses)
    report = lamella.sweep_file(tmp_path / name, tmp_path / "out.csv", resolution=16, engine="software")
    assert report.complete and report.answers == 200 and report.resumed == 0 and report.engine == "software"
    batch = lamella.Batch(resolution=16, engine="software")
    for mesh in MESHES:
        batch.add(mesh)
    expected = batch.intersect(a, b, pose_b=poses)
    with open(tmp_path / "out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["index"]) for row in rows] == list(range(200))
    np.testing.assert_array_equal([float(row["volume"]) for row in rows], expected.volume)
    np.testing.assert_array_equal([row["colliding"] == "true" for row in rows], expected.colliding)
    np.testing.assert_array_equal([int(row["spans"]) for row in rows], expected.span_count)
    assert report.colliding == np.count_nonzero(expected.colliding)


def test_json_lines_and_resolutions(tmp_path):
    a, b, poses = random_pairs(20)
    resolutions = np.where(np.arange(20) % 2 == 0, 8, 24)
    lamella.write_jobs(tmp_path / "jobs.csv", MESHES, a, b, pose_b=poses, resolution=resolutions)
    lamella.sweep_file(tmp_path / "jobs.csv", tmp_path / "out.jsonl", engine="software")
    with open(tmp_path / "out.jsonl") as file:
        answers = [json.loads(line) for line in file]
    for i in (0, 1):
        single = lamella.Batch(resolution=int(resolutions[i]), engine="software")
        for mesh in MESHES:
            single.add(mesh)
        assert answers[i]["volume"] == single.intersect(int(a[i]), int(b[i]), pose_b=poses[i]).volume[0]
    with pytest.raises(ValueError, match="3 numbers for 20 pairs"):
        lamella.write_jobs(tmp_path / "jobs.csv", MESHES, a, b, pose_b=poses, resolution=[1, 2, 3])


def test_jobs_that_are_appended_are_answered(tmp_path):
    a, b, poses = random_pairs(50)
    jobs, out = tmp_path / "jobs.csv", tmp_path / "out.csv"
    lamella.write_jobs(jobs, MESHES, a, b, pose_b=poses)
    lamella.sweep_file(jobs, out, resolution=8)
    text = jobs.read_text()
    jobs.write_text(text + text.splitlines(keepends=True)[-1])
    again = lamella.sweep_file(jobs, out, resolution=8)
    assert (again.resumed, again.answers) == (50, 51)
    lines = out.read_text().splitlines()
    assert lines[-1].split(",")[1:] == lines[-2].split(",")[1:]
    with pytest.raises(lamella.Error, match="resolution was 8, and is 9 now"):
        lamella.sweep_file(jobs, out, resolution=9)
    assert lamella.sweep_file(jobs, out, resolution=9, restart=True).answers == 51


def test_errors_name_the_line(tmp_path):
    (tmp_path / "jobs.csv").write_text("mesh_a,mesh_b\nmodel:box,model:box\nmodel:box\n")
    with pytest.raises(lamella.Error, match=r"jobs\.csv:3: expected 2 fields"):
        lamella.sweep_file(tmp_path / "jobs.csv", tmp_path / "out.csv")
    (tmp_path / "jobs.csv").write_text("mesh_a,mesh_b\nmodel:box,../x.ply\n")
    with pytest.raises(lamella.Error, match="must be in the folder"):
        lamella.sweep_file(tmp_path / "jobs.csv", tmp_path / "other.csv")


def test_progress_and_ctrl_c(tmp_path):
    a, b, poses = random_pairs(30_000)
    jobs, whole, out = tmp_path / "jobs.jobs", tmp_path / "whole.csv", tmp_path / "out.csv"
    lamella.write_jobs(jobs, MESHES, a, b, pose_b=poses)
    seen = []
    options = dict(resolution=12, engine="software")
    lamella.sweep_file(jobs, whole, progress=lambda done, total: seen.append((done, total)), **options)
    assert seen[-1][0] == seen[-1][1] == os.path.getsize(jobs)

    def interrupt(done, total):
        if done > 0:
            signal.raise_signal(signal.SIGINT)

    if threading.current_thread() is threading.main_thread():
        with pytest.raises(KeyboardInterrupt):
            lamella.sweep_file(jobs, out, progress=interrupt, **options)
        again = lamella.sweep_file(jobs, out, **options)
        assert again.complete and 0 < again.resumed < 30_000
        assert out.read_bytes() == whole.read_bytes()


def placed_names(count):
    a, b, poses = random_pairs(count)
    return [MESHES[i] for i in a], [MESHES[i] for i in b], poses


def batch_answers(count, **options):
    a, b, poses = random_pairs(count)
    batch = lamella.Batch(engine="software", **options)
    for mesh in MESHES:
        batch.add(mesh)
    return batch.intersect(a, b, pose_b=poses)


def test_named_pairs_have_the_answers_of_a_batch_however_they_are_cut():
    a, b, poses = placed_names(9000)  # more than two blocks
    expected = batch_answers(9000, resolution=8)
    sweep = lamella.Sweep(resolution=8, engine="software")
    seen = []
    whole = sweep.answer(a, b, pose_b=poses, progress=lambda done, total: seen.append((done, total)))
    assert len(whole) == 9000 and seen[-1] == (9000, 9000) and len(seen) > 1
    np.testing.assert_array_equal(whole.volume, expected.volume)
    np.testing.assert_array_equal(whole.centroid, expected.centroid)
    part = sweep.answer(a[100:105], b[100:105], pose_b=poses[100:105])
    np.testing.assert_array_equal(part.volume, expected.volume[100:105])
    assert sweep.answer("model:box", "model:box").volume[0] == 8
    assert len(sweep.answer([], "model:box")) == 0
    assert sweep.options.engine == "software" and "resolution=8" in repr(sweep)


def test_named_pairs_may_have_resolutions_of_their_own():
    a, b, poses = placed_names(20)
    resolutions = np.where(np.arange(20) % 2 == 0, 8, 24)
    answers = lamella.Sweep(engine="software").answer(a, b, pose_b=poses, resolution=resolutions)
    for first, resolution in ((0, 8), (1, 24)):
        expected = batch_answers(20, resolution=resolution).volume
        np.testing.assert_array_equal(answers.volume[first::2], expected[first::2])


def test_meshes_are_loaded_when_needed_and_again_when_there_is_no_room():
    loaded = []

    def load(name):
        loaded.append(name)
        return f"model:{name}"  # a mesh, or what stands for one

    names = ["box", "hand:400", "sphere:500"]
    sweep = lamella.Sweep(resolution=8, load=load)
    assert loaded == []
    expected = [sweep.answer(name, "box").volume[0] for name in names]
    sweep.answer(names * 3, "box")
    assert loaded == names  # each once
    loaded.clear()
    crowded = lamella.Sweep(resolution=8, load=load, mesh_memory=1)
    assert [crowded.answer(name, "box").volume[0] for name in names] == expected
    assert loaded.count("box") > 1


def test_a_sweep_is_freed_with_the_object_that_loads_for_it():
    class Planner:
        def __init__(self):
            self.sweep = lamella.Sweep(load=self.load)

        def load(self, name):
            return lamella.model(name)

    planner = Planner()
    assert planner.sweep.answer("box", "box").volume[0] == 8
    gone = weakref.ref(planner)
    del planner
    gc.collect()
    assert gone() is None


def test_names_may_be_paths_of_any_kind(tmp_path):
    path = tmp_path / "box.ply"
    lamella.write_mesh(path, lamella.model("box"))
    (entry,) = os.scandir(tmp_path)
    sweep = lamella.Sweep()
    for name in (str(path), path, entry, [path], [entry]):
        assert sweep.answer(name, "model:box").volume[0] == 8


def test_what_load_raises_and_what_it_may_not_do():
    sweep = lamella.Sweep(load=lambda name: {"box": lamella.model("box")}[name])
    with pytest.raises(KeyError, match="ball"):
        sweep.answer("box", "ball")
    assert sweep.answer("box", "box").volume[0] == 8  # it can go on
    again = lamella.Sweep(load=lambda name: again.answer("box", "box"))
    with pytest.raises(lamella.Error, match="the same Sweep"):
        again.answer("box", "box")
    with pytest.raises(TypeError, match="expected a function"):
        lamella.Sweep(load="box")
    with pytest.raises(TypeError, match="a: names of meshes"):
        sweep.answer([1, 2], "box")
    with pytest.raises(ValueError, match="a has 2 rows and b has 3"):
        sweep.answer(["box"] * 2, ["box"] * 3)
    with pytest.raises(ValueError, match="3 numbers for 1 pairs"):
        sweep.answer("box", "box", resolution=[8, 8, 8])
    with pytest.raises(lamella.Error, match=r"job 1 \(from 0\): missing\.ply: cannot open"):
        lamella.Sweep().answer(["model:box", "missing.ply"], "model:box")
    changing = iter([lamella.model("box"), lamella.model("box"), lamella.model("sphere")])
    with pytest.raises(lamella.Error, match="has changed since the sweep began"):
        changed = lamella.Sweep(load=lambda name: next(changing), mesh_memory=1)
        for _ in range(3):
            changed.answer("box", "box")


def test_ctrl_c_ends_a_sweep_of_named_pairs():
    a, b, poses = placed_names(9000)
    sweep = lamella.Sweep(resolution=8)
    if threading.current_thread() is threading.main_thread():
        with pytest.raises(KeyboardInterrupt):
            sweep.answer(a, b, pose_b=poses, progress=lambda done, total: signal.raise_signal(signal.SIGINT))
        assert sweep.answer("model:box", "model:box").volume[0] == 8
