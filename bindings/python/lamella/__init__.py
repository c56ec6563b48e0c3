"""Where closed, deforming triangle meshes overlap: with themselves, with each other, with points.

A mesh is a pair ``(vertices, faces)`` of arrays, a :class:`Mesh`, anything with ``vertices`` and ``faces`` (or
``triangles``) such as a trimesh or an Open3D mesh, or the path of a file.

>>> import lamella
>>> overlap = lamella.intersect("model:hand", "model:phone", resolution=128)
>>> overlap.verdict
Verdict.colliding
"""

from . import _answers, _lamella, _records
from ._enums import (
    Axis,
    Cause,
    ClashClass,
    End,
    ImagePageKind,
    ImageWalk,
    MeshFormat,
    Normals,
    PairMethod,
    SphereFit,
    Split,
    Verdict,
    WayOut,
)
from ._lamella import *  # noqa: F401,F403
from ._lamella import __cpu_features__, __version__

_records.install()
_answers.install()

__all__ = [
    "Axis",
    "Cause",
    "ClashClass",
    "End",
    "ImagePageKind",
    "ImageWalk",
    "MeshFormat",
    "Normals",
    "PairMethod",
    "SphereFit",
    "Split",
    "Verdict",
    "WayOut",
    "__cpu_features__",
    "__version__",
] + [name for name in vars(_lamella) if not name.startswith("_")]
