"""lamella.trimesh: the methods of trimesh.collision.CollisionManager.

trimesh is not needed for it: meshes here are of a small class with the attributes that a trimesh.Trimesh has.
"""

import warnings

import numpy as np
import pytest

import lamella
from lamella.trimesh import CollisionManager, UndecidedWarning, contains


class Trimesh:
    """Stands for trimesh.Trimesh: float64 vertices, int64 faces."""

    def __init__(self, vertices, faces):
        self.vertices = np.asarray(vertices, dtype=np.float64)
        self.faces = np.asarray(faces, dtype=np.int64)

    @property
    def bounds(self):
        return np.array([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    @property
    def is_watertight(self):
        return lamella.is_closed(self)


def box(size=2.0):
    model = lamella.model("box")
    return Trimesh(np.asarray(model.vertices) * size / 2, model.faces)


def at(x, y=0.0, z=0.0):
    out = np.eye(4)
    out[:3, 3] = (x, y, z)
    return out


@pytest.fixture
def manager():
    out = CollisionManager()
    out.add_object("left", box())
    out.add_object("middle", box(), at(1.5))
    out.add_object("right", box(), at(5))
    return out


def test_points_inside():
    inside = contains(box(), [(0, 0, 0), (3, 0, 0), (0.99, 0.99, -0.99), (1, 0, 0)])
    assert inside.dtype == bool and inside.tolist() == [True, False, True, False]


def test_points_in_a_mesh_that_looks_inwards_are_told_to_be_unknown():
    inwards = Trimesh(box().vertices, box().faces[:, ::-1])
    with pytest.warns(UndecidedWarning, match="of 1 of 2 points it is not known"):
        assert contains(inwards, [(0, 0, 0), (3, 0, 0)]).tolist() == [False, False]


def test_a_single_mesh_against_all(manager):
    assert manager.in_collision_single(box(), at(2.6)) is True
    assert manager.in_collision_single(box(), at(3.25, 3)) is False
    assert manager.in_collision_single(box(), at(2.6), return_names=True) == (True, {"middle"})
    hit, names, data = manager.in_collision_single(box(), at(-0.9, 0.1, 0.2), return_names=True, return_data=True)
    assert hit and names == {"left"} and data
    for contact in data:
        assert contact.names == {"left", "__external"}
        assert 0 <= contact.index("left") < 12 and 0 <= contact.index("__external") < 12
        assert contact.depth > 0 and contact.point.shape == (3,)
        assert np.linalg.norm(contact.normal) == pytest.approx(1, abs=1e-5)
    # The same question again: a guest does not stay.
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "middle")})


def test_normals_point_from_the_managers_object_to_the_guest(manager):
    for shift, direction in ((-1.8, -1), (6.8, 1)):
        _, data = manager.in_collision_single(box(1.9), at(shift), return_data=True)
        assert all(np.sign(c.normal[0]) == direction for c in data if abs(c.normal[0]) > 0.5)
        assert any(abs(c.normal[0]) > 0.5 for c in data)


def test_objects_among_each_other(manager):
    hit, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert hit and names == {("left", "middle")}
    assert all(contact.names == {"left", "middle"} for contact in data)
    manager.set_transform("middle", at(2.5))
    assert manager.in_collision_internal() is False
    manager.set_transform("middle", at(4.5))
    assert manager.in_collision_internal(return_names=True) == (True, {("middle", "right")})
    manager.remove_object("right")
    assert manager.in_collision_internal(return_names=True) == (False, set())


def test_two_managers(manager):
    other = CollisionManager()
    other.add_object("a", box(), at(5.5))
    other.add_object("b", box(), at(6.0))  # collides with "a", which is not asked
    other.add_object("c", box(), at(0, 9))
    hit, names, data = manager.in_collision_other(other, return_names=True, return_data=True)
    assert hit and names == {("right", "a"), ("right", "b")}
    assert {frozenset(c.names) for c in data} == {frozenset({"right", "a"}), frozenset({"right", "b"})}
    assert other.in_collision_other(manager, return_names=True)[1] == {("a", "right"), ("b", "right")}
    with pytest.raises(ValueError):
        manager.in_collision_other(manager)


def test_a_mesh_inside_another_collides_and_one_that_touches_does_not(manager):
    hit, names, data = manager.in_collision_single(box(0.5), at(5), return_names=True, return_data=True)
    assert hit and names == {"right"} and len(data) >= 1
    assert manager.in_collision_single(box(), at(7)) is False


def test_distances(manager):
    manager.set_transform("middle", at(2.5))
    assert manager.min_distance_internal() == pytest.approx(0.5)
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert set(names) in ({"left", "middle"}, {"middle", "right"}) and data.names == set(names)
    assert np.linalg.norm(data.point(names[0]) - data.point(names[1])) == pytest.approx(distance)
    assert 0 <= data.index(names[0]) < 12
    assert manager.min_distance_internal(name="left", return_names=True) == (pytest.approx(0.5), ("left", "middle"))
    distance, name, data = manager.min_distance_single(box(), at(9), return_name=True, return_data=True)
    assert distance == pytest.approx(2) and name == "right"
    assert data.point("right")[0] == pytest.approx(6) and data.point("__external")[0] == pytest.approx(8)
    other = CollisionManager()
    other.add_object("far", box(), at(0, 5))
    assert manager.min_distance_other(other, return_names=True) == (pytest.approx(3), ("left", "far"))
    assert manager.min_distance_single(box(), at(0.5)) == 0
    assert CollisionManager().min_distance_single(box()) == float("inf")


def test_the_nearest_of_many_is_that_of_all_pairs():
    random = np.random.default_rng(5)
    manager = CollisionManager()
    places = random.uniform(-20, 20, (30, 3))
    for i, place in enumerate(places):
        manager.add_object(f"box {i}", box(0.5), at(*place))
    boxes = [box(0.5).vertices + p for p in places]
    expected = min(
        lamella.distance((boxes[i], box().faces), (boxes[k], box().faces)).distance
        for i in range(30)
        for k in range(i)
    )
    assert manager.min_distance_internal() == pytest.approx(expected)


def test_names_and_meshes_that_are_wrong(manager):
    for wrong in (manager.remove_object, lambda name: manager.set_transform(name, np.eye(4))):
        with pytest.raises(ValueError, match="nobody not in collision manager"):
            wrong("nobody")
    with pytest.raises(ValueError, match="4 x 4"):
        manager.add_object("flat", box(), np.eye(3))
    with pytest.raises(ValueError, match="scales"):
        manager.add_object("scaled", box(), np.diag([2, 2, 2, 1]))
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "middle")})
    manager.add_object("left", box(), at(20))  # replaces
    assert manager.in_collision_internal() is False


def test_no_warning_for_closed_meshes_and_one_for_open_ones(manager):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager.in_collision_single(box(), at(2.6))
    inside_out = box()
    inside_out.faces = inside_out.faces[:, ::-1]
    with pytest.warns(UndecidedWarning):
        manager.in_collision_single(inside_out, at(4.5))
