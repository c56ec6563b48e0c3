"""lamella.torch: volumes and gradients against finite differences, analytic solids and each other.

On a machine with a GPU every test runs on tensors there too.
"""

import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: lamella.torch is not tested")

import lamella  # noqa: E402
import lamella.torch as lt  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and not lamella._lamella._cuda.unavailable() else [])
BOX = lamella.model("box")  # from -1 to 1


def tensors(mesh, device="cpu", dtype=torch.float32, faces=torch.int32):
    return (
        torch.tensor(np.asarray(mesh.vertices), dtype=dtype, device=device),
        torch.tensor(np.asarray(mesh.faces).astype(np.int64), dtype=faces, device=device),
    )


def pose(*numbers, **keywords):
    return torch.tensor(numbers, **{"dtype": torch.float64, **keywords})


def lens(distance):
    """Shared volume of two unit spheres, and its derivative."""
    return np.pi / 12 * (4 + distance) * (2 - distance) ** 2, -np.pi / 4 * (4 - distance**2)


@pytest.fixture(autouse=True)
def forget_warnings():
    lt._asks._warned.clear()


@pytest.fixture(params=DEVICES)
def device(request):
    return request.param


def test_a_box_that_moves_out_of_another(device):
    V, F = tensors(BOX, device)
    b = torch.tensor([1.5, 0, 0, 0, 0, 0, 1], device=device, requires_grad=True)
    volume = lt.overlap_volume(V, F, V, F, pose_b=b, resolution=16)
    volume.backward()
    assert volume.shape == () and volume.dtype == torch.float32 and volume.device.type == device
    assert volume.item() == pytest.approx(2, rel=1e-6)
    assert b.grad.cpu().tolist() == pytest.approx([-4, 0, 0, 0, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_types_and_devices_follow_the_input(device, dtype):
    V, F = tensors(BOX, device, dtype, torch.int64)
    moved = (V + 0.5).requires_grad_()
    volume = lt.overlap_volume(V, F, moved, F, resolution=16)
    volume.backward()
    assert volume.dtype == dtype and volume.device.type == device
    assert moved.grad.dtype == dtype and moved.grad.shape == moved.shape and moved.grad.device.type == device
    assert volume.item() == pytest.approx(1.5**3, rel=1e-5)


def test_poses_against_finite_differences_with_quaternions_of_any_length(device):
    V, F = tensors(BOX, device)
    x = pose(0.1, 0.2, -0.1, 0.09, 0.18, 0.27, 1.66, 1.0, 0.5, 0.4, 0.21, -0.07, 0.07, 0.55, device=device)

    def volume(n):
        return lt.overlap_volume(V, F, V, F, n[:7], n[7:], resolution=256)

    n = x.clone().requires_grad_()
    volume(n).backward()
    gradient = n.grad.cpu()
    for i in range(14):
        step = torch.zeros_like(x)
        step[i] = 0.02
        difference = (volume(x + step) - volume(x - step)).item() / 0.04
        assert gradient[i].item() == pytest.approx(difference, abs=0.02), f"number {i}"
    # Along the quaternion itself nothing changes.
    assert abs(float(gradient[3:7] @ x[3:7].cpu())) < 1e-12


def test_many_poses_are_each_pose_alone(device):
    sphere = lamella.model("sphere", 1000)
    Va, Fa = tensors(sphere, device)
    Vb, Fb = tensors(BOX, device)
    generator = torch.Generator().manual_seed(3)
    poses = torch.randn(20, 7, generator=generator, dtype=torch.float64).to(device).requires_grad_()
    together = lt.overlap_volume(Va, Fa, Vb, Fb, pose_b=poses, resolution=32)
    weights = torch.linspace(-1, 1, 20, dtype=torch.float64, device=device)
    (together * weights).sum().backward()
    assert together.shape == (20,) and (together > 0).sum() > 5
    for i in range(20):
        one = poses[i].detach().clone().requires_grad_()
        alone = lt.overlap_volume(Va, Fa, Vb, Fb, pose_b=one, resolution=32)
        (alone * weights[i]).backward()
        assert alone.item() == pytest.approx(together[i].item(), rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(one.grad.cpu(), poses.grad[i].cpu(), rtol=1e-6, atol=1e-9)


def test_a_pose_for_all_gets_the_sum(device):
    V, F = tensors(BOX, device)
    many = torch.tensor([[1.0, 0, 0, 0, 0, 0, 1], [0, 1.5, 0, 0, 0, 0, 1]], device=device)
    one = torch.tensor([0.0, 0, 0, 0, 0, 0, 1], device=device, requires_grad=True)
    lt.overlap_volume(V, F, V, F, pose_a=one, pose_b=many, resolution=16).sum().backward()
    assert one.grad.shape == (7,)
    assert one.grad[:3].cpu().tolist() == pytest.approx([4, 4, 0], abs=1e-5)


def test_results_may_be_changed_in_place(device):
    V, F = tensors(BOX, device)
    poses = torch.tensor([[1.5, 0, 0, 0, 0, 0, 1.0]] * 3, device=device, requires_grad=True)
    for volume in (
        lt.overlap_volume(V, F, V, F, pose_b=poses),
        lt.overlap_volume(V, F, V + poses[:, None, :3], F),
        lt.overlap_volume(V, F, V, F, pose_b=poses[0]),
    ):
        poses.grad = None
        volume *= 2
        volume.sum().backward()
        assert poses.grad[0, 0].item() == pytest.approx(-8, rel=1e-4)


def test_two_spheres_are_a_lens(device):
    V, F = tensors(lamella.model("sphere", 20000), device, torch.float64)
    for distance in (0.4, 1.0, 1.6):
        b = pose(distance, 0, 0, 0, 0, 0, 1, device=device, requires_grad=True)
        volume = lt.overlap_volume(V, F, V, F, pose_b=b, resolution=128)
        volume.backward()
        expected, slope = lens(distance)
        assert volume.item() == pytest.approx(expected, rel=0.01)
        assert b.grad[0].item() == pytest.approx(slope, rel=0.01)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_gradcheck_along_the_ray(device, axis):
    """The sampled volume's derivative along its own rays is exact: the rays stay where they are."""
    V, F = tensors(lamella.model("sphere", 500), device, torch.float64)
    direction = torch.zeros(3, dtype=torch.float64, device=device)
    direction["xyz".index(axis)] = 1
    across = 0.3 * (1 - direction) + 0.05

    def volume(t):
        return lt.overlap_volume(V, F, V + across + t * direction, F, resolution=48, axis=axis)

    t = torch.tensor(0.7, dtype=torch.float64, device=device, requires_grad=True)
    assert torch.autograd.gradcheck(volume, (t,), eps=1e-3, atol=2e-4, rtol=1e-3, nondet_tol=0)


def test_vertices_of_a_face_inside(device):
    """The face of a box inside another: moving all its corners moves the face."""
    V, F = tensors(BOX, device)
    moved = (V + torch.tensor([1.5, 0.25, 0.25], device=device)).requires_grad_()
    lt.overlap_volume(V, F, moved, F, resolution=64).backward()
    total = moved.grad.sum(0).cpu()
    assert total.tolist() == pytest.approx([-(1.75**2), -0.5 * 1.75, -0.5 * 1.75], rel=1e-3)
    inside = (moved.detach()[:, 0] < 1).cpu()
    assert moved.grad.cpu()[inside, 0].sum().item() == pytest.approx(-(1.75**2), rel=1e-3)


def test_vertices_and_poses_together_agree_with_poses_alone(device):
    V, F = tensors(BOX, device, torch.float64)
    start = [1.0, 0.5, 0.4, 0.21, -0.07, 0.07, 0.55]
    alone, beside = (pose(*start, device=device, requires_grad=True) for _ in range(2))
    a = lt.overlap_volume(V, F, V, F, pose_b=alone, resolution=128)
    b = lt.overlap_volume(V.clone().requires_grad_(), F, V, F, pose_b=beside, resolution=128)
    a.backward()
    b.backward()
    assert a.item() == pytest.approx(b.item(), rel=1e-6)
    np.testing.assert_allclose(alone.grad.cpu(), beside.grad.cpu(), atol=1e-4)


def test_batches_of_deformed_meshes_are_each_alone(device):
    sphere = lamella.model("sphere", 300)
    Va, Fa = tensors(sphere, device)
    Vb, Fb = tensors(BOX, device)
    shifts = torch.linspace(0.2, 2.4, 5, device=device)
    many = (Vb[None] + shifts[:, None, None] * torch.tensor([1.0, 0.3, 0.1], device=device)).requires_grad_()
    one = Va.clone().requires_grad_()
    volumes = lt.overlap_volume(one, Fa, many, Fb, resolution=32)
    volumes.sum().backward()
    assert volumes.shape == (5,) and many.grad.shape == many.shape and one.grad.shape == one.shape
    total = torch.zeros_like(one)
    for i in range(5):
        a, b = Va.clone().requires_grad_(), many[i].detach().clone().requires_grad_()
        alone = lt.overlap_volume(a, Fa, b, Fb, resolution=32)
        alone.backward()
        assert alone.item() == pytest.approx(volumes[i].item(), rel=1e-6)
        np.testing.assert_allclose(b.grad.cpu(), many.grad[i].cpu(), atol=1e-6)
        total += a.grad
    np.testing.assert_allclose(total.cpu(), one.grad.cpu(), atol=1e-5)
    with torch.no_grad():
        again = lt.overlap_volume(one, Fa, many, Fb, resolution=32)
    np.testing.assert_allclose(again.cpu(), volumes.detach().cpu(), rtol=1e-6)


def two_boxes(apart):
    """One mesh of two boxes."""
    vertices = np.concatenate([BOX.vertices, BOX.vertices + np.float32([apart, 0.25, 0.25])])
    faces = np.concatenate([BOX.faces, BOX.faces + 8]).astype(np.int32)
    return torch.tensor(vertices), torch.tensor(faces)


def test_a_mesh_that_overlaps_itself(device):
    V, F = (t.to(device) for t in two_boxes(1.5))
    V.requires_grad_()
    volume = lt.self_overlap_volume(V, F, resolution=256, axis="x")
    volume.backward()
    assert volume.item() == pytest.approx(0.5 * 1.75**2, rel=0.01)
    assert V.grad[8:].sum(0).cpu().tolist() == pytest.approx([-(1.75**2), -0.5 * 1.75, -0.5 * 1.75], rel=0.03)
    assert V.grad.sum(0).abs().max() < 1e-5
    many = torch.stack([V.detach(), V.detach() + 1]).requires_grad_()
    volumes = lt.self_overlap_volume(many, F, resolution=256, axis="x")
    volumes[1].backward()
    assert volumes.shape == (2,) and many.grad[0].abs().max() == 0
    np.testing.assert_allclose(many.grad[1].cpu(), V.grad.cpu(), atol=1e-5)


def test_where_nothing_overlaps_all_is_zero(device):
    V, F = tensors(BOX, device)
    far = (V + 5).requires_grad_()
    b = pose(5, 0, 0, 0, 0, 0, 1, device=device, requires_grad=True)
    alone = V.clone().requires_grad_()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        volumes = [
            lt.overlap_volume(V, F, far, F),
            lt.overlap_volume(V, F, V, F, pose_b=b),
            lt.self_overlap_volume(alone, F),
        ]
    sum(v.double() for v in volumes).backward()
    assert [v.item() for v in volumes] == [0, 0, 0]
    assert not far.grad.any() and not b.grad.any() and not alone.grad.any()


def test_gradients_are_found_only_where_they_are_wanted(device, monkeypatch):
    V, F = tensors(BOX, device)
    b = pose(1.5, 0, 0, 0, 0, 0, 1, device=device, requires_grad=True)
    asked = []
    whole = lt._asks.ask_poses
    monkeypatch.setattr(lt._asks, "ask_poses", lambda *a: asked.append(a[2]) or whole(*a))
    lt.overlap_volume(V, F, V, F, pose_b=b.detach())
    with torch.no_grad():
        assert not lt.overlap_volume(V, F, V, F, pose_b=b).requires_grad
    assert lt.overlap_volume(V, F, V, F, pose_b=b).requires_grad
    assert asked == [False, False, True]


def test_meshes_that_change_between_calls_are_seen(device):
    V, F = tensors(BOX, device)
    b = pose(1.5, 0, 0, 0, 0, 0, 1, device=device)
    assert lt.overlap_volume(V, F, V, F, pose_b=b, resolution=16).item() == pytest.approx(2, rel=1e-5)
    V *= 2
    assert lt.overlap_volume(V, F, V, F, pose_b=b, resolution=16).item() == pytest.approx(2.5 * 16, rel=1e-5)
    for scale in (1.0, 3.0, 0.5):  # at new addresses
        W = V * scale
        expected = max(0, 4 * scale - 1.5) * (4 * scale) ** 2
        assert lt.overlap_volume(W, F, W, F, pose_b=b, resolution=16).item() == pytest.approx(expected, rel=1e-5)


def test_what_is_kept_can_be_freed(device):
    V, F = tensors(BOX, device)
    moved = (V + 0.5).requires_grad_()
    before = lt.overlap_volume(V, F, moved, F, resolution=16)
    lt.clear_cache()
    before.backward()
    assert moved.grad.sum(0).cpu().tolist() == pytest.approx([-2.25] * 3, abs=1e-5)
    assert lt.overlap_volume(V, F, moved, F, resolution=16).item() == pytest.approx(before.item())


def test_two_results_before_the_first_backward(device):
    """What is kept between calls is not what backward reads."""
    V, F = tensors(BOX, device)
    near, deep = ((V + s).requires_grad_() for s in (1.5, 0.5))
    a, b = lt.overlap_volume(V, F, near, F, resolution=16), lt.overlap_volume(V, F, deep, F, resolution=16)
    a.backward()
    b.backward()
    assert near.grad.sum(0).cpu().tolist() == pytest.approx([-0.25] * 3, abs=1e-5)
    assert deep.grad.sum(0).cpu().tolist() == pytest.approx([-2.25] * 3, abs=1e-5)


def test_second_derivatives_are_refused(device):
    V, F = tensors(BOX, device)
    b = pose(1.5, 0, 0, 0, 0, 0, 1, device=device, requires_grad=True)
    (slope,) = torch.autograd.grad(lt.overlap_volume(V, F, V, F, pose_b=b), b, create_graph=True)
    with pytest.raises(RuntimeError, match="first derivatives only"):
        slope.sum().backward()


def test_answers_in_doubt_warn_once_and_strict_raises(device):
    V, F = tensors(BOX, device)
    F = F[:-1]
    many = (V + 0.5)[None].requires_grad_()  # deforming meshes are not closed
    with pytest.warns(lt.OverlapWarning, match="holes") as caught:
        lt.overlap_volume(V, F, many, F, resolution=16)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lt.overlap_volume(V, F, many, F, resolution=16)
    with pytest.raises(lamella.Error):
        lt.overlap_volume(V, F, many, F, resolution=16, strict=True)


def test_wrong_input_says_what_is_wrong(device):
    V, F = tensors(BOX, device)
    with pytest.raises(ValueError, match=r"Va must have the shape"):
        lt.overlap_volume(V[:, :2], F, V, F)
    with pytest.raises(TypeError, match="Fb must be int32 or int64"):
        lt.overlap_volume(V, F, V, F.float())
    with pytest.raises(TypeError, match="float32 or float64"):
        lt.self_overlap_volume(V.half(), F)
    with pytest.raises(ValueError, match="pose_a must have the shape"):
        lt.overlap_volume(V, F, V, F, pose_a=torch.zeros(6))
    with pytest.raises(ValueError, match="same batch size"):
        lt.overlap_volume(V, F, V.expand(3, -1, -1), F, pose_a=torch.zeros(2, 7))
    with pytest.raises(TypeError, match="no option 'resolutoin'"):
        lt.overlap_volume(V, F, V, F, resolutoin=4)
    with pytest.raises(lamella.Error):
        lt.overlap_volume(V, F, V, F, pose_a=torch.zeros(7))
    with pytest.raises(lamella.Error):
        lt.self_overlap_volume(V, F + 5)
    assert lt.overlap_volume(V, F, V, F, pose_a=torch.zeros(0, 7)).shape == (0,)


def test_tensors_that_are_not_contiguous_and_read_only_in_place():
    V, F = tensors(BOX)
    wide = torch.zeros(8, 6)
    wide[:, ::2] = V
    assert lt.overlap_volume(wide[:, ::2], F, V, F.flip(1).flip(1), resolution=16).item() == pytest.approx(8)


def test_signed_distance_and_its_gradients(device):
    V, F = tensors(BOX, device, torch.float64)
    V.requires_grad_()
    points = [[3, 0.2, 0.1], [0.5, 0, 0.1], [2, 2, 2], [1, 0.3, 0.2]]
    P = torch.tensor(points, dtype=torch.float64, device=device, requires_grad=True)
    distance = lt.signed_distance(V, F, P)
    assert distance.detach().cpu().tolist() == pytest.approx([2, -0.5, 3**0.5, 0], abs=1e-12)
    distance.sum().backward()
    corner = 3**-0.5
    np.testing.assert_allclose(P.grad.cpu(), [[1, 0, 0], [1, 0, 0], [corner] * 3, [1, 0, 0]], atol=1e-7)
    # Moving the mesh with the points changes nothing.
    np.testing.assert_allclose(V.grad.sum(0).cpu(), -P.grad.sum(0).cpu(), atol=1e-7)
    assert lt.signed_distance(V, F, P.expand(2, -1, -1)).shape == (2, 4)


def test_signed_distance_gradcheck():
    """Vertices are rounded to floats: steps must be much larger than that."""
    V, F = tensors(BOX, dtype=torch.float64)
    V.requires_grad_()
    P = torch.tensor([[1.3, 0.2, 0.1], [0.4, 0.3, -0.2], [1.2, 1.1, 1.4]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda v, p: lt.signed_distance(v, F, p), (V, P), eps=2e-3, atol=2e-3)


def test_threads_share_what_is_kept(device):
    V, F = tensors(BOX, device)
    wrong = []

    def work(shift):
        for _ in range(20):
            moved = (V + shift).requires_grad_()
            lt.overlap_volume(V, F, moved, F, resolution=16).backward()
            if abs(moved.grad.sum().item() + 3 * (2 - shift) ** 2) > 1e-3:
                wrong.append(shift)

    threads = [threading.Thread(target=work, args=(0.25 * k,)) for k in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_without_torch_the_import_says_what_is_missing():
    code = "import sys; sys.modules['torch'] = None; import lamella.cuda, lamella.trimesh, lamella.torch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "lamella.torch needs PyTorch" in done.stderr


def test_a_distance_from_faces_that_look_inwards_is_not_blamed_on_holes():
    box = lamella.model("box")
    V, F = torch.tensor(np.array(box.positions)), torch.tensor(np.array(box.faces)[:, ::-1].astype("int32").copy())
    with pytest.raises(lamella.Error, match="look inwards"):
        lamella.torch.signed_distance(V, F, torch.zeros(1, 3), strict=True)
