"""How lamella.torch asks: on the CPU or on the GPU that the tensors are on, with what is kept between calls.

Volumes are tensors of doubles; gradients are None where they are not wanted.
"""

from __future__ import annotations

import collections
import sys
import threading
import warnings
from typing import Any, Dict, List, Optional, Sequence

import numpy as np
import torch

from . import _lamella
from ._enums import Cause, Verdict
from ._lamella import Detector, Error, Options
from .cuda import DeviceArray

_cuda: Any = getattr(_lamella, "_cuda")  # not in the stubs: nobody else's
_PoseBatch: Any = getattr(_lamella, "_PoseBatch")


class OverlapWarning(UserWarning):
    """An answer is in doubt: something about the meshes makes it uncertain. Given once for each cause."""

    __module__ = "lamella.torch"


# ---- Doubts

CAUSES = list(Cause)
_WHAT = {
    Cause.open_columns: "a mesh has holes; the rays through them are left out of the volume. Close them first: "
    "lamella.repair",
    Cause.inside_out: "faces of a mesh look inwards; what they enclose does not count. Turn them first: lamella.repair",
    Cause.skipped_triangles: "vertices are not finite or too far away; their faces are left out",
    Cause.dropped_crossings: "the engine lost crossings; use another one",
    Cause.touching: "the surfaces touch or overlap so thinly that it is not known whether they overlap",
    Cause.closed_holes: "a mesh has holes, which were closed by fans of triangles; they get no gradient",
}
_warned: set = set()


def report(causes: Sequence[Cause], strict: bool, where: str = "") -> None:
    """Warns of causes that are new; with `strict` raises for the first."""
    for cause in causes:
        if strict:
            raise Error(f"{where}{_WHAT[cause]} (strict=True)")
        if cause in _warned:
            continue
        _warned.add(cause)
        warnings.warn(f"{where}{_WHAT[cause]}. This is said once.", OverlapWarning, stacklevel=_callers_level())


def _callers_level() -> int:
    """Of the first frame outside lamella and torch, as warnings.warn in report() counts."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("lamella", "torch"):
        frame, level = frame.f_back, level + 1
    return level


def _report_bits(bits: np.ndarray, strict: bool) -> None:
    """Of many answers: the bits of src/pose_gradients.hpp."""
    if not bits.any():
        return
    together = int(np.bitwise_or.reduce(bits))
    where = f"pair {int(np.flatnonzero(bits)[0])}: " if len(bits) > 1 else ""
    report([c for i, c in enumerate(CAUSES) if together >> i & 1], strict, where)


def _report_answer(answer: Any) -> None:
    """Of an Overlap; with strict the library has thrown already."""
    if answer.health.ok and answer.verdict != Verdict.undecided:
        return
    causes = [doubt.cause for doubt in answer.doubts]
    report(causes or [Cause.touching], False)


# ---- Options


class Asked:
    """Options of a call, in the forms that the CPU and the GPU need, and a key for what is kept between calls."""

    __slots__ = ("options", "key", "strict")

    def __init__(self, options: Optional[Options], keywords: Dict[str, Any]):
        given = Options() if options is None else options
        if keywords:
            given = given.replace(**keywords)
        # Spans are not wanted: only their sums.
        self.options = given.replace(keep_spans=False) if given.keep_spans and not given.ends else given
        self.strict = given.strict
        self.key = tuple((name, repr(value)) for name, value in self.options.to_dict().items())

    def for_device(self, device: "torch.device") -> Any:
        o = self.options
        elsewhere = [n for n in ("tolerance", "certify", "ends", "close_views") if getattr(o, n)]
        if elsewhere or o.engine not in ("automatic", "cuda"):
            raise ValueError(
                f"tensors on a GPU: the option {(elsewhere or ['engine'])[0]} is not available there; move the tensors "
                "to the CPU, or leave it out"
            )
        return _cuda.DeviceOptions(
            resolution=o.resolution,
            axis=o.axis,
            device=device.index,
            strict=o.strict,
            min_thickness=o.min_thickness,
            max_crossings=o.max_crossings,
        )


_known_options: "collections.OrderedDict" = collections.OrderedDict()


def asked_for(options: Optional[Options], keywords: Dict[str, Any]) -> Asked:
    """Reading options takes longer than a small query: those of the last calls are remembered."""
    if options is not None:
        return Asked(options, keywords)
    key = tuple(sorted((k, repr(v)) for k, v in keywords.items()))
    found = _known_options.get(key)
    if found is None:
        found = _known_options[key] = Asked(None, keywords)
        if len(_known_options) > 64:
            _known_options.popitem(last=False)
    return found


# ---- What is kept between calls


class _Kept:
    """The objects of the last few kinds of calls; each is used by one thread at a time."""

    def __init__(self, size: int):
        self._size = size
        self._lock = threading.Lock()
        self._objects: "collections.OrderedDict" = collections.OrderedDict()

    def get(self, key: Any, make: Any) -> Any:
        with self._lock:
            found = self._objects.get(key)
            if found is None:
                found = self._objects[key] = make()
                if len(self._objects) > self._size:
                    self._objects.popitem(last=False)
            else:
                self._objects.move_to_end(key)
            return found

    def clear(self) -> None:
        with self._lock:
            self._objects.clear()


_detectors = _Kept(4)
_pose_batches = _Kept(4)
_device_batches = _Kept(4)


def clear_kept() -> None:
    for kept in (_detectors, _pose_batches, _device_batches):
        kept.clear()


def _detector(asked: Asked) -> Detector:
    return _detectors.get(asked.key, lambda: Detector(asked.options))


class _Places:
    """Addresses that stay: an array of a caller's, as long as it does not move, and otherwise a copy on the device.

    Objects of lamella.cuda refer to fixed addresses, and making one takes longer than a run. An optimiser's parameters
    stay where they are; the results of other operations move from step to step, and are copied within the device's
    memory.
    """

    def __init__(self, tensors: Sequence["torch.Tensor"], types: Sequence["torch.dtype"]):
        self._types = types
        self._copies: List[Optional[torch.Tensor]] = [None] * len(tensors)
        self.addresses = [0] * len(tensors)
        for i, tensor in enumerate(tensors):
            if self._fits(i, tensor):
                self.addresses[i] = tensor.data_ptr()
            else:
                self._make_copy(i, tensor)

    def _fits(self, i: int, tensor: "torch.Tensor") -> bool:
        return tensor.dtype == self._types[i] and tensor.is_contiguous()

    def _make_copy(self, i: int, tensor: "torch.Tensor") -> None:
        copy = torch.empty(tensor.shape, dtype=self._types[i], device=tensor.device)
        self._copies[i] = copy
        self.addresses[i] = copy.data_ptr()

    def update(self, tensors: Sequence["torch.Tensor"]) -> bool:
        """Copies what must be copied. True: addresses have changed."""
        moved = False
        for i, tensor in enumerate(tensors):
            if self._copies[i] is None and not (self._fits(i, tensor) and tensor.data_ptr() == self.addresses[i]):
                self._make_copy(i, tensor)
                moved = True
            copy = self._copies[i]
            if copy is not None:
                copy.copy_(tensor)
        return moved


class _OnDevice:
    """A batch of lamella.cuda on tensors that may move."""

    def __init__(self, make: Any, tensors: Sequence["torch.Tensor"], types: Sequence["torch.dtype"]):
        self.lock = threading.Lock()
        self._make = make
        self._places = _Places(tensors, types)
        self._batch = None

    def batch(self, tensors: Sequence["torch.Tensor"]) -> Any:
        """Hold the lock until its answer is read."""
        if self._places.update(tensors) or self._batch is None:
            self._batch = None
            self._batch = self._make(self._places.addresses)
        return self._batch


_MESH = (torch.float32, torch.int32)


def _on_device(kind: str, make: Any, asked: Asked, tensors: Sequence["torch.Tensor"]) -> _OnDevice:
    key = (kind, asked.key, tensors[0].device, threading.get_ident(), tuple((t.shape, t.dtype) for t in tensors))
    return _device_batches.get(key, lambda: _OnDevice(make, tensors, _MESH * (len(tensors) // 2)))


def _stream(tensor: "torch.Tensor") -> int:
    return torch.cuda.current_stream(tensor.device).cuda_stream


def _mesh_rows(address: int, faces_address: int, shape: Sequence[int], faces: int, count: int) -> np.ndarray:
    """Rows for _lamella._cuda: `count` meshes, one after another if there are as many, else the same."""
    rows = np.empty((count, 4), dtype=np.uint64)
    step = 12 * shape[-2] if len(shape) == 3 else 0
    rows[:, 0] = address + step * np.arange(count)
    rows[:, 1] = shape[-2]
    rows[:, 2] = faces_address
    rows[:, 3] = faces
    return rows


# ---- The questions


def array_of(tensor: "torch.Tensor") -> np.ndarray:
    """In place where it is contiguous and in main memory."""
    return tensor.detach().cpu().contiguous().numpy()


def _one(array: np.ndarray, i: int) -> np.ndarray:
    return array[i] if array.ndim == 3 else array


def _stacked(rows: List[np.ndarray]) -> "torch.Tensor":
    return torch.from_numpy(np.stack(rows))


def _volumes(answers: np.ndarray, device: "torch.device") -> "torch.Tensor":
    return torch.from_numpy(np.ascontiguousarray(answers["volume"])).to(device)


def _copy_of_gradients(batch: Any, count: int, vertices: int, device: "torch.device") -> "torch.Tensor":
    """The batch's own memory changes with its next run."""
    shape = (count, vertices, 3)
    if 0 in shape:
        return torch.zeros(shape, dtype=torch.float32, device=device)
    return torch.as_tensor(DeviceArray(batch.device_gradients(), shape, np.float32, batch), device=device).clone()


def ask_poses(meshes, poses, gradients, asked):
    """A pair (va, fa, vb, fb) at many poses: arrays on the host, volumes (n,) and gradients (n, 14) of both poses."""
    ask = _poses_on_device if meshes[0].is_cuda else _poses_on_cpu
    volumes, doubts, rows = ask(meshes, [None if p is None else array_of(p) for p in poses], gradients, asked)
    _report_bits(doubts, asked.strict)
    return volumes, rows


def _poses_on_cpu(meshes, poses, gradients, asked):
    va, fa, vb, fb = meshes
    key = (asked.key, va.shape, fa.shape, vb.shape, fb.shape)
    batch = _pose_batches.get(key, lambda: _PoseBatch(asked.options))
    return batch.ask((array_of(va), array_of(fa)), (array_of(vb), array_of(fb)), *poses, gradients)


def _poses_on_device(meshes, poses, gradients, asked):
    va, fa, vb, fb = meshes

    def make(addresses):
        rows_a = _mesh_rows(addresses[0], addresses[1], va.shape, len(fa), 1)
        rows_b = _mesh_rows(addresses[2], addresses[3], vb.shape, len(fb), 1)
        return _cuda.PairBatch(np.concatenate([rows_a, rows_b]), asked.for_device(va.device))

    kept = _on_device("poses", make, asked, meshes)
    with kept.lock:
        return kept.batch(meshes).ask_poses(*poses, gradients, _stream(va))


def ask_pairs(va, fa, vb, fb, count, gradients, asked):
    """`count` pairs of deformed meshes: volumes, gradients of va and of vb, each (count, vertices, 3)."""
    return (_pairs_on_device if va.is_cuda else _pairs_on_cpu)(va, fa, vb, fb, count, gradients, asked)


def _pairs_on_cpu(va, fa, vb, fb, count, gradients, asked):
    detector = _detector(asked)
    a, b = array_of(va), array_of(vb)
    faces_a, faces_b = array_of(fa), array_of(fb)
    volumes, of_a, of_b = [], [], []
    for i in range(count):
        mesh_a, mesh_b = (_one(a, i), faces_a), (_one(b, i), faces_b)
        if gradients:
            answer = detector.volume_gradient(mesh_a, mesh_b)
            of_a.append(answer.vertices_a)
            of_b.append(answer.vertices_b)
        else:
            answer = detector.intersect(mesh_a, mesh_b)
        _report_answer(answer)
        volumes.append(answer.volume)
    out = torch.tensor(volumes, dtype=torch.float64)
    return (out, _stacked(of_a), _stacked(of_b)) if gradients else (out, None, None)


def _pairs_on_device(va, fa, vb, fb, count, gradients, asked):
    tensors = (va, fa, vb, fb)

    def make(addresses):
        rows = np.empty((2 * count, 4), dtype=np.uint64)
        rows[0::2] = _mesh_rows(addresses[0], addresses[1], va.shape, len(fa), count)
        rows[1::2] = _mesh_rows(addresses[2], addresses[3], vb.shape, len(fb), count)
        options = asked.for_device(va.device)
        return _cuda.GradientBatch(rows, options, 0) if gradients else _cuda.PairBatch(rows, options)

    kept = _on_device(f"pairs {count} {gradients}", make, asked, tensors)
    both = None
    n = va.shape[-2]
    with kept.lock:
        batch = kept.batch(tensors)
        if gradients:
            batch.launch(_stream(va))
        else:
            batch.launch(np.arange(2 * count, dtype=np.uint32).reshape(-1, 2), None, None, False, _stream(va))
        answers, doubts = batch.wait_doubts()
        if gradients:
            both = _copy_of_gradients(batch, count, n + vb.shape[-2], va.device)
    _report_bits(doubts, asked.strict)
    out = _volumes(answers, va.device)
    return (out, None, None) if both is None else (out, both[:, :n], both[:, n:])


def ask_bodies(v, f, count, gradients, asked):
    """`count` meshes that overlap themselves: volumes and gradients (count, vertices, 3)."""
    return (_bodies_on_device if v.is_cuda else _bodies_on_cpu)(v, f, count, gradients, asked)


def _bodies_on_cpu(v, f, count, gradients, asked):
    detector = _detector(asked)
    vertices, faces = array_of(v), array_of(f)
    volumes, rows = [], []
    for i in range(count):
        mesh = (_one(vertices, i), faces)
        answer = detector.self_gradient(mesh) if gradients else detector.self_intersect(mesh)
        if gradients:
            rows.append(answer.vertices)
        _report_answer(answer)
        volumes.append(answer.volume)
    return torch.tensor(volumes, dtype=torch.float64), _stacked(rows) if gradients else None


def _bodies_on_device(v, f, count, gradients, asked):
    def make(addresses):
        rows = _mesh_rows(addresses[0], addresses[1], v.shape, len(f), count)
        return _cuda.SelfBatch(rows, asked.for_device(v.device), 0)

    kept = _on_device(f"bodies {count}", make, asked, (v, f))
    with kept.lock:
        batch = kept.batch((v, f))
        batch.launch(_stream(v))
        answers, doubts = batch.wait_doubts()
        rows = _copy_of_gradients(batch, count, v.shape[-2], v.device) if gradients else None
    _report_bits(doubts, asked.strict)
    return _volumes(answers, v.device), rows
