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

constexpr std::size_t kSamples = 4096;
constexpr std::size_t kChunk = 16384;
/// A test must be likely to leave out this part of the triangles of a mesh.
constexpr double kWorthIt = 0.5;
/// So many samples of a mesh are compared with all of the other; if more than this part of them is near it, cells leave
/// out too little.
constexpr std::size_t kProbes = 32;
constexpr double kMostlyNear = 0.75;
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

/// Calls take(point, nearest, square) for some of the points and the nearest of others; also writes the squares.
template <class Take>
void probe(std::span<const Vec3d> points, std::span<const Vec3d> others, std::vector<double>& squares,
           const Take& take) {
  squares.clear();
  const std::size_t step = std::max<std::size_t>(1, points.size() / kProbes);
  for (std::size_t i = 0; i < points.size(); i += step) {
    const NearestPoint near = nearest_point(others, points[i]);
    squares.push_back(near.square);
    take(i, near.index, near.square);
  }
}

float largest(const Aabb& box) {
  float most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(box.min[k]), std::abs(box.max[k])});
  return most;
}

/// The part of the samples for which test(sample) holds.
template <class Sample, class Test>
double part_of(const std::vector<Sample>& samples, const Test& test) {
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
    if (!a.usable || !b.usable || !(reach < size / 8) || face_everywhere(a, b)) return;
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
  /// Whether little can be left out, judged by samples: these are some 64th of a box's diagonal apart.
  [[nodiscard]] bool face_everywhere(const NearSide& a, const NearSide& b) const {
    const auto near = [&](const std::vector<double>& squares, const NearSide& other) {
      const double distance = reach_ + length(to_double(extent(other.box))) / std::sqrt(double{kSamples});
      return part_of(squares, [&](double square) { return square < distance * distance; }) > kMostlyNear;
    };
    return near(parts_.probes_a, b) && near(parts_.probes_b, a);
  }

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
  const auto take = [&](std::size_t of_a, std::size_t of_b, double square) {
    if (square < least) least = square, i = of_a, k = of_b;
  };
  probe(at_a, at_b, parts.probes_a, [&](std::size_t from, std::size_t to, double square) { take(from, to, square); });
  probe(at_b, at_a, parts.probes_b, [&](std::size_t from, std::size_t to, double square) { take(to, from, square); });
  for (int round = 0; round < 3; ++round) {
    i = nearest_point(at_a, at_b[k]).index;
    k = nearest_point(at_b, at_a[i]).index;
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
