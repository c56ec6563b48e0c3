"""Layered depth images, volumes of interest and closures, for those who study the methods."""

import gc

import numpy as np
import pytest

import lamella

BOX = lamella.model("box")  # from -1 to 1


def test_a_box_has_an_entry_and_an_exit_in_every_column():
    ldi = lamella.sample(BOX, resolution=8, axis="z")
    assert ldi.grid.axis == "z" and (ldi.grid.columns, ldi.grid.rows) == (8, 8) and ldi.outside == "both"
    np.testing.assert_array_equal(ldi.offsets, np.arange(0, 130, 2))
    np.testing.assert_allclose(ldi.depths.reshape(64, 2), [(0, 2)] * 64)
    np.testing.assert_array_equal(ldi.entries.reshape(64, 2), [(True, False)] * 64)
    np.testing.assert_array_equal((ldi.keys >> 1).view(np.float32), ldi.depths)
    report = ldi.validate()
    assert report.well_formed and report.max_layers == 2 and report.open_columns == 0
    (first, near), (second, far) = ldi.layers()
    assert (first, second) == (True, False) and near.shape == (8, 8)
    np.testing.assert_allclose(far, 2)
    offsets = ldi.offsets
    del ldi
    gc.collect()
    assert offsets[-1] == 128


@pytest.mark.parametrize("engine", ["software", "reference"])
def test_engines_sample_the_same_columns(engine):
    ldi = lamella.sample("model:hand:400", resolution=16, engine=engine)
    other = lamella.sample("model:hand:400", grid=ldi.grid, engine="software")
    np.testing.assert_array_equal(ldi.offsets, other.offsets)
    np.testing.assert_allclose(ldi.depths, other.depths, atol=1e-3)
    assert len(lamella.layers("model:hand:400", grid=ldi.grid, engine=engine)) == len(ldi.layers())


def test_queries_of_images():
    grid = lamella.Grid([(-2, -2, -2), (2, 2, 2)], "x", 16)
    a, b = lamella.sample(BOX, grid), lamella.sample(lamella.transformed(BOX, (1, 0, 0)), grid)
    overlap = a.intersect(b)
    assert overlap.volume == pytest.approx(4) and overlap.colliding
    np.testing.assert_array_equal(a.contains([(0, 0, 0), (1.5, 0, 0)]).inside, [True, False])
    assert a.self_intersect().volume == 0
    positions = grid.positions()
    assert positions.shape == (16, 16, 3) and (positions[..., 0] == -2).all() and positions[0, 0, 1] == -1.875
    with pytest.raises(lamella.Error, match="same grid"):
        a.intersect(lamella.sample(BOX, resolution=4))
    mesh = lamella.prisms(overlap.grid, overlap.spans)
    assert mesh.volume == pytest.approx(4)
    with pytest.raises(ValueError, match="column"):
        lamella.prisms(lamella.Grid([(-2, -2, -2), (2, 2, 2)], "x", 2), overlap.spans)
    with pytest.raises(TypeError):
        lamella.prisms(overlap.grid, np.zeros(3))


def test_grids_that_cannot_be_sampled_are_errors():
    with pytest.raises(lamella.Error, match="no volume"):
        lamella.sample(BOX, lamella.Grid([(0, 0, 0), (1, 1, 0)], "z", 4))
    with pytest.raises(lamella.Error, match="columns"):
        lamella.sample(BOX, lamella.Grid([(0, 0, 0), (1, 1, 1)], "z", 0))
    with pytest.raises(lamella.Error, match="give a grid"):
        lamella.sample(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))


def test_meshes_in_doubles_far_away_keep_their_shape():
    vertices = np.asarray(BOX.positions, np.float64) + 1e7
    ldi = lamella.sample((vertices, BOX.faces), resolution=4)
    np.testing.assert_allclose(ldi.depths.reshape(16, 2), [(0, 2)] * 16, atol=1e-5)
    np.testing.assert_allclose(ldi.origin + ldi.grid.box.mean(axis=0), 1e7)


def test_volumes_of_interest():
    low, high = [(-1, -1, -1), (1, 1, 1)], [(0.5, -1, -1), (3, 1, 1)]
    voi = lamella.choose_shared_voi(low, high)
    assert voi.axis == "x" and voi.outside_a == "both"
    np.testing.assert_allclose(voi.box, [(0.5, -1, -1), (1, 1, 1)])
    assert lamella.choose_shared_voi(low, high, axis="z").axis == "z"
    assert lamella.choose_shared_voi(low, [(2, 2, 2), (3, 3, 3)]) is None
    pair = lamella.choose_pair_voi(low, high)
    assert {pair.outside_a, pair.outside_b} == {lamella.End.low, lamella.End.high}
    assert lamella.choose_axis([(0, 0, 0), (3, 1, 2)]) == "y"
    assert lamella.choose_axis([(0, 0, 0), (3, 0, 2)]) is None


def test_holes_are_closed():
    holed = lamella.Mesh(BOX.positions, BOX.triangles[2:])
    closure = lamella.find_closure(holed)
    assert not closure.empty and len(closure.rims) == 1 and closure.edge_count == 4 and closure.point_count == 1
    mesh = lamella.closed(holed, closure)
    assert lamella.is_closed(mesh) and mesh.volume == pytest.approx(8)
    assert lamella.closed(holed) == mesh
    facts = lamella.closure_facts(closure, holed.positions)
    assert facts.edges == 4 and facts.fan_area == pytest.approx(4)
    assert lamella.rim_boxes(closure, holed.positions)[0].shape == (2, 3)
    assert lamella.find_closure(BOX).empty
    with pytest.raises(ValueError, match="another number of vertices"):
        lamella.closed("model:hand:400", closure)
    with pytest.raises(ValueError, match="as many"):
        lamella.closure_facts(closure, np.zeros((3, 3)))


def test_triangles_meet():
    a = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    assert lamella.triangles_meet(a, [(0, 0, 0), (-1, 0, 0), (0, -1, 0)])  # in a vertex
    assert not lamella.triangles_meet(a, [(0, 0, 1e-6), (1, 0, 1e-6), (0, 1, 1e-6)])
