"""The scripts of docs/python.md run, and make the pictures that they say they make."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import lamella

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"
BLOCK = re.compile(r"<!-- (test|picture: (?P<picture>\S+)) -->\n```python\n(?P<code>.*?)```", re.S)
SCRIPTS = [(m["picture"], m["code"]) for m in BLOCK.finditer(PAGE.read_text())]


def test_every_script_of_the_page_is_run():
    assert len(SCRIPTS) == PAGE.read_text().count("```python")
    assert sum(picture is not None for picture, _ in SCRIPTS) >= 5


def test_the_readme_s_example(tmp_path):
    readme = PAGE.parents[1] / "README.md"
    (code,) = re.findall(r"```python\n(.*?)```", readme.read_text(), re.S)
    (tmp_path / "models").mkdir()
    for name in ("hand", "phone"):
        lamella.write_mesh(tmp_path / f"models/{name}.ply", f"model:{name}")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0.000398") and "in doubt" not in done.stdout


@pytest.mark.parametrize("picture,code", SCRIPTS, ids=[str(p) for p, _ in SCRIPTS])
def test_script(picture, code, tmp_path):
    if picture:
        pytest.importorskip("matplotlib", reason="matplotlib draws these (Debian: python3-matplotlib)")
        assert f"](images/{picture})" in PAGE.read_text() and (PAGE.parent / "images" / picture).exists()
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=240,
                          env={**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    if picture:
        from matplotlib.image import imread

        pixels = imread(tmp_path / picture)
        assert pixels.shape[0] > 300 and pixels[..., :3].std() > 0.05
