#include "detect/holes.hpp"

#include <algorithm>
#include <utility>

#include "core/mesh_check.hpp"
#include "core/rims.hpp"
#include "query/verdict.hpp"

namespace lamella {
namespace {

std::vector<WideBox> rims_of(const HoledSide& side) {
  return side.holes != nullptr ? side.holes->rims(side.pose) : std::vector<WideBox>{};
}

/// A mesh whose doubles alone do not close has a ClosedMesh without holes.
bool has_holes(const HoledSide& side) { return side.holes != nullptr && side.holes->edge_count() != 0; }

/// Whether the whole overlap lies in the box of one rim.
bool in_one_rim(const Overlap& out, std::span<const WideBox> rims) {
  return in_one_rim(wide_box(out.bounds, out.origin), rims);
}

void note_holes(const HoledSide& side, int mesh, Overlap& out) {
  side.holes->report(out.health);
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
  return rims_of(closure_, own_positions(), mesh_.origin, pose);
}

/// A fan's point is p = sum(m l) / sum(l) over the rim's edges, with middles m and lengths l; so an edge's ends have
/// g l / 2 of the point's gradient g, and g (m - p) along the edge, as it gets longer, both divided by sum(l).
void ClosedMesh::fold_gradients(std::span<const Vec3> positions, std::vector<Vec3>& gradients) const {
  if (gradients.empty()) return;
  for (const Closure::Rim& rim : closure_.rims) {
    if (rim.point == Closure::kNoPoint) continue;
    const std::size_t number = closure_.vertex_count + rim.point;
    const Vec3d g = to_double(gradients[number]), p = to_double(positions[number]);
    if (g == Vec3d{}) continue;
    const auto fan = std::span(closure_.fans).subspan(rim.first, rim.triangles);
    const auto edge = [&](const Triangle& t) { return to_double(positions[t.b]) - to_double(positions[t.a]); };
    double total = 0;
    for (const Triangle& t : fan) total += length(edge(t));
    if (!(total > 0)) continue;
    for (const Triangle& t : fan) {
      const double l = length(edge(t));
      if (!(l > 0)) continue;
      const Vec3d middle = to_double(positions[t.a]) + edge(t) * 0.5;
      const Vec3d share = g * (0.5 * l / total), stretch = edge(t) * (dot(g, middle - p) / (l * total));
      gradients[t.a] = to_float(to_double(gradients[t.a]) + share - stretch);
      gradients[t.b] = to_float(to_double(gradients[t.b]) + share + stretch);
    }
  }
  gradients.resize(closure_.vertex_count);
}

void fold_gradients(const HoledSide& side, std::vector<Vec3>& gradients) {
  if (side.holes != nullptr) side.holes->fold_gradients(side.view().positions, gradients);
}

std::unique_ptr<ClosedMesh> close_holes(MeshView mesh) {
  Closure closure = find_closure(mesh);
  if (closure.empty()) return nullptr;
  if (mesh.wide.empty()) return std::make_unique<ClosedMesh>(mesh, std::move(closure));
  const Mesh floats = rounded(mesh);
  return std::make_unique<ClosedMesh>(floats, find_closure(floats));
}

namespace {

/// What was proved holds for the fans, which may not be what the mesh should be.
void unsettle(Overlap& out) {
  out.verdict = Verdict::undecided;
  out.certificate.certain = false;
}

}  // namespace

void judge_holes(const HoledSide& a, const HoledSide& b, Overlap& out) {
  const HoledSide* const sides[] = {&a, &b};
  for (const int i : {0, 1}) {
    if (!has_holes(*sides[i])) continue;
    note_holes(*sides[i], i, out);
    if (out.verdict == Verdict::undecided) continue;
    const auto rims = rims_of(*sides[i]);
    const bool matters =
        out.verdict == Verdict::colliding ? in_one_rim(out, rims) : comes_near(sides[1 - i]->view(), rims);
    if (matters) unsettle(out);
  }
}

void judge_holes(const HoledSide& mesh, SelfOverlap& out) {
  if (!has_holes(mesh)) return;
  note_holes(mesh, 0, out);
  if (out.verdict == Verdict::colliding && in_one_rim(out, rims_of(mesh))) unsettle(out);
}

void drop_fan_points(const ClosedMesh* holes, VerticesOfOne& found) {
  if (holes == nullptr) return;
  std::erase_if(found.inside, [&](const VertexInside& v) { return v.vertex >= holes->own_vertex_count(); });
}

}  // namespace lamella
