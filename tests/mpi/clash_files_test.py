"""Clashes of files and scenes by the processes of an MPI job, each of which reads some of the files: the answers and
messages are those of one process. See job.py."""

import json
import os

from job import expect, run, run_test


def answer_of(processes, folder, arguments, files=()):
    """Status, warnings and bytes of a clash report."""
    outputs = [folder / f"{processes}.{ending}" for ending in ("csv", *files)]
    options = [x for out in outputs for x in (f"--{out.suffix[1:]}", out)]
    done = run(processes, "clash", *arguments, "--json", *options, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    answer = json.loads(done.stdout) if done.stdout else {}
    answer.pop("ms", None)
    said = [line for line in done.stderr.splitlines() if line.startswith("lamella")]  # and not the launcher's own
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
    same_for_any_number(folder, "a folder, a file twice and a model", 1, [*inputs, *rules, "--clearance", "0.05"],
                        ["glb"], (1, 2, 3, 4))
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
    for what, arguments in (("broken", [folder / "in"]),
                            ("missing", [folder / "in" / "boxes.obj", folder / "none.ply"]),
                            ("no folder", [folder / "nothing"]), ("no model", ["model:hand:300", "model:hnad"]),
                            ("a scene's", [scene])):
        same_for_any_number(folder, what, 2, arguments)
    scene.write_text(json.dumps({"meshes": {"a": "in/boxes.obj"}, "objects": [{"mesh": "c"}]}))
    same_for_any_number(folder, "a scene's object", 2, [scene])


run_test(globals())
