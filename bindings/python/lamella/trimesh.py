"""What ``trimesh.collision`` and ``trimesh.proximity`` offer, answered by lamella: overlaps of solids in place of
triangles that cross.

A program that uses ``trimesh.collision.CollisionManager`` (which needs python-fcl) can use this class in its place.
One point differs in meaning: **a mesh that lies wholly inside another collides with it, and meshes that only touch do
not**, for what counts is a shared volume. Distances of meshes that overlap are 0. Meshes should be closed; holes are
closed by fans of triangles.

trimesh itself is not needed: a mesh is anything with ``vertices`` and ``faces``, or what lamella takes for a mesh.

>>> import lamella
>>> from lamella.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> box = lamella.model("box")
>>> manager.add_object("table", box)
>>> manager.in_collision_single(box, [[1, 0, 0, 1.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], return_names=True)
(True, {'table'})
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

import numpy as np

from . import _lamella
from ._enums import Cause

__all__ = ["CollisionManager", "ContactData", "DistanceData", "UndecidedWarning", "contains"]

_EXTERNAL = "__external"


class UndecidedWarning(UserWarning):
    """It is not known whether two meshes collide, because one has holes or faces that look inwards."""


def contains(mesh: Any, points: Any) -> np.ndarray:
    """Which points (n, 3) lie inside the mesh, as bools, by exact arithmetic; points on the surface are outside.

    Where a mesh is open or its faces look inwards, it is not known which points are inside: they count as outside, and an
    UndecidedWarning tells how many there are. ``lamella.contains(...).unknown`` tells which.
    """
    told = _lamella.contains(mesh, np.asarray(points), exact=True)
    unknown = int(np.count_nonzero(told.unknown))
    if unknown:
        warnings.warn(
            f"of {unknown} of {len(told.flags)} points it is not known whether they are inside, as the mesh is open or its "
            "faces look inwards there; they count as outside. lamella.repair mends such meshes",
            UndecidedWarning,
            stacklevel=2,
        )
    return told.inside


class ContactData:
    """One contact of two meshes."""

    def __init__(
        self, names: Tuple[str, str], faces: Tuple[int, int], normal: np.ndarray, point: np.ndarray, depth: float
    ):
        self.names: Set[str] = set(names)
        self._faces = dict(zip(names, faces))
        self._normal = normal
        self._point = point
        self._depth = depth

    @property
    def normal(self) -> np.ndarray:
        """Unit vector from the first of the two meshes, in the order of their names, to the second."""
        return self._normal

    @property
    def point(self) -> np.ndarray:
        """Where they meet."""
        return self._point

    @property
    def depth(self) -> float:
        """How deep they overlap there, along the normal."""
        return self._depth

    def index(self, name: str) -> int:
        """The face of the mesh `name` at the contact; -1 where one mesh is inside the other and no surfaces meet."""
        return self._faces[name]

    def __repr__(self) -> str:
        return f"ContactData({sorted(self.names)}, depth={self._depth:.6g})"


class DistanceData:
    """The distance of two meshes, and where it is smallest."""

    def __init__(self, names: Tuple[str, str], result: Any):
        self.names: Set[str] = set(names)
        self._faces = dict(zip(names, (result.triangle_a, result.triangle_b)))
        self._points = dict(zip(names, (result.on_a, result.on_b)))
        self._distance = result.distance

    @property
    def distance(self) -> float:
        """0 where they meet or overlap."""
        return self._distance

    def index(self, name: str) -> int:
        """The face of the mesh `name` that is nearest to the other."""
        return self._faces[name]

    def point(self, name: str) -> np.ndarray:
        """The point of the mesh `name` that is nearest to the other."""
        return self._points[name]

    def __repr__(self) -> str:
        return f"DistanceData({sorted(self.names)}, distance={self._distance:.6g})"


class _Object:
    """A mesh with its place."""

    def __init__(self, mesh: Any, transform: Any):
        if isinstance(mesh, _lamella.Mesh) or not hasattr(mesh, "vertices"):
            mesh = _lamella.transformed(mesh, None)
        self.vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float64)
        self.faces = np.ascontiguousarray(mesh.faces, dtype=np.int32)
        self.place(transform)

    def place(self, transform: Any) -> None:
        self.transform = np.eye(4) if transform is None else np.array(transform, dtype=np.float64)
        if self.transform.shape != (4, 4):
            raise ValueError("transform must be a matrix of 4 x 4")
        self._placed: Optional[np.ndarray] = None

    @property
    def placed(self) -> np.ndarray:
        if self._placed is None:
            self._placed = self.vertices @ self.transform[:3, :3].T + self.transform[:3, 3]
        return self._placed

    @property
    def mesh(self) -> Tuple[np.ndarray, np.ndarray]:
        return self.placed, self.faces

    @property
    def box(self) -> np.ndarray:
        if len(self.vertices) == 0:
            return np.array([[np.inf] * 3, [-np.inf] * 3])
        return np.array([self.placed.min(axis=0), self.placed.max(axis=0)])


def _box_distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(np.maximum(0, np.maximum(a[0] - b[1], b[0] - a[1]))))


class CollisionManager:
    """Meshes by name, each with a transform; asked whether they collide, or how far apart they are.

    Keywords are options of lamella.Scene, such as ``resolution=64`` (columns and rows of each pair's grid) or
    ``certify=True`` (verdicts proved by exact arithmetic).
    """

    def __init__(self, **options: Any):
        self._scene = _lamella.Scene(**options)
        self._objects: Dict[str, _Object] = {}
        self._ids: Dict[str, int] = {}
        self._finder = _lamella.DistanceFinder()

    # ---- Objects

    def add_object(self, name: str, mesh: Any, transform: Any = None) -> None:
        """Adds a copy of a mesh; an object of the same name is replaced."""
        added = _Object(mesh, transform)
        number = self._scene.add((added.vertices, added.faces), added.transform)
        if name in self._ids:
            self._scene.remove(self._ids[name])
        self._objects[name] = added
        self._ids[name] = number

    def remove_object(self, name: str) -> None:
        """Takes an object out."""
        self._check(name)
        self._scene.remove(self._ids.pop(name))
        del self._objects[name]

    def set_transform(self, name: str, transform: Any) -> None:
        """Places an object."""
        self._check(name)
        placed = np.array(transform, dtype=np.float64)
        self._scene.move(self._ids[name], placed)
        self._objects[name].place(placed)

    def _check(self, name: str) -> None:
        if name not in self._ids:
            raise ValueError(f"{name} not in collision manager!")

    # ---- Collisions

    def in_collision_single(
        self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh collides with any object; with `return_names` the set of their names, with `return_data` a
        list of ContactData, in which the mesh is called "__external"."""
        guest = _Object(mesh, transform)
        found = self._with_guests({_EXTERNAL: guest})
        names = {name for pair in found for name in pair.names if name != _EXTERNAL}
        return _answer(bool(found), names if return_names else None, found if return_data else None)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; names are a set of pairs, in alphabetical order."""
        found = self._collide({number: name for name, number in self._ids.items()}, None)
        names = {tuple(sorted(pair.names)) for pair in found}
        return _answer(bool(found), names if return_names else None, found if return_data else None)

    def in_collision_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with one of another manager; names are a set of pairs (mine, the other's)."""
        if self is other_manager:
            raise ValueError("a manager is asked about itself by in_collision_internal()")
        found = self._with_guests(other_manager._objects)
        names = {pair.ordered for pair in found}
        return _answer(bool(found), names if return_names else None, found if return_data else None)

    def _with_guests(self, guests: Dict[str, _Object]) -> List["_Pair"]:
        """Pairs of an own object and a guest."""
        mine = {number: name for name, number in self._ids.items()}
        theirs: Dict[int, str] = {}
        scene = self._scene
        for number in mine:
            scene.fix(number, True)
        try:
            for name, guest in guests.items():
                theirs[scene.add((guest.vertices, guest.faces), guest.transform)] = name
            for a, b in itertools.combinations(theirs, 2):
                scene.ignore(a, b)
            return self._collide(mine, theirs)
        finally:
            for number in theirs:
                scene.remove(number)
            for number in mine:
                scene.fix(number, False)

    def _collide(self, mine: Dict[int, str], theirs: Optional[Dict[int, str]]) -> List["_Pair"]:
        names = dict(mine)
        names.update(theirs or {})
        result = self._scene.collide()
        for doubt in result.undecided:
            if doubt.doubt.cause != Cause.touching:
                both = [str(names[doubt.a]), str(names[doubt.b])]
                warnings.warn(f"{' and '.join(both)}: {doubt.doubt.describe(both)}", UndecidedWarning, stacklevel=4)
        contacts = result.contacts
        out = []
        for pair in result.pairs:
            # Normals of contacts point from b to a.
            a, b, sign = pair.a, pair.b, -1.0
            if theirs is not None and a in theirs:
                a, b, sign = b, a, 1.0
            rows = contacts[pair.first_contact : pair.first_contact + pair.contact_count]
            out.append(_Pair((names[a], names[b]), sign, rows, pair))
        return out

    # ---- Distances

    def min_distance_single(
        self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The smallest distance of a mesh and any object; with the object's name, and a DistanceData in which the mesh
        is called "__external"."""
        guest = _Object(mesh, transform)
        distance, names, data = self._nearest(((n, o), (_EXTERNAL, guest)) for n, o in self._objects.items())
        name = None if names is None else names[0]
        return _distance_answer(distance, return_name, name, return_data, data)

    def min_distance_internal(
        self, name: Optional[str] = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The smallest distance of any two objects, or of the object `name` and any other."""
        if name is not None:
            self._check(name)
        pairs = itertools.combinations(self._objects.items(), 2)
        distance, names, data = self._nearest(p for p in pairs if name is None or name in (p[0][0], p[1][0]))
        names = None if names is None else tuple(sorted(names))
        return _distance_answer(distance, return_names, names, return_data, data)

    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The smallest distance of an object and one of another manager; names are (mine, the other's)."""
        pairs = itertools.product(self._objects.items(), other_manager._objects.items())
        distance, names, data = self._nearest(pairs)
        return _distance_answer(distance, return_names, names, return_data, data)

    def _nearest(self, pairs: Iterable[Tuple[Tuple[str, _Object], Tuple[str, _Object]]]) -> Tuple[float, Any, Any]:
        """Pairs whose boxes are nearest come first: most of the others need not be looked at."""
        ordered = [(_box_distance(a[1].box, b[1].box), a, b) for a, b in pairs]
        ordered.sort(key=lambda pair: pair[0])
        best = None
        names = ("", "")
        for apart, (name_a, a), (name_b, b) in ordered:
            if best is not None and apart >= best.distance:
                break
            found = self._finder.distance(a.mesh, b.mesh)
            if best is None or found.distance < best.distance:
                best, names = found, (name_a, name_b)
        if best is None:
            return float("inf"), None, None
        return best.distance, names, DistanceData(names, best)


class _Pair:
    """Two objects that collide, the first of them the manager's own."""

    def __init__(self, names: Tuple[str, str], sign: float, contacts: np.ndarray, pair: Any):
        self.ordered = names
        self.names = set(names)
        self._sign = sign
        self._contacts = contacts
        self._pair = pair

    def data(self) -> List[ContactData]:
        swapped = self._sign > 0
        out = []
        for row in self._contacts:
            faces = (int(row["triangle_a"]), int(row["triangle_b"]))
            out.append(
                ContactData(
                    self.ordered,
                    faces[::-1] if swapped else faces,
                    self._sign * row["normal"].astype(np.float64),
                    row["position"].copy(),
                    float(row["depth"]),
                )
            )
        if not out:  # one inside the other: no surfaces meet
            middle = np.array(self._pair.centroid)
            out.append(ContactData(self.ordered, (-1, -1), np.zeros(3), middle, float(self._pair.depth)))
        return out


def _answer(colliding: bool, names: Optional[set], found: Optional[List[_Pair]]) -> Any:
    out: List[Any] = [colliding]
    if names is not None:
        out.append(names)
    if found is not None:
        out.append([contact for pair in found for contact in pair.data()])
    return out[0] if len(out) == 1 else tuple(out)


def _distance_answer(distance: float, return_names: bool, names: Any, return_data: bool, data: Any) -> Any:
    out: List[Any] = [distance]
    if return_names:
        out.append(names)
    if return_data:
        out.append(data)
    return out[0] if len(out) == 1 else tuple(out)
