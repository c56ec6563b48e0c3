"""Geometry images: made, written, read, deformed and tested for collisions."""

import gc
import pickle
import threading

import numpy as np
import pytest

import lamella


@pytest.fixture(scope="module")
def ball():
    return lamella.make_body([lamella.image_of_sphere(5)])


def test_a_sphere_as_an_image():
    image = lamella.image_of_sphere(4, center=(1, 2, 3), radius=2)
    assert (image.n, image.side, image.triangle_count) == (4, 17, 512)
    assert image.positions.shape == (17, 17, 3) and image.positions.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(image.positions - (1, 2, 3), axis=2), 2, rtol=1e-5)
    mesh = image.to_mesh()
    assert lamella.is_closed(mesh) and mesh.volume == pytest.approx(4 / 3 * np.pi * 8, rel=0.05)
    image.compute_normals()
    inward = np.sum(image.normals * (image.positions - (1, 2, 3)), axis=2)
    np.testing.assert_allclose(inward, 2, rtol=0.02)


def test_positions_share_memory_and_outlive_the_image():
    image = lamella.image_of_sphere(3)
    positions = image.positions
    positions *= 3
    assert image.to_mesh().bounds[1, 0] == pytest.approx(3, rel=0.01)
    copy = pickle.loads(pickle.dumps(image))
    np.testing.assert_array_equal(copy.positions, image.positions)
    del image
    gc.collect()
    np.testing.assert_allclose(np.linalg.norm(positions, axis=2), 3, rtol=1e-5)


def test_images_of_arrays():
    grid = np.stack(np.meshgrid(np.arange(5), np.arange(5), indexing="xy"), axis=-1)
    positions = np.dstack([grid, np.zeros((5, 5))])
    image = lamella.image_from_positions(positions)
    np.testing.assert_array_equal(image.positions, positions)
    heights = np.arange(25).reshape(5, 5)
    sheet = lamella.image_from_heights(heights, (0, 0), (4, 4))
    np.testing.assert_array_equal(sheet.positions[..., 2], heights)
    np.testing.assert_array_equal(sheet.positions[..., :2], grid)
    terrain = lamella.image_of_terrain(np.ones((7, 9)), 3, (2, 3, 4))
    np.testing.assert_allclose(terrain.positions[..., 2], 4)
    np.testing.assert_allclose(terrain.positions[..., 1].max(), 3)
    with pytest.raises(lamella.Error):
        lamella.image_from_positions(np.zeros((6, 6, 3)))
    with pytest.raises(ValueError, match="side, side, 3"):
        lamella.image_from_positions(np.zeros((5, 5)))
    with pytest.raises(ValueError, match="side, side"):
        lamella.image_from_heights(np.zeros((5, 3)))


def test_a_mesh_becomes_images():
    seen = []
    made = lamella.make_geometry_images("model:box", n=4, progress=lambda done, total: seen.append((done, total)))
    assert len(made.images) == len(made.reports) == 1 and seen and seen[-1][0] == seen[-1][1]
    assert made.reports[0].genus == 0 and made.reports[0].volume == pytest.approx(8)
    image = made.images[0]
    del made
    gc.collect()
    assert lamella.is_closed(image.to_mesh()) and image.normals.shape == (17, 17, 3)
    with pytest.raises(KeyboardInterrupt):
        lamella.make_geometry_images("model:box", n=4, progress=interrupt)
    with pytest.raises(lamella.Error):
        lamella.make_geometry_images(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))


def interrupt(done, total):
    raise KeyboardInterrupt


def test_files_keep_images(tmp_path):
    image = lamella.image_of_sphere(4)
    path = tmp_path / "ball.tiff"
    lamella.write_images(path, [image, image])
    read = lamella.read_images(path)
    assert len(read) == 2
    np.testing.assert_allclose(read[1].positions, image.positions, atol=2.1 / 131070)
    assert lamella.read_images(path.read_bytes(), skip_normals=True)[0].normals is None
    pages = lamella.image_pages(path)
    assert [p.kind for p in pages] == ["positions", "normals"] * 2 and pages[2].image == 1
    compact = lamella.read_compact_images(path)[0]
    np.testing.assert_array_equal(compact.expanded().positions, read[0].positions)
    assert compact.positions.dtype == np.uint16 and compact.positions.shape == (17, 17, 3) and compact.n == 4
    np.testing.assert_array_equal(lamella.compacted(image).positions, compact.positions)
    with pytest.raises(lamella.Error):
        lamella.read_images(tmp_path / "missing.tiff")
    with pytest.raises(lamella.Error):
        lamella.read_images(b"no image")
    with pytest.raises(TypeError, match="expected GeometryImage, not Mesh"):
        lamella.write_images(path, [lamella.model("box")])


def test_balls_collide_when_they_are_nearer_than_two_radii(ball):
    for distance in (0.5, 1.9, 2.1, 5):
        answer = lamella.collide(ball, ball, pose_b=(distance, 0, 0))
        assert answer.colliding == (distance < 2) and answer.complete and answer.enclosing
        assert (len(answer.pairs) == 1) == answer.colliding
    touching = lamella.collide(ball, ball, pose_b=(1.9, 0, 0), all=True)
    assert len(touching.pairs) > 1 and touching.within == 0
    assert touching.position[0] == pytest.approx(0.95, abs=0.05)


def test_found_triangles_do_meet(ball):
    image = ball.images[0]
    answer = lamella.collide(ball, ball, pose_b=(1.9, 0, 0), all=True)

    def corners(number, shift):
        x, y = (number // 2) % 32, (number // 2) // 32
        at = [(x, y), (x + 1, y), (x + 1, y + 1)] if number % 2 == 0 else [(x, y), (x + 1, y + 1), (x, y + 1)]
        return [image.positions[v, u] + np.float32(shift) for u, v in at]

    for pair in answer.pairs[:20]:
        assert lamella.triangles_meet(corners(pair["triangle_a"], (0, 0, 0)), corners(pair["triangle_b"], (1.9, 0, 0)))


def test_limits_and_visits(ball):
    spheres = []
    lamella.collide(ball, ball, pose_b=(1.9, 0, 0), visited=lambda a, b: spheres.append((a, b)))
    assert spheres[0][0].level == 0 and spheres[0][1].radius == pytest.approx(1, rel=0.05)
    few = lamella.collide(ball, ball, pose_b=(1.9, 0, 0), max_tests=2)
    assert few.verdict == "undecided" and not few.complete
    none = lamella.collide(ball, ball, pose_b=(1.9, 0, 0), budget=-1)
    assert none.verdict == "undecided" and none.sphere_test_count == 0
    rough = lamella.collide(ball, ball, pose_b=(1.9, 0, 0), max_level=1)
    assert rough.colliding and rough.level == 1 and rough.within > 0 and len(rough.pairs) == 0
    options = lamella.ImageCollideOptions(budget=0.5, walk="zigzag")
    assert options.budget == 0.5 and options.walk == lamella.ImageWalk.zigzag
    assert lamella.collide(ball, ball, pose_b=(1.9, 0, 0), options=options).colliding


def test_a_ball_meets_a_mesh_and_compact_bodies(ball):
    box = lamella.model("box")
    assert lamella.collide(ball, box, pose_b=(1.9, 0, 0)).colliding
    assert not lamella.collide(ball, box, pose_b=(2.1, 0, 0)).colliding
    compact = lamella.make_body([lamella.compacted(lamella.image_of_sphere(5))])
    assert isinstance(compact, lamella.CompactBody)
    collider = lamella.ImageCollider()
    assert collider.collide(compact, ball, pose_b=(1.9, 0, 0)).colliding
    assert collider.collide(ball, compact, pose_b=(2.1, 0, 0)).verdict == "clear"
    with pytest.raises(TypeError, match="a: must be an ImageBody"):
        lamella.collide(box, ball)
    with pytest.raises(TypeError, match="no option"):
        lamella.collide(ball, ball, al=True)


def test_bodies_deform():
    body = lamella.make_body([lamella.image_of_sphere(4)], fit="fast")
    scene = lamella.ImageScene()
    first, second = scene.add(body), scene.add(body, (3, 0, 0))
    assert not scene.collide().candidates[:] and len(scene) == 2
    body.images[0].positions[...] *= 2
    lamella.refit(body)
    assert body.pyramids[0].level(0)[0, 0, 3] == pytest.approx(2, rel=0.1)
    assert body.pyramids[0].level(4).shape == (16, 16, 4) and body.pyramids[0].n == 4
    scene.deformed(first)
    scene.deformed(second)
    result = scene.collide()
    assert result.colliding and result.colliding_count == 1
    pair = result.candidates[0]
    assert (pair.a, pair.b, pair.verdict) == (first, second, "colliding")
    assert len(result.triangle_pairs_of(pair)) == pair.triangle_pair_count == 1
    scene.move(second, (9, 0, 0))
    assert not scene.collide().colliding and result.colliding
    assert scene.pose(second).translation[0] == 9
    scene.remove(first)
    assert scene.size == 1
    with pytest.raises(lamella.Error):
        scene.move(first, None)


def test_poses_are_relative():
    turn = lamella.Transform((1, 2, 3), (0, 0, np.sin(0.3), np.cos(0.3)))
    assert np.allclose(lamella.relative_pose(turn, turn).matrix(), np.eye(4))
    expected = np.linalg.inv(turn.matrix()) @ lamella.Transform((5, 0, 0)).matrix()
    np.testing.assert_allclose(lamella.relative_pose(turn, (5, 0, 0)).matrix(), expected, atol=1e-12)


def test_threads_share_one_collider(ball):
    collider = lamella.ImageCollider()
    wrong = []

    def ask(distance):
        for _ in range(30):
            if collider.collide(ball, ball, pose_b=(distance, 0, 0)).colliding != (distance < 2):
                wrong.append(distance)

    threads = [threading.Thread(target=ask, args=(d,)) for d in (1.5, 1.9, 2.1, 2.5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
