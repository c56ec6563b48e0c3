"""Shared by the tests of the Python module."""

import numpy as np
import pytest

import lamella


def box(low=(0, 0, 0), high=(1, 1, 1), dtype=np.float32):
    """A box as (vertices, faces), facing outwards."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=np.float64)
    vertices = (np.asarray(low) + corners * (np.asarray(high) - np.asarray(low))).astype(dtype)
    faces = np.array(
        [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4),
         (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)],
        dtype=np.uint32,
    )
    return vertices, faces


@pytest.fixture(scope="session")
def hand():
    return lamella.model("hand")


@pytest.fixture(scope="session")
def phone():
    return lamella.model("phone")


@pytest.fixture(scope="session")
def fist():
    return lamella.model("fist", 3000)
