# Written by bindings/python/stubs/make_stubs.py from the built module; do not edit.
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

class Error(RuntimeError):
    """What the library throws. The message names the thing that failed and the remedy; `kind` is "input" for a file, mesh or option that cannot be used, and "device" for an engine that is missing or a device that failed."""
    kind: str

class Tolerance:
    """How far off a volume may be: by the larger of both."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, relative: float = ..., absolute: float = ...) -> None: ...
    def replace(self, *, relative: float = ..., absolute: float = ...) -> Tolerance:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    relative: float
    """of the volume: 0.001 is 0.1 %"""
    absolute: float
    """a volume"""

class Options:
    """Options of every query, given as keywords or as one object.

    >>> import lamella
    >>> lamella.Options(resolution=256, axis="z")
    Options(resolution=256, axis=Axis.z)
    """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> None: ...
    def replace(self, *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> Options:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    engine: str
    """a name from engines(); "automatic" picks the fastest that is available"""
    resolution: int
    """columns and rows of the grid"""
    axis: str | None
    """of the rays: "x", "y", "z"; None: the one with the shallowest box"""
    threads: int
    """0: all cores this process may use"""
    device: int | None
    """which GPU: its index in EngineInfo.devices"""
    strict: bool
    """a result that is not ok, or undecided, becomes an Error"""
    min_thickness: float
    """spans not longer than this fraction of the box's depth do not count"""
    max_crossings: int
    """most crossings of a mesh that are kept at a time"""
    keep_spans: bool
    """False: an overlap has its sums, but no spans"""
    around_points: bool
    """contains(): sample only the part around the points"""
    @property
    def tolerance(self) -> Tolerance | None:
        """in place of resolution: how far off the volume may be; a number is relative (0.001 is 0.1 %)"""
    @tolerance.setter
    def tolerance(self, value: Tolerance | float | None) -> None: ...
    certify: bool
    """prove the verdict of an overlap by exact arithmetic"""
    exact: bool
    """contains(): every flag by exact arithmetic"""
    ends: bool
    """also tell which triangles end each span (Overlap.ends)"""
    explain: bool
    """say of every doubt which mesh it is about"""
    close_holes: bool
    """close holes by fans before sampling"""
    close_views: bool
    """the same for the meshes that a Detector is given in each call"""

class SolidOptions:
    """How a solid is made (overlap_solid), given as keywords or as one object."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, resolution: int = ..., threads: int = ..., max_crossings: int = ..., close_holes: bool = ...) -> None: ...
    def replace(self, *, resolution: int = ..., threads: int = ..., max_crossings: int = ..., close_holes: bool = ...) -> SolidOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    resolution: int
    """cells along each axis of the overlap's own box, at most 1024"""
    threads: int
    """0: all cores this process may use"""
    max_crossings: int
    """most crossings along an axis; with more, Error"""
    close_holes: bool
    """close holes by fans before sampling"""

class GradientOptions:
    """Which parts of a gradient are wanted."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, vertices: bool = ...) -> None: ...
    def replace(self, *, vertices: bool = ...) -> GradientOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    vertices: bool
    """also for each vertex; else for rigid motions alone"""

class Transform:
    """A rigid placement: rotate, then translate.

    Wherever a pose is asked for, None, (x, y, z), (x, y, z, qx, qy, qz, qw) or a 4 x 4 matrix will do as well.
    """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @overload
    def __init__(self, pose: _PoseLike = ...) -> None: ...
    @overload
    def __init__(self, translation: ArrayLike, rotation: Sequence[float]) -> None: ...
    @property
    def translation(self) -> NDArray[np.float64]: ...
    @property
    def rotation(self) -> list[float]:
        """unit quaternion (x, y, z, w)"""
    def matrix(self) -> NDArray[np.float64]:
        """As a 4 x 4 matrix."""
    def __call__(self, points: ArrayLike) -> NDArray[np.float64]:
        """The points (n, 3), placed."""

class Mesh:
    """A triangle mesh that owns its arrays.

    `Mesh(vertices, faces)` copies; queries take the pair `(vertices, faces)` in place as well. `positions` and `triangles`
    share the mesh's memory and may be written to. A mesh far from 0 has an `origin`, which its positions are relative to;
    `vertices` are always in world coordinates.

    >>> import lamella
    >>> mesh = lamella.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> mesh
    <lamella.Mesh: 4 vertices, 4 faces>
    >>> round(mesh.volume, 6)
    0.166667
    """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @overload
    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None: ...
    @overload
    def __init__(self, mesh: _MeshLike) -> None: ...
    @property
    def positions(self) -> NDArray[np.float32]:
        """float32 (n, 3), relative to origin; shares memory"""
    @property
    def triangles(self) -> NDArray[np.uint32]:
        """uint32 (m, 3); shares memory"""
    @property
    def vertices(self) -> NDArray[np.floating[Any]]:
        """in world coordinates; positions where origin is 0"""
    @property
    def faces(self) -> NDArray[np.uint32]:
        """the same as triangles"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what positions are relative to"""
    @origin.setter
    def origin(self, value: ArrayLike) -> None: ...
    @property
    def bounds(self) -> NDArray[np.float32] | None:
        """two rows, min and max, relative to origin; None without vertices"""
    @property
    def volume(self) -> float:
        """signed, by the divergence theorem; meaningful when closed"""
    def to_trimesh(self, **keywords: Any) -> Any: ...

@overload
def read_mesh(path: _StrPath, *, progress: _Progress = ..., max_memory: int | None = ...) -> Mesh:
    """read_mesh(*args, **kwargs)


    Reads a triangle mesh; the extension gives the format (PLY, OBJ, STL, OFF, glTF, GLB).


    The same from the bytes of a file.
    """
@overload
def read_mesh(bytes: bytes, format: str, name: str = ...) -> Mesh: ...

def read_points(path: _StrPath) -> NDArray[np.float64]:
    """Points (n, 3) of an .xyz file, or the vertices of any mesh file, as float64."""

def read_parts(path: _StrPath, split: str = ...) -> list[tuple[str, Mesh]]:
    """The parts of a file: pairs of name and Mesh."""

def write_mesh(path: _StrPath, mesh: _MeshLike) -> None:
    """Writes .ply, .obj or .stl; the file appears complete or not at all."""

class MeshReport:
    """What is known about a mesh as a solid."""
    @property
    def vertices(self) -> int:
        """how many"""
    @property
    def triangles(self) -> int:
        """how many"""
    @property
    def closed(self) -> bool:
        """every edge has two triangles that run along it in opposite directions"""
    @property
    def boundary_edges(self) -> int:
        """edges of one triangle"""
    @property
    def nonmanifold_edges(self) -> int:
        """edges of three or more triangles"""
    @property
    def inconsistent_edges(self) -> int:
        """whose triangles run along it the same way"""
    @property
    def degenerate_triangles(self) -> int:
        """zero area, or a repeated vertex"""
    @property
    def nonfinite_vertices(self) -> int:
        """NaN, infinite, or too large"""
    @property
    def components(self) -> int:
        """sets of triangles connected through shared edges"""
    @property
    def open_edges(self) -> int:
        """0: the mesh bounds a solid"""
    @property
    def holes(self) -> int:
        """loops of open edges"""
    @property
    def inside_out_components(self) -> int:
        """surfaces whose faces look inwards"""
    @property
    def cavities(self) -> int:
        """surfaces that look inwards and lie inside another"""
    @property
    def duplicate_faces(self) -> int:
        """triangles too many at the same place"""
    @property
    def volume(self) -> float:
        """signed; meaningful when closed"""
    @property
    def area(self) -> float:
        """of the surface"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what bounds and defects are relative to"""
    @property
    def bounds(self) -> NDArray[np.float32] | None:
        """two rows, min and max; None without vertices"""
    @property
    def defects(self) -> NDArray[np.float32]:
        """midpoints of the first few defective edges"""
    def to_dict(self) -> dict[str, Any]: ...

def inspect(mesh: _MeshLike) -> MeshReport:
    """Whether the mesh is closed, and where not; volume, area, bounds."""

class RepairOptions:
    """Which repairs to make; all by default."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, weld: bool = ..., weld_distance: float = ..., drop_degenerate: bool = ..., drop_doubled: bool = ..., orient: bool = ..., close: bool = ...) -> None: ...
    def replace(self, *, weld: bool = ..., weld_distance: float = ..., drop_degenerate: bool = ..., drop_doubled: bool = ..., orient: bool = ..., close: bool = ...) -> RepairOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    weld: bool
    """vertices at the same place become one"""
    weld_distance: float
    """how far apart they may be"""
    drop_degenerate: bool
    """faces that name a vertex twice"""
    drop_doubled: bool
    """faces with the same three vertices"""
    orient: bool
    """neighbours look the same way, and shells outwards"""
    close: bool
    """holes are closed by fans"""

class RepairReport:
    """What repair() did, and what it could not do."""
    @property
    def changed(self) -> bool:
        """whether the mesh was changed at all"""
    @property
    def unusable_faces(self) -> int:
        """removed"""
    @property
    def welded_vertices(self) -> int:
        """that became part of another"""
    @property
    def unused_vertices(self) -> int:
        """removed"""
    @property
    def degenerate_faces(self) -> int:
        """removed"""
    @property
    def doubled_faces(self) -> int:
        """removed"""
    @property
    def turned_faces(self) -> int:
        """to look the same way as their neighbours"""
    @property
    def turned_shells(self) -> int:
        """connected parts that were inside out"""
    @property
    def shells(self) -> int:
        """connected parts"""
    @property
    def cavities(self) -> int:
        """shells that look inwards and lie inside another"""
    @property
    def closed_holes(self) -> int:
        """how many"""
    @property
    def closed_edges(self) -> int:
        """of these holes"""
    @property
    def fan_area(self) -> float:
        """of what closes them"""
    @property
    def one_sided_patches(self) -> int:
        """what cannot be oriented"""
    @property
    def unjudged_shells(self) -> int:
        """too many to judge"""
    @property
    def open_edges(self) -> int:
        """that remain"""
    def to_dict(self) -> dict[str, Any]: ...

class RepairResult:
    """A repaired mesh."""
    @property
    def mesh(self) -> Mesh:
        """the new mesh"""
    @property
    def report(self) -> RepairReport:
        """what was done"""
    @property
    def vertex_map(self) -> NDArray[np.uint32]:
        """for each vertex of the given mesh its index in the new one, or 2^32 - 1"""
    def to_dict(self) -> dict[str, Any]: ...

def repair(mesh: _MeshLike, options: RepairOptions | None = ..., *, weld: bool = ..., weld_distance: float = ..., drop_degenerate: bool = ..., drop_doubled: bool = ..., orient: bool = ..., close: bool = ...) -> RepairResult:
    """Makes a mesh that bounds a solid out of one that is not clean: weld, orient, close holes."""

def is_closed(mesh: _MeshLike) -> bool:
    """Whether the mesh bounds a solid."""

def split_components(mesh: _MeshLike) -> list[Mesh]:
    """A Mesh for each set of connected triangles."""

def transformed(mesh: _MeshLike, pose: _PoseLike) -> Mesh:
    """A copy with every vertex placed by a pose."""

def model(name: str, faces: int | None = ...) -> Mesh:
    """A built-in model, to try things on. Wherever a mesh is asked for, "model:NAME" or "model:NAME:FACES" will do too.

    >>> import lamella
    >>> lamella.model("box")
    <lamella.Mesh: 8 vertices, 12 faces>
    """

def model_names() -> list[str]:
    """Names of the built-in models."""

class Timings:
    """Milliseconds by stage; a stage that a query does not have stays 0."""
    @property
    def broad(self) -> float:
        """boxes that moved, sweep and prune; trees"""
    @property
    def voi(self) -> float:
        """bounds and volume of interest"""
    @property
    def ldi(self) -> float:
        """sampling"""
    @property
    def query(self) -> float:
        """the query itself"""
    @property
    def points(self) -> float:
        """collision points"""
    @property
    def contacts(self) -> float:
        """normals, depths, manifolds"""
    @property
    def solve(self) -> float:
        """collision response"""
    @property
    def gpu(self) -> float:
        """of these, by the GPU's own timer"""
    @property
    def total(self) -> float:
        """all stages"""
    def to_dict(self) -> dict[str, Any]: ...

class Grid:
    """The sample grid: one ray through the centre of each cell of the box's face."""
    def __init__(self, box: ArrayLike, axis: str, columns: int, rows: int | None = ...) -> None: ...
    @property
    def box(self) -> NDArray[np.float32] | None:
        """the volume of interest: two rows, min and max"""
    @property
    def axis(self) -> Axis:
        """of the rays"""
    @property
    def columns(self) -> int:
        """cells along the next axis"""
    @property
    def rows(self) -> int:
        """cells along the one after it"""
    @property
    def cell_area(self) -> float:
        """of one cell"""
    def positions(self) -> NDArray[np.float64]:
        """(rows, columns, 3): where the rays start, on the box's low face."""
    def to_dict(self) -> dict[str, Any]: ...

class Health:
    """How far an answer can be trusted."""
    @property
    def ok(self) -> bool:
        """nothing was left out and nothing was added"""
    @property
    def open_columns(self) -> int:
        """columns where a mesh's winding does not return to 0"""
    @property
    def occupied_columns(self) -> int:
        """columns with at least one crossing"""
    @property
    def inside_out_columns(self) -> int:
        """closed columns with a winding below 0"""
    @property
    def skipped_triangles(self) -> int:
        """NaN, infinite or too far away"""
    @property
    def dropped_crossings(self) -> int:
        """lost by the engine's method"""
    @property
    def untrusted_volume(self) -> float:
        """upper bound of the volume in the columns left out"""
    @property
    def untrusted_points(self) -> int:
        """points of which it is not known where they are"""
    @property
    def uncertain_spans(self) -> int:
        """spans no longer than their own error: surfaces touch"""
    @property
    def closed_edges(self) -> int:
        """edges of holes that were closed by fans"""
    @property
    def fan_area(self) -> float:
        """of those fans"""
    @property
    def closing_volume(self) -> float:
        """the most that other ways to close the holes could change"""
    def to_dict(self) -> dict[str, Any]: ...

class Doubt:
    """Something about the meshes of a query that makes its answer doubtful."""
    @property
    def cause(self) -> Cause:
        """what it is"""
    @property
    def mesh(self) -> int:
        """0: the first mesh, 1: the second; -1: not known which, or both"""
    @property
    def count(self) -> int:
        """of columns, triangles, crossings, spans or edges"""
    def describe(self, names: Sequence[str] = ...) -> str:
        """One sentence on what is wrong and what to do about it. `names`: what to call the meshes."""
    def to_dict(self) -> dict[str, Any]: ...

class Certificate:
    """The proof of a verdict, made with the option certify."""
    @property
    def certain(self) -> bool:
        """the verdict is proved"""
    @property
    def touching(self) -> bool:
        """the surfaces share points, but nothing overlaps"""
    @property
    def witness(self) -> NDArray[np.float64] | None:
        """a point inside both meshes"""
    @property
    def triangles(self) -> list[int] | None:
        """two triangles that meet"""
    def to_dict(self) -> dict[str, Any]: ...

class Overlap:
    """A shared volume, as spans with their sums."""
    @property
    def colliding(self) -> bool:
        """the verdict is `colliding`"""
    @property
    def verdict(self) -> Verdict:
        """what the answer says: clear, colliding or undecided"""
    @property
    def volume(self) -> float:
        """span lengths times the cell area"""
    @property
    def volume_error(self) -> float:
        """the volume is off by no more than this in 95 of 100 cases"""
    @property
    def centroid(self) -> NDArray[np.float64]:
        """of the volume, in world coordinates"""
    @property
    def bounds(self) -> NDArray[np.float32] | None:
        """of the cells' prisms, relative to origin; None when there is none"""
    @property
    def span_count(self) -> int:
        """number of spans"""
    @property
    def spans(self) -> NDArray[np.void]:
        """structured array with the fields column, begin and end (depths from the box's low face)"""
    @property
    def ends(self) -> NDArray[np.void]:
        """with the option ends: triangle, mesh and weights of both ends of each span"""
    @property
    def grid(self) -> Grid:
        """that was sampled; zero columns when the boxes share no volume"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what grid and bounds are relative to"""
    @property
    def tolerance_met(self) -> bool:
        """whether volume_error is within the tolerance asked for"""
    @property
    def certificate(self) -> Certificate:
        """with the option certify"""
    @property
    def doubts(self) -> list[Doubt]:
        """why the verdict is undecided, or the health not ok"""
    @property
    def health(self) -> Health:
        """how far it can be trusted"""
    @property
    def ms(self) -> Timings:
        """times"""
    @property
    def read_back_bytes(self) -> int:
        """fetched from a GPU"""
    @property
    def engine(self) -> str:
        """that answered"""
    @property
    def alternating(self) -> bool:
        """entries and exits were assumed to alternate (gl-tr395)"""
    def to_mesh(self) -> Mesh:
        """The overlap as a closed mesh: one box per span. See Mesh.to_trimesh()."""
    def to_dict(self) -> dict[str, Any]: ...

class SelfOverlap(Overlap):
    """Where a mesh overlaps itself: winding 2 or more."""
    @property
    def inside_out(self) -> NDArray[np.void]:
        """spans of winding below 0: faces point inwards there"""
    @property
    def inside_out_volume(self) -> float:
        """of those"""
    def to_dict(self) -> dict[str, Any]: ...

class MotionGradient:
    """How a volume changes when a mesh moves as a rigid body."""
    @property
    def translation(self) -> NDArray[np.float64]:
        """volume per unit of translation"""
    @property
    def rotation(self) -> NDArray[np.float64]:
        """volume per radian about the world's axes through the centroid of the overlap"""
    def to_dict(self) -> dict[str, Any]: ...

class InnerSurface:
    """The part of a mesh's surface that lies inside the other mesh."""
    @property
    def area(self) -> float:
        """of that part"""
    @property
    def normal(self) -> NDArray[np.float64]:
        """the mean of its outward normals, by area"""
    def to_dict(self) -> dict[str, Any]: ...

class GradientSums:
    """Rigid motions, moments and surfaces of a gradient."""
    @property
    def a(self) -> MotionGradient:
        """when the first mesh moves"""
    @property
    def b(self) -> MotionGradient:
        """when the second mesh moves"""
    @property
    def moments(self) -> NDArray[np.float64]:
        """3 x 3 matrix of second moments of the overlap about its centroid"""
    @property
    def inner_a(self) -> InnerSurface:
        """of the first mesh"""
    @property
    def inner_b(self) -> InnerSurface:
        """of the second mesh"""
    def to_dict(self) -> dict[str, Any]: ...

class OverlapGradient(Overlap):
    """A shared volume, and how it changes when meshes move."""
    @property
    def sums(self) -> GradientSums:
        """for rigid motions"""
    @property
    def vertices_a(self) -> NDArray[np.float32]:
        """for each vertex of the first mesh: volume per unit of length"""
    @property
    def vertices_b(self) -> NDArray[np.float32]:
        """for each vertex of the second mesh"""
    def to_dict(self) -> dict[str, Any]: ...

class SelfGradient(SelfOverlap):
    """The same of the volume that a mesh covers more than once."""
    @property
    def sums(self) -> GradientSums:
        """for rigid motions: 0 to rounding; moments and surfaces"""
    @property
    def vertices(self) -> NDArray[np.float32]:
        """for each vertex: volume per unit of length"""
    def to_dict(self) -> dict[str, Any]: ...

class Containment:
    """One flag per point."""
    @property
    def inside(self) -> NDArray[np.bool_]:
        """bool array: the point is inside"""
    @property
    def unknown(self) -> NDArray[np.bool_]:
        """bool array: its column does not close, or the mesh is inside out there"""
    @property
    def flags(self) -> NDArray[np.uint8]:
        """uint8 array that shares the answer's memory: 0 outside, 1 inside, 2 unknown"""
    @property
    def inside_count(self) -> int:
        """points inside"""
    @property
    def not_looked_at(self) -> int:
        """points outside the box that was given"""
    @property
    def grid(self) -> Grid:
        """that was sampled"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what grid is relative to"""
    @property
    def health(self) -> Health:
        """how far it can be trusted"""
    @property
    def ms(self) -> Timings:
        """times"""
    @property
    def read_back_bytes(self) -> int:
        """fetched from a GPU"""
    @property
    def engine(self) -> str:
        """that answered"""
    @property
    def alternating(self) -> bool:
        """as in Overlap"""
    def to_dict(self) -> dict[str, Any]: ...

class VerticesOfOne:
    """The vertices of one mesh that lie inside another."""
    @property
    def inside(self) -> NDArray[np.void]:
        """structured array: vertex, and the ways out along its ray, back and ahead"""
    @property
    def grid(self) -> Grid:
        """on which the other mesh was sampled"""
    @property
    def looked_up(self) -> int:
        """vertices within the grid's box"""
    def to_dict(self) -> dict[str, Any]: ...

class VerticesInside:
    """Which vertices of each mesh of a pair lie inside the other."""
    @property
    def a_in_b(self) -> VerticesOfOne:
        """of the first mesh"""
    @property
    def b_in_a(self) -> VerticesOfOne:
        """of the second mesh"""
    @property
    def any(self) -> bool:
        """whether there is any"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what the grids are relative to"""
    @property
    def health(self) -> Health:
        """of both meshes"""
    @property
    def alternating(self) -> bool:
        """as in Overlap"""
    @property
    def ms(self) -> Timings:
        """times"""
    @property
    def read_back_bytes(self) -> int:
        """fetched from a GPU"""
    @property
    def engine(self) -> str:
        """that answered"""
    def to_dict(self) -> dict[str, Any]: ...

def intersect(a: _MeshLike, b: _MeshLike, options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> Overlap:
    """Shared volume of two meshes. Options are keywords (see Options) or one object.

    >>> import lamella
    >>> overlap = lamella.intersect("model:hand", "model:phone")
    >>> overlap.colliding, round(overlap.volume, 6)
    (True, 0.000398)
    """

def self_intersect(mesh: _MeshLike, options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> SelfOverlap:
    """Volume that a mesh covers more than once."""

def contains(mesh: _MeshLike, points: ArrayLike, box: ArrayLike | None = ..., options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> Containment:
    """Which points (n, 3) lie inside the mesh; with `box` (two rows, min and max) only those in it are looked at.

    >>> import lamella
    >>> lamella.contains(lamella.model("box"), [(0, 0, 0), (2, 0, 0)]).inside
    array([ True, False])
    """

def vertices_inside(a: _MeshLike, b: _MeshLike, options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> VerticesInside:
    """Which vertices of each mesh lie inside the other, and how deep along the rays."""

def volume_gradient(a: _MeshLike, b: _MeshLike, vertices: bool = ..., options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> OverlapGradient:
    """Shared volume, and how it changes when the meshes move: for rigid motions, and for each vertex."""

def self_gradient(mesh: _MeshLike, vertices: bool = ..., options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> SelfGradient:
    """The same of the volume that a mesh covers more than once."""

class EngineInfo:
    """An engine, and whether it is available here."""
    @property
    def name(self) -> str:
        """for the option engine"""
    @property
    def summary(self) -> str:
        """what it is, and what it runs on here"""
    @property
    def available(self) -> bool:
        """whether it can be used here"""
    @property
    def why(self) -> str:
        """the reason when it is not available"""
    @property
    def gpu(self) -> bool:
        """runs on a GPU"""
    @property
    def self_overlap(self) -> bool:
        """answers self_intersect()"""
    @property
    def hardware(self) -> bool:
        """the first of devices is a real GPU"""
    @property
    def devices(self) -> list[str]:
        """what it can run on; the index is the option device"""
    def to_dict(self) -> dict[str, Any]: ...

def engines() -> list[EngineInfo]:
    """Every engine, available or not."""

def scene_engines() -> list[EngineInfo]:
    """The engines that a Scene can use."""

def engine_names() -> list[str]:
    """Only the names of engines(); tests no device."""

class DrawnSolid:
    """A surface as renderers want it: a normal for each vertex."""
    @property
    def positions(self) -> NDArray[np.float32]:
        """float32 (n, 3), relative to origin"""
    @property
    def normals(self) -> NDArray[np.float32]:
        """float32 (n, 3), one for each position"""
    @property
    def side(self) -> NDArray[np.uint8]:
        """uint8 (n,): 0 on the surface of the first mesh, 1 of the second"""
    @property
    def triangles(self) -> NDArray[np.uint32]:
        """uint32 (m, 3)"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what positions are relative to"""
    def to_dict(self) -> dict[str, Any]: ...

class OverlapSolid:
    """A shared volume as one closed surface of triangles."""
    @property
    def mesh(self) -> Mesh:
        """closed and manifold, faces outwards; empty when nothing overlaps"""
    @property
    def normals(self) -> NDArray[np.float32]:
        """float32 (3 m, 3): unit vectors outwards, for the corners of each triangle in order"""
    @property
    def side(self) -> NDArray[np.uint8]:
        """uint8 (m,), for each triangle: 0 on the surface of the first mesh, 1 of the second"""
    @property
    def box(self) -> NDArray[np.float32] | None:
        """of the lattice, relative to the mesh's origin; None when nothing was met"""
    @property
    def points(self) -> list[int]:
        """of the lattice along x, y and z"""
    @property
    def volume(self) -> float:
        """by rays: span lengths times the area of a cell"""
    @property
    def missed_volume(self) -> float:
        """too thin for the lattice: the mesh lacks it"""
    @property
    def filled_volume(self) -> float:
        """gaps too thin for the lattice: the mesh has them filled"""
    @property
    def health(self) -> Health:
        """how far it can be trusted"""
    @property
    def ms(self) -> Timings:
        """times"""
    def drawn(self) -> DrawnSolid:
        """The surface with a normal for each vertex: vertices are doubled where an edge is sharp or sides meet."""
    def to_dict(self) -> dict[str, Any]: ...

def overlap_solid(a: _MeshLike, b: _MeshLike, options: SolidOptions | None = ..., *, resolution: int = ..., threads: int = ..., max_crossings: int = ..., close_holes: bool = ...) -> OverlapSolid:
    """The shared volume of two meshes as one smooth, closed surface. Options are keywords (see SolidOptions).

    >>> import lamella
    >>> solid = lamella.overlap_solid("model:hand", "model:phone", resolution=32)
    >>> lamella.inspect(solid.mesh).closed
    True
    """

def self_overlap_solid(mesh: _MeshLike, options: SolidOptions | None = ..., *, resolution: int = ..., threads: int = ..., max_crossings: int = ..., close_holes: bool = ...) -> OverlapSolid:
    """The volume that a mesh covers more than once, likewise."""

class Detector:
    """The queries for every frame of a simulation: keeps its engine and memory.

    Meshes are given as in the one-off queries, or as ids from add(). Results stay valid after the next call.

    >>> import lamella
    >>> detector = lamella.Detector(resolution=64)
    >>> box = lamella.model("box")
    >>> detector.intersect(box, box).volume
    8.0
    """
    def __init__(self, options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> None: ...
    def intersect(self, a: _MeshLike | int, b: _MeshLike | int) -> Overlap:
        """As lamella.intersect."""
    def self_intersect(self, mesh: _MeshLike | int) -> SelfOverlap:
        """As lamella.self_intersect."""
    def contains(self, mesh: _MeshLike | int, points: ArrayLike, box: ArrayLike | None = ...) -> Containment:
        """As lamella.contains."""
    def vertices_inside(self, a: _MeshLike | int, b: _MeshLike | int) -> VerticesInside:
        """As lamella.vertices_inside."""
    def volume_gradient(self, a: _MeshLike | int, b: _MeshLike | int, vertices: bool = ...) -> OverlapGradient:
        """As lamella.volume_gradient."""
    def self_gradient(self, mesh: _MeshLike | int, vertices: bool = ...) -> SelfGradient:
        """As lamella.self_gradient."""
    def add(self, mesh: _MeshLike) -> int:
        """Keeps a mesh between frames, for engines on a GPU; returns its id."""
    def add_rigid(self, mesh: _MeshLike, pose: _PoseLike = ...) -> int:
        """Keeps a mesh that moves but never deforms: points are then looked up without sampling it again."""
    def deform(self, mesh: int, positions: ArrayLike) -> None:
        """New positions of a kept mesh, as many as before."""
    def move(self, rigid: int, pose: _PoseLike) -> None:
        """Places a rigid mesh."""
    def remove(self, mesh: int) -> None:
        """Forgets a kept mesh."""
    @property
    def options(self) -> Options: ...

class PairOverlap:
    """The answer for one pair of a Batch: an Overlap without its spans."""
    @property
    def colliding(self) -> bool:
        """the verdict is `colliding`"""
    @property
    def verdict(self) -> Verdict:
        """what the answer says: clear, colliding or undecided"""
    @property
    def volume(self) -> float:
        """shared"""
    @property
    def volume_error(self) -> float:
        """as in Overlap"""
    @property
    def centroid(self) -> NDArray[np.float64]:
        """of the shared volume, in world coordinates"""
    @property
    def bounds(self) -> NDArray[np.float32] | None:
        """of the cells' prisms, relative to origin; None when there is none"""
    @property
    def span_count(self) -> int:
        """intervals of rays inside both"""
    @property
    def grid(self) -> Grid:
        """zero columns when the boxes share no volume"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what grid and bounds are relative to"""
    @property
    def tolerance_met(self) -> bool:
        """as in Overlap"""
    @property
    def certificate(self) -> Certificate:
        """with the option certify"""
    @property
    def health(self) -> Health:
        """how far it can be trusted"""
    def to_dict(self) -> dict[str, Any]: ...

class PairGradient(PairOverlap):
    """The same with the gradient for rigid motions."""
    @property
    def sums(self) -> GradientSums:
        """how the volume changes when the meshes move"""
    def to_dict(self) -> dict[str, Any]: ...

class PairOverlaps:
    """The answers of Batch.intersect: arrays with one row for each pair.

    Arrays share the memory of the answers. `answers[i]` is the PairOverlap of one pair.
    """
    @property
    def verdict(self) -> NDArray[np.uint8]:
        """uint8: 0 clear, 1 colliding, 2 undecided"""
    @property
    def colliding(self) -> NDArray[np.bool_]:
        """bool: the verdict is `colliding`"""
    @property
    def volume(self) -> NDArray[np.float64]:
        """shared volumes"""
    @property
    def volume_error(self) -> NDArray[np.float64]:
        """as in Overlap"""
    @property
    def centroid(self) -> NDArray[np.float64]: ...
    @property
    def bounds(self) -> NDArray[np.float32]: ...
    @property
    def span_count(self) -> NDArray[np.uint32]:
        """intervals of rays inside both"""
    @property
    def tolerance_met(self) -> NDArray[np.bool_]:
        """as in Overlap"""
    @property
    def certain(self) -> NDArray[np.bool_]:
        """with the option certify: the verdict is proved"""
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def ok(self) -> NDArray[np.bool_]:
        """bool: Health.ok"""
    @property
    def untrusted_volume(self) -> NDArray[np.float64]:
        """as in Health"""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> PairOverlap:
        """The answer for one pair."""
    def to_dict(self) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[PairOverlap]: ...

class PairGradients:
    """The answers of Batch.volume_gradients: those of PairOverlaps, and gradients."""
    @property
    def verdict(self) -> NDArray[np.uint8]:
        """uint8: 0 clear, 1 colliding, 2 undecided"""
    @property
    def colliding(self) -> NDArray[np.bool_]:
        """bool: the verdict is `colliding`"""
    @property
    def volume(self) -> NDArray[np.float64]:
        """shared volumes"""
    @property
    def volume_error(self) -> NDArray[np.float64]:
        """as in Overlap"""
    @property
    def centroid(self) -> NDArray[np.float64]: ...
    @property
    def bounds(self) -> NDArray[np.float32]: ...
    @property
    def span_count(self) -> NDArray[np.uint32]:
        """intervals of rays inside both"""
    @property
    def tolerance_met(self) -> NDArray[np.bool_]:
        """as in Overlap"""
    @property
    def certain(self) -> NDArray[np.bool_]:
        """with the option certify: the verdict is proved"""
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def ok(self) -> NDArray[np.bool_]:
        """bool: Health.ok"""
    @property
    def untrusted_volume(self) -> NDArray[np.float64]:
        """as in Health"""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> PairGradient:
        """The answer for one pair."""
    @property
    def translation_a(self) -> NDArray[np.float64]:
        """volume per unit of translation of a"""
    @property
    def translation_b(self) -> NDArray[np.float64]:
        """volume per unit of translation of b"""
    @property
    def rotation_a(self) -> NDArray[np.float64]:
        """volume per radian of a about the world's axes through the centroid"""
    @property
    def rotation_b(self) -> NDArray[np.float64]:
        """the same when b turns"""
    @property
    def moments(self) -> NDArray[np.float64]:
        """second moments about the centroid"""
    @property
    def inner_area_a(self) -> NDArray[np.float64]:
        """of the surface of a inside b"""
    @property
    def inner_area_b(self) -> NDArray[np.float64]:
        """of the surface of b inside a"""
    @property
    def inner_normal_a(self) -> NDArray[np.float64]:
        """the mean of its outward normals"""
    @property
    def inner_normal_b(self) -> NDArray[np.float64]:
        """the mean of its outward normals"""
    def to_dict(self) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[PairGradient]: ...

class Batch:
    """Thousands of pairs in one call: parameter sweeps, grasps, assemblies.

    Meshes are kept, and each pair places them by its own poses. Ids and poses are single ones or arrays, one for each pair.

    >>> import lamella, numpy
    >>> batch = lamella.Batch(resolution=64)
    >>> box = batch.add(lamella.model("box"))
    >>> shifts = numpy.array([(0, 0, 0), (1, 0, 0), (3, 0, 0)])
    >>> batch.intersect(box, box, pose_b=shifts).volume
    array([8., 4., 0.])
    """
    def __init__(self, options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> None: ...
    def add(self, mesh: _MeshLike) -> int:
        """Keeps a copy of the mesh; returns its id."""
    def deform(self, mesh: int, positions: ArrayLike) -> None:
        """New positions of a mesh, as many as before."""
    @property
    def mesh_count(self) -> int: ...
    @overload
    def intersect(self, a: int | ArrayLike, b: int | ArrayLike, pose_a: _PosesLike = ..., pose_b: _PosesLike = ..., *, progress: _Progress = ...) -> PairOverlaps:
        """intersect(*args, **kwargs)


        One answer per pair, as of lamella.intersect on the placed meshes. Ids: an int or an array of n. Poses: one, or an array (n, 7), (n, 3) or (n, 4, 4).


        The same of a sequence of (a, b), (a, b, pose_a) or (a, b, pose_a, pose_b).
        """
    @overload
    def intersect(self, pairs: Sequence[Sequence[Any]] | NDArray[Any], *, progress: _Progress = ...) -> PairOverlaps: ...
    @overload
    def volume_gradients(self, a: int | ArrayLike, b: int | ArrayLike, pose_a: _PosesLike = ..., pose_b: _PosesLike = ..., *, progress: _Progress = ...) -> PairGradients:
        """volume_gradients(*args, **kwargs)


        The same with gradients for rigid motions.


        The same of a sequence of pairs.
        """
    @overload
    def volume_gradients(self, pairs: Sequence[Sequence[Any]] | NDArray[Any], *, progress: _Progress = ...) -> PairGradients: ...
    @property
    def options(self) -> Options: ...

class SweepReport:
    """What lamella.sweep_file did."""
    @property
    def complete(self) -> bool:
        """every job is answered"""
    @property
    def answers(self) -> int:
        """in the file"""
    @property
    def resumed(self) -> int:
        """of these, answers that were there already"""
    @property
    def clear(self) -> int:
        """answers that say so"""
    @property
    def colliding(self) -> int:
        """answers that say so"""
    @property
    def undecided(self) -> int:
        """answers that say so"""
    @property
    def not_ok(self) -> int:
        """answers whose health is not ok"""
    @property
    def engine(self) -> str:
        """that answered"""
    @property
    def seconds(self) -> float:
        """in all"""
    def to_dict(self) -> dict[str, Any]: ...

def sweep_file(jobs: _StrPath, answers: _StrPath, options: Options | None = ..., *, restart: bool = ..., any_path: bool = ..., checkpoint_seconds: float = ..., mesh_memory: int = ..., progress: _Progress = ..., engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> SweepReport:
    """Answers the pairs of a file of jobs, and appends the answers to another, .csv or .jsonl.

    Continues where an earlier call ended, however it ended: the file is byte for byte that of a call that was never
    interrupted. Where answered jobs, their meshes or options changed, lamella.Error is raised; `restart` starts over. Ctrl-C
    ends it, with the answers so far on the disk. Memory does not depend on the number of jobs: meshes take about
    `mesh_memory` bytes at most, else they are forgotten, and read again as jobs need them. See docs/sweeps.md.

    For pairs that a program makes there is lamella.Sweep. Not to be confused with lamella.sweep, which moves a mesh until
    it touches another.

    >>> import lamella, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> jobs, answers = os.path.join(folder, "jobs.csv"), os.path.join(folder, "answers.csv")
    >>> lamella.write_jobs(jobs, ["model:box"], 0, 0, pose_b=[(0, 0, 0), (1, 0, 0), (3, 0, 0)])
    >>> lamella.sweep_file(jobs, answers, resolution=64).colliding
    2
    """

def write_jobs(path: _StrPath, meshes: Sequence[str], a: int | ArrayLike, b: int | ArrayLike, pose_a: _PosesLike = ..., pose_b: _PosesLike = ..., *, resolution: int | ArrayLike | None = ...) -> None:
    """Writes a file of jobs for sweep_file: .csv, .jsonl, .ndjson, or .jobs (binary, the quickest to read).

    `meshes`: names as the file has them: paths from its folder, or "model:NAME". `a` and `b` are indices into them. Those,
    and poses, as in Batch.intersect. `resolution`: one, or one for each job, in place of the sweep's own.
    """

class Sweep:
    """Blocks of pairs whose meshes have names, for sweeps that make their own jobs.

    A mesh is read when a pair first needs it, and kept. When all meshes take more than `mesh_memory` bytes they are
    forgotten, and read again as pairs need them; one that has changed meanwhile is an Error. So memory is that of one block
    and of the meshes. Names are paths of files, or "model:NAME"; with `load`, they are what load(name) gives a mesh for.

    For pairs in a file, and answers in another that survives a crash: sweep_file.

    >>> import lamella
    >>> sweep = lamella.Sweep(resolution=64)
    >>> for shift in (0.5, 1, 3):
    ...     print(sweep.answer("model:box", "model:box", pose_b=[(shift, 0, 0), (0, shift, 0)]).volume)
    [6. 6.]
    [4. 4.]
    [0. 0.]
    """
    def __init__(self, options: Options | None = ..., *, load: Callable[[str], _MeshLike] | None = ..., mesh_memory: int = ..., engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> None: ...
    def answer(self, a: _StrPath | Sequence[_StrPath], b: _StrPath | Sequence[_StrPath], pose_a: _PosesLike = ..., pose_b: _PosesLike = ..., *, resolution: int | ArrayLike | None = ..., progress: _Progress = ...) -> PairOverlaps:
        """One answer for each pair, those of Batch.intersect. `a` and `b`: a name, or a sequence with one for each pair; poses as there. `resolution`: one, or one for each pair, in place of the sweep's own."""
    @property
    def options(self) -> Options:
        """with the engine that answers in place of "automatic\""""

class SeparationOptions:
    """Options of separation()."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, engine: str = ..., resolution: int = ..., directions: int = ..., threads: int = ..., device: int | None = ...) -> None: ...
    def replace(self, *, engine: str = ..., resolution: int = ..., directions: int = ..., threads: int = ..., device: int | None = ...) -> SeparationOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    engine: str
    """of the search: "software" or "cuda\""""
    resolution: int
    """columns and rows of the search's grids"""
    directions: int
    """about how many are looked along, each both ways"""
    threads: int
    """0: all cores this process may use"""
    device: int | None
    """which GPU"""

class Separation:
    """The shortest translation found that takes one mesh out of another."""
    @property
    def before(self) -> Verdict:
        """the verdict of the pair as given"""
    @property
    def translation(self) -> NDArray[np.float64]:
        """of a: direction times (length + margin)"""
    @property
    def direction(self) -> NDArray[np.float64]:
        """unit; 0 where nothing overlaps"""
    @property
    def length(self) -> float:
        """how far a must go along direction until nothing overlaps"""
    @property
    def margin(self) -> float:
        """added so that rounding does not make them touch again"""
    @property
    def after(self) -> Verdict:
        """the verdict after the translation"""
    @property
    def certificate(self) -> Certificate:
        """of after: certain where it is proved"""
    @property
    def directions(self) -> int:
        """looked along, counted once for each grid"""
    @property
    def ms(self) -> Timings:
        """times"""
    @property
    def engine(self) -> str:
        """of the search"""
    def to_dict(self) -> dict[str, Any]: ...

class FreeInterval:
    """The free shifts of a mesh along one direction, as rays see them."""
    @property
    def overlapping(self) -> bool:
        """some ray sees an overlap"""
    @property
    def forward(self) -> float:
        """how far a must go along the direction; 0 where nothing overlaps"""
    @property
    def backward(self) -> float:
        """the same against the direction; not negative"""
    @property
    def room_forward(self) -> float:
        """how far a may go on from there"""
    @property
    def room_backward(self) -> float:
        """the same against the direction"""
    @property
    def cell(self) -> float:
        """the larger distance of neighbouring rays"""
    @property
    def open(self) -> bool:
        """columns that do not close were left out"""
    def to_dict(self) -> dict[str, Any]: ...

class SweepHit:
    """The first touch of a mesh that moves along a line."""
    @property
    def time(self) -> float:
        """the part of the motion before the touch, 0 to 1"""
    @property
    def position(self) -> NDArray[np.float64]:
        """where the surfaces touch then"""
    @property
    def normal(self) -> NDArray[np.float64]:
        """unit, of b's surface there, towards a"""
    @property
    def triangle_a(self) -> int:
        """that touches"""
    @property
    def triangle_b(self) -> int:
        """that is touched"""
    @property
    def overlapping(self) -> bool:
        """they overlap at the start already"""
    def to_dict(self) -> dict[str, Any]: ...

def separation(a: _MeshLike, b: _MeshLike, options: SeparationOptions | None = ..., *, engine: str = ..., resolution: int = ..., directions: int = ..., threads: int = ..., device: int | None = ...) -> Separation:
    """The shortest way to take `a` out of `b` by a translation.

    >>> import lamella
    >>> box = lamella.model("box")
    >>> way = lamella.separation(box, lamella.transformed(box, (1.9, 0, 0)))
    >>> round(way.length, 4), way.after
    (0.1, Verdict.clear)
    """

def free_shifts(a: _MeshLike, b: _MeshLike, direction: ArrayLike, resolution: int = ...) -> FreeInterval:
    """How far `a` must go, or may go, along a direction and against it."""

def sweep(a: _MeshLike, b: _MeshLike, motion: ArrayLike, threads: int = ...) -> SweepHit | None:
    """Moves `a` by `motion` and tells where it first touches `b`; None where it does not."""

class Separator:
    """separation() and free_shifts() for many pairs: keeps its memory."""
    def __init__(self, options: SeparationOptions | None = ..., *, engine: str = ..., resolution: int = ..., directions: int = ..., threads: int = ..., device: int | None = ...) -> None: ...
    def separation(self, a: _MeshLike, b: _MeshLike) -> Separation:
        """As lamella.separation."""
    def free_shifts(self, a: _MeshLike, b: _MeshLike, direction: ArrayLike, resolution: int = ...) -> FreeInterval:
        """As lamella.free_shifts."""

class Sweeper:
    """sweep() for many pairs: keeps its memory."""
    def __init__(self, threads: int = ...) -> None: ...
    def sweep(self, a: _MeshLike, b: _MeshLike, motion: ArrayLike) -> SweepHit | None:
        """As lamella.sweep."""

class MeshDistance:
    """The smallest distance of two meshes."""
    @property
    def distance(self) -> float:
        """of the surfaces; 0 where they meet or overlap"""
    @property
    def on_a(self) -> NDArray[np.float64]:
        """the nearest point of the first mesh"""
    @property
    def on_b(self) -> NDArray[np.float64]:
        """the nearest point of the second mesh"""
    @property
    def triangle_a(self) -> int | None:
        """or None"""
    @property
    def triangle_b(self) -> int | None:
        """or None"""
    @property
    def verdict(self) -> Verdict:
        """whether they overlap"""
    @property
    def skipped_triangles(self) -> int:
        """NaN, infinite or too far away"""
    @property
    def ms(self) -> Timings:
        """times"""
    def to_dict(self) -> dict[str, Any]: ...

class ClosestPoints:
    """For each point given, the nearest point of a surface."""
    @property
    def distance(self) -> NDArray[np.float64]:
        """below 0 for points inside"""
    @property
    def position(self) -> NDArray[np.float64]:
        """of the nearest points"""
    @property
    def normal(self) -> NDArray[np.float32]:
        """unit, outwards"""
    @property
    def triangle(self) -> NDArray[np.uint32]:
        """on which they are; 2^32 - 1 where there is none"""
    @property
    def health(self) -> Health:
        """of the test which points are inside"""
    @property
    def ms(self) -> Timings:
        """times"""
    def to_dict(self) -> dict[str, Any]: ...

def distance(a: _MeshLike, b: _MeshLike, threads: int = ...) -> MeshDistance:
    """The smallest distance of two meshes, with its points: exact to rounding.

    >>> import lamella
    >>> box = lamella.model("box")
    >>> lamella.distance(box, lamella.transformed(box, (5, 0, 0))).distance
    3.0
    """

def closest(mesh: _MeshLike, points: ArrayLike, threads: int = ...) -> ClosestPoints:
    """For each point: signed distance, nearest point of the surface, its triangle and normal."""

class DistanceFinder:
    """distance() and closest() for every frame: keeps its memory."""
    def __init__(self, threads: int = ...) -> None: ...
    def distance(self, a: _MeshLike, b: _MeshLike) -> MeshDistance:
        """As lamella.distance."""
    def closest(self, mesh: _MeshLike, points: ArrayLike) -> ClosestPoints:
        """As lamella.closest."""

class ClashRule:
    """What holds for the pairs of two sets of parts, given as keywords.

    A set is a pattern of names ("*": any characters, "?": one), or of groups or layers: "group:PATTERN", "layer:PATTERN".
    A pair matches when one part is in `a` and the other in `b`, either way round; the first rule that matches decides.
    """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, name: str = ..., a: str = ..., b: str = ..., ignore: bool = ..., clearance: float | None = ..., allowed_depth: float = ..., allowed_volume: float = ..., allow_contact: bool = ...) -> None: ...
    def replace(self, *, name: str = ..., a: str = ..., b: str = ..., ignore: bool = ..., clearance: float | None = ..., allowed_depth: float = ..., allowed_volume: float = ..., allow_contact: bool = ...) -> ClashRule:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    name: str
    """for reports"""
    a: str
    """a set of parts"""
    b: str
    """another"""
    ignore: bool
    """do not test these pairs"""
    clearance: float | None
    """parts closer than this are near; None: that of the options"""
    allowed_depth: float
    """an overlap that is not deeper is allowed"""
    allowed_volume: float
    """an overlap that is not larger is allowed"""
    allow_contact: bool
    """any overlap or contact is allowed"""

class ClashOptions:
    """Options of find_clashes, given as keywords or as one object."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, engine: str = ..., resolution: int = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., clearance: float = ..., touch: float = ..., way_out: str = ..., keep_clear: bool = ..., rules: Sequence[ClashRule] = ..., ignored: Sequence[tuple[int, int]] = ..., max_candidates: int = ...) -> None: ...
    def replace(self, *, engine: str = ..., resolution: int = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., clearance: float = ..., touch: float = ..., way_out: str = ..., keep_clear: bool = ..., rules: Sequence[ClashRule] = ..., ignored: Sequence[tuple[int, int]] = ..., max_candidates: int = ...) -> ClashOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    engine: str
    """of the volumes: "software" or "cuda"; "automatic" is software"""
    resolution: int
    """columns and rows for each pair, over the box that both share"""
    @property
    def tolerance(self) -> Tolerance | None:
        """as in Options"""
    @tolerance.setter
    def tolerance(self, value: Tolerance | float | None) -> None: ...
    certify: bool
    """prove the verdict of every pair by exact arithmetic"""
    threads: int
    """0: all cores this process may use"""
    device: int | None
    """which GPU"""
    close_holes: bool
    """close holes by fans before sampling"""
    clearance: float
    """of pairs that no rule matches, or whose rule has none"""
    touch: float
    """parts not farther apart, and overlaps not deeper, are touching"""
    way_out: str
    """which is measured: "none", "normal" or "shortest\""""
    keep_clear: bool
    """also list pairs whose boxes are close and that are clear"""
    @property
    def rules(self) -> list[ClashRule]:
        """list of ClashRule; the first that matches a pair decides"""
    @rules.setter
    def rules(self, value: Sequence[ClashRule]) -> None: ...
    @property
    def ignored(self) -> list[tuple[int, int]]:
        """pairs of indices of parts that are not tested, in any order"""
    @ignored.setter
    def ignored(self, value: Sequence[tuple[int, int]]) -> None: ...
    max_candidates: int
    """pairs whose boxes are close; more are an Error"""

class AssemblyPart:
    """A part of an assembly: a mesh at a place, with a name for rules and reports.

    Parts that are given the same mesh (object, pair of arrays, or path) share it, and it is kept once.
    """
    def __init__(self, name: str, mesh: _MeshLike, pose: _PoseLike = ..., group: str = ..., layer: str = ...) -> None: ...
    name: str
    """what rules and reports call it"""
    @property
    def mesh(self) -> Any:
        """as it was given"""
    @mesh.setter
    def mesh(self, value: _MeshLike) -> None: ...
    @property
    def pose(self) -> Transform:
        """where the mesh is"""
    @pose.setter
    def pose(self, value: _PoseLike) -> None: ...
    group: str
    """for rules: "group:NAME\""""
    layer: str
    """for rules: "layer:NAME\""""

class ClashCache:
    """Answers of find_clashes in a file.

    A report that was killed continues, and one of an assembly that changed tests only pairs that did. The file is created
    where there is none; while the object lives it is locked, and a second process gets an Error. For one call at a time.
    """
    def __init__(self, path: _StrPath) -> None: ...
    @property
    def answer_count(self) -> int:
        """how many different ones it has"""

class ClashRegion:
    """A connected volume that two parts share."""
    @property
    def volume(self) -> float:
        """how large it is"""
    @property
    def centroid(self) -> NDArray[np.float64]:
        """where it is"""
    @property
    def min(self) -> NDArray[np.float64]:
        """of its bounds"""
    @property
    def max(self) -> NDArray[np.float64]:
        """of its bounds"""
    def to_dict(self) -> dict[str, Any]: ...

class ClashPair:
    """How two parts lie to each other. Everything is in world coordinates."""
    @property
    def a(self) -> int:
        """index of the first part; below b"""
    @property
    def b(self) -> int:
        """index of the second part"""
    @property
    def rule(self) -> int | None:
        """index of the rule that matches, or None"""
    @property
    def kind(self) -> ClashClass:
        """the class; what it seems to be where the verdict is undecided"""
    @property
    def verdict(self) -> Verdict:
        """whether they share a volume: clear, colliding or undecided"""
    @property
    def certain(self) -> bool:
        """the verdict is proved by exact arithmetic"""
    @property
    def allowed(self) -> bool:
        """the rule allows this overlap"""
    @property
    def volume(self) -> float:
        """shared"""
    @property
    def volume_error(self) -> float:
        """as in Overlap"""
    @property
    def tolerance_met(self) -> bool:
        """as in Overlap"""
    @property
    def distance(self) -> float:
        """of the surfaces; 0 where they overlap or touch"""
    @property
    def on_a(self) -> NDArray[np.float64]:
        """the point of a that is nearest to b; not for parts that overlap"""
    @property
    def on_b(self) -> NDArray[np.float64]:
        """the point of b that is nearest to a"""
    @property
    def depth(self) -> float:
        """how far a must move along way_out until nothing overlaps"""
    @property
    def way_out(self) -> NDArray[np.float64]:
        """unit; of a; 0 where there is none"""
    @property
    def centroid(self) -> NDArray[np.float64]:
        """of the shared volume; else halfway between on_a and on_b"""
    @property
    def min(self) -> NDArray[np.float64]:
        """of the bounds of the shared volume; else of on_a and on_b"""
    @property
    def max(self) -> NDArray[np.float64]:
        """of the same bounds"""
    @property
    def region_count(self) -> int:
        """connected volumes that they share"""
    @property
    def regions(self) -> list[ClashRegion]:
        """list of ClashRegion: of these the largest, at most 64"""
    @property
    def doubts(self) -> list[Doubt]:
        """why the verdict is undecided, or what the answer leaves out"""
    def to_dict(self) -> dict[str, Any]: ...

class ClashPairs:
    """The pairs of a ClashReport, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> ClashPair:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[ClashPair]: ...
    def __iter__(self) -> Iterator[ClashPair]: ...

class ClashFinding:
    """Pairs of the same two meshes, class and rule."""
    @property
    def mesh_a(self) -> int:
        """number of a mesh, in the order in which parts first have them"""
    @property
    def mesh_b(self) -> int:
        """of the other one; not below mesh_a"""
    @property
    def kind(self) -> ClashClass:
        """the class"""
    @property
    def rule(self) -> int | None:
        """index of the rule, or None"""
    @property
    def allowed(self) -> bool:
        """the rule allows its pairs"""
    @property
    def undecided(self) -> bool:
        """the verdicts of its pairs are"""
    @property
    def pairs(self) -> NDArray[np.uint32]:
        """uint32: indices into ClashReport.pairs, the worst first"""
    @property
    def largest_volume(self) -> float:
        """of its pairs"""
    @property
    def total_volume(self) -> float:
        """of all of them"""
    @property
    def largest_depth(self) -> float:
        """of its pairs"""
    @property
    def smallest_distance(self) -> float:
        """of its pairs; inf where none is apart"""
    def to_dict(self) -> dict[str, Any]: ...

class ClashFindings:
    """The findings of a ClashReport, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> ClashFinding:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[ClashFinding]: ...
    def __iter__(self) -> Iterator[ClashFinding]: ...

class ClashReport:
    """What find_clashes found."""
    @property
    def pairs(self) -> ClashPairs:
        """sequence of ClashPair, ascending by (a, b); clear ones only with the option keep_clear"""
    @property
    def findings(self) -> ClashFindings:
        """sequence of ClashFinding, the worst first"""
    @property
    def part_count(self) -> int:
        """parts"""
    @property
    def mesh_count(self) -> int:
        """different meshes"""
    @property
    def triangle_count(self) -> int:
        """of all parts"""
    @property
    def candidate_count(self) -> int:
        """pairs whose boxes are close, that no rule ignores"""
    @property
    def tested_count(self) -> int:
        """of these; fewer when it was stopped"""
    @property
    def reused_count(self) -> int:
        """of these; their answers are from the cache"""
    @property
    def ignored_count(self) -> int:
        """pairs whose boxes are close, and that are left out"""
    @property
    def unusable_parts(self) -> list[int]:
        """indices of parts without a usable triangle, or that are a single point: tested against nothing"""
    @property
    def damaged_parts(self) -> list[int]:
        """indices of others with triangles that cannot be used: what should be there was tested against nothing"""
    @property
    def complete(self) -> bool:
        """False when it was stopped"""
    @property
    def broad_ms(self) -> float:
        """time for the boxes"""
    @property
    def pairs_ms(self) -> float:
        """time for the pairs"""
    @property
    def total_ms(self) -> float:
        """both"""
    @property
    def engine(self) -> str:
        """that answered"""
    @property
    def undecided_count(self) -> int:
        """pairs that are undecided"""
    def count(self, kind: str) -> int:
        """How many pairs of a class are not allowed."""
    @property
    def pair_ids(self) -> NDArray[np.uint32]:
        """uint32 (n, 2): the parts of each pair"""
    @property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8: 0 clear, 1 near, 2 touching, 3 overlapping, 4 piercing, 5 contained, 6 duplicate"""
    @property
    def verdicts(self) -> NDArray[np.uint8]:
        """uint8: 0 clear, 1 colliding, 2 undecided"""
    @property
    def allowed(self) -> NDArray[np.bool_]:
        """bool: a rule allows the overlap"""
    @property
    def volumes(self) -> NDArray[np.float64]:
        """shared volumes"""
    @property
    def volume_errors(self) -> NDArray[np.float64]:
        """as in Overlap"""
    @property
    def depths(self) -> NDArray[np.float64]:
        """of each pair"""
    @property
    def distances(self) -> NDArray[np.float64]:
        """0 where parts overlap or touch"""
    @property
    def ways_out(self) -> NDArray[np.float64]:
        """float64 (n, 3): of the first part; 0 where there is none"""
    @property
    def centroids(self) -> NDArray[np.float64]:
        """float64 (n, 3): where each pair clashes"""
    def to_dict(self) -> dict[str, Any]: ...

def find_clashes(parts: Iterable[AssemblyPart], options: ClashOptions | None = ..., *, progress: _Progress = ..., stop: Callable[[], object] | None = ..., cache: ClashCache | _StrPath | None = ..., engine: str = ..., resolution: int = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., clearance: float = ..., touch: float = ..., way_out: str = ..., keep_clear: bool = ..., rules: Sequence[ClashRule] = ..., ignored: Sequence[tuple[int, int]] = ..., max_candidates: int = ...) -> ClashReport:
    """All clashes of an assembly: which parts share a volume, touch or are too close; how much, how deep, where.

    `parts`: of AssemblyPart; their meshes are copied for the call. Options are keywords (see ClashOptions). Ctrl-C ends the
    call. `stop` is asked now and then: when it returns True, the report ends with what is known by then, and is not
    `complete`. `cache`: a ClashCache, or the path of one. See docs/clash.md for the classes and for rules.

    >>> import lamella
    >>> box = lamella.model("box")
    >>> parts = [lamella.AssemblyPart("left", box), lamella.AssemblyPart("right", box, (1.5, 0, 0))]
    >>> pair = lamella.find_clashes(parts, clearance=0.1).pairs[0]
    >>> pair.kind, round(pair.volume, 3), round(pair.depth, 3)
    (ClashClass.overlapping, 2.0, 0.5)
    >>> rule = lamella.ClashRule(a="left", allowed_depth=0.6)
    >>> lamella.find_clashes(parts, rules=[rule]).pairs[0].allowed
    True
    """

class LdiReport:
    """What Ldi.validate found."""
    @property
    def well_formed(self) -> bool:
        """sizes agree, columns are sorted, depths lie in the box"""
    @property
    def problem(self) -> str:
        """the first thing that is not well formed"""
    @property
    def open_columns(self) -> int:
        """columns that do not close"""
    @property
    def max_layers(self) -> int:
        """crossings of the fullest column"""
    @property
    def occupied_columns(self) -> int:
        """columns with a crossing"""
    def to_dict(self) -> dict[str, Any]: ...

class Ldi:
    """A layered depth image: for each column of a grid the sorted crossings of one mesh.

    Column i, of row i // columns, has the crossings offsets[i] to offsets[i + 1].

    >>> import lamella
    >>> ldi = lamella.sample("model:box", resolution=4)
    >>> ldi.offsets[:3].tolist(), ldi.depths[:2].tolist(), ldi.entries[:2].tolist()
    ([0, 2, 4], [0.0, 2.0], [True, False])
    """
    @property
    def grid(self) -> Grid:
        """that was sampled"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what grid is relative to"""
    @property
    def outside(self) -> End:
        """ends at which the winding is known to be 0"""
    @property
    def offsets(self) -> NDArray[np.uint32]:
        """uint32, one more than columns"""
    @property
    def keys(self) -> NDArray[np.uint32]:
        """uint32: the crossings as they are kept; shares memory"""
    @property
    def depths(self) -> NDArray[np.float32]:
        """float32: of each crossing, from the box's low face"""
    @property
    def entries(self) -> NDArray[np.bool_]:
        """bool: the ray enters the solid there, or leaves it"""
    @property
    def skipped_triangles(self) -> int:
        """NaN, infinite or too far away"""
    @property
    def dropped_crossings(self) -> int:
        """known to be missing"""
    @property
    def alternating(self) -> bool:
        """entries and exits were assumed to alternate (gl-tr395)"""
    def intersect(self, other: Ldi, min_thickness: float = ...) -> Overlap:
        """The volume shared with another image of the same grid, by samples alone."""
    def self_intersect(self, min_thickness: float = ...) -> SelfOverlap:
        """Volume that is covered more than once."""
    def contains(self, points: ArrayLike) -> Containment:
        """Which points, relative to origin, lie inside."""
    def layers(self) -> list[tuple[bool | None, NDArray[np.float32]]]:
        """List of (entry, depth): layers of entries, then of exits; depth (rows, columns) is below 0 where there is none."""
    def validate(self) -> LdiReport:
        """Checks that it is well formed."""
    def to_dict(self) -> dict[str, Any]: ...

def sample(mesh: _MeshLike, grid: Grid | None = ..., options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> Ldi:
    """Samples a mesh into an Ldi: on `grid`, which is relative to the mesh's origin, or over its whole box. Options are keywords: engine, resolution, axis, threads, device, max_crossings."""

def layers(mesh: _MeshLike, grid: Grid | None = ..., options: Options | None = ..., *, engine: str = ..., resolution: int = ..., axis: str | None = ..., threads: int = ..., device: int | None = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., keep_spans: bool = ..., around_points: bool = ..., tolerance: Tolerance | float | None = ..., certify: bool = ..., exact: bool = ..., ends: bool = ..., explain: bool = ..., close_holes: bool = ..., close_views: bool = ...) -> list[tuple[bool | None, NDArray[np.float32]]]:
    """The depth layers as the engine's method makes them: a list of (entry, depth); entry is None where a layer has both."""

class PairVoi:
    """The volume of interest of a pair: the box to sample and the axis of the rays."""
    @property
    def box(self) -> NDArray[np.float32] | None:
        """to sample"""
    @property
    def axis(self) -> Axis:
        """of the rays"""
    @property
    def outside_a(self) -> End:
        """the end of the box that lies outside the first object"""
    @property
    def outside_b(self) -> End:
        """the end that lies outside the second"""
    def to_dict(self) -> dict[str, Any]: ...

def choose_pair_voi(a: ArrayLike, b: ArrayLike, axis: str | None = ...) -> PairVoi | None:
    """Of two boxes: the shallowest box with an outside face for each (TR 395); None where they share no volume."""

def choose_shared_voi(a: ArrayLike, b: ArrayLike, axis: str | None = ...) -> PairVoi | None:
    """The box that two boxes share, along its shortest side; None where they share no volume."""

def choose_axis(box: ArrayLike) -> Axis | None:
    """The axis along which a box is shallowest; None without volume."""

def triangles_meet(a: Sequence[ArrayLike], b: Sequence[ArrayLike]) -> bool:
    """Whether two triangles of three float32 points share a point; exact."""

def prisms(grid: Grid, spans: ArrayLike) -> Mesh:
    """Spans as a closed mesh: one box each."""

class Closure:
    """Triangles that close a mesh, found once for its connectivity."""
    @property
    def fans(self) -> NDArray[np.uint32]:
        """triangles (n, 3) of the mesh's own vertices, and fan points from vertex_count on"""
    @property
    def rims(self) -> NDArray[np.void]:
        """structured array, one for each hole: first and triangles (in fans), point (2^32 - 1: none)"""
    @property
    def vertex_count(self) -> int:
        """of the mesh"""
    @property
    def point_count(self) -> int:
        """fan points"""
    @property
    def edge_count(self) -> int:
        """of all rims"""
    @property
    def empty(self) -> bool:
        """the mesh was closed already"""
    def to_dict(self) -> dict[str, Any]: ...

class ClosureFacts:
    """How much was closed."""
    @property
    def edges(self) -> int:
        """of all rims"""
    @property
    def fan_area(self) -> float:
        """of what closes them"""
    @property
    def rim_box_volume(self) -> float:
        """of the boxes around the rims"""
    def to_dict(self) -> dict[str, Any]: ...

def find_closure(mesh: _MeshLike) -> Closure:
    """Finds the fans of triangles that close a mesh's holes."""

def closed(mesh: _MeshLike, closure: Closure | None = ...) -> Mesh:
    """The mesh with its holes closed by fans."""

def closure_facts(closure: Closure, positions: ArrayLike) -> ClosureFacts:
    """How much was closed, for positions of the mesh's vertices."""

def rim_boxes(closure: Closure, positions: ArrayLike) -> list[NDArray[np.float32] | None]:
    """A box around each rim; None for one that is not finite."""

class Screen:
    """A viewer of a scene: how large a pixel is at each place."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, eye: ArrayLike = ..., pixel_angle: float = ...) -> None: ...
    def replace(self, *, eye: ArrayLike = ..., pixel_angle: float = ...) -> Screen:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    @property
    def eye(self) -> NDArray[np.float64]:
        """where the viewer is"""
    @eye.setter
    def eye(self, value: ArrayLike) -> None: ...
    pixel_angle: float
    """radians a pixel covers: 2 tan(field of view / 2) / pixels across"""

class SceneOptions:
    """Options of a Scene, given as keywords or as one object."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, engine: str = ..., cell: float = ..., screen: Screen | None = ..., resolution: int = ..., max_resolution: int = ..., axis: str | None = ..., views: int = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., max_pairs: int = ..., max_spans: int = ..., self_overlap: bool = ..., points: bool = ..., threshold: float = ..., normals: str = ..., max_contacts: int = ..., patches: bool = ..., separations: bool = ..., method: str = ..., tolerance: Tolerance | float | None = ..., certify: bool = ...) -> None: ...
    def replace(self, *, engine: str = ..., cell: float = ..., screen: Screen | None = ..., resolution: int = ..., max_resolution: int = ..., axis: str | None = ..., views: int = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., max_pairs: int = ..., max_spans: int = ..., self_overlap: bool = ..., points: bool = ..., threshold: float = ..., normals: str = ..., max_contacts: int = ..., patches: bool = ..., separations: bool = ..., method: str = ..., tolerance: Tolerance | float | None = ..., certify: bool = ...) -> SceneOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    engine: str
    """"software", "cuda" or "gl-pairs"; "automatic" is software"""
    cell: float
    """edge of a sample cell, in the scene's units; 0: not given"""
    screen: Screen | None
    """sample as finely as this viewer sees"""
    resolution: int
    """columns and rows of each pair's grid"""
    max_resolution: int
    """of a group's grid, however small the cell"""
    axis: str | None
    """of all rays; then there is one view"""
    views: int
    """3: each pair along all three axes; 1: one view for a whole group"""
    threads: int
    """0: all cores this process may use"""
    device: int | None
    """which GPU"""
    close_holes: bool
    """close holes by fans when meshes are added"""
    strict: bool
    """a result that is not ok, or a pair that is undecided, becomes an Error"""
    min_thickness: float
    """as in Options"""
    max_crossings: int
    """of one group"""
    max_pairs: int
    """of objects whose boxes share a volume; more are an Error"""
    max_spans: int
    """over all pairs and views; more are an Error"""
    self_overlap: bool
    """also report objects that overlap themselves"""
    points: bool
    """report collision points"""
    threshold: float
    """how far apart the surfaces of a collision point are, in cells"""
    normals: str
    """where a contact's normal comes from: "faces" or "neighbours\""""
    max_contacts: int
    """of a pair, at most 16; 0: make none"""
    patches: bool
    """report a patch for each region that two objects share"""
    separations: bool
    """also measure the separation of each patch"""
    method: str
    """"complete", or "jang" with gl-pairs"""
    @property
    def tolerance(self) -> Tolerance | None:
        """how far off volumes may be"""
    @tolerance.setter
    def tolerance(self, value: Tolerance | float | None) -> None: ...
    certify: bool
    """prove which candidates collide"""

def jang_options() -> SceneOptions:
    """Everything as Jang, Jeong and Han publish it: gl-pairs, one view."""

class ScenePair:
    """Two objects that share a volume for certain."""
    @property
    def a(self) -> int:
        """id of the first object; below b"""
    @property
    def b(self) -> int:
        """id of the second object"""
    @property
    def volume(self) -> float | None:
        """shared; None from gl-pairs"""
    @property
    def volume_error(self) -> float | None:
        """as in Overlap; None from gl-pairs"""
    @property
    def tolerance_met(self) -> bool:
        """with the option tolerance"""
    @property
    def certificate(self) -> Certificate:
        """with the option certify"""
    @property
    def centroid(self) -> NDArray[np.float64]:
        """of the shared volume"""
    @property
    def group(self) -> int:
        """index into SceneResult.groups"""
    @property
    def span_count(self) -> int:
        """intervals of rays inside both"""
    @property
    def depth(self) -> float:
        """of the deepest contact; see the patches, whose depths converge"""
    @property
    def first_point(self) -> int:
        """in SceneResult.points"""
    @property
    def point_count(self) -> int:
        """collision points"""
    @property
    def first_contact(self) -> int:
        """in SceneResult.contacts"""
    @property
    def contact_count(self) -> int:
        """contacts"""
    @property
    def more_contacts(self) -> bool:
        """they touch in more places than are reported"""
    @property
    def first_patch(self) -> int:
        """in SceneResult.patches"""
    @property
    def patch_count(self) -> int:
        """regions that they share, the largest volume first"""
    def to_dict(self) -> dict[str, Any]: ...

class ScenePairs:
    """The pairs of a SceneResult, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> ScenePair:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[ScenePair]: ...
    def __iter__(self) -> Iterator[ScenePair]: ...

class SceneDoubt:
    """Two objects of which it is not known whether they share a volume."""
    @property
    def a(self) -> int:
        """id of the first object; below b"""
    @property
    def b(self) -> int:
        """id of the second object"""
    @property
    def doubt(self) -> Doubt:
        """why; its mesh 0 is a, 1 is b"""
    def to_dict(self) -> dict[str, Any]: ...

class SceneGroup:
    """Objects that were sampled together."""
    @property
    def grid(self) -> Grid:
        """that was sampled"""
    @property
    def origin(self) -> NDArray[np.float64]:
        """what grid is relative to"""
    @property
    def object_count(self) -> int:
        """objects"""
    @property
    def candidate_count(self) -> int:
        """pairs whose boxes share a volume"""
    def to_dict(self) -> dict[str, Any]: ...

class SceneSelfOverlap:
    """An object that overlaps itself."""
    @property
    def object(self) -> int:
        """its id"""
    @property
    def volume(self) -> float:
        """that it covers more than once"""
    def to_dict(self) -> dict[str, Any]: ...

class SceneDefect:
    """An object whose results cannot be fully trusted."""
    @property
    def object(self) -> int:
        """its id"""
    @property
    def open_columns(self) -> int:
        """columns where its winding does not return to 0"""
    @property
    def skipped_triangles(self) -> int:
        """NaN, infinite or too far away"""
    @property
    def inside_out_columns(self) -> int:
        """closed, with a winding below 0"""
    @property
    def closed_edges(self) -> int:
        """of holes that were closed"""
    def to_dict(self) -> dict[str, Any]: ...

class SceneHit:
    """The first of all objects that a moving one touches."""
    @property
    def object(self) -> int:
        """its id"""
    @property
    def hit(self) -> SweepHit:
        """where and when; triangle_a: of the one that moves"""
    def to_dict(self) -> dict[str, Any]: ...

class SceneResult:
    """What Scene.collide found. It stays valid after the next call."""
    @property
    def verdict(self) -> Verdict:
        """colliding: there is a pair; otherwise undecided where some pair is"""
    @property
    def colliding(self) -> bool:
        """whether there is a pair"""
    @property
    def pairs(self) -> ScenePairs:
        """sequence of ScenePair, ascending by (a, b)"""
    @property
    def pair_ids(self) -> NDArray[np.uint32]:
        """uint32 (n, 2): the ids of each pair"""
    @property
    def volumes(self) -> NDArray[np.float64]:
        """of each pair; NaN where the engine gives none"""
    @property
    def volume_errors(self) -> NDArray[np.float64]:
        """of each pair"""
    @property
    def undecided(self) -> list[SceneDoubt]:
        """list of SceneDoubt; none of them is in pairs"""
    @property
    def points(self) -> NDArray[np.void]:
        """structured array: pair, on_a, on_b, front_a, front_b, triangle_a, triangle_b"""
    @property
    def contacts(self) -> NDArray[np.void]:
        """structured array: position, normal (from b to a), depth, front_a, front_b, triangle_a, triangle_b, id"""
    @property
    def patches(self) -> NDArray[np.void]:
        """structured array: center, normal, volume, area, depth, one_sided, separation, span_count"""
    @property
    def groups(self) -> list[SceneGroup]:
        """list of SceneGroup"""
    @property
    def self_overlaps(self) -> list[SceneSelfOverlap]:
        """list of SceneSelfOverlap, with the option self_overlap"""
    @property
    def defects(self) -> list[SceneDefect]:
        """list of SceneDefect"""
    @property
    def health(self) -> Health:
        """of all groups together"""
    @property
    def ms(self) -> Timings:
        """times"""
    @property
    def object_count(self) -> int:
        """objects of the scene"""
    @property
    def candidate_count(self) -> int:
        """pairs whose boxes share a volume"""
    @property
    def refined_count(self) -> int:
        """pairs that were asked again for the option tolerance"""
    @property
    def certified_count(self) -> int:
        """candidates that are proved (the option certify)"""
    @property
    def round_count(self) -> int:
        """gl-pairs: rounds of peeling"""
    @property
    def read_back_bytes(self) -> int:
        """fetched from a GPU"""
    @property
    def passed_over(self) -> int:
        """method jang: pairs of surfaces that were not compared"""
    @property
    def engine(self) -> str:
        """that answered"""
    def points_of(self, pair: ScenePair) -> NDArray[np.void]:
        """The collision points of one of `pairs`."""
    def contacts_of(self, pair: ScenePair) -> NDArray[np.void]:
        """The contacts of one of `pairs`."""
    def patches_of(self, pair: ScenePair) -> NDArray[np.void]:
        """The patches of one of `pairs`, the largest volume first."""
    def to_dict(self) -> dict[str, Any]: ...

class Scene:
    """Many closed objects that move and deform, tested all at once.

    >>> import lamella
    >>> scene = lamella.Scene()
    >>> box = scene.add(lamella.model("box"))
    >>> other = scene.add(box, (1.5, 0, 0))  # the same mesh, elsewhere
    >>> result = scene.collide()
    >>> result.pair_ids.tolist(), result.volumes.tolist()
    ([[0, 1]], [2.0])
    >>> result.contacts["depth"].max()
    0.5
    """
    def __init__(self, options: SceneOptions | None = ..., *, engine: str = ..., cell: float = ..., screen: Screen | None = ..., resolution: int = ..., max_resolution: int = ..., axis: str | None = ..., views: int = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., max_pairs: int = ..., max_spans: int = ..., self_overlap: bool = ..., points: bool = ..., threshold: float = ..., normals: str = ..., max_contacts: int = ..., patches: bool = ..., separations: bool = ..., method: str = ..., tolerance: Tolerance | float | None = ..., certify: bool = ...) -> None: ...
    def add(self, mesh: _MeshLike | int, pose: _PoseLike = ...) -> int:
        """Adds a copy of a mesh, or another object with the mesh of one whose id is given; returns its id."""
    def remove(self, object: int) -> None:
        """Takes an object out; its id is not used again."""
    def move(self, object: int, pose: _PoseLike) -> None:
        """Places an object."""
    def deform(self, object: int, positions: ArrayLike) -> None:
        """New positions in the object's own frame, relative to mesh(object).origin, as many as before."""
    def fix(self, object: int, fixed: bool = ...) -> None:
        """Two fixed objects are never tested against each other."""
    def ignore(self, a: int, b: int, ignored: bool = ...) -> None:
        """Leaves a pair out of the tests, or takes it back in."""
    def reserve(self, *, objects: int = ..., pairs: int = ..., points: int = ..., groups: int = ..., group_objects: int = ..., group_spans: int = ...) -> None:
        """Takes memory for frames of this size now."""
    def look_from(self, eye: ArrayLike, pixel_angle: float = ...) -> None:
        """Moves the viewer (the option screen)."""
    def __len__(self) -> int: ...
    @property
    def size(self) -> int:
        """number of objects"""
    def pose(self, object: int) -> Transform:
        """Where an object is."""
    def mesh(self, object: int) -> Mesh:
        """A copy of the kept mesh, in its own frame."""
    @property
    def options(self) -> SceneOptions: ...
    def collide(self) -> SceneResult:
        """Finds all pairs that overlap, as the objects are now."""
    @overload
    def sweep(self, object: int, motion: ArrayLike) -> SceneHit | None:
        """sweep(*args, **kwargs)


        What `object` touches first when it moves by `motion` and all others stay: a SceneHit, or None.


        The same against one other object alone: a SweepHit, or None.
        """
    @overload
    def sweep(self, a: int, b: int, motion: ArrayLike) -> SweepHit | None: ...
    def separation(self, a: int, b: int, directions: int = ...) -> Separation:
        """The shortest translation of a that takes it out of b."""

class BodyOptions:
    """Options of RigidWorld.add."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, density: float = ..., restitution: float = ..., friction: float = ..., fixed: bool = ...) -> None: ...
    def replace(self, *, density: float = ..., restitution: float = ..., friction: float = ..., fixed: bool = ...) -> BodyOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    density: float
    """finite and above 0; not used when fixed"""
    restitution: float
    """0 to 1; a pair uses the smaller of the two"""
    friction: float
    """Coulomb's coefficient; a pair uses the larger of the two"""
    fixed: bool
    """infinite mass"""

class RigidWorldOptions:
    """Options of a RigidWorld beside those of its scene."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, gravity: ArrayLike = ..., collision_iterations: int = ..., contact_iterations: int = ..., shock_propagation: bool = ..., max_substeps: int = ..., ways_out: bool = ...) -> None: ...
    def replace(self, *, gravity: ArrayLike = ..., collision_iterations: int = ..., contact_iterations: int = ..., shock_propagation: bool = ..., max_substeps: int = ..., ways_out: bool = ...) -> RigidWorldOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    @property
    def gravity(self) -> NDArray[np.float64]:
        """acceleration"""
    @gravity.setter
    def gravity(self, value: ArrayLike) -> None: ...
    collision_iterations: int
    """rounds over all pairs at most"""
    contact_iterations: int
    """sweeps over all contacts"""
    shock_propagation: bool
    """level by level from the ground up"""
    max_substeps: int
    """that a step is divided into at most"""
    ways_out: bool
    """bodies deep inside each other leave by the shortest way"""

class MassProperties:
    """Of a solid."""
    @property
    def mass(self) -> float:
        """volume times density"""
    @property
    def center(self) -> NDArray[np.float64]:
        """of mass, in the mesh's frame"""
    @property
    def inertia(self) -> NDArray[np.float64]:
        """3 x 3, about the center, in the mesh's axes"""
    def to_dict(self) -> dict[str, Any]: ...

class StepReport:
    """What the last step did."""
    @property
    def substep_count(self) -> int:
        """substeps"""
    @property
    def ms(self) -> Timings:
        """times of all substeps"""
    @property
    def impulse_count(self) -> int:
        """impulses"""
    @property
    def pushed_count(self) -> int:
        """contacts that were too deep and were moved apart"""
    @property
    def way_count(self) -> int:
        """pairs that were moved along their way out"""
    @property
    def sweep_count(self) -> int:
        """pairs that were swept"""
    @property
    def over_limit(self) -> bool:
        """a body spun faster than max_substeps allows"""
    @property
    def seconds_left(self) -> float:
        """of the step, when max_substeps were used up"""
    def to_dict(self) -> dict[str, Any]: ...

def mass_properties(mesh: _MeshLike, density: float = ...) -> MassProperties:
    """Mass, center and inertia of a closed mesh filled with `density`.

    >>> import lamella
    >>> lamella.mass_properties("model:box", density=2).mass
    16.0
    """

class RigidBody:
    """State of a body of a RigidWorld, which may be changed between steps.

    Refers to the body by its id; an Error where the body was removed.
    """
    @property
    def id(self) -> int:
        """in the world"""
    @property
    def pose(self) -> Transform:
        """of the mesh's frame in the world"""
    @pose.setter
    def pose(self, value: _PoseLike) -> None: ...
    @property
    def velocity(self) -> NDArray[np.float64]:
        """of the center of mass"""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...
    @property
    def angular_velocity(self) -> NDArray[np.float64]:
        """radians per second about the world's axes"""
    @angular_velocity.setter
    def angular_velocity(self, value: ArrayLike) -> None: ...
    inverse_mass: float
    """0: fixed"""
    restitution: float
    """0 to 1"""
    friction: float
    """Coulomb's coefficient"""
    @property
    def center(self) -> NDArray[np.float64]:
        """of mass, in the mesh's frame"""
    @property
    def inverse_inertia(self) -> NDArray[np.float64]:
        """3 x 3, about the center, in the mesh's axes; 0: fixed"""
    @property
    def thickness(self) -> float:
        """the box's thinnest side, or 4 volume / area if that is less"""
    @property
    def reach(self) -> float:
        """distance of the farthest vertex from the center"""

class RigidWorld:
    """Rigid bodies under gravity that collide, roll, slide and stack.

    `scene` and `options` are SceneOptions and RigidWorldOptions; the options of both may be given as keywords as well.

    >>> import lamella
    >>> world = lamella.RigidWorld(resolution=32)
    >>> floor = world.add(lamella.model("box"), (0, 0, -1), fixed=True)
    >>> ball = world.body(world.add(lamella.model("box"), (0, 0, 1.1)))
    >>> for _ in range(60): world.step(1 / 60)
    >>> abs(ball.pose.translation[2] - 1) < 0.05
    True
    """
    def __init__(self, scene: SceneOptions | None = ..., options: RigidWorldOptions | None = ..., *, gravity: ArrayLike = ..., collision_iterations: int = ..., contact_iterations: int = ..., shock_propagation: bool = ..., max_substeps: int = ..., ways_out: bool = ..., engine: str = ..., cell: float = ..., screen: Screen | None = ..., resolution: int = ..., max_resolution: int = ..., axis: str | None = ..., views: int = ..., threads: int = ..., device: int | None = ..., close_holes: bool = ..., strict: bool = ..., min_thickness: float = ..., max_crossings: int = ..., max_pairs: int = ..., max_spans: int = ..., self_overlap: bool = ..., points: bool = ..., threshold: float = ..., normals: str = ..., max_contacts: int = ..., patches: bool = ..., separations: bool = ..., method: str = ..., tolerance: Tolerance | float | None = ..., certify: bool = ...) -> None: ...
    def add(self, mesh: _MeshLike, pose: _PoseLike = ..., options: BodyOptions | None = ..., *, density: float = ..., restitution: float = ..., friction: float = ..., fixed: bool = ...) -> int:
        """Adds a body with a copy of the mesh; options as keywords (see BodyOptions). Returns its id."""
    def remove(self, object: int) -> None:
        """Takes a body out; its id is not used again."""
    def body(self, object: int) -> RigidBody:
        """The state of a body, to be read and set."""
    @property
    def scene(self) -> Scene:
        """the Scene it runs on: to ignore pairs, to look at meshes"""
    def step(self, seconds: float) -> None:
        """Moves all bodies on."""
    @property
    def result(self) -> SceneResult:
        """what the scene found in the last substep, on the predicted poses"""
    @property
    def report(self) -> StepReport:
        """what the last step did"""
    @property
    def options(self) -> RigidWorldOptions: ...
    @property
    def gravity(self) -> NDArray[np.float64]:
        """acceleration"""
    @gravity.setter
    def gravity(self, value: ArrayLike) -> None: ...
    @property
    def kinetic_energy(self) -> float:
        """of all bodies that are not fixed"""
    @property
    def potential_energy(self) -> float:
        """in gravity; 0 at the origin"""
    @property
    def momentum(self) -> NDArray[np.float64]:
        """of all bodies that are not fixed"""
    @property
    def angular_momentum(self) -> NDArray[np.float64]:
        """about the origin"""

class PushOutOptions:
    """Options of ParticlePushOut."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, resolution: int = ..., threads: int = ..., restitution: float = ..., friction: float = ..., clearance: float = ..., strict: bool = ..., max_crossings: int = ...) -> None: ...
    def replace(self, *, resolution: int = ..., threads: int = ..., restitution: float = ..., friction: float = ..., clearance: float = ..., strict: bool = ..., max_crossings: int = ...) -> PushOutOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    resolution: int
    """cells along the longest side of the body's box"""
    threads: int
    """0: all cores this process may use"""
    restitution: float
    """0 to 1: rebound speed divided by approach speed"""
    friction: float
    """Coulomb's coefficient"""
    clearance: float
    """how far above the surface a particle is set"""
    strict: bool
    """a result whose health is not ok becomes an Error"""
    max_crossings: int
    """of one view"""

class PushOutReport:
    """What push_out did."""
    @property
    def pushes(self) -> NDArray[np.void]:
        """structured array, ascending by particle: particle, triangle, weights, normal, depth"""
    @property
    def turned_back_count(self) -> int:
        """set onto the surface that they crossed"""
    @property
    def deepest(self) -> float:
        """of all pushes"""
    @property
    def motion(self) -> float:
        """longest distance a vertex moved since `before`"""
    @property
    def cell(self) -> float:
        """edge of the largest sample cell"""
    @property
    def health(self) -> Health:
        """of all three views"""
    @property
    def ms(self) -> Timings:
        """times"""
    def to_dict(self) -> dict[str, Any]: ...

class ParticlePushOut:
    """Keeps particles out of a closed body that moves and deforms.

    push_out() changes positions and velocities, float32 arrays (n, 3), in place.

    >>> import lamella, numpy
    >>> box = lamella.model("box")
    >>> out = lamella.ParticlePushOut(box.triangles, len(box.positions))
    >>> positions = numpy.array([(0.9, 0, 0), (5, 0, 0)], numpy.float32)
    >>> report = out.push_out(box.positions, positions)
    >>> positions[0].round(3).tolist(), len(report.pushes)
    ([1.0, 0.0, 0.0], 1)
    """
    def __init__(self, triangles: ArrayLike, vertex_count: int, options: PushOutOptions | None = ..., *, resolution: int = ..., threads: int = ..., restitution: float = ..., friction: float = ..., clearance: float = ..., strict: bool = ..., max_crossings: int = ...) -> None: ...
    def push_out(self, body: ArrayLike, positions: NDArray[np.float32], velocities: NDArray[np.float32] | None = ..., *, before: ArrayLike | None = ..., seconds: float = ...) -> PushOutReport:
        """Sets particles inside the body onto its surface. `body`: positions of its vertices; `before`: where they were `seconds` ago. A particle came from position - velocity * seconds."""
    @property
    def report(self) -> PushOutReport:
        """what the last call did"""
    @property
    def options(self) -> PushOutOptions: ...

class VolumeContactOptions:
    """Options of VolumeContact."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, resolution: int = ..., cell: float = ..., threads: int = ..., stiffness: float = ..., damping: float = ..., passes: int = ..., iterations: int = ..., relaxation: float = ..., max_way: float = ..., friction: float = ..., strict: bool = ..., max_crossings: int = ...) -> None: ...
    def replace(self, *, resolution: int = ..., cell: float = ..., threads: int = ..., stiffness: float = ..., damping: float = ..., passes: int = ..., iterations: int = ..., relaxation: float = ..., max_way: float = ..., friction: float = ..., strict: bool = ..., max_crossings: int = ...) -> VolumeContactOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    resolution: int
    """cells along the longest side of the box"""
    cell: float
    """if above 0, in place of resolution: the edge of a cell"""
    threads: int
    """0: all cores this process may use"""
    stiffness: float
    """of add_forces: pressure per depth"""
    damping: float
    """of add_forces: pressure per speed"""
    passes: int
    """of project: how often it samples"""
    iterations: int
    """of project: rounds of pushing for each"""
    relaxation: float
    """of project: how much of the overlap a call removes"""
    max_way: float
    """of project: how much of a depth a pass removes at most"""
    friction: float
    """of project: Coulomb's coefficient; needs `before`"""
    strict: bool
    """a result whose health is not ok becomes an Error"""
    max_crossings: int
    """of one view"""

class ContactReport:
    """What a call of VolumeContact found and did."""
    @property
    def verdict(self) -> Verdict:
        """by samples alone"""
    @property
    def volume(self) -> float:
        """shared, before the call changed anything"""
    @property
    def energy(self) -> float:
        """of add_forces, without damping"""
    @property
    def area(self) -> float:
        """of the surface of one body that is inside the other"""
    @property
    def deepest(self) -> float:
        """along the normal"""
    @property
    def left(self) -> float:
        """of project: what is still shared afterwards, by the last samples"""
    @property
    def push(self) -> NDArray[np.float64]:
        """on a: the force, or the sum of mass times way"""
    @property
    def span_count(self) -> int:
        """of all three views"""
    @property
    def cell(self) -> float:
        """edge of the largest sample cell"""
    @property
    def health(self) -> Health:
        """of all three views"""
    @property
    def ms(self) -> Timings:
        """times"""
    def to_dict(self) -> dict[str, Any]: ...

class SoftMesh:
    """A deforming body for VolumeContact.project, as arrays of the caller's.

    `positions`: float64 (n, 3), changed in place. `inverse_masses`: one number for each vertex, 0 where it does not move;
    None: none moves. `before`: positions when the step began, for friction.
    """
    def __init__(self, triangles: ArrayLike, positions: NDArray[np.float64], inverse_masses: ArrayLike | None = ..., before: ArrayLike | None = ...) -> None: ...
    @property
    def positions(self) -> NDArray[np.float64]:
        """the array that was given"""

class VolumeContact:
    """Contact of deforming bodies from the volume that they share.

    >>> import lamella, numpy
    >>> a, b = lamella.model("box"), lamella.transformed("model:box", (1.9, 0, 0))
    >>> forces_a, forces_b = numpy.zeros((8, 3)), numpy.zeros((8, 3))
    >>> report = lamella.VolumeContact(stiffness=10).add_forces(a, b, forces_a, forces_b)
    >>> round(report.volume, 1), numpy.allclose(forces_a.sum(axis=0), -forces_b.sum(axis=0))
    (0.4, True)
    """
    def __init__(self, options: VolumeContactOptions | None = ..., *, resolution: int = ..., cell: float = ..., threads: int = ..., stiffness: float = ..., damping: float = ..., passes: int = ..., iterations: int = ..., relaxation: float = ..., max_way: float = ..., friction: float = ..., strict: bool = ..., max_crossings: int = ...) -> None: ...
    def add_forces(self, a: _MeshLike, b: _MeshLike, forces_a: NDArray[np.float64], forces_b: NDArray[np.float64], velocities_a: ArrayLike | None = ..., velocities_b: ArrayLike | None = ...) -> ContactReport:
        """Adds a force to each vertex of surface inside the other mesh; forces are float64 (n, 3), changed in place."""
    def add_self_forces(self, mesh: _MeshLike, forces: NDArray[np.float64], velocities: ArrayLike | None = ...) -> ContactReport:
        """The same where a mesh overlaps itself."""
    def project(self, a: SoftMesh, b: SoftMesh) -> ContactReport:
        """Moves vertices so that the overlap ends, each by its inverse mass."""
    def project_self(self, mesh: SoftMesh) -> ContactReport:
        """The same where a mesh overlaps itself."""
    @property
    def report(self) -> ContactReport:
        """what the last call found and did"""
    @property
    def options(self) -> VolumeContactOptions: ...

class GeometryImage:
    """A surface as a square image whose pixels are vertices.

    `positions` and `normals` are arrays (side, side, 3) that share the image's memory; positions may be written to.

    >>> import lamella
    >>> sphere = lamella.image_of_sphere(4, radius=2)
    >>> sphere
    <lamella.GeometryImage: 17 x 17 vertices>
    >>> sphere.positions.shape, lamella.is_closed(sphere.to_mesh())
    ((17, 17, 3), True)
    """
    def __init__(self, positions: ArrayLike) -> None: ...
    @property
    def n(self) -> int:
        """the image has (2^n + 1)^2 vertices"""
    @property
    def side(self) -> int:
        """vertices along a side"""
    @property
    def triangle_count(self) -> int:
        """two for each quad"""
    @property
    def positions(self) -> NDArray[np.float32]:
        """float32 (side, side, 3); shares memory"""
    @property
    def normals(self) -> NDArray[np.float32] | None:
        """the same of unit normals; None where there are none"""
    def to_mesh(self) -> Mesh:
        """The image as a Mesh, triangle for triangle; closed where the surface is."""
    def compute_normals(self) -> None:
        """Computes normals anew, for images that deformed or have none."""

class CompactImage:
    """A geometry image as the 16-bit codes that its file has: half the memory."""
    @property
    def n(self) -> int:
        """the image has (2^n + 1)^2 vertices"""
    @property
    def side(self) -> int:
        """vertices along a side"""
    @property
    def box(self) -> NDArray[np.float32] | None:
        """code 0 is its low face, 65535 its high face"""
    @property
    def positions(self) -> NDArray[np.uint16]:
        """uint16 (side, side, 3); shares memory"""
    def expanded(self) -> GeometryImage:
        """The GeometryImage that read_images would return."""

def image_from_positions(positions: ArrayLike) -> GeometryImage:
    """A GeometryImage of an array (side, side, 3), where side is 2^n + 1."""

def image_from_heights(heights: ArrayLike, low: Sequence[float] = ..., high: Sequence[float] = ...) -> GeometryImage:
    """An open sheet that faces +z: heights (side, side), rows along y, over the rectangle (x, y) from low to high."""

def image_of_sphere(n: int, center: ArrayLike = ..., radius: float = ...) -> GeometryImage:
    """A sphere of (2^n + 1)^2 vertices, mapped to the square as an octahedron."""

def image_of_terrain(heights: ArrayLike, n: int, size: ArrayLike, most: float = ...) -> GeometryImage:
    """A terrain of `size` with its lowest corner at the origin: heights (height, width) as a picture has them, the top row first, from 0 to `most`; resampled where they are not (2^n + 1)^2."""

def compacted(image: GeometryImage) -> CompactImage:
    """Rounds positions and normals to codes in the image's own box."""

class MakeImageReport:
    """How the image of one component turned out."""
    @property
    def triangle_count(self) -> int:
        """of the component"""
    @property
    def genus(self) -> int:
        """handles"""
    @property
    def cut_edge_count(self) -> int:
        """of the cut graph"""
    @property
    def cut_length(self) -> float:
        """of the cut graph"""
    @property
    def cut_path_count(self) -> int:
        """of the cut graph, from node to node"""
    @property
    def flipped_count(self) -> int:
        """triangles turned over in the map"""
    @property
    def stretch(self) -> float:
        """L2 stretch of the map, 1 is best"""
    @property
    def volume(self) -> float:
        """of the component"""
    @property
    def image_volume(self) -> float:
        """of the image as a mesh"""
    @property
    def map_distance(self) -> float:
        """an upper bound of both Hausdorff distances"""
    @property
    def distance(self) -> float:
        """largest distance of a mesh vertex from the image"""
    def to_dict(self) -> dict[str, Any]: ...

class GeometryImages:
    """Geometry images that belong together, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> GeometryImage:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[GeometryImage]: ...
    def __iter__(self) -> Iterator[GeometryImage]: ...

class MadeImages:
    """What make_geometry_images makes."""
    @property
    def images(self) -> GeometryImages:
        """one GeometryImage per component of the mesh, largest area first"""
    @property
    def reports(self) -> list[MakeImageReport]:
        """a MakeImageReport for each"""
    def to_dict(self) -> dict[str, Any]: ...

def make_geometry_images(mesh: _MeshLike, n: int = ..., max_cuts: int = ..., threads: int = ..., progress: _Progress = ...) -> MadeImages:
    """Cuts every component of a closed mesh open, maps it to the square and samples positions and normals."""

class ImagePage:
    """A page of a file of geometry images."""
    @property
    def kind(self) -> ImagePageKind:
        """positions, normals or pyramid"""
    @property
    def image(self) -> int:
        """which image it belongs to"""
    @property
    def n(self) -> int:
        """of the image"""
    @property
    def width(self) -> int:
        """pixels"""
    @property
    def height(self) -> int:
        """pixels"""
    @property
    def channels(self) -> int:
        """of a pixel"""
    @property
    def box(self) -> NDArray[np.float32] | None:
        """range of positions"""
    @property
    def stored_bytes(self) -> int:
        """of its pixels, compressed"""
    def to_dict(self) -> dict[str, Any]: ...

def read_images(path: _StrPath | bytes, *, progress: _Progress = ..., max_memory: int | None = ..., skip_normals: bool = ...) -> list[GeometryImage]:
    """A list of the geometry images in a TIFF file, or in its bytes."""

def read_compact_images(path: _StrPath | bytes, *, progress: _Progress = ..., max_memory: int | None = ..., skip_normals: bool = ...) -> list[CompactImage]:
    """The same as 16-bit codes, in half the memory."""

def image_pages(path: _StrPath | bytes, *, max_memory: int | None = ...) -> list[ImagePage]:
    """The pages of a file, without their pixels."""

def write_images(path: _StrPath, images: Iterable[GeometryImage], *, progress: _Progress = ...) -> None:
    """Writes a TIFF file that ordinary image tools open; it appears complete or not at all."""

class SpherePyramid:
    """A hierarchy of bounding spheres of a geometry image: level 0 is one, level n one per quad."""
    def __init__(self, image: GeometryImage, fit: str = ...) -> None: ...
    @property
    def n(self) -> int:
        """the number of the deepest level"""
    def level(self, level: int) -> NDArray[np.float32]:
        """float32 (2^level, 2^level, 4): x, y, z and radius; shares memory."""
    @property
    def open_quad_count(self) -> int:
        """quads with a vertex outside of their sphere: 0 but for the fit "published\""""

class SpherePyramids:
    """The pyramids of an ImageBody, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> SpherePyramid:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[SpherePyramid]: ...
    def __iter__(self) -> Iterator[SpherePyramid]: ...

class ImageBody:
    """Geometry images that move as one body.

    Made by make_body. Images share memory with the body: after changing their positions call refit().
    """
    @property
    def images(self) -> GeometryImages:
        """sequence of GeometryImage"""
    @property
    def pyramids(self) -> SpherePyramids:
        """sequence of SpherePyramid"""

class CompactBody:
    """The same in half the memory, of CompactImages; for bodies that do not deform."""

@overload
def make_body(images: Iterable[GeometryImage], fit: str = ..., threads: int = ...) -> ImageBody:
    """An ImageBody of copies of GeometryImages, or a CompactBody of CompactImages. `threads`: for the latter.

    >>> import lamella
    >>> ball = lamella.make_body([lamella.image_of_sphere(5)])
    >>> lamella.collide(ball, ball, pose_b=(1.9, 0, 0)).colliding, lamella.collide(ball, ball, pose_b=(2.1, 0, 0)).colliding
    (True, False)
    """
@overload
def make_body(images: Iterable[CompactImage], fit: str = ..., threads: int = ...) -> CompactBody: ...

def refit(body: ImageBody, threads: int = ...) -> None:
    """Fits the pyramids to changed positions."""

def relative_pose(frame: _PoseLike, placed: _PoseLike) -> Transform:
    """The pose of `placed` in the coordinates of `frame`."""

class ImageCollideOptions:
    """Options of collide() for geometry images."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, all: bool = ..., max_level: int = ..., budget: float | timedelta = ..., max_tests: int = ..., walk: str = ...) -> None: ...
    def replace(self, *, all: bool = ..., max_level: int = ..., budget: float | timedelta = ..., max_tests: int = ..., walk: str = ...) -> ImageCollideOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    all: bool
    """find all pairs of triangles; otherwise the first ends the search"""
    max_level: int
    """go no deeper; negative: down to the triangles"""
    @property
    def budget(self) -> float:
        """seconds for one search; 0: no limit"""
    @budget.setter
    def budget(self, value: float | timedelta) -> None: ...
    max_tests: int
    """tests for one search; 0: no limit"""
    walk: str
    """order of the search: "guided" or "zigzag\""""

class ImageCollision:
    """What a search of two bodies found."""
    @property
    def verdict(self) -> Verdict:
        """clear, colliding, or undecided where the search ended early"""
    @property
    def colliding(self) -> bool:
        """the verdict is `colliding`"""
    @property
    def complete(self) -> bool:
        """the search was not cut short"""
    @property
    def enclosing(self) -> bool:
        """False: spheres leave out a part of a surface"""
    @property
    def pairs(self) -> NDArray[np.void]:
        """structured array: image_a, triangle_a, image_b, triangle_b; one unless `all`"""
    @property
    def sphere_pair_count(self) -> int:
        """with max_level and all: spheres that overlap"""
    @property
    def level(self) -> int:
        """deepest level at which spheres overlap; -1: none"""
    @property
    def position(self) -> NDArray[np.float64]:
        """where triangles meet, or the smallest spheres overlap"""
    @property
    def within(self) -> float:
        """upper bound of the distance between the surfaces near position"""
    @property
    def sphere_test_count(self) -> int:
        """tests of spheres"""
    @property
    def triangle_test_count(self) -> int:
        """tests of triangles"""
    def to_dict(self) -> dict[str, Any]: ...

class VisitedSphere:
    """A sphere of a body that a search visits."""
    @property
    def image(self) -> int:
        """of the body"""
    @property
    def level(self) -> int:
        """of the pyramid"""
    @property
    def x(self) -> int:
        """place in the level"""
    @property
    def y(self) -> int:
        """place in the level"""
    @property
    def center(self) -> NDArray[np.float32]:
        """in the world"""
    @property
    def radius(self) -> float:
        """of the sphere"""
    def to_dict(self) -> dict[str, Any]: ...

class ImageCollider:
    """collide() for many calls: keeps its memory."""
    def __init__(self) -> None: ...
    def collide(self, a: _Body, b: _Body | _MeshLike, pose_a: _PoseLike = ..., pose_b: _PoseLike = ..., options: ImageCollideOptions | None = ..., visited: Callable[[VisitedSphere, VisitedSphere], object] | None = ..., *, all: bool = ..., max_level: int = ..., budget: float | timedelta = ..., max_tests: int = ..., walk: str = ...) -> ImageCollision:
        """As lamella.collide."""

def collide(a: _Body, b: _Body | _MeshLike, pose_a: _PoseLike = ..., pose_b: _PoseLike = ..., options: ImageCollideOptions | None = ..., visited: Callable[[VisitedSphere, VisitedSphere], object] | None = ..., *, all: bool = ..., max_level: int = ..., budget: float | timedelta = ..., max_tests: int = ..., walk: str = ...) -> ImageCollision:
    """Whether the surfaces of two bodies of geometry images meet (GI-COLLIDE); `b` may be a mesh too. Options are keywords (see ImageCollideOptions). `visited` is called with every two spheres that overlap."""

class ImageSceneOptions:
    """Options of an ImageScene."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, collide: ImageCollideOptions = ..., budget: float | timedelta = ..., threads: int = ...) -> None: ...
    def replace(self, *, collide: ImageCollideOptions = ..., budget: float | timedelta = ..., threads: int = ...) -> ImageSceneOptions:
        """A copy with some options changed."""
    def to_dict(self) -> dict[str, Any]:
        """All options by name."""
    collide: ImageCollideOptions
    """ImageCollideOptions for every pair"""
    @property
    def budget(self) -> float:
        """seconds for one collide(); 0: no limit"""
    @budget.setter
    def budget(self, value: float | timedelta) -> None: ...
    threads: int
    """0: all cores this process may use"""

class ImageScenePair:
    """Two objects whose boxes share a volume, and what was found."""
    @property
    def a(self) -> int:
        """id of the first object; below b"""
    @property
    def b(self) -> int:
        """id of the second object"""
    @property
    def verdict(self) -> Verdict:
        """as in ImageCollision"""
    @property
    def complete(self) -> bool:
        """as in ImageCollision"""
    @property
    def level(self) -> int:
        """as in ImageCollision"""
    @property
    def position(self) -> NDArray[np.float64]:
        """as in ImageCollision"""
    @property
    def within(self) -> float:
        """as in ImageCollision"""
    @property
    def enclosing(self) -> bool:
        """as in ImageCollision"""
    @property
    def first_triangle_pair(self) -> int:
        """in ImageSceneResult.triangle_pairs"""
    @property
    def triangle_pair_count(self) -> int:
        """pairs of triangles"""
    def to_dict(self) -> dict[str, Any]: ...

class ImageScenePairs:
    """The candidates of an ImageSceneResult, as a sequence."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> ImageScenePair:
        """__getitem__(*args, **kwargs)"""
    @overload
    def __getitem__(self, index: slice) -> list[ImageScenePair]: ...
    def __iter__(self) -> Iterator[ImageScenePair]: ...

class ImageSceneResult:
    """What ImageScene.collide found; stays valid after the next call."""
    @property
    def colliding(self) -> bool:
        """whether some pair collides"""
    @property
    def candidates(self) -> ImageScenePairs:
        """sequence of ImageScenePair, ascending by (a, b); look at their verdicts"""
    @property
    def triangle_pairs(self) -> NDArray[np.void]:
        """structured array: image_a, triangle_a, image_b, triangle_b"""
    @property
    def colliding_count(self) -> int:
        """of the candidates"""
    @property
    def sphere_test_count(self) -> int:
        """tests of spheres"""
    @property
    def triangle_test_count(self) -> int:
        """tests of triangles"""
    @property
    def ms(self) -> Timings:
        """times"""
    def triangle_pairs_of(self, pair: ImageScenePair) -> NDArray[np.void]:
        """The pairs of triangles of one of `candidates`."""
    def to_dict(self) -> dict[str, Any]: ...

class ImageScene:
    """Many moving bodies of geometry images. Objects share bodies.

    >>> import lamella
    >>> ball = lamella.make_body([lamella.image_of_sphere(4)])
    >>> scene = lamella.ImageScene()
    >>> ids = [scene.add(ball, (1.5 * i, 0, 0)) for i in range(3)]
    >>> [(p.a, p.b) for p in scene.collide().candidates]
    [(0, 1), (1, 2)]
    """
    def __init__(self, options: ImageSceneOptions | None = ..., *, collide: ImageCollideOptions = ..., budget: float | timedelta = ..., threads: int = ...) -> None: ...
    def add(self, body: _Body, pose: _PoseLike = ...) -> int:
        """Adds an object that shares the body; returns its id."""
    def remove(self, object: int) -> None:
        """Takes an object out; its id is not used again."""
    def move(self, object: int, pose: _PoseLike) -> None:
        """Places an object."""
    def deformed(self, object: int) -> None:
        """The body's images changed in place (and refit() was called): computes its box anew."""
    def __len__(self) -> int: ...
    @property
    def size(self) -> int:
        """number of objects"""
    def pose(self, object: int) -> Transform:
        """Where an object is."""
    def collide(self) -> ImageSceneResult:
        """Tests all objects as they are now."""

__version__: str
__cpu_features__: tuple[str, ...]
