"""lamella.Scene: pairs, contacts and patches of boxes, whose answers are known."""

import gc
import json
import subprocess
import sys
import threading

import numpy as np
import pytest

import lamella

BOX = lamella.model("box")  # from -1 to 1


@pytest.fixture
def row():
    """Three boxes in a row, of which neighbours share 0.5 x 2 x 2."""
    scene = lamella.Scene(resolution=32)
    ids = [scene.add(BOX), scene.add(0, (1.5, 0, 0)), scene.add(BOX, (3, 0, 0))]
    assert ids == [0, 1, 2]
    return scene


def test_neighbours_in_a_row_collide(row):
    result = row.collide()
    assert result.colliding and result.verdict == "colliding" and result.health.ok
    np.testing.assert_array_equal(result.pair_ids, [(0, 1), (1, 2)])
    np.testing.assert_allclose(result.volumes, 2, rtol=1e-5)
    assert [(p.a, p.b) for p in result.pairs] == [(0, 1), (1, 2)]
    pair = result.pairs[-1]
    assert pair.volume == pytest.approx(2) and pair.certificate.certain is False
    np.testing.assert_allclose(pair.centroid, (2.25, 0, 0), atol=1e-5)
    assert len(result.pairs) == 2 and [p.a for p in result.pairs[::-1]] == [1, 0]
    with pytest.raises(IndexError):
        result.pairs[2]


def test_volumes_are_those_of_intersect():
    scene = lamella.Scene(resolution=64)
    hand, phone = scene.add("model:hand"), scene.add("model:phone")
    result = scene.collide()
    one = lamella.intersect("model:hand", "model:phone", resolution=64, engine="software")
    assert result.colliding == one.colliding
    assert result.pairs[0].volume == pytest.approx(one.volume, rel=1e-6)
    assert (result.pairs[0].a, result.pairs[0].b) == (hand, phone)


def test_contacts_and_patches_say_how_deep_boxes_are(row):
    result = row.collide()
    contacts, patches = result.contacts, result.patches
    assert contacts.dtype["position"].subdtype[0] == np.float64 and contacts["normal"].shape == (len(contacts), 3)
    np.testing.assert_allclose(np.abs(contacts["normal"][:, 0]), 1, atol=1e-5)
    np.testing.assert_allclose(contacts["depth"], 0.5, atol=1e-5)
    assert (contacts["id"] > 0).all()
    np.testing.assert_allclose(patches["normal"], [(-1, 0, 0)] * 2, atol=1e-5)  # from b to a
    np.testing.assert_allclose(patches["depth"], 0.5, rtol=1e-3)
    np.testing.assert_allclose(patches["volume"], 2, rtol=1e-3)
    for pair in result.pairs:
        of_pair = result.contacts_of(pair)
        assert len(of_pair) == pair.contact_count > 0
        assert (np.abs(of_pair["position"][:, 0] - pair.centroid[0]) < 0.3).all()
        assert len(result.points_of(pair)) == pair.point_count
        assert (result.points_of(pair)["pair"] == list(result.pair_ids[:, 0]).index(pair.a)).all()
        assert len(result.patches_of(pair)) == pair.patch_count == 1
    empty = lamella.Scene().collide()
    with pytest.raises(ValueError, match="not one of this result"):
        empty.contacts_of(result.pairs[1])


def test_objects_move_deform_and_go(row):
    row.move(2, (10, 0, 0))
    assert row.collide().pair_ids.tolist() == [[0, 1]]
    assert row.pose(2) == lamella.Transform((10, 0, 0))
    row.deform(2, np.asarray(BOX.positions) * (20, 1, 1))
    assert row.collide().pair_ids.tolist() == [[0, 1], [0, 2], [1, 2]]
    row.ignore(0, 2)
    assert row.collide().pair_ids.tolist() == [[0, 1], [1, 2]]
    row.ignore(0, 2, False)
    row.fix(0)
    row.fix(1)
    assert row.collide().pair_ids.tolist() == [[0, 2], [1, 2]]
    row.remove(2)
    assert row.collide().pairs[:] == [] and len(row) == row.size == 2
    with pytest.raises(lamella.Error):
        row.move(2, None)
    assert row.mesh(0) == BOX
    row.reserve(objects=10, pairs=20)


def test_results_stay_valid_after_the_next_call_and_without_the_scene(row):
    before = row.collide()
    contacts, pair = before.contacts, before.pairs[0]
    kept = contacts.copy()
    row.move(1, (50, 0, 0))
    assert len(row.collide().pairs) == 0
    del before, row
    gc.collect()
    np.testing.assert_array_equal(contacts, kept)
    assert pair.volume == pytest.approx(2) and not contacts.flags.writeable


def test_sweep_and_separation_of_objects():
    scene = lamella.Scene()
    scene.add(BOX)
    scene.add(BOX, (5, 0, 0))
    hit = scene.sweep(0, (6, 0, 0))
    assert hit.object == 1 and hit.hit.time == pytest.approx(0.5)
    assert scene.sweep(0, (0, 6, 0)) is None
    assert scene.sweep(0, 1, (6, 0, 0)).time == pytest.approx(0.5)
    scene.move(1, (1.75, 0, 0))
    way = scene.separation(0, 1)
    assert way.length == pytest.approx(0.25, abs=1e-4)
    np.testing.assert_allclose(way.direction, (-1, 0, 0), atol=1e-4)


def test_self_overlaps_groups_and_defects_are_listed():
    two = lamella.Mesh(
        np.concatenate([BOX.positions, BOX.positions + (0.5, 0, 0)]),
        np.concatenate([BOX.triangles, BOX.triangles + 8]),
    )
    scene = lamella.Scene(self_overlap=True, resolution=32, strict=False)
    scene.add(two)
    result = scene.collide()
    assert [s.object for s in result.self_overlaps] == [0]
    assert result.self_overlaps[0].volume == pytest.approx(6, rel=0.05)
    holed = lamella.Mesh(BOX.positions, BOX.triangles[1:])
    scene = lamella.Scene(resolution=32, close_holes=False)
    scene.add(holed)
    scene.add(BOX, (1, 0.1, 0.2))
    result = scene.collide()
    assert not result.health.ok and result.defects[0].object == 0 and result.defects[0].open_columns > 0
    assert result.groups[0].object_count == 2 and result.groups[0].grid.columns > 0


def test_dicts_have_the_keys_of_the_command_line(row):
    out = json.loads(json.dumps(row.collide().to_dict()))
    assert out["pairs"] == [[0, 1], [1, 2]] and out["volumes"] == pytest.approx([2, 2])
    assert out["verdict"] == "colliding" and out["health"]["ok"] is True
    assert set(out["contacts"][0]) == {"a", "b", "position", "normal", "depth", "id"}
    assert out["patches"][1]["a"] == 1 and out["groups"][0]["voi"]["min"]
    assert set(out["ms"]) >= {"broad", "place", "ldi", "pairs", "points", "contacts", "total"}
    assert repr(row.collide()).startswith("SceneResult(colliding, 3 objects, 2 pairs")


def test_undecided_pairs_say_why():
    scene = lamella.Scene(certify=True, resolution=8)
    scene.add(lamella.Mesh(BOX.positions, BOX.triangles[2:]))  # a box without one of its faces
    hole = BOX.positions[np.unique(BOX.triangles[:2])].mean(axis=0)
    scene.add(lamella.Mesh(BOX.positions * 0.1, BOX.triangles), hole)
    result = scene.collide()
    assert result.verdict == "undecided" and len(result.undecided) == 1
    doubt = result.undecided[0]
    assert (doubt.a, doubt.b) == (0, 1) and doubt.doubt.cause == "closed_holes"
    told = result.to_dict()["undecided"][0]
    assert told["object"] == 0 and "object 0" in told["why"]


def test_options():
    options = lamella.SceneOptions(resolution=16, screen=lamella.Screen(eye=(0, 0, 9)), tolerance=0.01)
    assert options.tolerance.relative == 0.01 and options.screen.eye[2] == 9
    scene = lamella.Scene(options, threads=1)
    assert scene.options.threads == 1 and scene.options.resolution == 16
    scene.look_from((0, 0, 5), 0.01)
    assert scene.options.screen.pixel_angle == 0.01
    assert lamella.jang_options().method == "jang" and lamella.jang_options().normals == lamella.Normals.neighbours
    with pytest.raises(TypeError, match="no option 'resolutoin'"):
        lamella.Scene(resolutoin=3)
    with pytest.raises(lamella.Error):
        lamella.Scene(resolution=0)


def test_wrong_input_is_explained(row):
    with pytest.raises(lamella.Error):
        row.move(17, None)
    with pytest.raises(ValueError, match="scales or shears"):
        row.move(0, np.diag([2.0, 2, 2, 1]))
    with pytest.raises(lamella.Error, match=r"faces\[0, 0\] is -1"):
        row.add((BOX.positions, np.array([(-1, 0, 1)], np.int32)))
    with pytest.raises(lamella.Error):
        row.deform(0, np.zeros((3, 3)))


def test_threads_share_one_scene(row):
    wrong = []

    def ask():
        for _ in range(20):
            if row.collide().pair_ids.tolist() != [[0, 1], [1, 2]]:
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_answers_are_those_of_the_command_line():
    done = subprocess.run(
        [sys.executable, "-m", "lamella", "scene", "model:hand", "model:phone", "--json"], capture_output=True, text=True
    )
    if "not in this package" in done.stderr:
        pytest.skip("the program is not built")
    told = json.loads(done.stdout)
    scene = lamella.Scene()
    scene.add("model:hand")
    scene.add("model:phone")
    mine = json.loads(json.dumps(scene.collide().to_dict()))
    told["ms"].pop("load")
    for key in ("pairs", "volumes", "volume_errors", "verdict", "engine", "objects", "candidates", "undecided"):
        assert mine[key] == told[key], key
    for key in ("points", "contacts", "patches", "groups"):
        assert len(mine[key]) == len(told[key]) > 0, key
        assert set(mine[key][0]) == set(told[key][0]), key
    for key, value in told["patches"][0].items():
        assert mine["patches"][0][key] == pytest.approx(value, rel=1e-6), key
    assert set(told) - set(mine) <= {"names", "query"} and set(told["ms"]) == set(mine["ms"])
