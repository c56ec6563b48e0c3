"""Methods of the answers of batches, scenes and assemblies: what they have in common with ``lamella scene --json``."""

import numpy as np

from . import _lamella
from ._enums import ClashClass
from ._records import _plain


def _pairs_repr(self):
    colliding, undecided = np.count_nonzero(self.verdict == 1), np.count_nonzero(self.verdict == 2)
    text = f"{len(self)} pairs, {colliding} colliding"
    return f"{type(self).__name__}({text}{f', {undecided} undecided' if undecided else ''})"


def _grid_dict(grid, origin):
    if not grid.columns:
        return {"voi": None, "axis": None, "resolution": [0, 0]}
    low, high = (grid.box + origin).tolist()
    return {"voi": {"min": low, "max": high}, "axis": grid.axis.value, "resolution": [grid.columns, grid.rows]}


def _rows(result, structs_of, names):
    """A dict for each struct of each pair; `names`: keys, and the fields they are made of."""
    for pair in result.pairs:
        for one in structs_of(pair):
            yield {"a": pair.a, "b": pair.b, **{key: one[field].tolist() for key, field in names.items()}}


def _scene_dict(self):
    """The same keys as ``lamella scene --json`` prints."""
    points = {"on_a": "on_a", "on_b": "on_b", "front_a": "front_a", "front_b": "front_b"}
    points.update(face_a="triangle_a", face_b="triangle_b")
    contacts = {name: name for name in ("position", "normal", "depth", "id")}
    patches = {name: name for name in ("normal", "depth", "area", "center", "volume", "one_sided")}
    pairs, ms = list(self.pairs), self.ms
    out = {
        "objects": self.object_count,
        "pairs": self.pair_ids.tolist(),
        "volumes": [p.volume for p in pairs],
        "volume_errors": [p.volume_error for p in pairs],
        "points": [
            {**p, "position": [(x + y) * 0.5 for x, y in zip(p["on_a"], p["on_b"])]}
            for p in _rows(self, self.points_of, points)
        ],
        "contacts": list(_rows(self, self.contacts_of, contacts)),
        "patches": list(_rows(self, self.patches_of, patches)),
        "groups": [
            {"objects": g.object_count, "candidates": g.candidate_count, **_grid_dict(g.grid, g.origin)}
            for g in self.groups
        ],
        "self_overlaps": _plain(self.self_overlaps),
        "engine": self.engine,
        "colliding": self.colliding,
        "health": self.health.to_dict(),
        "defects": _plain(self.defects),
        "ms": {
            "broad": ms.broad,
            "place": ms.voi,
            "ldi": ms.ldi,
            "pairs": ms.query,
            "points": ms.points,
            "contacts": ms.contacts,
            "total": ms.total,
        },
        "verdict": self.verdict.value,
        "undecided": [_doubt_dict(d) for d in self.undecided],
        "candidates": self.candidate_count,
        "refined": self.refined_count,
        "tolerance_met": all(p.tolerance_met for p in pairs),
        "certified": self.certified_count,
        "certificates": [p.certificate.to_dict() for p in pairs],
        "more_contacts": [p.more_contacts for p in pairs],
    }
    for name, value in (("passed_over", self.passed_over), ("rounds", self.round_count)):
        if value:
            out[name] = value
    return out


def _doubt_dict(self):
    """Why it is not known whether two objects collide; ``object``: the one it is about, where that is known."""
    doubt = self.doubt
    out = {"a": self.a, "b": self.b, "cause": doubt.cause.value, "count": doubt.count}
    if doubt.mesh >= 0:
        out["object"] = self.a if doubt.mesh == 0 else self.b
    out["why"] = doubt.describe([f"object {self.a}", f"object {self.b}"])
    return out


def _scene_repr(self):
    text = f"{self.verdict}, {self.object_count} objects, {len(self.pairs)} pairs, {len(self.contacts)} contacts"
    return f"SceneResult({text}{f', {len(self.undecided)} undecided' if self.undecided else ''}, {self.engine})"


def _clash_repr(self):
    counts = [f"{self.count(kind)} {kind}" for kind in reversed(ClashClass) if self.count(kind)]
    others = {"allowed": np.count_nonzero(self.allowed), "undecided": self.undecided_count}
    counts += [f"{count} {word}" for word, count in others.items() if count]
    text = f"{self.part_count} parts, {len(self.pairs)} pairs{': ' if counts else ''}{', '.join(counts)}"
    return f"ClashReport({text}{'' if self.complete else ', stopped'}, {self.engine})"


def install():
    """Gives the classes their methods."""
    for kind in ("PairOverlaps", "PairGradients"):
        getattr(_lamella, kind).__repr__ = _pairs_repr
    _lamella.SceneResult.to_dict = _scene_dict
    _lamella.SceneResult.__repr__ = _scene_repr
    _lamella.SceneDoubt.to_dict = _doubt_dict
    _lamella.ClashReport.__repr__ = _clash_repr
