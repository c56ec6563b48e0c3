"""lamella.cuda: arrays of torch, CuPy and JAX on a GPU, against the CPU. Without a GPU, only what needs none."""

import numpy as np
import pytest

import lamella
from lamella import cuda

WHY_NOT = cuda.unavailable()
needs_gpu = pytest.mark.skipif(bool(WHY_NOT), reason=f"no GPU: {WHY_NOT}")
BOX = lamella.model("box")


def torch_array(array):
    torch = pytest.importorskip("torch")
    return torch.tensor(array.astype(np.int32) if array.dtype == np.uint32 else array, device="cuda")


def cupy_array(array):
    return pytest.importorskip("cupy").asarray(array)


def jax_array(array):
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU here")
    return jax.numpy.asarray(array)


class OnlyDlpack:
    """An array that is known by DLPack alone."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, stream=None):
        return self._array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def dlpack_array(array):
    return OnlyDlpack(torch_array(array))


MAKERS = {"torch": torch_array, "cupy": cupy_array, "jax": jax_array, "dlpack": dlpack_array}


@pytest.fixture(params=sorted(MAKERS))
def on_gpu(request):
    return MAKERS[request.param]


def mesh(make, model, shift=(0, 0, 0)):
    return make(np.asarray(model.vertices) + np.float32(shift)), make(np.asarray(model.faces))


def host(array):
    return pytest.importorskip("torch").as_tensor(array, device="cuda").cpu().numpy()


def test_without_a_gpu_the_reason_is_told():
    assert isinstance(WHY_NOT, str)
    if not WHY_NOT:
        pytest.skip("there is a GPU")
    with pytest.raises(lamella.Error) as error:
        cuda._cuda.SelfBatch(np.zeros((0, 4), np.uint64), cuda.DeviceOptions(), 0)
    assert error.value.kind == "device"


def test_arrays_in_main_memory_are_refused():
    with pytest.raises(TypeError, match="__cuda_array_interface__"):
        cuda.Query.self_intersect([[0, 0, 0]], [[0, 0, 0]])
    with pytest.raises((TypeError, ValueError), match="memory of a GPU"):
        cuda.Query.self_intersect(np.zeros((3, 3), np.float32), np.zeros((1, 3), np.int32))


class Interface:
    def __init__(self, **changes):
        plain = {"shape": (3, 3), "typestr": "<f4", "data": (256, False), "version": 3}
        self.__cuda_array_interface__ = {**plain, **changes}


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"typestr": "<f8"}, "float32, not float64"),
        ({"shape": (3, 2)}, r"shape \(n, 3\)"),
        ({"strides": (24, 4)}, "C-contiguous"),
        ({"mask": 1}, "mask"),
    ],
)
def test_arrays_that_cannot_be_read_in_place_are_refused(changes, said):
    with pytest.raises((TypeError, ValueError), match=said):
        cuda.Query.self_intersect(Interface(**changes), Interface(typestr="<i4"))


def test_options_are_keywords():
    assert cuda.DeviceOptions(resolution=64).resolution == 64
    with pytest.raises(TypeError, match="no option 'ends'"):
        cuda.DeviceOptions(ends=True)


def test_a_device_array_shows_its_interface():
    array = cuda.DeviceArray(4096, (5, 3), np.float32, None)
    interface = array.__cuda_array_interface__
    assert interface["shape"] == (5, 3) and interface["typestr"] == "<f4" and interface["data"] == (4096, False)
    assert "5 x 3 float32" in repr(array)


@needs_gpu
def test_intersect_is_the_cpus(on_gpu):
    hand, phone = lamella.model("hand"), lamella.model("phone")
    query = cuda.Query.intersect(*mesh(on_gpu, hand), *mesh(on_gpu, phone), resolution=64, spans=True)
    expected = lamella.intersect(hand, phone, resolution=64, engine="software")
    for _ in range(3):
        query.launch()
        answer = query.wait()
        assert answer.volume == pytest.approx(expected.volume, rel=1e-12)
        assert answer.span_count == expected.span_count and answer.verdict == "colliding"
    assert query.device_bytes > 0 and query.device_answer != 0
    cupy = pytest.importorskip("cupy")
    spans = cupy.asnumpy(cupy.asarray(query.spans))
    np.testing.assert_array_equal(spans[:, 0], expected.spans["column"])
    np.testing.assert_array_equal(spans[:, 1].view(np.float32), expected.spans["begin"])


@needs_gpu
def test_self_intersect_follows_vertices_that_move(on_gpu):
    torch = pytest.importorskip("torch")
    fist = lamella.model("fist")
    vertices = torch.tensor(np.asarray(fist.vertices), device="cuda")
    query = cuda.Query.self_intersect(vertices, on_gpu(np.asarray(fist.faces)), resolution=64)
    stream = torch.cuda.Stream()
    for scale in (1.0, 1.5):
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            vertices.copy_(torch.tensor(np.asarray(fist.vertices) * np.float32(scale)))
            query.launch(stream)
        scaled = (fist.vertices * np.float32(scale), fist.faces)
        expected = lamella.self_intersect(scaled, resolution=64, engine="software")
        assert query.wait().volume == pytest.approx(expected.volume, rel=1e-12)


@needs_gpu
def test_contains_writes_flags_on_the_device(on_gpu):
    torch = pytest.importorskip("torch")
    points = np.random.default_rng(1).uniform(-1.5, 1.5, (1000, 3)).astype(np.float32)
    expected = np.all(np.abs(points) < 1, axis=1)
    flags = torch.full((1000,), 7, dtype=torch.uint8, device="cuda")
    for out in (None, flags):
        query = cuda.Query.contains(*mesh(on_gpu, BOX), on_gpu(points), flags=out, resolution=32)
        query.launch(torch.cuda.current_stream())
        assert query.wait().inside_count == expected.sum()
        np.testing.assert_array_equal(host(query.flags) == 1, expected)
    np.testing.assert_array_equal(flags.cpu().numpy() == 1, expected)


@needs_gpu
def test_pairs_at_poses_are_the_cpus(on_gpu):
    batch = cuda.PairBatch([mesh(on_gpu, BOX), mesh(on_gpu, lamella.model("sphere", 500))], resolution=32)
    poses = np.zeros((6, 7))
    poses[:, 0] = np.linspace(0, 3, 6)
    poses[:, 6] = 1
    batch.launch_gradients(np.tile([0, 1], (6, 1)), None, poses)
    rows = batch.wait_gradients()
    batch.launch([(0, 1)] * 6, None, poses)
    plain = batch.wait()
    np.testing.assert_array_equal(rows["volume"], plain["volume"])
    sphere = lamella.model("sphere", 500)
    for row, at in zip(rows, poses):
        moved = (sphere.vertices + np.float32(at[:3]), sphere.faces)
        expected = lamella.volume_gradient((BOX.vertices, BOX.faces), moved, resolution=32, engine="software")
        assert row["volume"] == pytest.approx(expected.volume, rel=1e-5, abs=1e-7)
        np.testing.assert_allclose(row["translation_b"], expected.sums.b.translation, atol=1e-4)


@needs_gpu
def test_bodies_leave_their_gradients_on_the_device(on_gpu):
    fist = lamella.model("fist")
    batch = cuda.SelfBatch([mesh(on_gpu, fist), mesh(on_gpu, fist, (1, 2, 3))], resolution=32)
    batch.launch()
    rows = batch.wait()
    expected = lamella.self_gradient((fist.vertices, fist.faces), resolution=32, engine="software")
    assert rows["volume"][0] == pytest.approx(expected.volume, rel=1e-12)
    gradients = host(batch.gradients)
    np.testing.assert_array_equal(gradients[: len(fist.vertices)], expected.vertices)


@needs_gpu
def test_pairs_that_deform_leave_their_gradients_in_the_callers_array(on_gpu):
    torch = pytest.importorskip("torch")
    sphere = lamella.model("sphere", 500)
    a, b = (BOX.vertices, BOX.faces), (sphere.vertices + np.float32([0.9, 0.2, 0.1]), sphere.faces)
    n, m = len(a[0]), len(b[0])
    out = torch.full((2 * (n + m), 3), float("nan"), device="cuda")
    pair = (mesh(on_gpu, BOX), mesh(on_gpu, sphere, (0.9, 0.2, 0.1)))
    batch = cuda.GradientBatch([pair, pair], gradients=out, resolution=32)
    batch.launch(torch.cuda.current_stream().cuda_stream)
    rows = batch.wait()
    expected = lamella.volume_gradient(a, b, resolution=32, engine="software")
    assert rows["volume"] == pytest.approx([expected.volume] * 2, rel=1e-12)
    np.testing.assert_allclose(batch.sums["translation_b"][1], expected.sums.b.translation, atol=1e-9)
    got = out.cpu().numpy()
    for k in range(2):
        np.testing.assert_array_equal(got[k * (n + m) :][:n], expected.vertices_a)
        np.testing.assert_array_equal(got[k * (n + m) + n :][:m], expected.vertices_b)


@needs_gpu
def test_wrong_indices_are_errors(on_gpu):
    faces = np.asarray(BOX.faces).copy()
    faces[3, 1] = 8
    batch = cuda.SelfBatch([(on_gpu(np.asarray(BOX.vertices)), on_gpu(faces))], resolution=8)
    batch.launch()
    with pytest.raises(lamella.Error, match="it has only 8"):
        batch.wait()
