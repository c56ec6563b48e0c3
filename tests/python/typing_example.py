"""What a type checker must accept, and, in lines with "type: ignore", what it must refuse. Checked by test_stubs.py."""

import numpy as np
from numpy.typing import NDArray

import lamella


def volumes(vertices: NDArray[np.float32], faces: NDArray[np.uint32]) -> float:
    mesh = (vertices, faces)
    overlap = lamella.intersect(mesh, "model:phone", resolution=256, axis="z", tolerance=0.001)
    if overlap.verdict is lamella.Verdict.undecided:
        for doubt in overlap.doubts:
            print(doubt.describe(["mesh", "phone"]), doubt.cause is lamella.Cause.touching)
    bounds = overlap.bounds
    if bounds is not None:
        bounds.min()
    depths: NDArray[np.float32] = overlap.spans["end"] - overlap.spans["begin"]
    inside: NDArray[np.bool_] = lamella.contains(mesh, [(0, 0, 0)]).inside
    return overlap.volume + float(depths.sum()) + float(inside.sum())


def batches(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    batch = lamella.Batch(lamella.Options(resolution=64), threads=1)
    hand = batch.add("model:hand")
    answers = batch.volume_gradients(hand, [0, 0], pose_b=poses, progress=lambda done, total: print(done / total))
    for answer in answers:
        print(answer.health.ok, answer.sums.a.translation)
    return batch.intersect([(0, 0), (0, 0, (1, 2, 3))], progress=True).volume + answers.volume


def scenes() -> list[int]:
    scene = lamella.Scene(resolution=64, screen=lamella.Screen(eye=(0, 0, 5)))
    first = scene.add(lamella.model("box"))
    second = scene.add(first, lamella.Transform((1, 0, 0)))
    result = scene.collide()
    hit = scene.sweep(first, (1, 0, 0))
    if hit is not None:
        print(hit.object, hit.hit.time)
    depths = [result.contacts_of(pair)["depth"].max() for pair in result.pairs]
    print(len(depths), result.pairs[0].volume, [p.a for p in result.pairs[1:]], second)
    return [pair.b for pair in result.pairs]


def assemblies() -> list[str]:
    box = lamella.model("box")
    parts = [lamella.AssemblyPart("left", box), lamella.AssemblyPart("right", "box.ply", (1, 0, 0), group="sides")]
    parts[1].pose = lamella.Transform((1.5, 0, 0))
    parts[1].mesh = (box.vertices, box.faces)
    rules = [lamella.ClashRule(a="group:sides", clearance=0.2)]
    report = lamella.find_clashes(parts, rules=rules, ignored=[(0, 1)], way_out="shortest", stop=lambda: False)
    deep: NDArray[np.float64] = report.depths[report.kinds == 3]
    worst = report.pairs[report.findings[0].pairs[0]]
    if worst.kind is lamella.ClashClass.contained and worst.rule is not None:
        print(rules[worst.rule].name, report.count("contained"), deep.max())
    lamella.find_clashes(parts, lamella.ClashOptions(tolerance=0.01), cache=lamella.ClashCache("clashes"), progress=True)
    return [parts[p.a].name for p in report.pairs]


def worlds() -> None:
    world = lamella.RigidWorld(resolution=32, gravity=(0, 0, -1), max_substeps=4)
    body = world.body(world.add("model:box", (0, 0, 2), density=2, fixed=False))
    world.step(1 / 60)
    print(body.pose.translation, world.report.ms.total, world.result.colliding)
    positions = np.zeros((10, 3), np.float32)
    box = lamella.model("box")
    report = lamella.ParticlePushOut(box.triangles, len(box.positions), friction=0.1).push_out(box.positions, positions)
    print(report.pushes["particle"])
    soft = lamella.SoftMesh(box.faces, np.zeros((8, 3)), np.ones(8))
    print(lamella.VolumeContact(stiffness=10).project(soft, soft).push)


def images() -> bool:
    made = lamella.make_geometry_images("model:box", n=4)
    body = lamella.make_body(made.images, fit="fast")
    lamella.refit(body)
    answer = lamella.collide(body, "model:box", pose_b=(1, 0, 0), all=True, budget=0.1)
    print(answer.pairs["triangle_a"], lamella.sample("model:box", resolution=8).depths.max())
    return answer.colliding


def mistakes() -> None:
    lamella.intersect("a.ply", "b.ply", resolutoin=3)  # type: ignore[call-arg]
    lamella.intersect("a.ply")  # type: ignore[call-arg]
    lamella.intersect(3, "b.ply")  # type: ignore[arg-type]
    lamella.Scene(resolution="high")  # type: ignore[arg-type]
    lamella.Scene().collide().pairs[0].volume = 3  # type: ignore[misc]
    lamella.find_clashes([lamella.model("box")])  # type: ignore[list-item]
    lamella.find_clashes([], clearence=1)  # type: ignore[call-arg]
    lamella.Batch().intersect(0, 0).volumes  # type: ignore[attr-defined]
    lamella.ParticlePushOut([(0, 1, 2)], 3).push_out([], [(0, 0, 0)])  # type: ignore[arg-type]
