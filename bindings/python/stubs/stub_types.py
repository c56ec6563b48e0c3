"""What make_stubs.py cannot see in the module: types of arguments that C++ takes as any object, of arrays, of enumerators."""

import re

HEADER = '''# Written by bindings/python/stubs/make_stubs.py from the built module; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

from ._enums import Axis, Cause, ClashClass, End, ImagePageKind, Verdict

class _HasFaces(Protocol):
    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...

class _HasTriangles(Protocol):
    @property
    def vertices(self) -> Any: ...
    @property
    def triangles(self) -> Any: ...

_StrPath: TypeAlias = str | os.PathLike[str]
_MeshLike: TypeAlias = (
    Mesh | tuple[ArrayLike, ArrayLike] | list[ArrayLike] | str | os.PathLike[str] | _HasFaces | _HasTriangles
)
_PoseLike: TypeAlias = Transform | ArrayLike | None
_PosesLike: TypeAlias = Transform | ArrayLike | Sequence[Transform | ArrayLike | None] | None
_Progress: TypeAlias = bool | Callable[[int, int], object] | None
_Body: TypeAlias = ImageBody | CompactBody

'''

TAKE_NONE = {"_PoseLike", "_PosesLike", "_Progress"}

ARRAY, VOID = "NDArray[np.float64]", "NDArray[np.void]"
FLOATS, INDICES = "NDArray[np.float32]", "NDArray[np.uint32]"

# Properties and methods that are enumerators, where they are told as str: by name, or by Class.name.
ENUMS = {
    "verdict": "Verdict",
    "before": "Verdict",
    "after": "Verdict",
    "axis": "Axis",
    "cause": "Cause",
    "kind": "ImagePageKind",
    "ClashPair.kind": "ClashClass",
    "ClashFinding.kind": "ClashClass",
    "outside": "End",
    "outside_a": "End",
    "outside_b": "End",
    "choose_axis": "Axis",
}

# Elements of arrays by name, or by Class.name; all others are float64.
ARRAYS = {
    **dict.fromkeys(
        "spans ends inside_out VerticesOfOne.inside points contacts patches pushes pairs triangle_pairs rims points_of "
        "contacts_of patches_of triangle_pairs_of".split(),
        VOID,
    ),
    **dict.fromkeys("triangles faces offsets keys pair_ids vertex_map triangle fans span_count".split(), INDICES),
    **dict.fromkeys("verdict verdicts kinds flags side".split(), "NDArray[np.uint8]"),
    **dict.fromkeys("tolerance_met certain allowed".split(), "NDArray[np.bool_]"),
    **dict.fromkeys(
        "Mesh.positions GeometryImage.positions defects vertices_a vertices_b SelfGradient.vertices ClosestPoints.normal "
        "level PairOverlaps.bounds PairGradients.bounds VisitedSphere.center OverlapSolid.normals DrawnSolid.positions "
        "DrawnSolid.normals".split(),
        FLOATS,
    ),
    **dict.fromkeys("bounds box GeometryImage.normals rim_boxes".split(), FLOATS + " | None"),
    "ClashFinding.pairs": INDICES,
    **dict.fromkeys("ClashPair.rule ClashFinding.rule".split(), "int | None"),
    "AssemblyPart.mesh": "Any",
    "Mesh.vertices": "NDArray[np.floating[Any]]",
    "CompactImage.positions": "NDArray[np.uint16]",
    "SoftMesh.positions": ARRAY,
    "MeshDistance.triangle_a": "int | None",
    "MeshDistance.triangle_b": "int | None",
}

LISTS = {
    "layers": f"list[tuple[bool | None, {FLOATS}]]",
    "read_parts": "list[tuple[str, Mesh]]",
}

ITEMS = {
    "PairOverlaps": "PairOverlap",
    "PairGradients": "PairGradient",
    "ScenePairs": "ScenePair",
    "ClashPairs": "ClashPair",
    "ClashFindings": "ClashFinding",
    "GeometryImages": "GeometryImage",
    "SpherePyramids": "SpherePyramid",
    "ImageScenePairs": "ImageScenePair",
}

_POSES = "pose pose_a pose_b frame placed".split()
ARGUMENTS = {
    **dict.fromkeys("mesh a b".split(), "_MeshLike"),
    **dict.fromkeys(_POSES, "_PoseLike"),
    **dict.fromkeys("forces forces_a forces_b SoftMesh.__init__.positions".split(), ARRAY),
    **dict.fromkeys("push_out.positions push_out.velocities".split(), FLOATS),
    **dict.fromkeys("Batch.intersect.pose_a Batch.intersect.pose_b".split(), "_PosesLike"),
    **dict.fromkeys("Batch.volume_gradients.pose_a Batch.volume_gradients.pose_b".split(), "_PosesLike"),
    **dict.fromkeys(
        "Batch.intersect.a Batch.intersect.b Batch.volume_gradients.a Batch.volume_gradients.b".split(), "int | ArrayLike"
    ),
    **dict.fromkeys("write_jobs.a write_jobs.b".split(), "int | ArrayLike"),
    **dict.fromkeys("write_jobs.pose_a write_jobs.pose_b".split(), "_PosesLike"),
    **dict.fromkeys("write_jobs.resolution Sweep.answer.resolution".split(), "int | ArrayLike | None"),
    **dict.fromkeys("Sweep.answer.a Sweep.answer.b".split(), "_StrPath | Sequence[_StrPath]"),
    **dict.fromkeys("Sweep.answer.pose_a Sweep.answer.pose_b".split(), "_PosesLike"),
    "Sweep.__init__.load": "Callable[[str], _MeshLike] | None",
    **dict.fromkeys("Batch.intersect.pairs Batch.volume_gradients.pairs".split(), "Sequence[Sequence[Any]] | NDArray[Any]"),
    **dict.fromkeys("collide.a ImageScene.add.body".split(), "_Body"),
    "collide.b": "_Body | _MeshLike",
    "Scene.add.mesh": "_MeshLike | int",
    "progress": "_Progress",
    "find_clashes.parts": "Iterable[AssemblyPart]",
    "find_clashes.stop": "Callable[[], object] | None",
    "find_clashes.cache": "ClashCache | _StrPath | None",
    "scene": "SceneOptions | None",
    "visited": "Callable[[VisitedSphere, VisitedSphere], object] | None",
    "write_images.images": "Iterable[GeometryImage]",
    "read_images.path": "_StrPath | bytes",
    "read_compact_images.path": "_StrPath | bytes",
    "image_pages.path": "_StrPath | bytes",
}
_OF_DETECTOR = "intersect self_intersect contains vertices_inside volume_gradient self_gradient".split()
ARGUMENTS.update({f"Detector.{m}.{a}": "_MeshLike | int" for m in _OF_DETECTOR for a in ("a", "b", "mesh")})

OPTIONS = {
    "find_clashes": ["ClashOptions"],
    "separation": ["SeparationOptions"],
    "Separator.__init__": ["SeparationOptions"],
    "repair": ["RepairOptions"],
    "overlap_solid": ["SolidOptions"],
    "self_overlap_solid": ["SolidOptions"],
    "Scene.__init__": ["SceneOptions"],
    "RigidWorld.__init__": ["RigidWorldOptions", "SceneOptions"],
    "RigidWorld.add": ["BodyOptions"],
    "ParticlePushOut.__init__": ["PushOutOptions"],
    "VolumeContact.__init__": ["VolumeContactOptions"],
    "collide": ["ImageCollideOptions"],
    "ImageCollider.collide": ["ImageCollideOptions"],
    "ImageScene.__init__": ["ImageSceneOptions"],
}

# Whole signatures.
WRITTEN = {
    "Tolerance.__init__": [("self, relative: float = ..., absolute: float = ...", "None")],
    "make_body": [
        ("images: Iterable[GeometryImage], fit: str = ..., threads: int = ...", "ImageBody"),
        ("images: Iterable[CompactImage], fit: str = ..., threads: int = ...", "CompactBody"),
    ],
}


def options_of(where, owner):
    """The classes of options whose fields a function takes as keywords."""
    if where in OPTIONS:
        return OPTIONS[where]
    if owner.endswith("Options") or owner in ("Screen", "Tolerance", "ClashRule"):
        return [owner]
    return ["Options"]


def _plain(said):
    said = said.replace("lamella._lamella.", "").replace("os.PathLike", "_StrPath").replace("Tuple[", "tuple[")
    said = re.sub(r"Optional\[(.*)\]$", r"\1 | None", said)
    return re.sub(r"(\w+)\[\d+\]", r"\1", said)


def _arrays(said, name, owner):
    if said.startswith("numpy.ndarray["):
        kind = said[len("numpy.ndarray[") : -1].replace("numpy.", "np.")
        return f"NDArray[{'np.bool_' if kind == 'bool' else kind}]"
    return said.replace("numpy.ndarray", ARRAYS.get(f"{owner}.{name}", ARRAYS.get(name, ARRAY)))


def of_result(said, name, owner):
    if said == "list":
        if name == "__getitem__":
            return f"list[{ITEMS[owner]}]"
        return LISTS[name]
    if said == "dict":
        return "dict[str, Any]"
    if name in ENUMS:
        said = said.replace("str", ENUMS[name])
    return _arrays(_plain(said).replace("List[", "list["), name, owner)


def of_property(said, name, owner, is_options):
    if said == "object":
        return ARRAYS[f"{owner}.{name}"]
    if name in ENUMS and said == "str" and not is_options:
        return ENUMS.get(f"{owner}.{name}", ENUMS[name])
    return _arrays(_plain(said).replace("List[", "list["), name, owner)


def of_setter(said, name):
    """What may be assigned."""
    if said == "Transform" or name == "pose":
        return "_PoseLike"
    if name == "mesh":
        return "_MeshLike"
    return "ArrayLike" if said == "numpy.ndarray" else _plain(said)


def of_keyword(said, name):
    """What may be given for an option."""
    said = _plain(said)
    if name == "budget":
        return "float | timedelta"
    if said == "Tolerance | None":
        return "Tolerance | float | None"
    return "ArrayLike" if said == "numpy.ndarray" else said.replace("List[", "Sequence[")


def of_argument(said, name, where, kinds):
    if name == "options" and said == "object":
        return f"{kinds[0]} | None"
    if said in ("handle", "object", "Iterable"):
        method = where.rpartition(".")[2]
        for key in (f"{where}.{name}", f"{method}.{name}", name):
            if key in ARGUMENTS:
                return ARGUMENTS[key]
        return "ArrayLike"
    said = _plain(said)
    if "numpy.ndarray" in said:
        return re.sub(r"List\[(.*)\]", r"Sequence[\1]", re.sub(r"numpy\.ndarray(\[[^]]*\])?", "ArrayLike", said))
    return said.replace("List[", "Sequence[")
