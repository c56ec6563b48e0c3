"""Shared volumes, self-overlaps and signed distances as functions of PyTorch, with gradients.

>>> import lamella, lamella.torch, torch
>>> box = lamella.model("box")
>>> V, F = torch.tensor(box.vertices), torch.tensor(box.faces.astype("int32"))
>>> pose = torch.tensor([1.5, 0, 0, 0, 0, 0, 1], requires_grad=True)
>>> volume = lamella.torch.overlap_volume(V, F, V, F, pose_b=pose)
>>> volume.backward()
>>> volume.item(), pose.grad[:3].tolist()
(2.0, [-4.0, 0.0, 0.0])

Tensors in main memory are read in place; those on a GPU are asked about on that GPU, on torch's current stream,
without a copy to the host (:mod:`lamella.cuda`). Results and gradients have the type and the device of what was given.
Gradients are found together with the volume, and only if something requires one. They are those of the exact volume,
sampled: see docs/python-torch.md. Second derivatives do not exist.
"""

from __future__ import annotations

import functools
from typing import Any, Optional, Sequence, Tuple

import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError(
        "lamella.torch needs PyTorch, which is not installed here (pip install torch, Debian: python3-torch)"
    ) from error

from . import _torch_asks as _asks
from ._lamella import Options, closest
from ._torch_asks import CAUSES, OverlapWarning, array_of, asked_for, report

__all__ = ["OverlapWarning", "clear_cache", "overlap_volume", "self_overlap_volume", "signed_distance"]


def clear_cache() -> None:
    """Frees what is kept between calls, memory of the GPU included; the next call of each kind takes longer."""
    _asks.clear_kept()


# ---- Tensors that callers give


def _vertices(tensor: Any, name: str) -> "torch.Tensor":
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(tensor).__name__}")
    if tensor.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name} must be float32 or float64, not {tensor.dtype}")
    if tensor.dim() not in (2, 3) or tensor.shape[-1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3) or (B, n, 3), not {tuple(tensor.shape)}")
    return tensor


def _faces(tensor: Any, name: str, device: "torch.device") -> "torch.Tensor":
    if not isinstance(tensor, torch.Tensor):
        tensor = torch.as_tensor(np.asarray(tensor).astype(np.int64, copy=False))
    if tensor.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"{name} must be int32 or int64, not {tensor.dtype}")
    if tensor.dim() != 2 or tensor.shape[-1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3), not {tuple(tensor.shape)}")
    return tensor.to(device)


def _pose(tensor: Any, name: str, like: "torch.Tensor") -> Optional["torch.Tensor"]:
    if tensor is None:
        return None
    if not isinstance(tensor, torch.Tensor):
        tensor = torch.as_tensor(tensor, dtype=like.dtype)
    if not tensor.dtype.is_floating_point:
        raise TypeError(f"{name} must be of floating-point numbers, not {tensor.dtype}")
    if tensor.dim() not in (1, 2) or tensor.shape[-1] != 7:
        raise ValueError(
            f"{name} must have the shape (7,) or (B, 7), of x, y, z, qx, qy, qz, qw; not {tuple(tensor.shape)}"
        )
    return tensor.to(like.device)


def _batch_size(tensors: Sequence[Tuple[Optional["torch.Tensor"], int]]) -> Optional[int]:
    """Of tensors with their number of dimensions when they are batched; None when none is."""
    sizes = {t.shape[0] for t, batched in tensors if t is not None and t.dim() == batched}
    if len(sizes) > 1:
        raise ValueError(f"tensors of one call must have the same batch size, not {sorted(sizes)}")
    return sizes.pop() if sizes else None


def _result_type(*tensors: Optional["torch.Tensor"]) -> "torch.dtype":
    wide = any(t is not None and t.dtype == torch.float64 for t in tensors)
    return torch.float64 if wide else torch.float32


def _wanted(*tensors: Optional["torch.Tensor"]) -> bool:
    return torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in tensors)


def _placed(vertices: "torch.Tensor", pose: Optional["torch.Tensor"]) -> "torch.Tensor":
    """Vertices at a pose, in torch's own operations: their gradient is torch's."""
    if pose is None:
        return vertices
    pose = pose.to(vertices.dtype)
    q = pose[..., 3:]
    q = (q / q.norm(dim=-1, keepdim=True)).unsqueeze(-2)
    u, w = q[..., :3], q[..., 3:]
    if pose.dim() == 2 and vertices.dim() == 2:
        vertices = vertices.unsqueeze(0)
    shape = torch.broadcast_shapes(vertices.shape, u.shape)
    u = u.expand(shape)
    c = 2 * torch.cross(u, vertices.expand(shape), dim=-1)
    return vertices + w * c + torch.cross(u, c, dim=-1) + pose[..., :3].unsqueeze(-2)


def _weighted(gradient: "torch.Tensor", by: "torch.Tensor", like: Tuple["torch.Size", "torch.dtype"]) -> "torch.Tensor":
    """Gradients of each answer (B, ...) times what came from above; summed where the input was not batched."""
    shape, dtype = like
    weight = by.reshape(-1, *[1] * (gradient.dim() - 1)).to(gradient.dtype)
    weighted = gradient * weight
    if len(shape) < gradient.dim():
        weighted = weighted.sum(0)
    return weighted.reshape(shape).to(dtype)


# ---- Derivatives of the first order alone


class _NoSecondDerivative(torch.autograd.Function):
    @staticmethod
    def forward(ctx, gradient, anything):
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx, by):
        raise RuntimeError(
            "lamella.torch has first derivatives only: gradients are sampled, and have no gradient of their own"
        )


def _once(backward: Any) -> Any:
    """For backward(): what it returns with create_graph=True raises when it is differentiated again. torch's
    once_differentiable says nothing where nothing from above requires a gradient: it would count as 0."""

    @functools.wraps(backward)
    def wrapper(ctx, by):
        again = torch.is_grad_enabled()
        with torch.no_grad():
            out = backward(ctx, by)
        if not again:
            return out
        mark = torch.zeros((), requires_grad=True)
        return tuple(None if g is None else _NoSecondDerivative.apply(g, mark) for g in out)

    return wrapper


# ---- Rigid: a pair at many poses


class _PoseVolume(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pose_a, pose_b, meshes, gradients, dtype, asked):
        volumes, rows = _asks.ask_poses(meshes, (pose_a, pose_b), gradients, asked)
        count = len(volumes)
        parts = [volumes]
        if gradients:
            parts += [rows[:, 7 * k : 7 * k + 7].reshape(-1) for k in range(2) if ctx.needs_input_grad[k]]
        # One array, one transfer: on a GPU each costs more than all of this.
        numbers = np.float64 if dtype == torch.float64 else np.float32
        together = torch.from_numpy(np.concatenate(parts, dtype=numbers, casting="same_kind")).to(meshes[0].device)
        ctx.rows = together[count:].view(-1, count, 7).unbind(0)
        ctx.likes = [None if p is None else (p.shape, p.dtype) for p in (pose_a, pose_b)]
        batched = any(p is not None and p.dim() == 2 for p in (pose_a, pose_b))
        return together[:count].clone() if batched else together[0].clone()

    @staticmethod
    @_once
    def backward(ctx, by):
        rows = iter(ctx.rows)
        out = [_weighted(next(rows), by, ctx.likes[k]) if ctx.needs_input_grad[k] else None for k in range(2)]
        return (*out, None, None, None, None)


# ---- Deforming: vertices


class _PairVolume(torch.autograd.Function):
    @staticmethod
    def forward(ctx, va, vb, fa, fb, size, gradients, dtype, asked):
        out, *ctx.gradients = _asks.ask_pairs(va, fa, vb, fb, 1 if size is None else size, gradients, asked)
        ctx.likes = [(v.shape, v.dtype) for v in (va, vb)]
        return (out[0] if size is None else out).to(dtype, copy=True)

    @staticmethod
    @_once
    def backward(ctx, by):
        out = [None, None]
        for k in range(2):
            if ctx.needs_input_grad[k]:
                out[k] = _weighted(ctx.gradients[k], by, ctx.likes[k])
        return (*out, None, None, None, None, None, None)


def overlap_volume(
    Va: "torch.Tensor",
    Fa: "torch.Tensor",
    Vb: "torch.Tensor",
    Fb: "torch.Tensor",
    pose_a: Optional["torch.Tensor"] = None,
    pose_b: Optional["torch.Tensor"] = None,
    options: Optional[Options] = None,
    **keywords: Any,
) -> "torch.Tensor":
    """Shared volume of two meshes, with gradients for vertices and for poses.

    `Va`, `Vb`: vertices (n, 3) or (B, n, 3); `Fa`, `Fb`: faces (m, 3), int32 or int64. Poses are (7,) or (B, 7):
    x, y, z, qx, qy, qz, qw. A mesh is turned about its own origin and then moved; quaternions are of any length but 0.
    The result is a number, or (B,) where anything has B. Options are those of lamella.Options, such as resolution=64;
    with strict=True an answer in doubt is an Error in place of an OverlapWarning.

    If only poses vary, all pairs are asked about in one call (lamella.Batch or lamella.cuda.PairBatch), which is the
    fastest way. Where nothing overlaps, volume and gradients are 0: add a term of your own that draws meshes together.
    """
    asked = asked_for(options, keywords)
    Va, Vb = _vertices(Va, "Va"), _vertices(Vb, "Vb")
    if Va.device != Vb.device:
        raise ValueError(f"Va is on {Va.device}, Vb on {Vb.device}: move one of them")
    Fa, Fb = _faces(Fa, "Fa", Va.device), _faces(Fb, "Fb", Va.device)
    pose_a, pose_b = _pose(pose_a, "pose_a", Va), _pose(pose_b, "pose_b", Vb)
    size = _batch_size([(Va, 3), (Vb, 3), (pose_a, 2), (pose_b, 2)])
    dtype = _result_type(Va, Vb, pose_a, pose_b)
    if size == 0:
        return torch.zeros(0, dtype=dtype, device=Va.device)
    if Va.dim() == 2 and Vb.dim() == 2 and not _wanted(Va, Vb):
        wanted = _wanted(pose_a, pose_b)
        return _PoseVolume.apply(pose_a, pose_b, (Va, Fa, Vb, Fb), wanted, dtype, asked)
    Wa, Wb = _placed(Va, pose_a), _placed(Vb, pose_b)
    return _PairVolume.apply(Wa, Wb, Fa, Fb, size, _wanted(Wa, Wb), dtype, asked)


# ---- One mesh


class _SelfVolume(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, f, gradients, asked):
        out, ctx.gradient = _asks.ask_bodies(v, f, v.shape[0] if v.dim() == 3 else 1, gradients, asked)
        ctx.like = (v.shape, v.dtype)
        return (out if v.dim() == 3 else out[0]).to(v.dtype, copy=True)

    @staticmethod
    @_once
    def backward(ctx, by):
        return _weighted(ctx.gradient, by, ctx.like), None, None, None


def self_overlap_volume(
    V: "torch.Tensor", F: "torch.Tensor", options: Optional[Options] = None, **keywords: Any
) -> "torch.Tensor":
    """Volume that a mesh covers more than once, with the gradient for its vertices.

    `V`: (n, 3), or (B, n, 3) for many bodies with the same faces `F` (m, 3); the result is a number or (B,).
    """
    asked = asked_for(options, keywords)
    V = _vertices(V, "V")
    F = _faces(F, "F", V.device)
    if V.dim() == 3 and V.shape[0] == 0:
        return V.new_zeros(0)
    return _SelfVolume.apply(V, F, _wanted(V), asked)


# ---- Signed distance


def _one(tensor: "torch.Tensor", i: int) -> "torch.Tensor":
    return tensor[i] if tensor.dim() == 3 else tensor


def _corner_weights(corners: "torch.Tensor", at: "torch.Tensor") -> "torch.Tensor":
    """Barycentric, of points on triangles (n, 3, 3); a third of each where a triangle has no area."""
    a, b, c = corners.unbind(-2)
    e1, e2, p = b - a, c - a, at - a
    d11, d12, d22 = (e1 * e1).sum(-1), (e1 * e2).sum(-1), (e2 * e2).sum(-1)
    p1, p2 = (p * e1).sum(-1), (p * e2).sum(-1)
    area = d11 * d22 - d12 * d12
    flat = area <= 0
    area = torch.where(flat, torch.ones_like(area), area)
    wb, wc = (d22 * p1 - d12 * p2) / area, (d11 * p2 - d12 * p1) / area
    third = torch.full_like(wb, 1 / 3)
    wb, wc = torch.where(flat, third, wb), torch.where(flat, third, wc)
    return torch.stack([1 - wb - wc, wb, wc], -1)


class _Distance(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, f, p, threads, strict, needs):
        faces, vertices, points = f.cpu(), v.detach().cpu(), p.detach().cpu()
        answer = closest((array_of(vertices), array_of(faces)), array_of(points), threads=threads)
        if answer.health.untrusted_points or not answer.health.ok:
            health = answer.health
            others = health.inside_out_columns or health.skipped_triangles
            open_somewhere = health.open_columns or (health.untrusted_points and not others)
            bits = [open_somewhere, health.inside_out_columns, health.skipped_triangles]
            report([c for c, on in zip(CAUSES, bits) if on], strict)
        distance = torch.from_numpy(answer.distance.copy())
        if needs:
            position = torch.from_numpy(answer.position.copy())
            away = points.double() - position
            # On the surface the direction is that of its normal.
            near = distance.abs() <= 1e-12 * (1 + points.double().abs().amax(-1))
            normal = torch.from_numpy(answer.normal.copy()).double()
            safe = torch.where(near, torch.ones_like(distance), distance)
            direction = torch.where(near[:, None], normal, away / safe[:, None])
            triangle = torch.from_numpy(answer.triangle.astype(np.int64))
            known = triangle < len(faces)
            triangle = torch.where(known, triangle, torch.zeros_like(triangle))
            ctx.direction = direction * known[:, None]
            ctx.corners = faces.long()[triangle] if len(faces) else None
            ctx.weights = None
            if ctx.needs_input_grad[0] and ctx.corners is not None:
                ctx.weights = _corner_weights(vertices.double()[ctx.corners], position)
        ctx.likes = [(t.shape, t.dtype, t.device) for t in (v, p)]
        return distance.to(p.dtype).to(p.device)

    @staticmethod
    @_once
    def backward(ctx, by):
        (v_shape, v_dtype, v_device), (_, p_dtype, p_device) = ctx.likes
        scaled = ctx.direction * by.detach().cpu().double()[:, None]
        grad_v = grad_p = None
        if ctx.needs_input_grad[0]:
            grad_v = torch.zeros(v_shape, dtype=torch.float64)
            if ctx.weights is not None:
                shares = -ctx.weights[:, :, None] * scaled[:, None, :]
                grad_v.index_add_(0, ctx.corners.reshape(-1), shares.reshape(-1, 3))
            grad_v = grad_v.to(v_dtype).to(v_device)
        if ctx.needs_input_grad[2]:
            grad_p = scaled.to(p_dtype).to(p_device)
        return grad_v, None, grad_p, None, None, None


def signed_distance(
    V: "torch.Tensor", F: "torch.Tensor", P: "torch.Tensor", threads: int = 0, strict: bool = False
) -> "torch.Tensor":
    """Signed distance of points (p, 3) from a mesh's surface, below 0 inside, with gradients for points and vertices.

    Exact to rounding (lamella.closest). With `V` (B, n, 3) or `P` (B, p, 3): (B, p). The gradient for a point is the
    unit vector away from its nearest point of the surface; where there are several such points, that of one of them.
    The work is done on the CPU: tensors on a GPU are copied there and back.
    """
    V, P = _vertices(V, "V"), _vertices(P, "P")
    F = _faces(F, "F", V.device)
    size = _batch_size([(V, 3), (P, 3)])
    needs = _wanted(V, P)
    if size is None:
        return _Distance.apply(V, F, P, threads, strict, needs)
    if size == 0:
        return P.new_zeros((0, P.shape[-2]))
    return torch.stack([_Distance.apply(_one(V, i), F, _one(P, i), threads, strict, needs) for i in range(size)])
