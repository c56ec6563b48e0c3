"""lamella.find_clashes: clashes of boxes, whose measures are known, and those that the program reports."""

import gc
import json
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import lamella
from conftest import box
from lamella import AssemblyPart, ClashRule, find_clashes

UNIT = box()


def two_boxes(shift=(0.5, 0, 0), mesh=UNIT):
    return [AssemblyPart("left", mesh), AssemblyPart("right", mesh, shift)]


def only_pair(parts, **options):
    (pair,) = find_clashes(parts, **options).pairs
    return pair


def row(count, gap=0.5, mesh=UNIT):
    """Boxes of which neighbours overlap."""
    return [AssemblyPart(f"box {i}", mesh, (i * gap, 0, 0)) for i in range(count)]


def test_two_boxes_overlap_by_half():
    report = find_clashes(two_boxes())
    (pair,) = report.pairs
    assert (pair.a, pair.b, pair.rule) == (0, 1, None)
    assert pair.kind is lamella.ClashClass.overlapping and pair.verdict == "colliding" and not pair.allowed
    assert abs(pair.volume - 0.5) <= max(pair.volume_error, 1e-6)
    assert pair.depth == pytest.approx(0.5, rel=0.01)
    np.testing.assert_allclose(pair.way_out, (-1, 0, 0), atol=1e-6)  # of the left one
    np.testing.assert_allclose(pair.centroid, (0.75, 0.5, 0.5), atol=0.01)
    np.testing.assert_allclose([pair.min, pair.max], [(0.5, 0, 0), (1, 1, 1)], atol=0.01)
    assert pair.distance == 0 and pair.tolerance_met and list(pair.doubts) == []
    assert pair.region_count == 1 and pair.regions[0].volume == pytest.approx(0.5, rel=0.01)
    assert (report.part_count, report.mesh_count, report.triangle_count) == (2, 1, 24)
    assert (report.candidate_count, report.tested_count, report.ignored_count, report.reused_count) == (1, 1, 0, 0)
    assert report.complete and report.engine == "software" and list(report.unusable_parts) == []
    assert report.count("overlapping") == 1 and report.count(lamella.ClashClass.near) == report.undecided_count == 0


def test_way_out_is_a_word_and_may_be_left_out():
    assert only_pair(two_boxes(), way_out="none").depth == 0
    shortest = only_pair(two_boxes(), way_out=lamella.WayOut.shortest)
    assert shortest.depth == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize("shift,expected", [
    ((1, 0, 0), "touching"), ((0, 0, 0), "duplicate"), ((1.25, 0, 0), "near"), ((0.5, 0.25, 0), "overlapping"),
])
def test_classes(shift, expected):
    pair = only_pair(two_boxes(shift), clearance=0.5)
    assert pair.kind == expected


def test_a_part_inside_another_is_contained():
    parts = [AssemblyPart("case", box((-1, -1, -1), (2, 2, 2))), AssemblyPart("core", UNIT)]
    pair = only_pair(parts)
    assert pair.kind == "contained" and pair.volume == pytest.approx(1, rel=1e-6)


def test_near_parts_have_a_distance_and_its_two_points():
    pair = only_pair(two_boxes((1.25, 0, 0)), clearance=0.5)
    assert pair.kind == "near" and pair.verdict == "clear" and pair.certain
    assert pair.distance == pytest.approx(0.25) and pair.volume == pair.depth == 0
    assert pair.on_a[0] == pytest.approx(1) and pair.on_b[0] == pytest.approx(1.25)
    np.testing.assert_allclose(pair.centroid, (pair.on_a + pair.on_b) / 2)
    assert len(find_clashes(two_boxes((1.25, 0, 0)), clearance=0.2).pairs) == 0
    assert only_pair(two_boxes((1.25, 0, 0)), clearance=0.2, rules=[ClashRule(clearance=0.26)]).kind == "near"


def test_clear_pairs_are_listed_when_asked_for():
    corners = two_boxes((1.9, 1.9, 0), mesh=lamella.model("sphere", 500))  # whose boxes meet
    assert len(find_clashes(corners).pairs) == 0
    pair = only_pair(corners, keep_clear=True)
    assert pair.kind == "clear" and pair.distance == pytest.approx(np.hypot(1.9, 1.9) - 2, abs=0.05)


def test_rules_ignore_and_allow():
    parts = row(4)
    parts[1].group, parts[2].layer = "seals", "cables"
    rules = [
        ClashRule(name="ends", a="box 0", b="group:seals", ignore=True),
        ClashRule(name="press fit", a="group:se*", b="layer:cables", allowed_depth=0.6),
        ClashRule(name="soft", a="box ?", allow_contact=True),
    ]
    report = find_clashes(parts, rules=rules[:2])
    assert report.pair_ids.tolist() == [[0, 2], [1, 2], [1, 3], [2, 3]]  # boxes two places apart touch
    assert report.allowed.tolist() == [False, True, False, False] and report.ignored_count == 1
    assert [p.rule for p in report.pairs] == [None, 1, None, None]
    assert report.count("overlapping") == 1
    allowed = find_clashes(parts, rules=rules)
    assert allowed.allowed.all() and len(allowed.pairs) == 4
    assert {f.rule for f in allowed.findings} == {1, 2} and all(f.allowed for f in allowed.findings)


def test_pairs_may_be_ignored_by_number():
    assert find_clashes(row(3, gap=0.75), ignored=[(1, 0)]).pair_ids.tolist() == [[1, 2]]
    assert find_clashes(row(3, gap=0.75), ignored=np.array([[0, 1], [2, 1]])).pair_ids.tolist() == []


def test_findings_are_the_worst_first_and_name_their_pairs():
    parts = row(4, gap=0.75) + [AssemblyPart("other", box((0, 0, 0), (9, 9, 9)), (2.75, 0.5, 0.5))]
    report = find_clashes(parts)
    assert len(report.findings) == 2 and report.mesh_count == 2
    same, other = sorted(report.findings, key=lambda f: f.mesh_b)
    assert (same.mesh_a, same.mesh_b, other.mesh_a, other.mesh_b) == (0, 0, 0, 1)
    assert same.kind == "overlapping" and not same.undecided and same.rule is None
    assert sorted(same.pairs.tolist()) == [0, 1, 2]
    assert same.total_volume == pytest.approx(3 * 0.25, rel=0.01)
    assert same.largest_volume == report.volumes[same.pairs].max()
    assert same.largest_depth == pytest.approx(0.25, rel=0.01)
    assert report.pairs[other.pairs[0]].b == 4 and not other.pairs.flags.writeable


def test_columns_are_the_fields_of_pairs_and_share_their_memory():
    report = find_clashes(row(6, gap=0.75) + [AssemblyPart("far", UNIT, (5, 0, 0))], clearance=0.5)
    pairs = list(report.pairs)
    assert {str(p.kind) for p in pairs} == {"overlapping", "near"}
    np.testing.assert_array_equal(report.pair_ids, [(p.a, p.b) for p in pairs])
    kinds = list(lamella.ClashClass)
    assert [kinds[k] for k in report.kinds] == [p.kind for p in pairs]
    assert [list(lamella.Verdict)[v] for v in report.verdicts] == [p.verdict for p in pairs]
    for column, field in [("volumes", "volume"), ("volume_errors", "volume_error"), ("depths", "depth"),
                          ("distances", "distance"), ("ways_out", "way_out"), ("centroids", "centroid"),
                          ("allowed", "allowed")]:
        values = getattr(report, column)
        np.testing.assert_array_equal(values, [getattr(p, field) for p in pairs], err_msg=column)
        assert not values.flags.writeable
    volumes, first, expected = report.volumes, pairs[0], report.volumes.copy()
    del report, pairs
    gc.collect()
    np.testing.assert_array_equal(volumes, expected)
    assert first.volume == expected[0]
    empty = find_clashes([])
    assert empty.volumes.shape == (0,) and empty.ways_out.shape == (0, 3) and list(empty.findings) == []


def test_a_part_without_usable_triangles_is_named_and_not_tested():
    broken = (np.full((3, 3), np.nan), np.array([[0, 1, 2]]))
    report = find_clashes([AssemblyPart("broken", broken), *two_boxes()])
    assert list(report.unusable_parts) == [0] and report.pair_ids.tolist() == [[1, 2]]


def test_a_part_with_some_triangles_that_cannot_be_used_is_named_and_tested():
    vertices, faces = UNIT
    partly = (np.vstack([vertices, np.full((1, 3), np.inf, np.float32)]), np.vstack([faces, [[0, 1, 8]]]))
    report = find_clashes([*two_boxes(), AssemblyPart("partly", partly, (0.25, 0, 0))])
    assert list(report.damaged_parts) == [2] and list(report.unusable_parts) == []
    assert report.pair_ids.tolist() == [[0, 1], [0, 2], [1, 2]]


def test_parts_with_the_same_mesh_share_it(tmp_path):
    class Body:
        vertices, faces = UNIT

    path = tmp_path / "box.ply"
    lamella.write_mesh(path, UNIT)
    for first, second in [(UNIT, UNIT), (list(UNIT), tuple(UNIT)), (str(path), path), (Body, Body)]:
        parts = [AssemblyPart("a", first), AssemblyPart("b", second, (9, 0, 0))]
        assert find_clashes(parts).mesh_count == 1, first
    assert find_clashes([AssemblyPart("a", UNIT), AssemblyPart("b", box())]).mesh_count == 2


@pytest.mark.parametrize("far", [0.0, 1e5])
def test_doubles_are_kept(far, tmp_path):
    """A film of 10 µm between boxes of 1 m, which floats far away do not hold."""
    left = box((far, 0, 0), (far + 1, 1, 1), np.float64)
    right = box((far + 1 - 1e-5, 0.1, 0.1), (far + 2, 0.9, 0.9), np.float64)
    pair = only_pair([AssemblyPart("left", left), AssemblyPart("right", right)])
    assert pair.volume == pytest.approx(0.64e-5, rel=0.01) and pair.depth == pytest.approx(1e-5, rel=0.01)
    for name, mesh in (("left", left), ("right", right)):
        lamella.write_mesh(tmp_path / f"{name}.ply", mesh)
    of_files = only_pair([AssemblyPart(name, tmp_path / f"{name}.ply") for name in ("left", "right")])
    assert of_files.volume == pytest.approx(pair.volume, rel=1e-6)


def program(*words):
    done = subprocess.run([sys.executable, "-m", "lamella", *map(str, words)], capture_output=True, text=True)
    if "not in this package" in done.stderr:
        pytest.skip("the program is not built")
    assert done.returncode in (0, 1, 4), done.stderr
    return json.loads(done.stdout)


def told(pair, parts):
    """A pair by the program's keys."""
    plain = pair.to_dict()
    bounds = {"min": plain["min"], "max": plain["max"]}
    return {**plain, "a": parts[pair.a].name, "b": parts[pair.b].name, "class": plain["kind"], "bounds": bounds,
            "way_out": plain["way_out"] if any(plain["way_out"]) else None}


def assert_is_the_program_s(report, parts, answer):
    assert (answer["parts"], answer["meshes"]) == (report.part_count, report.mesh_count)
    assert (answer["candidates"], answer["ignored"]) == (report.candidate_count, report.ignored_count)
    assert len(answer["pairs"]) == len(report.pairs) > 0
    same = ("a b class verdict certain allowed volume volume_error tolerance_met depth way_out distance centroid bounds "
            "region_count").split()
    for theirs, mine in zip(answer["pairs"], json.loads(json.dumps([told(p, parts) for p in report.pairs]))):
        for key in same:
            assert mine[key] == theirs[key], key
        for one, other in zip(mine["regions"], theirs["regions"]):
            assert [one[k] for k in ("volume", "centroid")] == [other[k] for k in ("volume", "centroid")]
            assert {k: one[k] for k in ("min", "max")} == other["bounds"]
        assert [d["cause"] for d in mine["doubts"]] == [d["cause"] for d in theirs["doubts"]]
    assert [f["pairs"] for f in answer["findings"]] == [f.pairs.tolist() for f in report.findings]
    assert [f["total_volume"] for f in answer["findings"]] == [f.total_volume for f in report.findings]


def test_answers_are_those_of_the_program(tmp_path):
    """Of meshes in files; one with a hole, and one in doubles."""
    hand = lamella.model("hand", 2000)
    holed = lamella.Mesh(hand.positions, hand.triangles[1:])
    third = box((0.1, 0.2, 0.3), (1 / 3, 0.7, 0.9), np.float64)
    meshes = {"box": UNIT, "hand": hand, "holed": holed, "third": third}
    parts = [AssemblyPart(f"{name}.ply", mesh) for name, mesh in meshes.items()]
    files = [tmp_path / part.name for part in parts]
    for part, file in zip(parts, files):
        lamella.write_mesh(file, part.mesh)
    answer = program("clash", *files, "--json", "--clearance", 0.1, "--shortest")
    report = find_clashes(parts, clearance=0.1, way_out="shortest")
    assert_is_the_program_s(report, parts, answer)
    assert any(p.doubts for p in report.pairs)


def test_answers_with_poses_and_rules_are_those_of_the_program(tmp_path):
    lamella.write_mesh(tmp_path / "box.ply", UNIT)
    turned = lamella.Transform((0.6, 0.1, 0), (0, 0, np.sin(0.3), np.cos(0.3)))
    parts = [*two_boxes(), AssemblyPart("turned", UNIT, turned, "odd"), AssemblyPart("apart", UNIT, (2.2, 0, 0))]
    places = [{"translation": p.pose.translation.tolist(), "rotation": list(p.pose.rotation)} for p in parts]
    objects = [{"mesh": "box", "name": p.name, "group": p.group, "pose": pose} for p, pose in zip(parts, places)]
    scene = {"meshes": {"box": "box.ply"}, "objects": objects}
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    rules = [dict(name="odd", a="group:odd", b="l*", allow_contact=True), dict(a="left", b="right", ignore=True)]
    (tmp_path / "rules.json").write_text(json.dumps({"clearance": 0.8, "rules": rules}))
    answer = program("clash", tmp_path / "scene.json", "--json", "--rules", tmp_path / "rules.json")
    report = find_clashes(parts, clearance=0.8, rules=[ClashRule(**rule) for rule in rules])
    assert_is_the_program_s(report, parts, answer)
    names = [None if p.rule is None else rules[p.rule]["name"] for p in report.pairs]
    assert [p["rule"] for p in answer["pairs"]] == names and "odd" in names


def test_answers_do_not_depend_on_threads():
    parts = row(12, gap=0.3, mesh=lamella.model("hand", 500))
    one, many = (find_clashes(parts, threads=n).to_dict() for n in (1, 4))
    for key in ("pairs", "findings", "candidate_count"):
        assert one[key] == many[key]


def test_bad_input_is_refused_with_words():
    with pytest.raises(TypeError, match="expected AssemblyPart, not tuple"):
        find_clashes([UNIT])
    with pytest.raises(TypeError, match="the part bolt: a mesh is a pair"):
        find_clashes([AssemblyPart("bolt", 3)])
    with pytest.raises(TypeError, match="part 1: a mesh is a pair"):
        find_clashes([AssemblyPart("bolt", UNIT), AssemblyPart("", None)])
    with pytest.raises(ValueError, match="the part bolt: vertices must have the shape"):
        find_clashes([AssemblyPart("bolt", (np.zeros((3, 2)), UNIT[1]))])
    with pytest.raises(lamella.Error, match=r"the part bolt: faces\[0, 1\] is -1"):
        find_clashes([AssemblyPart("bolt", (UNIT[0], np.array([[0, -1, 2]], np.int32)))])
    with pytest.raises(lamella.Error, match="the mesh bolt: .*99"):
        find_clashes([AssemblyPart("bolt", (UNIT[0], [[0, 1, 99]]))])
    with pytest.raises(lamella.Error, match="the part right: .*finite"):
        find_clashes(two_boxes((np.nan, 0, 0)))
    with pytest.raises(lamella.Error, match="missing.ply"):
        find_clashes([AssemblyPart("bolt", "missing.ply")])
    with pytest.raises(ValueError, match="a pose has 3 or 7 numbers"):
        AssemblyPart("bolt", UNIT, (1, 2))
    with pytest.raises(TypeError, match="there is no option 'clearence'; there are: engine, resolution"):
        find_clashes(two_boxes(), clearence=1)
    with pytest.raises(TypeError, match="the option way_out cannot be 'longest'"):
        find_clashes(two_boxes(), way_out="longest")
    with pytest.raises(TypeError, match="the option rules cannot be"):
        find_clashes(two_boxes(), rules=[{"a": "left"}])
    with pytest.raises(lamella.Error, match="the clearance must be 0 or more"):
        find_clashes(two_boxes(), clearance=-1)
    with pytest.raises(TypeError, match="options must be of the class ClashOptions"):
        find_clashes(two_boxes(), lamella.Options())
    with pytest.raises(TypeError, match="stop: expected a function"):
        find_clashes(two_boxes(), stop=3)
    with pytest.raises(TypeError, match="cache: expected a ClashCache or the path"):
        find_clashes(two_boxes(), cache=3)


def test_progress_is_told_and_what_it_raises_comes_back():
    seen = []
    report = find_clashes(row(40), progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, report.candidate_count) and seen[-1] == (report.candidate_count,) * 2 and len(seen) > 2
    with pytest.raises(ZeroDivisionError):
        find_clashes(row(3), progress=lambda done, total: 1 // 0)


def test_ctrl_c_ends_a_report():
    if threading.current_thread() is threading.main_thread():
        with pytest.raises(KeyboardInterrupt):
            find_clashes(row(40), progress=lambda done, total: signal.raise_signal(signal.SIGINT))
        assert find_clashes(row(3)).complete


def test_a_report_that_is_stopped_has_what_is_known():
    whole = find_clashes(row(40))
    asked = iter([False, True])
    some = find_clashes(row(40), stop=lambda: next(asked))
    assert not some.complete and 0 < some.tested_count < some.candidate_count == whole.tested_count
    np.testing.assert_array_equal(some.pair_ids, whole.pair_ids[: len(some.pairs)])
    assert "stopped" in repr(some) and "stopped" not in repr(whole)
    with pytest.raises(ZeroDivisionError):
        find_clashes(row(40), stop=lambda: 1 // 0)


def test_a_cache_keeps_answers(tmp_path):
    parts, path = row(10), tmp_path / "clashes"
    first = find_clashes(parts, cache=path)
    cache = lamella.ClashCache(path)
    assert first.reused_count == 0 and cache.answer_count == first.candidate_count
    parts[0].pose = (0, 0.25, 0)
    again = find_clashes(parts, cache=cache)
    assert again.reused_count == again.candidate_count - 2  # boxes 1 and 2 are near box 0
    assert again.pairs[-1].to_dict() == first.pairs[-1].to_dict()
    with pytest.raises(lamella.Error):
        find_clashes(parts, cache=path)  # `cache` has locked it
    with pytest.raises(lamella.Error, match="for one call at a time"):
        find_clashes(parts, cache=cache, progress=lambda done, total: find_clashes(parts, cache=cache))
    assert find_clashes(parts, cache=cache).reused_count == again.candidate_count
    del cache
    gc.collect()
    assert find_clashes(parts, cache=str(path)).reused_count == again.candidate_count


def test_parts_can_be_changed_and_pickled():
    part = AssemblyPart("bolt", UNIT, (1, 2, 3), "screws", "steel")
    assert (part.name, part.group, part.layer) == ("bolt", "screws", "steel")
    assert part.mesh is UNIT and part.pose == lamella.Transform((1, 2, 3)) and "bolt" in repr(part)
    copy = pickle.loads(pickle.dumps(part))
    assert (copy.name, copy.group, copy.layer, copy.pose) == (part.name, part.group, part.layer, part.pose)
    np.testing.assert_array_equal(copy.mesh[0], UNIT[0])
    part.name, part.mesh, part.pose = "nut", "model:box", None
    assert (part.name, part.mesh, part.pose) == ("nut", "model:box", lamella.Transform())


def test_a_part_and_a_mesh_that_know_each_other_are_freed():
    class Body:
        vertices, faces = UNIT

    body = Body()
    body.part = AssemblyPart("body", body)
    assert find_clashes([body.part]).part_count == 1
    gone = weakref.ref(body)
    del body
    gc.collect()
    assert gone() is None


def test_options_and_rules_are_objects_too():
    rule = ClashRule(name="seals", a="layer:seals", allow_contact=True)
    options = lamella.ClashOptions(touch=0.01, rules=[rule], way_out="shortest", ignored=[(0, 1)])
    assert pickle.loads(pickle.dumps(options)) == options and options.rules == [rule]
    assert options.replace(touch=0).touch == 0 and rule.b == "*" and rule.clearance is None
    assert find_clashes(two_boxes(), options).ignored_count == 1
    assert len(find_clashes(two_boxes(), options, ignored=[]).pairs) == 1


def test_reports_can_be_printed_and_are_plain_dicts():
    report = find_clashes(row(3, gap=0.75) + [AssemblyPart("hole", (UNIT[0], UNIT[1][1:]), (0, 0.5, 0))], clearance=0.6)
    plain = json.loads(json.dumps(report.to_dict()))
    assert plain["part_count"] == 4 and plain["complete"] is True
    assert plain["pairs"][0]["kind"] == "overlapping" and plain["pairs"][0]["regions"][0]["volume"] > 0
    assert plain["findings"][0]["pairs"] == report.findings[0].pairs.tolist()
    assert repr(report).startswith("ClashReport(4 parts, ") and "overlapping" in repr(report)
    assert "overlapping" in repr(report.pairs[0])


def members(struct):
    """The names of a struct's members, as include/lamella/clash.hpp has them."""
    header = (pathlib.Path(__file__).parents[2] / "include/lamella/clash.hpp").read_text()
    body = re.search(rf"\nstruct {struct} {{\n(.*?)\n}};", header, re.S)[1]
    body = re.sub(r"//.*|\[\[nodiscard\]\][^;]*;", "", body)
    while re.search(r"<[^<>]*>", body):
        body = re.sub(r"<[^<>]*>", "", body)
    body = re.sub(r"\{[^}]*\}|=[^;,]*", "", body)
    return [name for line in body.split(";") if line.strip() for name in re.findall(r"(\w+)\s*(?:,|$)", line.strip())]


@pytest.mark.parametrize("name", "ClashRule ClashOptions ClashRegion ClashPair ClashFinding ClashReport".split())
def test_every_member_is_here_by_its_name(name):
    found = members(name)
    assert len(found) > 3
    keywords = {"progress", "stop", "cache"} if name == "ClashOptions" else set()
    missing = [m for m in found if m not in keywords and not hasattr(getattr(lamella, name), m)]
    assert not missing
