"""The examples that use torch reach what they say: nothing overlaps in the end."""

import importlib.util
import pathlib
import re

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: its examples are not tested")

import lamella  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python-torch.md"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
pytestmark = pytest.mark.filterwarnings("ignore::lamella.torch.OverlapWarning")


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def silent(_):
    pass


def test_a_fist_loses_its_self_overlap_and_keeps_its_shape():
    fist = lamella.model("fist", 3000)
    vertices, volumes = example("self_overlap_adam").solve(fist, report=silent)
    before = lamella.self_intersect(fist, resolution=200).volume
    after = lamella.self_intersect((vertices, fist.faces), resolution=200).volume
    assert volumes[-1] < 0.01 * volumes[0] and after < 0.05 * before
    size = np.linalg.norm(np.ptp(fist.vertices, axis=0))
    assert np.linalg.norm(vertices - fist.vertices, axis=1).max() < 0.05 * size


def test_grasps_lose_their_overlap_and_fingers_stay_close():
    grasps, before, after = example("grasp_adam").solve(
        lamella.model("hand", 2000), lamella.model("phone"), grasps=2, report=silent
    )
    assert (before > 1e-4).all() and (after < 0.01 * before).all()
    assert grasps.gaps().abs().min(1).values.max() < 0.01
    assert grasps.bent().max().sqrt() < 0.4


@pytest.mark.parametrize("code", re.findall(r"<!-- test -->\n```python\n(.*?)```", PAGE.read_text(), re.S))
def test_scripts_of_the_page_run(code, capsys):
    exec(compile(code, str(PAGE), "exec"), {"__name__": "page"})
    assert "torch.Size([2" in capsys.readouterr().out


def test_docstrings():
    import doctest

    import lamella.torch
    import lamella.trimesh

    for module in (lamella.torch, lamella.trimesh):
        failed, tried = doctest.testmod(module)
        assert tried > 0 and failed == 0
