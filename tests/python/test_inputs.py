"""What is taken as a mesh, as points and as a pose; what is used in place; what is refused, and with which words."""

import pathlib

import numpy as np
import pytest

import lamella
from conftest import box

EIGHTH = 0.125


def eighth(a, b=None, **options):
    other = b if b is not None else box((0.5, 0.5, 0.5), (1.5, 1.5, 1.5))
    return lamella.intersect(a, other, **options).volume


def test_the_corner_that_two_boxes_share():
    assert eighth(box()) == pytest.approx(EIGHTH, rel=1e-6)


class Trimesh:
    """With the attributes of a trimesh.Trimesh."""

    def __init__(self, vertices, faces):
        self.vertices = np.asarray(vertices, dtype=np.float64)
        self.faces = np.asarray(faces, dtype=np.int64)


class Open3D:
    """With the attributes of an open3d.geometry.TriangleMesh: sequences, not arrays."""

    class Rows:
        def __init__(self, rows):
            self._rows = rows

        def __array__(self, dtype=None):
            return np.asarray(self._rows, dtype=dtype)

    def __init__(self, vertices, faces):
        self.vertices = self.Rows(np.asarray(vertices, dtype=np.float64))
        self.triangles = self.Rows(np.asarray(faces, dtype=np.int32))


@pytest.mark.parametrize("vertex_type", [np.float32, np.float64, np.float16, np.int64])
@pytest.mark.parametrize("face_type", [np.uint32, np.int32, np.int64, np.uint64, np.uint8, np.int16])
def test_arrays_of_any_real_type(vertex_type, face_type):
    vertices, faces = box((0, 0, 0), (2, 2, 2))
    mesh = (vertices.astype(vertex_type), faces.astype(face_type))
    assert eighth(mesh, box((1, 1, 1), (3, 3, 3))) == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("make", [
    lambda v, f: (v, f), lambda v, f: [v, f], lambda v, f: (v.tolist(), f.tolist()), lamella.Mesh, Trimesh, Open3D,
])
def test_meshes_of_any_kind(make):
    assert eighth(make(*box())) == pytest.approx(EIGHTH, rel=1e-6)


def test_paths(tmp_path):
    path = tmp_path / "box.ply"
    lamella.write_mesh(path, box())
    assert eighth(path) == eighth(str(path)) == pytest.approx(EIGHTH, rel=1e-6)
    with pytest.raises(lamella.Error, match="nowhere.ply") as error:
        lamella.intersect(tmp_path / "nowhere.ply", box())
    assert error.value.kind == "input"


def test_strides_and_byte_orders_are_converted():
    vertices, faces = box()
    wide = np.zeros((8, 6), dtype=np.float32)
    wide[:, ::2] = vertices
    assert eighth((wide[:, ::2], faces[::-1])) == pytest.approx(EIGHTH, rel=1e-6)
    assert eighth((np.asfortranarray(vertices), np.asfortranarray(faces))) == pytest.approx(EIGHTH, rel=1e-6)
    swapped = (vertices.astype(vertices.dtype.newbyteorder()), faces.astype(faces.dtype.newbyteorder()))
    assert eighth(swapped) == pytest.approx(EIGHTH, rel=1e-6)
    raw = np.zeros(8 * 12 + 1, dtype=np.uint8)
    misaligned = raw[1:].view(np.float32).reshape(8, 3)
    misaligned[:] = vertices
    assert eighth((misaligned, faces)) == pytest.approx(EIGHTH, rel=1e-6)


def test_read_only_arrays_are_fine():
    vertices, faces = box()
    vertices.flags.writeable = faces.flags.writeable = False
    assert eighth((vertices, faces)) == pytest.approx(EIGHTH, rel=1e-6)


@pytest.mark.parametrize("vertex_type,face_type,in_place", [
    (np.float32, np.uint32, (True, True)),
    (np.float32, np.int32, (True, True)),
    (np.float64, np.uint32, (True, True)),
    (np.float32, np.int64, (True, False)),
    (np.float16, np.int32, (False, True)),
])
def test_arrays_are_used_where_they_are(vertex_type, face_type, in_place):
    vertices, faces = box()
    vertices, faces = vertices.astype(vertex_type), faces.astype(face_type)
    at = lamella._lamella._addresses((vertices, faces))
    assert (at[0] == vertices.ctypes.data, at[1] == faces.ctypes.data) == in_place


def test_points_are_used_where_they_are():
    for kind in (np.float32, np.float64):
        points = np.zeros((4, 3), dtype=kind)
        assert lamella._lamella._point_address(points) == points.ctypes.data


def test_doubles_far_from_the_origin_keep_their_shape():
    far = np.array([1e7, 1e7, 1e7])
    a, faces = box(dtype=np.float64)
    b, _ = box((0.25, 0.25, 0.25), (1.25, 1.25, 1.25), dtype=np.float64)
    assert lamella.intersect((a + far, faces), (b + far, faces)).volume == pytest.approx(0.421875, rel=1e-6)


def test_an_index_is_checked():
    vertices, faces = box()
    for kind in (np.int32, np.int64):
        negative = faces.astype(kind)
        negative[3, 1] = -1
        with pytest.raises((lamella.Error, ValueError), match=r"faces\[3, 1\] is -1"):
            eighth((vertices, negative))
    beyond = faces.copy()
    beyond[2, 0] = 8
    with pytest.raises(lamella.Error, match="8"):
        eighth((vertices, beyond))
    with pytest.raises(ValueError, match="4294967296"):
        eighth((vertices, faces.astype(np.int64) + 2**32))


@pytest.mark.parametrize("mesh,error,words", [
    (3, TypeError, "a mesh is a pair"),
    (None, TypeError, "a mesh is a pair"),
    ((1, 2, 3), TypeError, "not 3 things"),
    ((np.zeros((4, 2), np.float32), np.zeros((1, 3), np.uint32)), ValueError, r"vertices .*\(n, 3\), not \(4, 2\)"),
    ((np.zeros(12, np.float32), np.zeros((1, 3), np.uint32)), ValueError, r"not \(12,\)"),
    ((np.zeros((4, 3), np.float32), np.zeros((1, 4), np.uint32)), ValueError, r"faces .*not \(1, 4\)"),
    ((np.zeros((4, 3), complex), np.zeros((1, 3), np.uint32)), TypeError, "real numbers, not complex"),
    ((np.zeros((4, 3), np.float32), np.zeros((1, 3), np.float32)), TypeError, "whole numbers, not float32"),
    ((np.zeros((4, 3), object), np.zeros((1, 3), np.uint32)), TypeError, "real numbers, not object"),
    ((np.zeros((4, 3), bool), np.zeros((1, 3), np.uint32)), TypeError, "real numbers, not bool"),
])
def test_what_is_no_mesh_is_refused(mesh, error, words):
    with pytest.raises(error, match=words):
        lamella.intersect(mesh, box())
    with pytest.raises(error, match=words):
        lamella.intersect(box(), mesh)


def test_empty_meshes_share_nothing():
    empty = (np.zeros((0, 3), np.float32), np.zeros((0, 3), np.uint32))
    assert lamella.intersect(empty, box()).verdict == "clear"
    assert lamella.intersect(([], []), box()).volume == 0


def test_points_of_any_kind():
    mesh = box()
    points = [(0.5, 0.5, 0.5), (2, 0, 0)]
    for given in (points, np.array(points), np.array(points, np.float32), np.asfortranarray(np.array(points))):
        assert lamella.contains(mesh, given).inside.tolist() == [True, False]
    assert lamella.contains(mesh, []).inside.tolist() == []
    with pytest.raises(ValueError, match=r"points must have the shape \(n, 3\), not \(3,\)"):
        lamella.contains(mesh, (0.5, 0.5, 0.5))
    with pytest.raises(TypeError, match="real numbers"):
        lamella.contains(mesh, np.zeros((2, 3), complex))


QUARTER_TURN = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], dtype=float)


def test_poses_of_any_kind():
    half = np.sqrt(0.5)
    pose = lamella.Transform(QUARTER_TURN)
    assert pose.translation.tolist() == [1, 2, 3]
    assert pose.rotation == pytest.approx([0, 0, half, half])
    assert pose.matrix() == pytest.approx(QUARTER_TURN)
    assert lamella.Transform([1, 2, 3, 0, 0, half, half]).matrix() == pytest.approx(QUARTER_TURN)
    assert lamella.Transform((1, 2, 3)).matrix()[:3, 3].tolist() == [1, 2, 3]
    assert lamella.Transform().matrix().tolist() == np.eye(4).tolist()
    assert pose(np.array([[1.0, 0, 0]])) == pytest.approx(np.array([[1, 3, 3]]))


def test_rotations_of_every_kind_come_back():
    rng = np.random.default_rng(1)
    turns = np.concatenate([rng.normal(size=(50, 4)), np.eye(4), -np.eye(4)])
    for q in turns / np.linalg.norm(turns, axis=1)[:, None]:
        matrix = lamella.Transform((0, 0, 0), q).matrix()
        back = lamella.Transform(matrix)
        assert abs(np.dot(back.rotation, q)) == pytest.approx(1)
        assert back.matrix() == pytest.approx(matrix)


@pytest.mark.parametrize("pose,words", [
    (np.diag([2.0, 2, 2, 1]), "scales or shears"),
    (np.diag([-1.0, 1, 1, 1]), "mirror"),
    (np.zeros((3, 3)), "3 or 7 numbers"),
    (np.ones((4, 4)), "last row"),
])
def test_what_is_no_pose_is_refused(pose, words):
    with pytest.raises(ValueError, match=words):
        lamella.transformed(box(), pose)


def test_options():
    options = lamella.Options(resolution=64, axis="x")
    assert lamella.intersect(box(), box(), options).grid.columns == 64
    assert lamella.intersect(box(), box(), options, resolution=32).grid.columns == 32
    assert lamella.intersect(box(), box(), options).grid.axis == "x"
    assert options.replace(axis=None) == lamella.Options(resolution=64)
    with pytest.raises(TypeError, match="there is no option 'resolutoin'; there are: engine, resolution"):
        lamella.intersect(box(), box(), resolutoin=3)
    with pytest.raises(TypeError, match="the option axis cannot be 'w'"):
        lamella.intersect(box(), box(), axis="w")
    with pytest.raises(TypeError, match="the option resolution cannot be -1"):
        lamella.intersect(box(), box(), resolution=-1)
    with pytest.raises(TypeError, match="options must be of the class Options"):
        lamella.intersect(box(), box(), 256)
    with pytest.raises(lamella.Error, match="resolution"):
        lamella.intersect(box(), box(), resolution=100000)
    with pytest.raises(lamella.Error, match="there is no engine|unknown engine|engine"):
        lamella.intersect(box(), box(), engine="nonsense")


def test_defaults_are_those_of_the_library():
    header = pathlib.Path(__file__).parents[2] / "include/lamella/options.hpp"
    text = header.read_text()
    defaults = lamella.Options()
    assert f"std::uint32_t resolution = {defaults.resolution};" in text
    assert f'std::string engine = "{defaults.engine}";' in text
    assert defaults.close_holes and not defaults.close_views and defaults.keep_spans
    assert defaults.min_thickness == 2**-20 and defaults.max_crossings == 2**28
    for name in lamella.Options().to_dict():
        assert f" {name} = " in text or f" {name} =" in text, name


def test_enumerators_are_strings_and_complete():
    assert lamella.Verdict.colliding == "colliding" and str(lamella.Verdict.clear) == "clear"
    root = pathlib.Path(__file__).parents[2] / "include/lamella"
    for enum, header in [(lamella.Verdict, "verdict.hpp"), (lamella.Axis, "grid.hpp"), (lamella.SphereFit, "sphere_pyramid.hpp"),
                         (lamella.Split, "mesh_io.hpp"), (lamella.MeshFormat, "mesh_io.hpp"), (lamella.Cause, "result.hpp"),
                         (lamella.Normals, "scene.hpp"), (lamella.PairMethod, "scene.hpp"), (lamella.End, "voi.hpp"),
                         (lamella.ImageWalk, "image_collide.hpp"), (lamella.ClashClass, "clash.hpp"),
                         (lamella.WayOut, "clash.hpp")]:
        name = enum.__name__
        body = (root / header).read_text().split(f"enum class {name} ")[1].split("}")[0].split("{")[1]
        lines = [line.split("//")[0] for line in body.splitlines()]
        found = [word.split("=")[0].strip() for line in lines for word in line.split(",") if word.strip()]
        assert found == [member.value for member in enum], name
