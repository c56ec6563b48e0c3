#include "measure/near_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/grow.hpp"
#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "measure/tree_kernel.hpp"

namespace lamella::measure {
namespace {

constexpr std::size_t kSamples = 4096, kFirst = 256;
constexpr std::size_t kChunk = 16384;
/// A test must be likely to leave out this part of the triangles of a mesh.
constexpr double kWorthIt = 0.5;
/// Meshes with fewer triangles go into trees as they are.
constexpr std::size_t kFew = 2048;

/// A corner of some triangles, relative to `origin`.
void sample(const NearSide& side, Vec3d origin, std::vector<Vec3d>& at, std::vector<std::uint32_t>& ids) {
  const std::size_t count = side.local.triangles.size(), step = std::max<std::size_t>(1, count / kSamples);
  at.clear();
  ids.clear();
  const Vec3d offset = side.local.origin - origin;
  for (std::size_t i = 0; i < count; i += step) {
    const Triangle& t = side.local.triangles[i];
    if (!side.usable && !usable(side.local, t)) continue;
    at.push_back(to_double(side.local.positions[t.a]) + offset);
    ids.push_back(static_cast<std::uint32_t>(i));
  }
}

std::size_t nearest(std::span<const Vec3d> points, Vec3d p) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const Vec3d away = points[i] - p; dot(away, away) < least) least = dot(away, away), best = i;
  return best;
}

float largest(const Aabb& box) {
  float most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(box.min[k]), std::abs(box.max[k])});
  return most;
}

/// The part of the samples for which test(point) holds.
template <class Test>
double part_of(const std::vector<Vec3d>& samples, const Test& test) {
  return static_cast<double>(std::count_if(samples.begin(), samples.end(), test)) /
         static_cast<double>(std::max<std::size_t>(1, samples.size()));
}

/// Triangles with a corner at least so far along a direction.
void keep_beyond(const NearSide& side, Vec3 direction, float from, Workers& workers, std::vector<float>& along,
                 std::vector<std::uint32_t>& out) {
  const MeshView mesh = side.local;
  resize_with_margin(along, mesh.positions.size());
  workers.for_chunks(mesh.positions.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_along(mesh.positions.subspan(begin, end - begin), direction, along.data() + begin);
  });
  out.clear();
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (along[t.a] >= from || along[t.b] >= from || along[t.c] >= from) out.push_back(static_cast<std::uint32_t>(i));
  }
}

class PartFinder {
 public:
  PartFinder(const PairQuery& query, const FoundPair& best, Workers& workers, NearParts& parts)
      : best_(best),
        reach_(std::sqrt(best.square) + query.slack),
        offset_(query.b.tree_origin - query.a.tree_origin),
        workers_(workers),
        parts_(parts) {}

  /// True when most of one mesh is left out.
  bool by_plane(const NearSide& a, const NearSide& b) {
    const double distance = std::sqrt(best_.square);
    if (!(distance > 0) || !std::isfinite(distance)) return false;
    const Vec3d across = (best_.on_b - best_.on_a) * (1 / distance);
    const Vec3 direction = to_float(across);
    const Reach of_a = reach_along(direction, a.local.positions), of_b = reach_along(direction, b.local.positions);
    const double between = dot(to_double(direction), offset_);  // what is added to b's
    const double room = reach_ * (1 + 0x1p-20) + (largest(a.box) + double{largest(b.box)}) * 0x1p-19;
    const double from_a = of_b.least + between - room, to_b = of_a.largest - between + room;
    const auto along = [&](Vec3d p) { return dot(to_double(direction), p); };
    bool any = false;
    if (part_of(parts_.samples_a, [&](Vec3d p) { return along(p) >= from_a; }) < kWorthIt) {
      keep_beyond(a, direction, static_cast<float>(from_a), workers_, parts_.along, parts_.a);
      parts_.all_a = false;
      any = true;
    }
    if (part_of(parts_.samples_b, [&](Vec3d p) { return along(p - offset_) <= to_b; }) < kWorthIt) {
      keep_beyond(b, direction * -1, static_cast<float>(-to_b), workers_, parts_.along, parts_.b);
      parts_.all_b = false;
      any = true;
    }
    return any;
  }

  void by_cells(const NearSide& a, const NearSide& b) {
    const auto reach = static_cast<float>(reach_ * (1 + 0x1p-20));
    Aabb region;
    float size = 0;
    for (int k = 0; k < 3; ++k) {
      const float room = reach + (largest(a.box) + largest(b.box)) * 0x1p-20f;
      region.min[k] = std::max(a.box.min[k], b.box.min[k]) - room;
      region.max[k] = std::min(a.box.max[k], b.box.max[k]) + room;
      size = std::max(size, region.max[k] - region.min[k]);
    }
    if (!a.usable || !b.usable || !(reach < size / 8)) return;
    proof::find_near(a.local, b.local, region, workers_, parts_.near, parts_.boxes_a, parts_.boxes_b, reach);
    const auto take = [](const std::vector<proof::NearBox>& boxes, std::vector<std::uint32_t>& ids) {
      ids.clear();
      for (const proof::NearBox& box : boxes) ids.push_back(box.triangle);
    };
    take(parts_.boxes_a, parts_.a);
    take(parts_.boxes_b, parts_.b);
    parts_.all_a = parts_.all_b = false;
  }

 private:
  const FoundPair& best_;
  double reach_;
  Vec3d offset_;
  Workers& workers_;
  NearParts& parts_;
};

}  // namespace

FoundPair guess_pair(const PairQuery& query, const NearSide& a, const NearSide& b, NearParts& parts) {
  sample(a, query.a.tree_origin, parts.samples_a, parts.ids_a);
  sample(b, query.a.tree_origin, parts.samples_b, parts.ids_b);
  const auto &at_a = parts.samples_a, &at_b = parts.samples_b;
  if (at_a.empty() || at_b.empty()) return {};
  std::size_t i = 0, k = 0;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t step_a = std::max<std::size_t>(1, at_a.size() / kFirst),
                    step_b = std::max<std::size_t>(1, at_b.size() / kFirst);
  for (std::size_t m = 0; m < at_a.size(); m += step_a)
    for (std::size_t n = 0; n < at_b.size(); n += step_b)
      if (const Vec3d away = at_a[m] - at_b[n]; dot(away, away) < least) least = dot(away, away), i = m, k = n;
  for (int round = 0; round < 3; ++round) {
    i = nearest(at_a, at_b[k]);
    k = nearest(at_b, at_a[i]);
  }
  return pair_of(query, parts.ids_a[i], parts.ids_b[k]);
}

void find_near_parts(const PairQuery& query, const FoundPair& best, const NearSide& a, const NearSide& b,
                     Workers& workers, NearParts& parts) {
  parts.all_a = parts.all_b = true;
  if (std::max(a.local.triangles.size(), b.local.triangles.size()) <= kFew) return;
  PartFinder finder(query, best, workers, parts);
  if (!finder.by_plane(a, b) && query.a.tree_origin == query.b.tree_origin) finder.by_cells(a, b);
}

}  // namespace lamella::measure
