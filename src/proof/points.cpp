// Points in a mesh, exactly. Samples decide most of them: sampling moves a vertex by half a lattice step at most, and a
// point is looked up at the centre of its cell. Where the surface does not touch a cell, even when it is moved by that
// much, all of the cell is inside or all of it is outside, of the mesh and of what was sampled. Only points in other
// cells need a ray.
//
// Rays run along the sampling axis, from the point out of the mesh, the way on which fewer slabs are touched. Points
// are sorted into bins, and triangles come to them in their own order: each is read once.

#include "proof/points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "proof/points_crossing.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kPointChunk = 8192;
/// Points at a time: what is kept of them is bounded.
constexpr std::size_t kMostPoints = std::size_t{1} << 24;
/// Points in a bin on average, and bins along an axis at most.
constexpr double kPointsPerBin = 0.0625;
constexpr std::int32_t kMostBins[2] = {1024, 256};
/// Tests of points against boxes, for each point and triangle, before bins are given up.
constexpr std::uint64_t kMostTests = 128;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();  ///< in no box

bool strictly_inside(Vec3 p, const Aabb& box) {
  return box.min.x < p.x && p.x < box.max.x && box.min.y < p.y && p.y < box.max.y && box.min.z < p.z && p.z < box.max.z;
}
float largest(const Aabb& box) {
  float most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(box.min[k]), std::abs(box.max[k])});
  return most;
}
bool inside_or_on(Vec3 p, const Aabb& box) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
         p.z <= box.max.z;
}

}  // namespace

/// Changes a flag, and notes what that changes in the counts.
void ExactPoints::set(std::uint8_t& flag, std::uint8_t to, Worker& worker) {
  worker.inside += (to == kPointInside ? 1 : 0) - (flag == kPointInside ? 1 : 0);
  worker.unknown += (to == kPointUnknown ? 1 : 0) - (flag == kPointUnknown ? 1 : 0);
  flag = to;
}

/// Points that need a ray, and which way it goes. Points that cannot be inside get their flag here.
void ExactPoints::find_near(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out) {
  for (Worker& w : scratch_) {
    w.near.clear();
    w.columns.resize(kPointChunk);
    w.slabs.resize(kPointChunk);
    w.found.resize(kPointChunk / 64);
  }
  unsafe_.resize(2 * touched_.size());
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const Slabs unsafe = query.sampled ? touched_[i] : ~Slabs{0};
    unsafe_[2 * i] = static_cast<std::uint32_t>(unsafe);
    unsafe_[2 * i + 1] = static_cast<std::uint32_t>(unsafe >> 32);
  }
  workers_.for_chunks(end - begin, kPointChunk, [&](std::size_t from, std::size_t to, unsigned worker) {
    Worker& w = scratch_[worker];
    const auto points = query.points.subspan(begin + from, to - from);
    find_cells(points, blocks_.points, query.bounds, unsafe_.data(), w.columns.data(), w.slabs.data(), w.found.data());
    for (std::size_t first = 0; first < points.size(); first += 64)
      for (std::uint64_t bits = w.found[first / 64]; bits != 0; bits &= bits - 1) {
        const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(bits));
        if (query.box != nullptr && !inside_or_on(points[i], *query.box)) continue;
        if (strictly_inside(points[i], query.bounds))
          w.near.push_back(start_ray(points[i], static_cast<std::uint32_t>(from + i), w.columns[i], w.slabs[i]));
        else
          set(out.inside[begin + from + i], kPointOutside, w);
      }
  });
}

/// Rays go the way on which fewer slabs are touched.
void ExactPoints::choose_ways() {
  split_.assign(touched_.size(), 0);
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (touched_[i] == 0) continue;  // no point there has a ray
    int below = 0, above = std::popcount(touched_[i]);
    std::uint8_t slab = 0;
    for (Slabs rest = touched_[i]; slab < kSlabs; ++slab, rest >>= 1) {
      above -= static_cast<int>(rest & 1);
      if (below >= above) break;
      below += static_cast<int>(rest & 1);
    }
    split_[i] = slab;
  }
}

RayStart ExactPoints::start_ray(Vec3 p, std::uint32_t number, std::uint32_t column, std::uint32_t slab) const {
  const int(&axis)[3] = blocks_.cells.axis;
  const Way way = any_open_ ? Way::both : slab < split_[column] ? Way::down : Way::up;
  return {{p[axis[0]], p[axis[1]], p[axis[2]]}, RayStart::encode(number, way)};
}

/// Bins over the box of the points near the surface, with few points in each.
void ExactPoints::choose_bins() {
  float low[2] = {kInfinity, kInfinity}, high[2] = {-kInfinity, -kInfinity};
  std::size_t count = 0;
  for (const Worker& w : scratch_) {
    count += w.near.size();
    for (const RayStart& n : w.near)
      for (int k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], n.at[k]);
        high[k] = std::max(high[k], n.at[k]);
      }
  }
  const double side = std::sqrt(static_cast<double>(count) / kPointsPerBin);
  BinnedPoints& bins = bins_[0];
  for (int k = 0; k < 2; ++k) {
    const double along = k == 0 ? 2 * side : side / 2;  // a row's bins are tested together
    bins.bins[k] = static_cast<std::int32_t>(std::clamp(along, 1.0, static_cast<double>(kMostBins[k])));
    bins.origin[k] = low[k];
    const double scale = bins.bins[k] / (static_cast<double>(high[k]) - low[k]);
    bins.scale[k] = scale < 0x1p100 ? static_cast<float>(scale) : 0;  // also where all are at one place
  }
}

/// A counting sort by way and bin.
void ExactPoints::sort_near() {
  choose_bins();
  BinnedPoints bins = bins_[0];
  const std::size_t bin_count = static_cast<std::size_t>(bins.bins[0]) * bins.bins[1];
  const auto bin = [&](const RayStart& n) {
    return static_cast<std::size_t>(bin_of(n.at.y, bins.origin[1], bins.scale[1], bins.bins[1])) * bins.bins[0] +
           bin_of(n.at.x, bins.origin[0], bins.scale[0], bins.bins[0]) + (n.way() == Way::down ? bin_count : 0);
  };
  bin_begin_.assign(2 * bin_count + 1, 0);
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) ++bin_begin_[bin(n) + 1];
  std::partial_sum(bin_begin_.begin(), bin_begin_.end(), bin_begin_.begin());
  next_.assign(bin_begin_.begin(), bin_begin_.end() - 1);
  const std::size_t count = bin_begin_.back();
  if (near_.size() < count + kPad) near_.resize(count + kPad);
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) near_[next_[bin(n)]++] = n;
  for (int k = 0; k < 3; ++k) {
    at_[k].resize(count + kPad);
    bins.at[k] = at_[k].data();
  }
  split_points(std::span(near_).first(count), at_[0].data(), at_[1].data(), at_[2].data());
  sure_.assign(count + kPad, 0);
  found_.assign(count, {});
  bins.windings = sure_.data();
  for (int way = 0; way < 2; ++way) {
    bins.begin = bin_begin_.data() + static_cast<std::size_t>(way) * bin_count;
    bins_[way] = bins;
  }
}

void ExactPoints::take_hits(MeshView mesh, std::span<const BoxHit> hits) {
  const int(&axis)[3] = blocks_.cells.axis;
  const bool shared = workers_.count() > 1;  // a point may be met by triangles of several workers
  const auto add = [shared](std::int32_t& sum, std::int32_t value) {
    if (shared)
      std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
    else
      sum += value;
  };
  for (const BoxHit& hit : hits) {
    const Triangle& t = mesh.triangles[hit.triangle];
    const auto corner = [&](std::uint32_t i) {
      const Vec3& p = mesh.positions[i];
      return Vec3{p[axis[0]], p[axis[1]], p[axis[2]]};
    };
    const RayStart& point = near_[hit.point];
    RayWinding& ray = found_[hit.point];
    if (!shared && ray.on_surface != 0) continue;
    const PointCrossing c = cross_triangle(point.at, {corner(t.a), corner(t.b), corner(t.c)});
    if (c.on_surface) {
      add(ray.on_surface, 1);
      if (!shared) at_[0][hit.point] = kNowhere;  // no triangle need look at it again
    }
    if (c.turn == 0) continue;
    // A ray that goes up leaves through triangles that look up; one that goes down enters through those.
    const bool down = point.way() == Way::down;
    if (c.above != down) add(ray.winding, down ? -c.turn : c.turn);
    if (any_open_) add(ray.unbalanced, c.turn);
  }
}

/// False when too many points and triangles are in the same bins.
bool ExactPoints::cast_rays(MeshView mesh) {
  const std::uint64_t most = kMostTests * (bin_begin_.back() + mesh.triangles.size());
  std::atomic<std::uint64_t> tests{0};
  struct Owner {
    ExactPoints* points;
    MeshView mesh;
  } owner{this, mesh};
  const HitSink sink{&owner, [](void* to, std::span<const BoxHit> hits) {
                       static_cast<Owner*>(to)->points->take_hits(static_cast<Owner*>(to)->mesh, hits);
                     }};
  // Floats do not tell where a line enters the mesh more often than it leaves it.
  const Adding adding = any_open_ || huge_ ? Adding::none : workers_.count() > 1 ? Adding::shared : Adding::alone;
  const Way ways[2] = {any_open_ ? Way::both : Way::up, Way::down};
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    if (tests.load(std::memory_order_relaxed) > most) return;
    Selected& selected = scratch_[worker].selected;
    selected.count[0] = selected.count[1] = 0;
    select(mesh, begin, end, selected);
    for (int way = 0; way < 2; ++way)
      tests += find_hits(mesh, selected.of(way), blocks_.cells.axis, bins_[way], ways[way], adding, sink);
  });
  return tests <= most;
}

/// For points and triangles that crowd together in a small part of the box.
void ExactPoints::cast_crowded(MeshView mesh) {
  Selected selected;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += kTriangleChunk)
    select(mesh, i, std::min(mesh.triangles.size(), i + kTriangleChunk), selected);
  std::vector<std::uint32_t> ids;
  std::ranges::set_union(selected.of(0), selected.of(1), std::back_inserter(ids));
  std::vector<RayStart> rays(near_.begin(), near_.begin() + bin_begin_.back());
  for (std::uint32_t i = 0; i < rays.size(); ++i) rays[i].code = RayStart::encode(i, rays[i].way());
  RayCaster caster;
  caster.start(mesh, ids, blocks_.cells.axis);
  const auto found = caster.cast(rays);
  for (std::size_t i = 0; i < rays.size(); ++i) found_[rays[i].number()] = found[i];
  std::fill(sure_.begin(), sure_.end(), 0);
}

void ExactPoints::correct_some(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out) {
  find_near(query, begin, end, out);
  note_needed();
  sort_near();
  if (bin_begin_.back() == 0) return;
  if (!cast_rays(query.mesh)) cast_crowded(query.mesh);
  workers_.for_chunks(found_.size(), kPointChunk, [&](std::size_t from, std::size_t to, unsigned worker) {
    for (std::size_t i = from; i < to; ++i) {
      const RayWinding& ray = found_[i];
      const std::int32_t winding = ray.winding + sure_[i];
      const bool unknown = winding < 0 || (any_open_ && ray.unbalanced != 0);
      const std::uint8_t flag = unknown ? kPointUnknown : winding > 0 ? kPointInside : kPointOutside;
      set(out.inside[begin + near_[i].number()], ray.on_surface != 0 ? kPointOutside : flag, scratch_[worker]);
    }
  });
}

void ExactPoints::correct(const ExactQuery& query, Containment& out) {
  ExactQuery q = query;
  q.sampled = query.sampled && out.grid.column_count() != 0;
  any_open_ = !q.sampled || out.health.open_columns != 0;
  for (Worker& w : scratch_) w.inside = w.unknown = 0;
  blocks_ = make_blocks(q.sampled ? out.grid : square_grid(query.bounds, Axis::z, kMostCells / 2), q.sampled);
  huge_ = !(largest(query.bounds) <= kMostCertain);
  find_touched(query.mesh);
  choose_ways();
  for (std::size_t i = 0; i < query.points.size(); i += kMostPoints)
    correct_some(q, i, std::min(query.points.size(), i + kMostPoints), out);
  for (const Worker& w : scratch_) {
    out.inside_count += static_cast<std::uint64_t>(w.inside);
    out.health.untrusted_points += static_cast<std::uint64_t>(w.unknown);
  }
}

}  // namespace lamella::proof
