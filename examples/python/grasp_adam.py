"""A hand that holds a phone: Adam moves the hand and bends its skin until nothing overlaps, and the fingers stay close.

Each grasp has a pose, and a shape: all vertices of the hand. The loss is the volume that hand and phone share
(lamella.torch.overlap_volume, with gradients for poses and vertices at once), a term that keeps edges, and the distance
of the fingers from the phone (lamella.torch.signed_distance). Grasps are improved together, as a batch. Needs torch;
a few seconds.

    python3 examples/python/grasp_adam.py [--grasps 4] [--device cuda]
"""

import argparse

import numpy as np
import torch

import lamella
import lamella.torch


def edges_of(faces):
    """Each edge once."""
    edges = torch.cat([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    return torch.unique(torch.sort(edges, dim=1).values, dim=0)


def placed(points, poses):
    """Points (B, n, 3) at poses (B, 7)."""
    q = poses[:, None, 3:] / poses[:, None, 3:].norm(dim=-1, keepdim=True)
    u, w = q[..., :3].expand_as(points), q[..., 3:]
    c = 2 * torch.cross(u, points, dim=-1)
    return points + w * c + torch.cross(u, c, dim=-1) + poses[:, None, :3]


def start_poses(count, size, seed=1):
    """Near the pose that the models are made with, where hand and phone overlap."""
    random = torch.Generator().manual_seed(seed)
    poses = torch.zeros(count, 7)
    poses[:, :3] = 0.01 * size * torch.randn(count, 3, generator=random)
    poses[:, 3:6] = 0.02 * torch.randn(count, 3, generator=random)
    poses[:, 6] = 1
    return poses


class Grasps:
    """Hands around one phone."""

    def __init__(self, hand, phone, count, device):
        def tensors(mesh):
            faces = np.asarray(mesh.faces).astype(np.int64)
            return torch.tensor(np.asarray(mesh.vertices), device=device), torch.tensor(faces, device=device)

        self.hand, self.hand_faces = tensors(hand)
        self.phone, self.phone_faces = tensors(phone)
        self.size = (self.phone.max(0).values - self.phone.min(0).values).norm().item()
        # The part of the hand that is near the phone is what holds it.
        self.near = lamella.torch.signed_distance(self.phone, self.phone_faces, self.hand).abs().argsort()[:60]
        self.edges = edges_of(self.hand_faces)
        self.at_rest = self.hand[self.edges[:, 0]] - self.hand[self.edges[:, 1]]
        self.poses = start_poses(count, self.size).to(device).requires_grad_()
        self.shapes = self.hand.repeat(count, 1, 1).requires_grad_()

    def overlaps(self, resolution=64):
        return lamella.torch.overlap_volume(
            self.shapes, self.hand_faces, self.phone, self.phone_faces, pose_a=self.poses, resolution=resolution
        )

    def gaps(self):
        """Signed distances of the fingers from the phone (B, n), in sizes of the phone."""
        points = placed(self.shapes[:, self.near], self.poses)
        return lamella.torch.signed_distance(self.phone, self.phone_faces, points) / self.size

    def bent(self):
        now = self.shapes[:, self.edges[:, 0]] - self.shapes[:, self.edges[:, 1]]
        return ((now - self.at_rest) ** 2).sum((1, 2)) / (self.at_rest**2).sum()


def solve(hand, phone, grasps=4, steps=100, pull=0.5, stiffness=0.05, device="cpu", report=print):
    """The Grasps, and their shared volumes before and after."""
    g = Grasps(hand, phone, grasps, device)
    adam = torch.optim.Adam([{"params": [g.poses], "lr": 1e-3 * g.size}, {"params": [g.shapes], "lr": 4e-4 * g.size}])
    with torch.no_grad():
        first = g.overlaps()
    for step in range(steps):
        adam.zero_grad()
        volume, bent = g.overlaps(), g.bent()
        away = g.gaps().clamp(min=0).mean(1)
        (volume / first + stiffness * bent + pull * away).sum().backward()
        if step % 20 == 0:
            report(
                f"step {step:3d}: {100 * (volume / first).max():.1f} % of the overlap, edges changed by "
                f"{100 * bent.max().sqrt():.1f} %, fingers {100 * away.mean():.2f} % of the phone away"
            )
        if (volume < 1e-3 * first).all():
            break
        adam.step()
    with torch.no_grad():
        last, gaps = g.overlaps(), g.gaps().abs().min(1).values
    report(
        f"{step + 1} steps: {100 * (last / first).max():.2f} % of the overlap is left, the nearest finger is "
        f"{100 * gaps.max():.2f} % of the phone away"
    )
    return g, first.cpu().numpy(), last.cpu().numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--grasps", type=int, default=4)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--device", default="cpu")
    asked = parser.parse_args()
    solve(lamella.model("hand", 4000), lamella.model("phone"), asked.grasps, asked.steps, device=asked.device)


if __name__ == "__main__":
    main()
