"""Rigid bodies, particles and deforming bodies that are kept apart."""

import gc

import numpy as np
import pytest

import lamella

BOX = lamella.model("box")  # from -1 to 1


def test_mass_properties_of_a_box():
    p = lamella.mass_properties(BOX, density=3)
    assert p.mass == pytest.approx(24)
    np.testing.assert_allclose(p.center, 0, atol=1e-9)
    np.testing.assert_allclose(p.inertia, np.eye(3) * 24 * (4 + 4) / 12, atol=1e-6)
    with pytest.raises(lamella.Error):
        lamella.mass_properties(lamella.Mesh(BOX.positions, BOX.triangles[1:]))


def test_a_free_body_falls():
    world = lamella.RigidWorld(gravity=(0, 0, -10), threads=1)
    body = world.body(world.add(BOX, (0, 0, 100)))
    for _ in range(100):
        world.step(0.01)
    np.testing.assert_allclose(body.velocity, (0, 0, -10), atol=1e-9)
    assert body.pose.translation[2] == pytest.approx(95, abs=0.1)
    np.testing.assert_allclose(world.momentum, (0, 0, -80), atol=1e-9)
    assert world.kinetic_energy == pytest.approx(400)
    assert world.potential_energy == pytest.approx(8 * 10 * body.pose.translation[2])
    np.testing.assert_allclose(world.angular_momentum, 0, atol=1e-6)


def test_a_box_comes_to_rest_on_the_floor():
    world = lamella.RigidWorld(resolution=16)
    world.add(lamella.Mesh(BOX.positions * (5, 5, 1), BOX.triangles), (0, 0, -1), fixed=True)
    body = world.body(world.add(BOX, (0, 0, 1.3), restitution=0, friction=0.7))
    for _ in range(60):
        world.step(1 / 60)
    assert body.pose.translation[2] == pytest.approx(1, abs=0.03)
    assert np.abs(body.velocity).max() < 0.05
    assert world.report.substep_count >= 1 and world.report.ms.total > 0
    assert world.result.object_count == 2
    assert body.friction == 0.7 and body.thickness == pytest.approx(4 / 3, rel=1e-3)
    assert body.reach == pytest.approx(np.sqrt(3)) and body.inverse_mass == pytest.approx(1 / 8)
    np.testing.assert_allclose(body.inverse_inertia, np.eye(3) * 12 / (8 * 8), atol=1e-6)


def test_bodies_keep_their_momentum_when_they_collide():
    world = lamella.RigidWorld(gravity=(0, 0, 0), resolution=16)
    a, b = world.body(world.add(BOX)), world.body(world.add(BOX, (3, 0, 0)))
    a.velocity = (2, 0, 0)
    for _ in range(50):
        world.step(0.02)
    np.testing.assert_allclose(world.momentum, (16, 0, 0), atol=1e-9)
    assert b.velocity[0] > a.velocity[0] >= 0


def test_states_are_set_and_handles_never_dangle():
    world = lamella.RigidWorld(gravity=(0, 0, 0))
    first = world.add(BOX)
    body = world.body(first)
    for i in range(50):  # the world's memory moves
        world.add(BOX, (10 * (i + 1), 0, 0))
    body.pose = (0, 1, 0)
    body.angular_velocity = (0, 0, 1)
    world.step(0.5)
    np.testing.assert_allclose(body.pose.translation, (0, 1, 0), atol=1e-9)
    assert body.pose.rotation[2] == pytest.approx(np.sin(0.25), abs=0.01)
    assert world.gravity.tolist() == [0, 0, 0] and world.options.max_substeps == 16
    world.gravity = (1, 0, 0)
    assert world.gravity[0] == 1 and body.id == first
    world.remove(first)
    with pytest.raises(lamella.Error):
        body.velocity
    with pytest.raises(lamella.Error):
        world.body(first)
    other = world.body(1)
    scene = world.scene
    del world
    gc.collect()
    assert other.pose.translation[0] == 10 and len(scene) == 50


def test_the_scene_of_a_world_takes_no_bodies():
    world = lamella.RigidWorld()
    world.add(BOX)
    world.scene.ignore(0, world.add(BOX, (1, 0, 0)))
    with pytest.raises(lamella.Error, match="through the world"):
        world.scene.add(BOX)
    with pytest.raises(lamella.Error, match="through the world"):
        world.scene.remove(0)


def test_options_of_worlds():
    world = lamella.RigidWorld(lamella.SceneOptions(resolution=8), lamella.RigidWorldOptions(max_substeps=2), threads=1)
    assert world.scene.options.resolution == 8 and world.scene.options.threads == 1 and world.options.max_substeps == 2
    with pytest.raises(TypeError, match="no option"):
        lamella.RigidWorld(gravitiy=(0, 0, 0))
    with pytest.raises(lamella.Error):
        lamella.RigidWorld(max_contacts=0)
    with pytest.raises(lamella.Error):
        world.step(-1)


def test_particles_are_set_onto_the_surface():
    out = lamella.ParticlePushOut(BOX.faces, 8, resolution=32, clearance=0.125)
    positions = np.array([(0.9, 0, 0), (5, 0, 0), (0.1, -0.95, 0.2)], np.float32)
    velocities = np.array([(-1, 0, 0), (-1, 0, 0), (0, 0, 0)], np.float32)
    report = out.push_out(BOX.positions, positions, velocities, seconds=0.2)
    np.testing.assert_allclose(positions, [(1.125, 0, 0), (5, 0, 0), (0.1, -1.125, 0.2)], atol=1e-5)
    np.testing.assert_allclose(velocities, [(0, 0, 0), (-1, 0, 0), (0, 0, 0)], atol=1e-5)
    assert report.pushes["particle"].tolist() == [0, 2]
    np.testing.assert_allclose(report.pushes["normal"], [(1, 0, 0), (0, -1, 0)], atol=1e-6)
    assert report.deepest == pytest.approx(0.1, abs=1e-5) and report.health.ok
    # results stay valid after the next call
    assert len(out.push_out(BOX.positions, positions).pushes) == 0
    assert len(report.pushes) == 2 and len(out.report.pushes) == 0 and out.options.resolution == 32


def test_particles_that_cannot_be_changed_in_place_are_refused():
    out = lamella.ParticlePushOut(BOX.faces, 8)
    good = np.zeros((2, 3), np.float32)
    with pytest.raises(TypeError, match="positions: must be of float32.*float64"):
        out.push_out(BOX.positions, np.zeros((2, 3)))
    with pytest.raises(TypeError, match="positions: must be a numpy array"):
        out.push_out(BOX.positions, [(0, 0, 0)])
    with pytest.raises(ValueError, match="C-contiguous"):
        out.push_out(BOX.positions, np.zeros((2, 6), np.float32)[:, ::2])
    with pytest.raises(ValueError, match="shape"):
        out.push_out(BOX.positions, np.zeros(3, np.float32))
    read_only = np.zeros((2, 3), np.float32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        out.push_out(BOX.positions, read_only)
    with pytest.raises(TypeError, match="velocities"):
        out.push_out(BOX.positions, good, np.zeros((2, 3)))
    with pytest.raises(lamella.Error):
        out.push_out(BOX.positions[:5], good)
    with pytest.raises(lamella.Error):
        lamella.ParticlePushOut(BOX.faces, 3)


def test_contact_forces_are_opposite():
    a, b = BOX, lamella.transformed(BOX, (1.9, 0.3, 0.2))
    forces_a, forces_b = np.zeros((8, 3)), np.zeros((8, 3))
    contact = lamella.VolumeContact(stiffness=10, resolution=64)
    report = contact.add_forces(a, b, forces_a, forces_b)
    assert report.volume == pytest.approx(0.1 * 1.7 * 1.8, rel=0.02) and report.verdict == "colliding"
    np.testing.assert_allclose(forces_a.sum(axis=0), -forces_b.sum(axis=0), atol=1e-9)
    np.testing.assert_allclose(forces_a.sum(axis=0), report.push, atol=1e-9)
    assert forces_a[:, 0].sum() < 0 < forces_b[:, 0].sum()
    twice = forces_a.copy()
    contact.add_forces(a, b, twice, forces_b)  # it adds
    np.testing.assert_allclose(twice, 2 * forces_a)
    with pytest.raises(TypeError, match="forces_a: must be of float64"):
        contact.add_forces(a, b, forces_a.astype(np.float32), forces_b)
    with pytest.raises(lamella.Error):
        contact.add_forces(a, b, forces_a[:4].copy(), forces_b)
    assert contact.options.stiffness == 10


def test_projection_parts_bodies_in_place():
    positions_a = np.array(BOX.positions, np.float64)
    positions_b = positions_a + (1.8, 0.1, 0.1)
    masses = np.ones(8)
    a = lamella.SoftMesh(BOX.faces, positions_a, masses)
    b = lamella.SoftMesh(BOX.faces, positions_b, masses)
    contact = lamella.VolumeContact(resolution=32)
    before = positions_a.copy()
    for _ in range(10):
        report = contact.project(a, b)
    assert a.positions is positions_a and not np.array_equal(positions_a, before)
    assert lamella.intersect((positions_a, BOX.faces), (positions_b, BOX.faces)).volume < 0.05 * 0.2 * 1.9 * 1.9
    assert contact.report.volume == report.volume
    # without masses nothing moves
    still = positions_b.copy()
    lamella.VolumeContact().project(lamella.SoftMesh(BOX.faces, positions_b), lamella.SoftMesh(BOX.faces, positions_a))
    np.testing.assert_array_equal(positions_b, still)


def test_a_mesh_that_overlaps_itself_is_pushed_apart():
    vertices = np.concatenate([BOX.positions, BOX.positions + (1.8, 0.1, 0.2)]).astype(np.float64)
    faces = np.concatenate([BOX.triangles, BOX.triangles + 8])
    forces = np.zeros((16, 3))
    contact = lamella.VolumeContact()
    assert contact.add_self_forces((vertices, faces), forces).volume == pytest.approx(0.2 * 1.9 * 1.8, rel=0.05)
    assert forces[:8, 0].sum() < 0 < forces[8:, 0].sum()
    np.testing.assert_allclose(forces.sum(axis=0), 0, atol=1e-6)
    report = contact.project_self(lamella.SoftMesh(faces, vertices, np.ones(16)))
    assert report.left < report.volume
