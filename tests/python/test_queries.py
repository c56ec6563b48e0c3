"""Every query against what is known: analytic volumes, the command line's answers, other engines."""

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import lamella
from conftest import box


def command(*words):
    """The JSON that the command line prints."""
    done = subprocess.run([sys.executable, "-m", "lamella", *words, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_an_overlap_is_that_of_the_command_line(hand, phone):
    told = command("intersect", "model:hand", "model:phone", "--resolution", "128")
    overlap = lamella.intersect(hand, phone)
    mine = overlap.to_dict()
    assert json.loads(json.dumps(mine)) == mine
    for key in ("verdict", "colliding", "volume", "volume_error", "axis", "resolution", "spans", "engine"):
        assert mine[key] == told[key], key
    assert mine["centroid"] == pytest.approx(told["centroid"], rel=1e-12)
    for end in ("min", "max"):
        assert mine["bounds"][end] == pytest.approx(told["bounds"][end], rel=1e-6)
        assert mine["voi"][end] == pytest.approx(told["voi"][end], rel=1e-6)


def test_spans_sum_up_to_the_volume(hand, phone):
    overlap = lamella.intersect(hand, phone)
    lengths = overlap.spans["end"].astype(float) - overlap.spans["begin"]
    assert len(overlap.spans) == overlap.span_count
    assert lengths.sum() * overlap.grid.cell_area == pytest.approx(overlap.volume, rel=1e-9)
    assert np.all(np.diff(overlap.spans["column"].astype(int)) >= 0)
    assert not overlap.spans.flags.writeable
    assert overlap.to_mesh().volume == pytest.approx(overlap.volume, rel=1e-4)


def test_self_overlap(fist):
    told = lamella.self_intersect(fist)
    assert told.colliding and told.volume > 0
    assert not lamella.self_intersect(box()).colliding
    inverted = (box()[0], box()[1][:, ::-1])
    assert lamella.self_intersect(inverted).inside_out_volume == pytest.approx(1)


def test_points_in_a_ball():
    ball = lamella.model("sphere", 20000)
    points = np.random.default_rng(1).uniform(-1, 1, (20000, 3)).astype(np.float32)
    radius = np.linalg.norm(points, axis=1)
    told = lamella.contains(ball, points, exact=True)
    sure = np.abs(radius - 1) > 0.01
    assert np.array_equal(told.inside[sure], radius[sure] < 1)
    assert told.inside.sum() == told.inside_count
    assert told.flags.dtype == np.uint8 and not told.unknown.any()
    assert np.array_equal(lamella.Detector(exact=True).contains(ball, points).flags, told.flags)
    in_box = lamella.contains(ball, points, [(0, 0, 0), (1, 1, 1)])
    assert in_box.not_looked_at == np.count_nonzero(np.any((points < 0) | (points > 1), axis=1))


def test_open_columns_are_unknown_not_outside():
    vertices, faces = box()
    open_box = (vertices, faces[2:])
    told = lamella.contains(open_box, [(0.5, 0.5, 0.5)], close_holes=False, axis="z")
    assert told.unknown.all() and told.health.untrusted_points == 1
    closed = lamella.intersect(open_box, box())
    assert closed.doubts and "hole" in closed.doubts[0].describe()
    with pytest.raises(lamella.Error):
        lamella.intersect(open_box, box(), strict=True)


def test_vertices_inside():
    small = box((0.25, 0.25, 0.25), (0.75, 0.75, 2))
    told = lamella.vertices_inside(box(), small)
    assert told.any and len(told.a_in_b.inside) == 0
    assert sorted(told.b_in_a.inside["vertex"]) == [0, 1, 2, 3]


def test_gradient_of_two_boxes():
    a, b = box(), box((0.5, 0.25, 0.25), (1.5, 0.75, 0.75))
    told = lamella.volume_gradient(a, b)
    assert told.volume == pytest.approx(0.125, rel=1e-6)
    assert told.sums.a.translation == pytest.approx([0.25, 0, 0], abs=1e-6)
    assert told.sums.b.translation.tolist() == (-told.sums.a.translation).tolist()
    assert told.vertices_a.sum(axis=0) == pytest.approx(told.sums.a.translation, abs=1e-6)
    assert told.vertices_a.shape == (8, 3) and told.vertices_a.dtype == np.float32
    assert lamella.volume_gradient(a, b, vertices=False).vertices_a.shape == (0, 3)
    assert lamella.Detector().volume_gradient(a, b).volume == told.volume


def test_self_gradient(fist):
    told = lamella.self_gradient(fist)
    assert told.vertices.shape == fist.positions.shape and np.any(told.vertices != 0)
    assert told.volume == lamella.self_intersect(fist).volume


def test_ends_name_triangles(hand, phone):
    told = lamella.intersect(hand, phone, ends=True)
    assert len(told.ends) == len(told.spans) > 0
    faces = (len(hand.faces), len(phone.faces))
    for end in ("begin", "end"):
        for mesh in (0, 1):
            of_mesh = told.ends[told.ends[f"{end}_mesh"] == mesh]
            assert np.all(of_mesh[f"{end}_triangle"] < faces[mesh])


def test_ways_out_and_sweeps():
    way = lamella.separation(box(), box((0.75, 0, 0), (2, 1, 1)))
    assert way.before == "colliding" and way.after == "clear" and way.certificate.certain
    assert way.length == pytest.approx(0.25, rel=1e-3)
    free = lamella.free_shifts(box(), box((0.75, 0, 0), (2, 1, 1)), (1, 0, 0))
    assert free.overlapping and free.forward == pytest.approx(2, rel=1e-5) and free.backward == pytest.approx(0.25, rel=1e-5)
    hit = lamella.sweep(box(), box((3, 0, 0), (4, 1, 1)), (10, 0, 0))
    assert hit.time == pytest.approx(0.2) and hit.normal.tolist() == pytest.approx([-1, 0, 0])
    assert lamella.sweep(box(), box((3, 0, 0), (4, 1, 1)), (-10, 0, 0)) is None
    assert lamella.Sweeper().sweep(box(), box((3, 0, 0), (4, 1, 1)), (10, 0, 0)).time == hit.time
    assert lamella.Separator().separation(box(), box((0.75, 0, 0), (2, 1, 1))).length == way.length


def test_distances():
    told = lamella.distance(box(), box((3, 0.25, 0.25), (4, 0.5, 0.5)))
    assert told.distance == 2 and told.on_a[0] == 1 and told.on_b[0] == 3 and told.verdict == "clear"
    inside = lamella.distance(box(), box((0.25, 0.25, 0.25), (0.5, 0.5, 0.5)))
    assert inside.distance == 0 and inside.triangle_a is None and inside.verdict == "colliding"
    near = lamella.closest(box(), np.array([[0.5, 0.5, 0.75], [0.5, 0.5, 3], [np.nan, 0, 0]]))
    assert near.distance[:2] == pytest.approx([-0.25, 2]) and np.isnan(near.distance[2])
    assert near.position[1] == pytest.approx([0.5, 0.5, 1]) and near.normal[1] == pytest.approx([0, 0, 1])
    again = lamella.DistanceFinder().closest(box(), np.array([[0.5, 0.5, 0.75]], np.float32))
    assert again.distance[0] == pytest.approx(-0.25)


def test_tolerance_and_proof():
    ball = lamella.model("sphere", 5000)
    moved = lamella.transformed(ball, (1, 0, 0))
    told = lamella.intersect(ball, moved, tolerance=0.001)
    assert told.tolerance_met and told.volume_error <= 0.001 * told.volume
    absolute = lamella.intersect(ball, moved, tolerance=lamella.Tolerance(absolute=0.01))
    assert absolute.volume_error <= 0.01
    touching = lamella.intersect(box(), box((1, 0, 0), (2, 1, 1)), certify=True)
    assert touching.verdict == "clear" and touching.certificate.certain


def test_kept_meshes(hand, phone):
    detector = lamella.Detector(resolution=64)
    a, b = detector.add(hand), detector.add(phone)
    first = detector.intersect(a, b)
    assert first.volume == lamella.intersect(hand, phone, resolution=64).volume
    detector.deform(b, phone.positions + np.float32(5))
    assert detector.intersect(a, b).verdict == "clear"
    assert first.volume > 0  # the first answer is still there
    detector.remove(b)
    with pytest.raises(lamella.Error):
        detector.intersect(a, b)
    with pytest.raises(TypeError, match="either both are meshes"):
        detector.intersect(a, phone)
    rigid = detector.add_rigid(box())
    detector.move(rigid, (10, 0, 0))
    assert detector.contains(rigid, [(10.5, 0.5, 0.5), (0.5, 0.5, 0.5)]).inside.tolist() == [True, False]


def test_engines():
    names = [engine.name for engine in lamella.engines()]
    assert names == lamella.engine_names() and "software" in names and "reference" in names
    volumes = {name: lamella.intersect(box(), box((0.5, 0, 0), (1.5, 1, 1)), engine=name, resolution=32).volume
               for name in ("software", "reference", "software-wscg")}
    assert volumes["software"] == volumes["reference"] == pytest.approx(0.5, rel=1e-6)
    missing = [engine for engine in lamella.engines() if not engine.available]
    for engine in missing:
        with pytest.raises(lamella.Error) as error:
            lamella.intersect(box(), box(), engine=engine.name)
        assert error.value.kind == "device" and engine.why


def test_files(tmp_path, hand):
    for name in ("hand.ply", "hand.obj", "hand.stl"):
        lamella.write_mesh(tmp_path / name, hand)
        assert lamella.read_mesh(tmp_path / name).volume == pytest.approx(hand.volume, rel=1e-6)
    assert lamella.read_mesh(tmp_path / "hand.ply") == hand
    assert lamella.read_mesh((tmp_path / "hand.ply").read_bytes(), "ply") == hand
    assert lamella.read_points(tmp_path / "hand.ply") == pytest.approx(hand.positions.astype(float))
    (tmp_path / "bad.ply").write_text("ply\nnonsense")
    with pytest.raises(lamella.Error, match="bad.ply"):
        lamella.read_mesh(tmp_path / "bad.ply")
    seen = []
    lamella.read_mesh(tmp_path / "hand.ply", progress=lambda done, total: seen.append((done, total)))
    assert all(done <= total for done, total in seen)
    parts = lamella.read_parts(tmp_path / "hand.ply", "components")
    assert len(parts) == 1 and parts[0][1].volume == pytest.approx(hand.volume, rel=1e-6)


def test_inspect_and_repair():
    vertices, faces = box()
    report = lamella.inspect((vertices, faces))
    assert report.closed and report.volume == pytest.approx(1) and report.components == 1
    holed = lamella.inspect((vertices, faces[1:]))
    assert not holed.closed and holed.boundary_edges == 3 and len(holed.defects) == 3
    mended = lamella.repair((vertices, faces[1:, ::-1]))
    assert mended.report.closed_holes == 1 and mended.report.changed
    assert mended.mesh.volume == pytest.approx(1) and lamella.is_closed(mended.mesh)
    assert not lamella.repair((vertices, faces[1:]), close=False).report.closed_holes


def test_pickles(hand):
    for thing in (hand, lamella.Options(resolution=3, tolerance=0.5, axis="y"), lamella.Transform((1, 2, 3)), lamella.Verdict.clear):
        assert pickle.loads(pickle.dumps(thing)) == thing
    far = lamella.Mesh(box(dtype=np.float64)[0] + 1e7, box()[1])
    assert pickle.loads(pickle.dumps(far)).origin.tolist() == far.origin.tolist()
    assert far.vertices == pytest.approx(box(dtype=np.float64)[0] + 1e7)


def test_reprs_are_readable(hand, phone):
    assert repr(hand) == f"<lamella.Mesh: {len(hand.positions)} vertices, {len(hand.faces)} faces>"
    assert "colliding, volume=0.000398" in repr(lamella.intersect(hand, phone))
    assert repr(lamella.Options()) == "Options()"
    assert repr(lamella.intersect(hand, phone).health) == "Health(ok)"


def test_python_m_lamella_is_the_program():
    done = subprocess.run([sys.executable, "-m", "lamella", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and lamella.__version__ in done.stdout
    missing = subprocess.run([sys.executable, "-m", "lamella", "info", "nowhere.ply"], capture_output=True, text=True)
    assert missing.returncode == 2 and "nowhere.ply" in missing.stderr


def test_version_and_features():
    assert lamella.__version__.count(".") == 2
    assert "SCALAR" in lamella.__cpu_features__ or "EMU128" in lamella.__cpu_features__


def test_an_overlap_as_a_solid():
    a, b = box(), (box()[0] + np.array([0.5, 0.25, 0.125]), box()[1])
    solid = lamella.overlap_solid(a, b, resolution=16)
    report = lamella.inspect(solid.mesh)
    assert report.closed and report.components == 1
    assert report.volume == pytest.approx(0.5 * 0.75 * 0.875, rel=1e-4)
    assert solid.volume == pytest.approx(report.volume, rel=0.1)
    assert solid.missed_volume == 0 and solid.filled_volume == 0 and solid.health.ok
    count = len(solid.mesh.triangles)
    assert solid.points == [18, 18, 18]
    assert solid.normals.shape == (3 * count, 3) and solid.normals.dtype == np.float32
    assert solid.side.shape == (count,) and set(solid.side) == {0, 1}
    assert not solid.normals.flags.writeable
    corners = solid.mesh.vertices[solid.mesh.triangles[solid.side == 0]]
    assert np.all(np.isclose(corners, 1, atol=1e-4).all(axis=1).any(axis=1)), "the faces of a are at 1"

    drawn = solid.drawn()
    assert len(drawn.positions) == len(drawn.normals) == len(drawn.side)
    assert np.array_equal(drawn.positions[drawn.triangles], solid.mesh.positions[solid.mesh.triangles])
    assert np.array_equal(drawn.normals[drawn.triangles].reshape(-1, 3), solid.normals)


def test_a_self_overlap_as_a_solid(fist):
    solid = lamella.self_overlap_solid(fist, lamella.SolidOptions(resolution=32))
    assert lamella.inspect(solid.mesh).closed
    assert lamella.inspect(solid.mesh).volume == pytest.approx(lamella.self_intersect(fist).volume, rel=0.05)
    assert not lamella.self_overlap_solid(box()).mesh.triangles.size
    with pytest.raises(lamella.Error, match="resolution 0 is outside 1 to 1024"):
        lamella.self_overlap_solid(fist, resolution=0)
    with pytest.raises(TypeError):
        lamella.overlap_solid(fist, fist, axis="z")
