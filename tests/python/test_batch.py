"""lamella.Batch: answers equal those of single queries, for every way to give pairs and poses."""

import gc
import os
import signal
import threading

import numpy as np
import pytest

import lamella

BOX = lamella.model("box")  # from -1 to 1


def turned(angle, shift):
    """A turn about z and a translation as a 4 x 4 matrix."""
    out = np.eye(4)
    out[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    out[:3, 3] = shift
    return out


@pytest.fixture(scope="module")
def batch():
    out = lamella.Batch(resolution=32, engine="software")
    assert out.add(BOX) == 0
    assert out.add("model:hand:400") == 1
    return out


def test_boxes_share_the_volumes_of_their_shifts(batch):
    shifts = np.zeros((5, 3))
    shifts[:, 0] = [0, 0.5, 1, 1.5, 3]
    answers = batch.intersect(0, 0, pose_b=shifts)
    assert len(answers) == 5
    np.testing.assert_allclose(answers.volume, [8, 6, 4, 2, 0], rtol=1e-6)
    np.testing.assert_array_equal(answers.verdict, [1, 1, 1, 1, 0])
    np.testing.assert_array_equal(answers.colliding, [True] * 4 + [False])
    np.testing.assert_allclose(answers.centroid[:4, 0], [0, 0.25, 0.5, 0.75], atol=1e-6)
    np.testing.assert_allclose(answers.bounds[2], [(0, -1, -1), (1, 1, 1)], atol=1e-6)
    assert answers.bounds.shape == (5, 2, 3) and answers.bounds[4, 0, 0] > answers.bounds[4, 1, 0]
    assert answers.verdict.dtype == np.uint8 and answers.ok.all() and answers.tolerance_met.all()


def test_answers_are_those_of_intersect_on_placed_meshes(batch):
    poses = np.array([turned(0.1 * i, (0.2 * i, 0.1, 0)) for i in range(8)])
    answers = batch.intersect(1, 0, pose_a=poses, pose_b=(0.3, 0, 0))
    for i, pose in enumerate(poses):
        one = lamella.intersect(
            lamella.transformed("model:hand:400", pose),
            lamella.transformed(BOX, (0.3, 0, 0)),
            resolution=32,
            engine="software",
        )
        assert answers[i].verdict == one.verdict
        assert answers[i].span_count == one.span_count == answers.span_count[i]
        assert answers.volume[i] == pytest.approx(one.volume, rel=1e-6)
        assert answers.volume_error[i] == pytest.approx(one.volume_error, rel=1e-3, abs=1e-9)
        np.testing.assert_allclose(answers.centroid[i], one.centroid, atol=1e-5)


def test_all_ways_to_give_pairs_agree(batch):
    matrices = np.array([turned(0.2, (0.5, 0, 0)), turned(-0.3, (0, 0.5, 0.1))])
    transforms = [lamella.Transform(m) for m in matrices]
    sevens = np.array([np.concatenate([t.translation, t.rotation]) for t in transforms])
    expected = batch.intersect(np.array([0, 1]), 0, matrices).volume
    np.testing.assert_array_equal(batch.intersect([0, 1], [0, 0], sevens).volume, expected)
    np.testing.assert_array_equal(batch.intersect([0, 1], 0, transforms).volume, expected)
    np.testing.assert_array_equal(batch.intersect([0, 1], 0, matrices.tolist()).volume, expected)
    np.testing.assert_array_equal(batch.intersect([(0, 0, transforms[0]), (1, 0, sevens[1], None)]).volume, expected)
    single = batch.intersect(0, 0, matrices[0])
    assert len(single) == 1 and single.volume[0] == expected[0]
    np.testing.assert_array_equal(
        batch.intersect(np.array([(0, 0), (0, 1)])).volume, batch.intersect([(0, 0), (0, 1)]).volume
    )


def test_no_pairs_give_an_empty_answer(batch):
    for answers in (batch.intersect([]), batch.intersect(np.array([], int), 0), batch.intersect(0, 0, np.zeros((0, 7)))):
        assert len(answers) == 0 and answers.volume.shape == (0,) and answers.bounds.shape == (0, 2, 3)


def test_gradients_of_boxes_are_the_areas_of_their_faces():
    batch = lamella.Batch(resolution=32, engine="software")
    batch.add(BOX)
    g = batch.volume_gradients(0, 0, pose_b=np.array([(1.5, 0, 0), (0, 0.5, 0), (5, 0, 0)]))
    # the shared volume shrinks by the area of the box's face when b moves away
    np.testing.assert_allclose(g.translation_b, [(-4, 0, 0), (0, -4, 0), (0, 0, 0)], atol=1e-4)
    np.testing.assert_allclose(g.translation_a, -g.translation_b, atol=1e-4)
    assert g.rotation_a.shape == g.rotation_b.shape == (3, 3)
    # a box of 0.5 x 2 x 2: second moments are volume * side^2 / 12
    np.testing.assert_allclose(np.diag(g.moments[0]), [2 * 0.25 / 12, 2 * 4 / 12, 2 * 4 / 12], rtol=1e-2)
    one = lamella.volume_gradient(BOX, lamella.transformed(BOX, (1.5, 0, 0)), resolution=32, engine="software")
    assert g.inner_area_a[0] == pytest.approx(one.sums.inner_a.area)
    np.testing.assert_allclose(g.inner_normal_b[0], one.sums.inner_b.normal)
    np.testing.assert_allclose(g[0].sums.a.rotation, g.rotation_a[0])
    assert g.volume[2] == 0 and g.inner_area_b[2] == 0


def test_deformed_meshes_are_used(batch):
    own = lamella.Batch(resolution=16)
    own.add(BOX)
    own.deform(0, np.asarray(BOX.positions, np.float64) * (2, 1, 1))
    assert own.intersect(0, 0).volume[0] == pytest.approx(16)
    assert own.mesh_count == 1 and own.options.resolution == 16
    with pytest.raises(lamella.Error):
        own.deform(0, np.zeros((3, 3)))


def test_arrays_outlive_the_batch_and_the_answers():
    own = lamella.Batch(resolution=16)
    own.add(BOX)
    answers = own.intersect(0, 0, pose_b=np.zeros((100, 3)))
    volume, one = answers.volume, answers[99]
    assert volume.base is not None and not volume.flags.writeable
    del own, answers
    gc.collect()
    np.testing.assert_allclose(volume, 8)
    assert one.volume == pytest.approx(8) and one.health.ok and one.grid.columns == 16


def test_indexing_and_dicts(batch):
    answers = batch.intersect(0, 0, pose_b=np.zeros((3, 3)))
    assert [a.volume for a in answers] == [answers[-3].volume, answers[-2].volume, answers[-1].volume]
    with pytest.raises(IndexError):
        answers[3]
    assert answers.to_dict()["volume"] == answers.volume.tolist()
    assert answers[0].to_dict()["verdict"] == "colliding"
    assert "3 pairs" in repr(answers)


def test_many_pairs_go_in_chunks_with_progress():
    own = lamella.Batch(resolution=4, engine="software")
    own.add(BOX)
    shifts = np.zeros((4000, 3))
    shifts[:, 0] = np.linspace(0, 3, 4000)
    seen = []
    answers = own.intersect(0, 0, pose_b=shifts, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) >= 2 and seen[-1] == (4000, 4000)
    assert all(a < b for a, b in zip(seen, seen[1:]))
    np.testing.assert_allclose(answers.volume, np.maximum(0, 2 - shifts[:, 0]) * 4, atol=1e-5)


def test_an_interrupt_ends_the_call_between_chunks():
    own = lamella.Batch(resolution=4, engine="software")
    own.add(BOX)
    seen = []

    def interrupt(done, total):
        seen.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        own.intersect(0, 0, pose_b=np.zeros((4000, 3)), progress=interrupt)
    assert len(seen) == 1 and seen[0] < 4000
    assert own.intersect(0, 0).volume[0] == pytest.approx(8)  # and it works on


def test_errors_name_the_pair_also_in_a_later_chunk():
    own = lamella.Batch(resolution=4, engine="software")
    own.add(BOX)
    poses = np.zeros((3000, 3))
    poses[2500, 1] = np.nan
    with pytest.raises(lamella.Error, match="^pair 2500 of the batch"):
        own.intersect(0, 0, pose_b=poses)
    with pytest.raises(lamella.Error, match="^pair 1 of the batch"):
        own.intersect([0, 7], 0)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ((0, "box"), TypeError, "b: ids"),
        ((0.5, 0), TypeError, "a: ids"),
        (([0, -1], 0), ValueError, "-1 is no id"),
        (([0, 0], [0, 0, 0]), ValueError, "one for each pair"),
        ((0, [0, 0], np.zeros((3, 3))), ValueError, "one for each pair"),
        ((0, 0, np.zeros((3, 5))), ValueError, "shape"),
        (([(0,)],), TypeError, r"pairs\[0\]"),
        (([(0, 0), 5],), TypeError, r"pairs\[1\]"),
        ((np.zeros((2, 3), int),), ValueError, "n, 2"),
        ((0,), TypeError, "pairs"),
    ],
)
def test_wrong_input_is_explained(batch, arguments, error, words):
    with pytest.raises(error, match=words):
        batch.intersect(*arguments)


def test_threads_share_one_batch(batch):
    shifts = np.linspace((0, 0, 0), (2, 0, 0), 200)
    expected = batch.intersect(0, 0, pose_b=shifts).volume
    wrong = []

    def ask():
        for _ in range(5):
            if not np.array_equal(batch.intersect(0, 0, pose_b=shifts).volume, expected):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_ctrl_c_ends_a_long_call():
    own = lamella.Batch(resolution=64, engine="software")
    own.add("model:hand:2000")
    pairs = 300_000  # would take minutes
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        own.intersect(0, 0, pose_b=np.full((pairs, 3), 0.01))
    timer.join()
    assert own.intersect(0, 0).colliding.all()
