"""The enumerations of the library. Members are strings too: ``result.verdict == "colliding"``."""

import enum


class _Names(str, enum.Enum):
    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)


class Verdict(_Names):
    """What an answer says, once everything that was left out is considered."""

    clear = "clear"
    colliding = "colliding"
    undecided = "undecided"


class Axis(_Names):
    """Of the rays."""

    x = "x"
    y = "y"
    z = "z"


class Cause(_Names):
    """Why an answer is doubtful."""

    open_columns = "open_columns"
    inside_out = "inside_out"
    skipped_triangles = "skipped_triangles"
    dropped_crossings = "dropped_crossings"
    touching = "touching"
    closed_holes = "closed_holes"


class End(_Names):
    """An end of a column; ``low`` is depth 0."""

    low = "low"
    high = "high"
    both = "both"


class MeshFormat(_Names):
    """Formats of mesh files."""

    ply = "ply"
    obj = "obj"
    stl = "stl"
    off = "off"
    gltf = "gltf"
    glb = "glb"
    xyz = "xyz"


class Split(_Names):
    """What of a file becomes a part of its own."""

    automatic = "automatic"
    none = "none"
    groups = "groups"
    nodes = "nodes"
    components = "components"


class Normals(_Names):
    """Where a contact's normal comes from."""

    faces = "faces"
    neighbours = "neighbours"


class PairMethod(_Names):
    """How ``gl-pairs`` decides which objects collide."""

    complete = "complete"
    jang = "jang"


class ClashClass(_Names):
    """How two parts lie to each other, in the order of severity."""

    clear = "clear"
    near = "near"
    touching = "touching"
    overlapping = "overlapping"
    piercing = "piercing"
    contained = "contained"
    duplicate = "duplicate"


class WayOut(_Names):
    """Which way out of each other is measured for parts that overlap."""

    none = "none"
    normal = "normal"
    shortest = "shortest"


class SphereFit(_Names):
    """How the spheres of a pyramid are fitted."""

    fast = "fast"
    tight = "tight"
    published = "published"
    published_enclosing = "published_enclosing"


class ImageWalk(_Names):
    """In which order two pyramids are walked down."""

    guided = "guided"
    zigzag = "zigzag"


class ImagePageKind(_Names):
    """What a page of a file of geometry images holds."""

    positions = "positions"
    normals = "normals"
    pyramid = "pyramid"
