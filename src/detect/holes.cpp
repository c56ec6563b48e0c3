#include "detect/holes.hpp"

#include <algorithm>
#include <utility>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "query/verdict.hpp"

namespace lamella {
namespace {

bool overlap(const WideBox& a, const WideBox& b) {
  for (int i = 0; i < 3; ++i)
    if (!(a.min[i] <= b.max[i] && b.min[i] <= a.max[i])) return false;
  return true;
}

bool holds(const WideBox& outer, const WideBox& inner) {
  for (int i = 0; i < 3; ++i)
    if (!(outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])) return false;
  return true;
}

WideBox unite(const WideBox& a, const WideBox& b) {
  WideBox u;
  for (int i = 0; i < 3; ++i) {
    u.min[i] = std::min(a.min[i], b.min[i]);
    u.max[i] = std::max(a.max[i], b.max[i]);
  }
  return u;
}

/// Whether a triangle of the mesh may be in one of the boxes, which ascend along x.
bool comes_near(MeshView mesh, std::span<const WideBox> boxes) {
  WideBox all;
  double widest = 0;
  for (const WideBox& b : boxes) {
    all = unite(all, b);
    widest = std::max(widest, b.max.x - b.min.x);
  }
  for (const Triangle& t : mesh.triangles) {
    if (!usable(mesh, t)) continue;
    Aabb box;
    for (int k = 0; k < 3; ++k) box = extend(box, mesh.positions[t[k]]);
    const WideBox wide = wide_box(box, mesh.origin);
    if (!overlap(wide, all)) continue;
    auto b = std::lower_bound(boxes.begin(), boxes.end(), wide.min.x - widest,
                              [](const WideBox& x, double at) { return x.min.x < at; });
    for (; b != boxes.end() && b->min.x <= wide.max.x; ++b)
      if (overlap(*b, wide)) return true;
  }
  return false;
}

std::vector<WideBox> rims_of(const HoledSide& side) {
  return side.holes != nullptr ? side.holes->rims(side.pose) : std::vector<WideBox>{};
}

/// Whether the whole overlap lies in the box of one rim.
bool in_one_rim(const Overlap& out, std::span<const WideBox> rims) {
  const WideBox found = wide_box(out.bounds, out.origin);
  return std::any_of(rims.begin(), rims.end(), [&](const WideBox& rim) { return holds(rim, found); });
}

void doubt_holes(const HoledSide& side, int mesh, Overlap& out) {
  out.verdict = Verdict::undecided;
  out.doubts.push_back({Doubt::Cause::closed_holes, mesh, side.holes->edge_count()});
}

}  // namespace

ClosedMesh::ClosedMesh(MeshView mesh, Closure closure) : closure_(std::move(closure)), mesh_(closed(mesh, closure_)) {}

std::span<const Vec3> ClosedMesh::deform(std::span<const Vec3> positions) {
  check_vertex_count(closure_.vertex_count, positions.size());
  std::copy(positions.begin(), positions.end(), mesh_.positions.begin());
  closure_.place_points(positions, mesh_.positions.data() + closure_.vertex_count);
  return mesh_.positions;
}

void ClosedMesh::report(Health& health) const {
  const ClosureFacts facts = closure_facts(closure_, own_positions());
  health.closed_edges += facts.edges;
  health.fan_area += facts.fan_area;
  health.closing_volume += facts.rim_box_volume;
}

std::vector<WideBox> ClosedMesh::rims(const Transform& pose) const {
  std::vector<WideBox> boxes;
  for (const Aabb& box : rim_boxes(closure_, own_positions()))
    if (!box.empty()) boxes.push_back(wide_box(wide_box(box, mesh_.origin), pose));
  std::sort(boxes.begin(), boxes.end(), [](const WideBox& x, const WideBox& y) { return x.min.x < y.min.x; });
  return boxes;
}

std::unique_ptr<ClosedMesh> close_holes(MeshView mesh) {
  Closure closure = find_closure(mesh);
  return closure.empty() ? nullptr : std::make_unique<ClosedMesh>(mesh, std::move(closure));
}

void judge_holes(const HoledSide& a, const HoledSide& b, Overlap& out) {
  const HoledSide* const sides[] = {&a, &b};
  for (const int i : {0, 1}) {
    if (sides[i]->holes == nullptr) continue;
    sides[i]->holes->report(out.health);
    if (out.verdict == Verdict::undecided) continue;
    const auto rims = rims_of(*sides[i]);
    const bool matters =
        out.verdict == Verdict::colliding ? in_one_rim(out, rims) : comes_near(sides[1 - i]->view(), rims);
    if (matters) doubt_holes(*sides[i], i, out);
  }
}

void judge_holes(const HoledSide& mesh, SelfOverlap& out) {
  if (mesh.holes == nullptr) return;
  mesh.holes->report(out.health);
  if (out.verdict == Verdict::colliding && in_one_rim(out, rims_of(mesh))) doubt_holes(mesh, 0, out);
}

void drop_fan_points(const ClosedMesh* holes, VerticesOfOne& found) {
  if (holes == nullptr) return;
  std::erase_if(found.inside, [&](const VertexInside& v) { return v.vertex >= holes->own_vertex_count(); });
}

}  // namespace lamella
