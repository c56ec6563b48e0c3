"""What all answers have: ``to_dict()`` and a readable ``repr``."""

import enum

import numpy as np

from . import _lamella


def _plain(value):
    """Of numbers, strings, lists and dicts alone, as JSON has them."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if hasattr(type(value), "_fields") or hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (list, tuple)) or (hasattr(value, "__len__") and not isinstance(value, (str, dict))):
        return [_plain(v) for v in value]
    return value


def _to_dict(self):
    """All fields by name, of numbers, strings, lists and dicts: json.dumps() takes it. Arrays become lists."""
    return {name: _plain(getattr(self, name)) for name in type(self)._fields}


def _short(value):
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        if value.dtype.names or value.ndim > 1 or value.size > 4:
            return f"<{' x '.join(map(str, value.shape))} {'structs' if value.dtype.names else value.dtype}>"
        return "(" + ", ".join(f"{v:.6g}" for v in value) + ")"
    if isinstance(value, (list, tuple)) and len(value) > 3:
        return f"<{len(value)} items>"
    return repr(value)


def _repr(self):
    fields = ", ".join(f"{name}={_short(getattr(self, name))}" for name in type(self)._fields)
    return f"{type(self).__name__}({fields})"


def _health_repr(self):
    if self.ok:
        return "Health(ok)"
    wrong = [f"{n}={_short(getattr(self, n))}" for n in type(self)._fields if n != "occupied_columns" and getattr(self, n)]
    return f"Health({', '.join(wrong)})"


def _overlap_dict(self):
    """The same keys as ``lamella intersect --json`` prints; spans are counted, not listed."""
    grid = self.grid
    box = grid.box if grid.columns else None
    out = {
        "verdict": self.verdict.value,
        "colliding": self.colliding,
        "volume": self.volume,
        "volume_error": self.volume_error,
        "centroid": self.centroid.tolist(),
        "bounds": _box_dict(self.bounds),
        "voi": _box_dict(box),
        "axis": grid.axis.value,
        "resolution": [grid.columns, grid.rows],
        "spans": self.span_count,
        "origin": self.origin.tolist(),
        "engine": self.engine,
        "health": self.health.to_dict(),
        "doubts": [d.to_dict() for d in self.doubts],
        "certificate": self.certificate.to_dict(),
        "ms": self.ms.to_dict(),
    }
    for name in ("inside_out_volume", "sums", "vertices_a", "vertices_b", "vertices"):
        if name in type(self)._fields:
            out[name] = _plain(getattr(self, name))
    return out


def _box_dict(box):
    return None if box is None else {"min": box[0].tolist(), "max": box[1].tolist()}


def _overlap_repr(self):
    text = f"{type(self).__name__}({self.verdict}, volume={self.volume:.6g} ± {self.volume_error:.2g}, {self.span_count} spans"
    if self.doubts:
        text += ", in doubt: " + "; ".join(d.describe() for d in self.doubts)
    return text + f", {self.engine} {self.grid.columns} x {self.grid.rows})"


def _containment_repr(self):
    unknown = f", {self.health.untrusted_points} unknown" if self.health.untrusted_points else ""
    return f"Containment({self.inside_count} of {len(self.flags)} inside{unknown}, {self.engine})"


def _to_trimesh(self, **keywords):
    """A trimesh.Trimesh of the mesh, in world coordinates. Needs trimesh."""
    import trimesh

    return trimesh.Trimesh(vertices=self.vertices, faces=self.faces, process=False, **keywords)


def install():
    """Gives every class of answers its methods."""
    for value in vars(_lamella).values():
        if isinstance(value, type) and "_fields" in vars(value):
            value.to_dict = _to_dict
            value.__repr__ = _repr
    _lamella.Health.__repr__ = _health_repr
    for kind in ("Overlap", "SelfOverlap", "OverlapGradient", "SelfGradient"):
        getattr(_lamella, kind).to_dict = _overlap_dict
        getattr(_lamella, kind).__repr__ = _overlap_repr
    _lamella.Containment.__repr__ = _containment_repr
    _lamella.Mesh.to_trimesh = _to_trimesh
