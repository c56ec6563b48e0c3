"""What calls from Python cost: beside the same calls from C++, and beside other libraries, in one run.

    PYTHONPATH=build/release/python python3 bench/python/measure.py [--peers build/release/bin/lamella-bench-peers]

Medians of many calls, in turns, so that what else the machine does is the same for all that is compared. Times of one
thread are processor time, those of several wall clock.
"""

import argparse
import json
import statistics
import subprocess
import time

import numpy as np

import lamella


def seconds(call, times, clock=time.process_time):
    start = clock()
    for _ in range(times):
        call()
    return (clock() - start) / times


def tetrahedron(shift):
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32) + np.float32(shift)
    return vertices, np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.uint32)


def overhead(rounds):
    """Of Detector.intersect on two tetrahedra; the loop of C++ is made inside the module, on the same arrays."""
    detector = lamella.Detector(resolution=8, threads=1)
    a, b = tetrahedron(0), tetrahedron(0.1)
    detector._time_intersect(a, b, 2000)
    pairs = [(seconds(lambda: detector.intersect(a, b), 2000), detector._time_intersect(a, b, 2000)) for _ in range(rounds)]
    python, cpp = (statistics.median(times) for times in zip(*pairs))
    extra = statistics.median(p - c for p, c in pairs)
    print(f"two tetrahedra, 8 x 8: C++ {cpp * 1e6:.2f} us, Python {python * 1e6:.2f} us, more by {extra * 1e6:.2f} us")


def points(rounds, peers):
    """W1: 100,000 points in a body of 520,000 faces, every vertex of which moves between calls; one thread."""
    detector = lamella.Detector(threads=1)
    body = lamella.model("blob", 520000)
    faces = body.triangles
    rest = np.array(body.positions)
    poses = [rest, np.ascontiguousarray(rest + np.float32(0.01) * np.sin(5 * rest[:, [1, 2, 0]]))]
    where = np.random.default_rng(1).uniform(*body.bounds, (100000, 3)).astype(np.float32)
    detector.contains((rest, faces), where)
    pairs = []
    for i in range(rounds):
        mesh = (poses[i % 2], faces)
        detector.contains(mesh, where)  # so that neither is the first to read this pose
        pairs.append((seconds(lambda: detector.contains(mesh, where), 10), detector._time_contains(mesh, where, 10)))
    python, cpp = (statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(p / c for p, c in pairs)
    print(f"W1, {len(faces):,} faces: C++ {cpp * 1e3:.2f} ms, Python {python * 1e3:.2f} ms, {ratio:.3f} times")
    if peers:
        rows = subprocess.run([peers, "peers", "--work", "W1", "--rounds", "7", "--json"], capture_output=True, text=True)
        for row in map(json.loads, rows.stdout.splitlines()):
            if row["library"].startswith("Embree"):
                ms = row["ms"]["median"]
                print(f"  {row['library']}, {row['call']}, {row['threads']} thread: {ms:.2f} ms, {ms / 1e3 / python:.1f} times as long")
        again = statistics.median(seconds(lambda: detector.contains((poses[i % 2], faces), where), 3) for i in range(rounds))
        print(f"  Python again, after them: {again * 1e3:.2f} ms")


def grasps(rounds, count):
    """Random placements of two meshes of 5,000 faces around each other, all cores: in one call, and in a loop."""
    a, b = lamella.model("hand", 5000), lamella.model("phone", 5000)
    rng = np.random.default_rng(1)
    turns = rng.normal(size=(count, 4))
    poses = np.concatenate([rng.uniform(-0.2, 0.2, (count, 3)), turns / np.linalg.norm(turns, axis=1)[:, None]], axis=1)
    batch = lamella.Batch(engine="software")
    id_a, id_b = batch.add(a), batch.add(b)
    batch.intersect(id_a, id_b, pose_b=poses[:100])
    in_batch = statistics.median(seconds(lambda: batch.intersect(id_a, id_b, pose_b=poses), 1, time.perf_counter) for _ in range(rounds)) / count
    detector = lamella.Detector(engine="software")
    few = [lamella.Transform(p) for p in poses[:: max(1, count // 300)]]

    def loop():
        for pose in few:
            detector.intersect(a, lamella.transformed(b, pose))

    one_by_one = statistics.median(seconds(loop, 1, time.perf_counter) for _ in range(rounds)) / len(few)
    print(f"{count:,} grasps, 5,000 and 5,000 faces: Batch {in_batch * 1e6:.0f} us a pair, a Detector loop {one_by_one * 1e6:.0f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--peers", help="the program lamella-bench-peers, for other libraries in the same run")
    parser.add_argument("--grasps", type=int, default=10000)
    arguments = parser.parse_args()
    print(f"lamella {lamella.__version__}, {lamella.__cpu_features__[0]}")
    overhead(arguments.rounds)
    points(arguments.rounds, arguments.peers)
    grasps(max(1, arguments.rounds // 4), arguments.grasps)


if __name__ == "__main__":
    main()
