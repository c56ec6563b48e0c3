"""A fist whose fingers pass through each other and the palm: Adam moves its vertices until nothing overlaps.

The loss is the volume that the mesh covers more than once (lamella.torch.self_overlap_volume), and a small term that
keeps edges as they were, so that the skin moves as a whole instead of crumpling. Needs torch; a few seconds.

    python3 examples/python/self_overlap_adam.py [--device cuda] [--out fist.ply]
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


def solve(mesh, steps=150, resolution=64, stiffness=0.02, device="cpu", report=print):
    """Vertices without self-overlap, and the volume of each step."""
    start = torch.tensor(np.asarray(mesh.vertices), device=device)
    faces = torch.tensor(np.asarray(mesh.faces).astype(np.int64), device=device)
    edges = edges_of(faces)
    size = (start.max(0).values - start.min(0).values).norm().item()
    at_rest = start[edges[:, 0]] - start[edges[:, 1]]
    vertices = start.clone().requires_grad_()
    adam = torch.optim.Adam([vertices], lr=5e-4 * size)
    volumes = []
    for step in range(steps):
        adam.zero_grad()
        volume = lamella.torch.self_overlap_volume(vertices, faces, resolution=resolution)
        bent = ((vertices[edges[:, 0]] - vertices[edges[:, 1]] - at_rest) ** 2).sum() / (at_rest**2).sum()
        volumes.append(volume.item())
        if step == 0:
            scale = max(volume.item(), 1e-12)
        (volume / scale + stiffness * bent).backward()
        adam.step()
        if step % 25 == 0:
            report(f"step {step:3d}: overlap {volumes[-1]:.3e}, edges changed by {100 * bent.item() ** 0.5:.1f} %")
        if volumes[-1] < 1e-3 * volumes[0]:
            break
    report(f"{len(volumes)} steps: overlap {volumes[-1]:.3e}, {100 * volumes[-1] / volumes[0]:.2f} % of the first")
    return vertices.detach().cpu().numpy(), volumes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faces", type=int, default=6000)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", help="write the mesh there (.ply, .obj, .stl)")
    asked = parser.parse_args()
    mesh = lamella.model("fist", asked.faces)
    vertices, _ = solve(mesh, asked.steps, device=asked.device)
    if asked.out:
        lamella.write_mesh(asked.out, (vertices, mesh.faces))


if __name__ == "__main__":
    main()
