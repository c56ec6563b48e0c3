"""Queries of arrays that are in the memory of an NVIDIA GPU: nothing is copied to the host and back.

Arrays of torch, CuPy and numba are read through ``__cuda_array_interface__``, those of JAX and others through DLPack.
Vertices are float32 ``(n, 3)``, faces int32 or uint32 ``(n, 3)``, both C-contiguous: nothing is converted here. A query
refers to the arrays that it was made with for as long as it lives; their contents may change between frames.

``launch(stream)`` puts a frame on a CUDA stream and returns at once, ``wait()`` gives its answer. A stream is a number
(``torch.cuda.current_stream().cuda_stream``, ``cupy.cuda.get_current_stream().ptr``), an object with ``cuda_stream``
or ``ptr``, or None for the default stream. The order of the frame and of what fills the arrays is that of the stream;
if an array names the stream that it is made on, or comes by DLPack, it is waited for when the query is made. ::

    from lamella import cuda

    query = cuda.Query.self_intersect(vertices, faces, resolution=256)
    for frame in frames:
        move(vertices)  # your kernels, on the same stream
        query.launch(stream)
        print(query.wait().volume)
"""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple

import numpy as np

from . import _lamella
from ._lamella import Error

_cuda: Any = getattr(_lamella, "_cuda")  # not in the stubs: nobody else's
if TYPE_CHECKING:
    Answer = Any
    DeviceOptions = Any
else:
    Answer = _cuda.Answer
    DeviceOptions = _cuda.DeviceOptions

__all__ = [
    "Answer",
    "DeviceArray",
    "DeviceOptions",
    "GradientBatch",
    "PairBatch",
    "Query",
    "SelfBatch",
    "unavailable",
]


def unavailable() -> str:
    """Empty when CUDA queries can run here, otherwise the reason why not."""
    return _cuda.unavailable()


class DeviceArray:
    """An array in the memory of a GPU, for libraries that know ``__cuda_array_interface__``.

    ``torch.as_tensor(array, device="cuda")`` and ``cupy.asarray(array)`` share its memory, which belongs to the query
    that made it: it changes with the next launch.
    """

    def __init__(self, address: int, shape: Tuple[int, ...], dtype: Any, owner: Any):
        self._address = address
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self._owner = owner

    @property
    def __cuda_array_interface__(self) -> dict:
        # No stream: it is shown only after wait(). Memory that is only read is not marked so: torch would refuse it.
        interface = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._address if 0 not in self.shape else 0, False),
            "strides": None,
            "version": 3,
            "stream": None,
        }
        if self.dtype.names:
            interface["descr"] = self.dtype.descr
        return interface

    def __repr__(self) -> str:
        return f"<lamella.cuda.DeviceArray: {' x '.join(map(str, self.shape))} {self.dtype}>"


# ---- Arrays that callers give


class _Given:
    """Address, shape and type of a caller's array; the array itself, to keep it alive."""

    __slots__ = ("address", "shape", "dtype", "owner")

    def __init__(self, address, shape, dtype, owner):
        self.address = address
        self.shape = shape
        self.dtype = dtype
        self.owner = owner


@functools.lru_cache(maxsize=None)
def _driver():
    driver = ctypes.CDLL("libcuda.so.1")
    driver.cuStreamSynchronize.argtypes = [ctypes.c_void_p]
    return driver


def _finish(stream: int) -> None:
    """Waits until a stream is done. 1 and 2 are CUDA's names for the default streams, as in the interface."""
    code = _driver().cuStreamSynchronize(stream)
    if code != 0:
        raise Error(f"CUDA could not wait for the stream {stream:#x} that an array is made on (error {code})")


def _contiguous(shape, strides, itemsize) -> bool:
    """Strides in bytes, or None."""
    if strides is None or 0 in shape:
        return True
    expected = itemsize
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def _from_interface(source: Any, interface: dict, name: str) -> _Given:
    dtype = np.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    if not _contiguous(shape, interface.get("strides"), dtype.itemsize):
        raise ValueError(f"{name} must be C-contiguous: it is read in place")
    if interface.get("mask") is not None:
        raise ValueError(f"{name} must not have a mask")
    stream = interface.get("stream")
    if stream is not None:
        _finish(stream)
    return _Given(interface["data"][0] or 0, shape, dtype, source)


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DL_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged
_DL_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}


def _from_dlpack(source: Any, name: str) -> _Given:
    if source.__dlpack_device__()[0] not in _DL_CUDA:
        raise ValueError(f"{name} is not in the memory of a GPU: for arrays in main memory use lamella's own functions")
    capsule = source.__dlpack__(stream=1)  # the producer makes the default stream wait
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype = ctypes.c_void_p
    get.argtypes = [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    if tensor.lanes != 1 or tensor.code not in _DL_KINDS:
        raise TypeError(f"{name} has a type that is not known here")
    dtype = np.dtype(f"{_DL_KINDS[tensor.code]}{tensor.bits // 8}")
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    strides = tuple(tensor.strides[k] * dtype.itemsize for k in range(tensor.ndim)) if tensor.strides else None
    if not _contiguous(shape, strides, dtype.itemsize):
        raise ValueError(f"{name} must be C-contiguous: it is read in place")
    _finish(1)
    # The capsule is not consumed: when it goes, it gives the array back. Both are kept.
    return _Given((tensor.data or 0) + tensor.byte_offset, shape, dtype, (source, capsule))


def _given(source: Any, name: str) -> _Given:
    detach = getattr(source, "detach", None)
    if detach is not None and getattr(source, "requires_grad", False):
        source = detach()  # torch shows no interface of a tensor that requires a gradient
    interface = getattr(source, "__cuda_array_interface__", None)
    if interface is not None:
        return _from_interface(source, interface, name)
    if hasattr(source, "__dlpack__"):
        return _from_dlpack(source, name)
    raise TypeError(
        f"{name} must be an array in the memory of a GPU, with __cuda_array_interface__ or __dlpack__; "
        f"not {type(source).__name__}"
    )


def _rows(source: Any, name: str, kinds: Sequence[str]) -> _Given:
    given = _given(source, name)
    if given.dtype.str[1:] not in kinds:
        raise TypeError(f"{name} must be {' or '.join(str(np.dtype(k)) for k in kinds)}, not {given.dtype}")
    if len(given.shape) != 2 or given.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3), not {given.shape}")
    return given


class _Meshes:
    """Rows for _lamella._cuda, and what keeps their arrays alive."""

    def __init__(self, meshes: Sequence[Tuple[Any, Any]], names: Sequence[str]):
        self.owners = []
        self.vertex_counts = []
        rows = []
        known: dict = {}
        for (vertices, faces), name in zip(meshes, names):
            v = known.get(id(vertices)) or _rows(vertices, f"{name}: vertices", ("f4",))
            f = known.get(id(faces)) or _rows(faces, f"{name}: faces", ("i4", "u4"))
            known[id(vertices)], known[id(faces)] = v, f
            self.owners.append((v.owner, f.owner))
            self.vertex_counts.append(v.shape[0])
            rows.append((v.address, v.shape[0], f.address, f.shape[0]))
        self.rows = np.array(rows, dtype=np.uint64).reshape(-1, 4)


def _stream(stream: Any) -> int:
    if stream is None:
        return 0
    for attribute in ("cuda_stream", "ptr"):
        stream = getattr(stream, attribute, stream)
    return int(stream)


def _options(options: Optional[DeviceOptions], keywords: dict) -> DeviceOptions:
    if options is None:
        return DeviceOptions(**keywords)
    return options.replace(**keywords) if keywords else options




# ---- Queries


class Query:
    """A query on fixed arrays: captured once as a CUDA graph, replayed for every frame. Keeps its memory."""

    def __init__(self, query: Any, owners: Any, points: int = 0, flags: Optional[_Given] = None):
        self._query = query
        self._owners = owners
        self._points = points
        self._flags = flags

    @staticmethod
    def intersect(
        vertices_a: Any,
        faces_a: Any,
        vertices_b: Any,
        faces_b: Any,
        options: Optional[DeviceOptions] = None,
        spans: bool = False,
        **keywords: Any,
    ) -> "Query":
        """Shared volume of two meshes. With `spans`, the spans are made too, on the device."""
        meshes = _Meshes([(vertices_a, faces_a), (vertices_b, faces_b)], ("a", "b"))
        return Query(_cuda.Query.intersect(meshes.rows, _options(options, keywords), spans), meshes)

    @staticmethod
    def self_intersect(
        vertices: Any, faces: Any, options: Optional[DeviceOptions] = None, spans: bool = False, **keywords: Any
    ) -> "Query":
        """Volume that a mesh covers more than once."""
        meshes = _Meshes([(vertices, faces)], ("mesh",))
        return Query(_cuda.Query.self_intersect(meshes.rows, _options(options, keywords), spans), meshes)

    @staticmethod
    def contains(
        vertices: Any,
        faces: Any,
        points: Any,
        options: Optional[DeviceOptions] = None,
        flags: Any = None,
        **keywords: Any,
    ) -> "Query":
        """Which points lie inside the mesh: one byte for each (0, 1; 2 where it is not known) in `flags`, an array of
        uint8 on the device; when not given, in memory of the query's own (see the property `flags`)."""
        meshes = _Meshes([(vertices, faces)], ("mesh",))
        at = _rows(points, "points", ("f4",))
        out = None
        if flags is not None:
            out = _given(flags, "flags")
            if out.dtype != np.uint8 or out.shape != (at.shape[0],):
                raise ValueError(f"flags must be uint8 of the shape ({at.shape[0]},)")
        query = _cuda.Query.contains(
            meshes.rows, at.address, at.shape[0], _options(options, keywords), out.address if out else 0
        )
        return Query(query, (meshes, at, out), at.shape[0], out)

    def launch(self, stream: Any = None) -> None:
        """Puts one frame on the stream and returns at once. The stream must live until wait() returns."""
        self._query.launch(_stream(stream))

    def wait(self) -> Answer:
        """Waits for the last frame; repeats it when there was too little memory."""
        answer = self._query.wait()
        self._counts = (answer.span_count, answer.inside_out_count)
        return answer

    @property
    def flags(self) -> DeviceArray:
        """contains: uint8, on the device; after wait()."""
        return DeviceArray(self._query.device_flags(), (self._points,), np.uint8, self)

    @property
    def spans(self) -> DeviceArray:
        """Spans on the device, as rows of three words: column (uint32), begin and end (the bits of float32)."""
        return self._rows_of(self._query.device_spans(), 0)

    @property
    def inside_out(self) -> DeviceArray:
        """self_intersect: spans of winding below 0, likewise."""
        return self._rows_of(self._query.device_inside_out(), 1)

    def _rows_of(self, address: int, which: int) -> DeviceArray:
        count = getattr(self, "_counts", (0, 0))[which]
        return DeviceArray(address, (count if address else 0, 3), np.uint32, self)

    @property
    def device_answer(self) -> int:
        """Address of the answer on the device, for kernels of your own: a lamella::cuda::Answer."""
        return self._query.device_answer()

    @property
    def device_bytes(self) -> int:
        """Device memory that the query holds."""
        return self._query.device_bytes()


class PairBatch:
    """Many pairs of placed meshes at once, in one launch. Meshes are numbered in the order in which they are given.

    Answers are structured arrays, one row for each pair: verdict (0 clear, 1 colliding, 2 undecided), volume,
    volume_error, centroid, span_count, and of the health open_columns, occupied_columns, inside_out_columns,
    skipped_triangles, uncertain_spans, untrusted_volume. Gradients have also translation_a, rotation_a, translation_b,
    rotation_b (rotations about the centroid), moments, inner_area_a and inner_area_b.
    """

    def __init__(
        self, meshes: Sequence[Tuple[Any, Any]], options: Optional[DeviceOptions] = None, **keywords: Any
    ):
        self._meshes = _Meshes(meshes, [f"mesh {i}" for i in range(len(meshes))])
        self._batch = _cuda.PairBatch(self._meshes.rows, _options(options, keywords))

    def launch(self, pairs: Any, poses_a: Any = None, poses_b: Any = None, stream: Any = None) -> None:
        """`pairs`: (n, 2) numbers of meshes; poses: (n, 7) or as elsewhere, on the host. Read during the call."""
        self._batch.launch(np.asarray(pairs), poses_a, poses_b, False, _stream(stream))

    def launch_gradients(self, pairs: Any, poses_a: Any = None, poses_b: Any = None, stream: Any = None) -> None:
        """The same with gradients for rigid motions; the answers come from wait_gradients()."""
        self._batch.launch(np.asarray(pairs), poses_a, poses_b, True, _stream(stream))

    def wait(self) -> np.ndarray:
        """One row per pair."""
        return self._batch.wait()

    def wait_gradients(self) -> np.ndarray:
        """One row per pair, after launch_gradients()."""
        return self._batch.wait_gradients()


class SelfBatch:
    """Many bodies at once: the volume that each covers more than once, and its gradient for every vertex.

    Gradients stay on the device, those of one body after another; in `gradients`, float32 (vertices of all, 3), if it
    is given. Answers are structured arrays as those of PairBatch.
    """
    _make = staticmethod(_cuda.SelfBatch)

    def __init__(
        self,
        meshes: Sequence[Tuple[Any, Any]],
        options: Optional[DeviceOptions] = None,
        gradients: Any = None,
        **keywords: Any,
    ):
        self._start(meshes, [f"body {i}" for i in range(len(meshes))], options, gradients, keywords)

    def _start(self, meshes, names, options, gradients, keywords):
        self._meshes = _Meshes(meshes, names)
        self._vertices = sum(self._meshes.vertex_counts)
        self._out = None
        if gradients is not None:
            self._out = _rows(gradients, "gradients", ("f4",))
            if self._out.shape[0] != self._vertices:
                raise ValueError(f"gradients must have {self._vertices} rows, one for each vertex")
        self._batch = self._make(self._meshes.rows, _options(options, keywords), self._out.address if self._out else 0)

    def launch(self, stream: Any = None) -> None:
        """Puts a run over all on the stream; first waits for a run that is still in progress."""
        self._batch.launch(_stream(stream))

    def wait(self) -> np.ndarray:
        """One row for each."""
        return self._batch.wait()

    @property
    def gradients(self) -> DeviceArray:
        """Volume per unit of length for each vertex of all meshes, (n, 3) on the device; after wait()."""
        return DeviceArray(self._batch.device_gradients(), (self._vertices, 3), np.float32, self)


class GradientBatch(SelfBatch):
    """Many pairs of meshes that deform: the volume that each pair shares, and its gradient for every vertex of both.

    ``pairs``: ``((vertices_a, faces_a), (vertices_b, faces_b))`` for each. Gradients are those of the first pair's
    first mesh, of its second mesh, of the second pair's first mesh and so on.
    """

    _make = staticmethod(_cuda.GradientBatch)

    def __init__(
        self,
        pairs: Sequence[Tuple[Tuple[Any, Any], Tuple[Any, Any]]],
        options: Optional[DeviceOptions] = None,
        gradients: Any = None,
        **keywords: Any,
    ):
        meshes = [mesh for pair in pairs for mesh in pair]
        names = [f"mesh {'ab'[i % 2]} of pair {i // 2}" for i in range(len(meshes))]
        self._start(meshes, names, options, gradients, keywords)

    @property
    def sums(self) -> np.ndarray:
        """For rigid motions, one row per pair, after wait(): translation_a, rotation_a, ... as those of PairBatch."""
        return self._batch.sums()
