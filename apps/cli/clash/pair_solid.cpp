#include "cli/clash/pair_solid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lamella/query.hpp"
#include "lamella/solid.hpp"

namespace lamella::cli {
namespace {

/// Of the volume: the most that a solid may lack or have too much, beside the answer's own error.
constexpr double kMostMissed = 0.1;
/// Prisms are not made finer where that could make more of them: these take 16 MB.
constexpr std::size_t kManySpans = std::size_t{1} << 16;

bool has_volume_of(const ClashPair& pair, double volume) {
  return std::abs(volume - pair.volume) <= std::max(kMostMissed * pair.volume, pair.volume_error);
}

bool shows(const OverlapSolid& solid, const ClashPair& pair) {
  if (solid.empty() || solid.missed_volume > kMostMissed * solid.volume) return false;
  return has_volume_of(pair, signed_volume(solid.mesh));
}

PairSolid smooth(const OverlapSolid& solid) {
  DrawnSolid out = drawn(solid);
  return {std::move(out.positions), std::move(out.normals), std::move(out.triangles), out.origin};
}

/// Walls that are thinner than a column and parallel to the rays are seen too thick or not at all: until the volume is
/// right, columns are made narrower.
Overlap spans_of(const Mesh& a, const Mesh& b, const ClashPair& pair, const ClashOptions& options,
                 const SolidDetail& detail) {
  Options sampling{.engine = "software", .resolution = detail.resolution, .threads = options.threads};
  sampling.close_holes = options.close_holes;
  Overlap overlap = intersect(a, b, sampling);
  while (sampling.resolution < detail.finest && !has_volume_of(pair, overlap.volume) &&
         4 * overlap.spans.size() <= kManySpans) {
    sampling.resolution = std::min(2 * sampling.resolution, detail.finest);
    overlap = intersect(a, b, sampling);
  }
  return overlap;
}

}  // namespace

PlacedParts::Kept& PlacedParts::place(std::uint32_t part, const Kept* keep) {
  for (Kept& kept : kept_) {
    if (kept.part == part) return kept;
  }
  Kept& kept = kept_[&kept_[0] == keep ? 1 : 0];
  const AssemblyPart& placed = assembly_.parts.at(part);
  kept.mesh = transformed(assembly_.meshes.at(placed.mesh), placed.pose);
  kept.part = part;
  return kept;
}

std::array<const Mesh*, 2> PlacedParts::pair(std::uint32_t a, std::uint32_t b) {
  // Whichever of the two is kept already must not make room for the other.
  const auto has = [&](std::uint32_t part) { return kept_[0].part == part || kept_[1].part == part; };
  if (!has(a) && has(b)) {
    Kept& second = place(b, nullptr);
    return {&place(a, &second).mesh, &second.mesh};
  }
  Kept& first = place(a, nullptr);
  return {&first.mesh, &place(b, &first).mesh};
}

WorldBox unite(const WorldBox& a, const WorldBox& b) {
  WorldBox out;
  for (int k = 0; k < 3; ++k) out.min[k] = std::min(a.min[k], b.min[k]), out.max[k] = std::max(a.max[k], b.max[k]);
  return out;
}

WorldBox PlacedParts::box(std::uint32_t part) {
  const AssemblyPart& placed = assembly_.parts.at(part);
  const Mesh& mesh = assembly_.meshes.at(placed.mesh);
  const auto [found, added] = bounds_.try_emplace(placed.mesh);
  if (added) found->second = bounds(mesh);
  const Aabb& own = found->second;
  const auto corner = [&](unsigned i) {
    const Vec3 p{i & 1 ? own.max.x : own.min.x, i & 2 ? own.max.y : own.min.y, i & 4 ? own.max.z : own.min.z};
    return apply(placed.pose, (own.empty() ? Vec3d{} : to_double(p)) + mesh.origin);
  };
  WorldBox out{corner(0), corner(0)};
  for (unsigned i = 1; i < 8; ++i) out = unite(out, {corner(i), corner(i)});
  return out;
}

PairSolid pair_solid(PlacedParts& parts, const ClashPair& pair, const ClashOptions& options,
                     const SolidDetail& detail) {
  const auto [a, b] = parts.pair(pair.a, pair.b);
  const OverlapSolid solid = overlap_solid(*a, *b,
                                           {.resolution = std::min(detail.resolution, kMaxSolidResolution),
                                            .threads = options.threads,
                                            .close_holes = options.close_holes});
  if (shows(solid, pair)) return smooth(solid);
  const Overlap overlap = spans_of(*a, *b, pair, options, detail);
  PairSolid out;
  if (overlap.spans.empty()) {
    out = smooth(solid);
  } else {
    Mesh boxes = prisms(overlap.grid, overlap.spans);
    out = {std::move(boxes.positions), {}, std::move(boxes.triangles), overlap.origin};
  }
  out.approximate = !has_volume_of(pair, signed_volume(out.view()));
  return out;
}

std::vector<std::uint32_t> worst_first(const ClashReport& report) {
  std::vector<std::uint32_t> order;
  std::vector<bool> listed(report.pairs.size());
  const auto list = [&](std::uint32_t pair) {
    if (pair >= listed.size() || listed[pair]) return;
    listed[pair] = true;
    order.push_back(pair);
  };
  for (const ClashFinding& finding : report.findings) std::for_each(finding.pairs.begin(), finding.pairs.end(), list);
  for (std::uint32_t i = 0; i < listed.size(); ++i) list(i);
  return order;
}

}  // namespace lamella::cli
