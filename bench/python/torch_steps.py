"""Steps of an optimiser on lamella.torch: volume and gradient, forward and backward, median of 30 in milliseconds.

    PYTHONPATH=build/release/python python3 bench/python/torch_steps.py [--device cuda] [--poses 1024] [--bodies 64]
"""

import argparse
import statistics
import time
import warnings

import numpy as np
import torch

import lamella
import lamella.torch


def median_ms(step, device, times=30):
    for _ in range(5):
        step()
    taken = []
    for _ in range(times):
        if device != "cpu":
            torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        if device != "cpu":
            torch.cuda.synchronize()
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken)


def tensors(mesh, device):
    faces = np.asarray(mesh.faces).astype(np.int32)
    return torch.tensor(np.asarray(mesh.vertices), device=device), torch.tensor(faces, device=device)


def random_poses(count, reach, device):
    random = np.random.default_rng(0)
    rows = np.concatenate([random.uniform(-0.3, 0.3, (count, 3)) * reach, random.normal(size=(count, 4))], axis=1)
    return torch.tensor(rows, dtype=torch.float32, device=device, requires_grad=True)


def stepping(leaf, volume_of):
    """A step on one leaf; its gradient starts anew each time."""

    def step():
        leaf.grad = None
        volume_of(leaf).sum().backward()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--poses", type=int, default=1024)
    parser.add_argument("--bodies", type=int, default=64)
    parser.add_argument("--resolution", type=int, default=64)
    asked = parser.parse_args()
    warnings.simplefilter("ignore", lamella.torch.OverlapWarning)
    device, options = asked.device, {"resolution": asked.resolution}
    for first, second in (("sphere", "sphere"), ("hand", "phone"), ("knot", "sphere")):
        a, b = tensors(lamella.model(first, 5000), device), tensors(lamella.model(second, 5000), device)
        poses = random_poses(asked.poses, float(np.ptp(a[0].cpu().numpy(), axis=0).max()), device)
        ms = median_ms(stepping(poses, lambda p: lamella.torch.overlap_volume(*a, *b, pose_b=p, **options)), device)
        print(f"{first} and {second} of 5,000 faces, {asked.poses} poses: {ms:.2f} ms")
    hand, phone = (tensors(lamella.model(name), device) for name in ("hand", "phone"))
    fist = tensors(lamella.model("fist"), device)
    for count in (1, asked.bodies):
        hands = hand[0].repeat(count, 1, 1).requires_grad_()
        ms = median_ms(stepping(hands, lambda v: lamella.torch.overlap_volume(v, hand[1], *phone, **options)), device)
        print(f"hand of {len(hand[1])} faces and phone, vertices of {count}: {ms:.2f} ms")
        fists = fist[0].repeat(count, 1, 1).requires_grad_()
        ms = median_ms(stepping(fists, lambda v: lamella.torch.self_overlap_volume(v, fist[1], **options)), device)
        print(f"fist of {len(fist[1])} faces, vertices of {count}: {ms:.2f} ms")


if __name__ == "__main__":
    main()
