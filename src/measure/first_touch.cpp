#include "measure/first_touch.hpp"

#include <algorithm>
#include <cmath>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "measure/side_by_side.hpp"
#include "proof/closed.hpp"

namespace lamella {
namespace {

/// How far floats of the view may be off, with room, as a part of the coordinate.
constexpr float kSlack = 0x1p-22f;

float wider(float x, float reach, int sign) { return x + static_cast<float>(sign) * kSlack * reach; }

Aabb widened(Vec3 low, Vec3 high) {
  const float across = std::max({std::abs(low.x), std::abs(high.x), std::abs(low.y), std::abs(high.y)});
  const float along = std::max(std::abs(low.z), std::abs(high.z));
  return {{wider(low.x, across, -1), wider(low.y, across, -1), wider(low.z, along, -1)},
          {wider(high.x, across, 1), wider(high.y, across, 1), wider(high.z, along, 1)}};
}

Vec3d to_world(const ViewRotation& view, Vec3d p) { return view.u * p.x + view.v * p.y + view.w * p.z; }

/// Of positions in one frame of floats.
bool is_solid(MeshView mesh, bool all_usable, Workers& workers) {
  return proof::is_closed(mesh, all_usable, workers) && signed_volume(mesh) > 0;
}

}  // namespace

bool is_solid(MeshView mesh, Workers& workers) {
  return is_solid(mesh, inspect_positions(mesh.positions).usable, workers);
}

void SweptMesh::turn(MeshView mesh, const ViewRotation& view, Vec3d origin, double facing, std::optional<bool> solid,
                     Workers& workers) {
  mesh_ = mesh;
  view_ = view;
  offset_ = mesh.origin - origin;
  turned_.resize(mesh.vertex_count());
  const Placement placement{{view.u, view.v, view.w},
                            {dot(view.u, offset_), dot(view.v, offset_), dot(view.w, offset_)}};
  if (mesh.wide.empty()) {
    facts_ = place_positions(mesh.positions, placement, turned_.data());
  } else {
    for (std::size_t i = 0; i < turned_.size(); ++i) turned_[i] = narrow(vertex(static_cast<std::uint32_t>(i)));
    facts_ = inspect_positions(turned_);
  }
  if (!solid) solid = is_solid({.positions = turned_, .triangles = mesh.triangles}, facts_.usable, workers);
  facing_ = *solid ? facing : 0;
}

Aabb SweptMesh::box() const {
  if (facts_.box.empty()) return {};
  return widened(facts_.box.min, facts_.box.max);
}

void SweptMesh::collect(const Aabb& window, Workers& workers) {
  constexpr std::size_t kChunk = 8192;
  const std::size_t count = mesh_.triangles.size();
  parts_.resize(std::max(parts_.size(), (count + kChunk - 1) / kChunk));
  for (auto& part : parts_) part.clear();
  workers.for_chunks(
      count, kChunk,
      [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i)
          add_box(static_cast<std::uint32_t>(i), window, parts_[begin / kChunk]);
      },
      1);
  boxes_.clear();
  for (const auto& part : parts_) boxes_.insert(boxes_.end(), part.begin(), part.end());
}

ViewTriangle SweptMesh::triangle(std::uint32_t i) const {
  const Triangle t = mesh_.triangles[i];
  return {{vertex(t.a), vertex(t.b), vertex(t.c)}};
}

void SweptMesh::add_box(std::uint32_t i, const Aabb& window, std::vector<SweptBox>& out) const {
  const Triangle t = mesh_.triangles[i];
  const Vec3 a = turned_[t.a], b = turned_[t.b], c = turned_[t.c];
  if (!facts_.usable && !(usable(a) && usable(b) && usable(c))) return;
  const Vec3 low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})};
  const Vec3 high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})};
  const Aabb box = widened(low, high);
  if (box.min.x > window.max.x || box.max.x < window.min.x || box.min.y > window.max.y || box.max.y < window.min.y ||
      box.min.z > window.max.z || box.max.z < window.min.z)
    return;
  if (facing_ == 0 || !looks_away(a, b, c, box)) out.push_back({box.min, box.max, i});
}

Vec3d SweptMesh::vertex(std::uint32_t i) const {
  const Vec3d p = (mesh_.wide.empty() ? to_double(mesh_.positions[i]) : mesh_.wide[i]) + offset_;
  return {dot(view_.u, p), dot(view_.v, p), dot(view_.w, p)};
}

/// Whether it certainly looks the other way: the area is compared with what rounding of the corners can do to it.
bool SweptMesh::looks_away(Vec3 a, Vec3 b, Vec3 c, const Aabb& box) const {
  const double ux = double{b.x} - a.x, uy = double{b.y} - a.y, vx = double{c.x} - a.x, vy = double{c.y} - a.y;
  const double size = std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y);
  const double reach = std::max({std::abs(box.min.x), std::abs(box.max.x), std::abs(box.min.y), std::abs(box.max.y)});
  return facing_ * (ux * vy - uy * vx) < -8 * double{kSlack} * reach * size;
}

void FirstTouch::turn(MeshView a, MeshView b, const ViewRotation& view, Vec3d origin, const Known& known,
                      Workers& workers) {
  side_by_side(
      workers, [&] { moving_.turn(a, view, origin, 1, known.solid_a, workers); },
      [&] { fixed_.turn(b, view, origin, -1, known.solid_b, workers); });
}

std::optional<SweepHit> FirstTouch::find(MeshView a, MeshView b, const Motion& motion, const Known& known,
                                         Workers& workers) {
  const ViewRotation view = rotation_to(motion.direction);
  const double distance = motion.distance;
  turn(a, b, view, motion.origin, known, workers);
  const Aabb box_a = moving_.box(), box_b = fixed_.box();
  // Where either can be when they touch: the moving one where it is, the fixed one up to the motion's end.
  const double reach = std::min(distance * 1.000001, double{kMaxCoordinate});
  Aabb swept = box_a, ahead = box_b;
  swept.max.z = static_cast<float>(swept.max.z + reach);
  ahead.min.z = static_cast<float>(ahead.min.z - reach);
  side_by_side(
      workers, [&] { moving_.collect(ahead, workers); }, [&] { fixed_.collect(swept, workers); });

  TriangleTouch first;
  first.shift = distance;
  std::optional<SweepHit> hit;
  cells_.search(moving_.boxes(), fixed_.boxes(), distance, workers, [&](std::uint32_t i, std::uint32_t k) {
    const ViewTriangle p = moving_.triangle(i), q = fixed_.triangle(k);
    if (!moving_.can_touch(p) || !fixed_.can_touch(q)) return HUGE_VAL;
    const auto touch = sweep_triangle(p, q);
    if (!touch || touch->shift > first.shift || (hit && touch->shift == first.shift)) return HUGE_VAL;
    first = *touch;
    hit = SweepHit{.triangle_a = i, .triangle_b = k};
    return touch->shift;
  });
  if (!hit) return hit;
  hit->time = std::min(1.0, first.shift / distance);
  hit->position = to_world(view, first.position) + motion.origin;
  hit->normal = to_world(view, first.normal);
  return hit;
}

std::optional<SweepHit> FirstTouch::find_crossing(MeshView a, MeshView b, Vec3d origin, Workers& workers) {
  // Along no axis and no diagonal: there, triangles of parts that people draw would be seen edge on.
  constexpr Vec3d kAskew{0.3480, 0.5623, 0.7501};
  const ViewRotation view = rotation_to(kAskew * (1 / length(kAskew)));
  turn(a, b, view, origin, {.solid_a = false, .solid_b = false}, workers);
  const Aabb box_a = moving_.box(), box_b = fixed_.box();
  side_by_side(
      workers, [&] { moving_.collect(box_b, workers); }, [&] { fixed_.collect(box_a, workers); });
  std::optional<SweepHit> hit;
  cells_.search(moving_.boxes(), fixed_.boxes(), 0, workers, [&](std::uint32_t i, std::uint32_t k) {
    const auto touch = sweep_triangle(moving_.triangle(i), fixed_.triangle(k));
    if (hit || !touch || !touch->crossing) return HUGE_VAL;
    hit = SweepHit{
        .position = to_world(view, touch->position) + origin, .triangle_a = i, .triangle_b = k, .overlapping = true};
    return -HUGE_VAL;  // one is enough
  });
  return hit;
}

}  // namespace lamella
