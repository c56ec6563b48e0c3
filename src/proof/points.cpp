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
#include <limits>
#include <numeric>

#include "proof/points_crossing.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kVertexChunk = 8192, kTriangleChunk = 8192, kPointChunk = 8192;
/// Points at a time: what is kept of them is bounded.
constexpr std::size_t kMostPoints = std::size_t{1} << 24;
/// Points in a bin on average, and bins along an axis at most.
constexpr double kPointsPerBin = 4;
constexpr std::int32_t kMostBins = 1024;
/// Tests of points against boxes, for each point and triangle, before bins are given up.
constexpr std::uint64_t kMostTests = 128;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool strictly_inside(Vec3 p, const Aabb& box) {
  return box.min.x < p.x && p.x < box.max.x && box.min.y < p.y && p.y < box.max.y && box.min.z < p.z && p.z < box.max.z;
}
bool inside_or_on(Vec3 p, const Aabb& box) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
         p.z <= box.max.z;
}

}  // namespace

void ExactPoints::find_touched(MeshView mesh) {
  if (vertex_codes_.size() < mesh.positions.size()) vertex_codes_.resize(mesh.positions.size());
  if (codes_.size() < mesh.triangles.size()) codes_.resize(mesh.triangles.size());
  groups_.resize((mesh.triangles.size() + kGroup - 1) / kGroup);
  workers_.for_chunks(mesh.positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    encode_boxes(mesh.positions.subspan(begin, end - begin), blocks_.cells, vertex_codes_.data() + begin);
  });
  for (Worker& w : scratch_)
    for (auto& touched : w.touched) touched.assign(blocks_.columns(), 0);
  const std::size_t across = blocks_.across();
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    join_boxes(mesh.triangles.subspan(begin, end - begin), vertex_codes_.data(), codes_.data() + begin,
               groups_.data() + begin / kGroup);
    auto& maps = scratch_[worker].touched;
    Slabs *const a = maps[0].data(), *const b = maps[1].data(), *const c = maps[2].data(), *const d = maps[3].data();
    const auto touch = [&](BoxCode code) {
      const CellBox box = decode(code);
      const Slabs slabs = kSlabsInside.between(box.low[2], box.high[2]);
      const std::size_t low = box.low[1] / 2 * across, high = box.high[1] / 2 * across;
      a[low + box.low[0] / 2] |= slabs;
      b[low + box.high[0] / 2] |= slabs;
      c[high + box.low[0] / 2] |= slabs;
      d[high + box.high[0] / 2] |= slabs;
    };
    for (std::size_t i = begin; i < end; i += kGroup) {
      if (is_small(groups_[i / kGroup])) {  // mostly: triangles next to each other in memory are so on the surface
        touch(groups_[i / kGroup]);
        continue;
      }
      for (std::size_t k = i; k < std::min(i + kGroup, end); ++k) {
        if (is_small(codes_[k]))
          touch(codes_[k]);
        else if (const CellBox box = decode(codes_[k]); box.usable)
          visit_cells(box, blocks_, mesh, k, kSlabsInside, [a](std::uint32_t column, Slabs s) { a[column] |= s; });
      }
    }
  });
  touched_.assign(blocks_.columns(), 0);
  for (const Worker& w : scratch_)
    for (const auto& touched : w.touched)
      for (std::size_t i = 0; i < touched_.size(); ++i) touched_[i] |= touched[i];
}

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
  }
  const int(&axis)[3] = blocks_.cells.axis;
  const Slabs always = query.sampled ? 0 : ~Slabs{0};
  workers_.for_chunks(end - begin, kPointChunk, [&](std::size_t from, std::size_t to, unsigned worker) {
    Worker& w = scratch_[worker];
    const auto points = query.points.subspan(begin + from, to - from);
    find_cells(points, blocks_.points, w.columns.data(), w.slabs.data());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 p = points[i];
      const std::uint32_t column = w.columns[i];
      const Slabs touched = touched_[column], here = Slabs{1} << w.slabs[i];
      const bool inside = strictly_inside(p, query.bounds);
      if (inside && ((touched | always) & here) == 0) continue;
      if (query.box != nullptr && !inside_or_on(p, *query.box)) continue;
      if (!inside) {
        set(out.inside[begin + from + i], kPointOutside, w);
        continue;
      }
      const bool down = std::popcount(touched & (here - 1)) < std::popcount(touched & ~(here | (here - 1)));
      const Way way = any_open_ ? Way::both : down ? Way::down : Way::up;
      w.near.push_back(
          {{p[axis[0]], p[axis[1]], p[axis[2]]}, RayStart::encode(static_cast<std::uint32_t>(from + i), way)});
    }
  });
}

/// Which triangles can meet rays: see needed_.
void ExactPoints::note_needed() {
  const std::size_t across = blocks_.quarters_across(), down = blocks_.cells.cells[1].count;
  of_quarter_.assign(across * down, 0);
  const CellAxis& depth = blocks_.cells.cells[2];
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) {
      const auto here = Slabs{1} << bin_of(n.at.z, depth.origin, depth.scale, kSlabs);
      of_quarter_[blocks_.quarter_of(n.at)] |= n.way() == Way::both   ? ~Slabs{0}
                                               : n.way() == Way::down ? here | (here - 1)
                                                                      : ~(here - 1);
    }
  needed_.assign(blocks_.columns(), 0);
  of_four_.assign(across * down, 0);
  for (std::size_t v = 0; v < down; ++v)
    for (std::size_t u = 0; u < across; ++u) {
      const std::size_t i = v * across + u, right = u + 1 < across ? 1 : 0, up = v + 1 < down ? across : 0;
      of_four_[i] = of_quarter_[i] | of_quarter_[i + right] | of_quarter_[i + up] | of_quarter_[i + up + right];
      needed_[v / 2 * blocks_.across() + u / 2] |= of_quarter_[i];
    }
}

/// Bins over the box of the points near the surface, with a few in each.
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
  for (int k = 0; k < 2; ++k) {
    bins_.bins[k] = static_cast<std::int32_t>(std::clamp(side, 1.0, static_cast<double>(kMostBins)));
    bins_.origin[k] = low[k];
    const double scale = bins_.bins[k] / (static_cast<double>(high[k]) - low[k]);
    bins_.scale[k] = scale < 0x1p100 ? static_cast<float>(scale) : 0;  // also where all are at one place
  }
}

/// A counting sort by bin.
void ExactPoints::sort_near() {
  choose_bins();
  const auto bin = [this](Vec3 p) {
    return static_cast<std::size_t>(bin_of(p.y, bins_.origin[1], bins_.scale[1], bins_.bins[1])) * bins_.bins[0] +
           bin_of(p.x, bins_.origin[0], bins_.scale[0], bins_.bins[0]);
  };
  bin_begin_.assign(static_cast<std::size_t>(bins_.bins[0]) * bins_.bins[1] + 1, 0);
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) ++bin_begin_[bin(n.at) + 1];
  std::partial_sum(bin_begin_.begin(), bin_begin_.end(), bin_begin_.begin());
  next_.assign(bin_begin_.begin(), bin_begin_.end() - 1);
  const std::size_t count = bin_begin_.back();
  if (near_.size() < count + kPad) near_.resize(count + kPad);
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) near_[next_[bin(n.at)]++] = n;
  bins_.begin = bin_begin_.data();
  bins_.points = near_.data();
  found_.assign(count, {});
}

/// Whether rays may meet triangles in a small box.
bool ExactPoints::meets(BoxCode code) const {
  const CellBox box = decode(code);
  const std::size_t across = blocks_.quarters_across();
  // At most four quarters along u and v: four times four of them cover the box.
  const std::size_t left = box.low[0], right = box.high[0] - (box.high[0] != box.low[0] ? 1 : 0);
  const std::size_t low = box.low[1] * across, high = (box.high[1] - (box.high[1] != box.low[1] ? 1 : 0)) * across;
  const Slabs* const four = of_four_.data();
  return ((four[low + left] | four[low + right] | four[high + left] | four[high + right]) &
          kSlabsOrEnds.between(box.low[2], box.high[2])) != 0;
}

/// The triangles that rays may meet, of those from `begin` on, which must be a multiple of kGroup; `ids` must have room
/// for all and one more.
std::size_t ExactPoints::select(MeshView mesh, std::size_t begin, std::size_t end, std::uint32_t* ids) const {
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; i += kGroup) {
    if (const BoxCode group = groups_[i / kGroup]; is_small(group) && !meets(group)) continue;
    for (std::size_t k = i; k < std::min(i + kGroup, end); ++k) {
      bool met = false;
      if (is_small(codes_[k]))
        met = meets(codes_[k]);
      else if (const CellBox box = decode(codes_[k]); box.usable)
        visit_cells(box, blocks_, mesh, k, kSlabsOrEnds,
                    [&](std::uint32_t column, Slabs slabs) { met = met || (needed_[column] & slabs) != 0; });
      ids[count] = static_cast<std::uint32_t>(k);
      count += met ? 1 : 0;
    }
  }
  return count;
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
    const PointCrossing c = cross_triangle(point.at, {corner(t.a), corner(t.b), corner(t.c)});
    if (c.on_surface) add(ray.on_surface, 1);
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
  for (Worker& w : scratch_) w.ids.resize(kTriangleChunk + 1);
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    if (tests.load(std::memory_order_relaxed) > most) return;
    auto& ids = scratch_[worker].ids;
    const std::size_t count = select(mesh, begin, end, ids.data());
    tests += find_hits(mesh, std::span(ids).first(count), blocks_.cells.axis, bins_, sink);
  });
  return tests <= most;
}

/// For points and triangles that crowd together in a small part of the box.
void ExactPoints::cast_crowded(MeshView mesh) {
  std::vector<std::uint32_t> ids(mesh.triangles.size() + 1);
  ids.resize(select(mesh, 0, mesh.triangles.size(), ids.data()));
  std::vector<RayStart> rays(near_.begin(), near_.begin() + bin_begin_.back());
  for (std::uint32_t i = 0; i < rays.size(); ++i) rays[i].code = RayStart::encode(i, Way::both);
  RayCaster caster;
  caster.start(mesh, ids, blocks_.cells.axis);
  const auto found = caster.cast(rays);
  for (std::size_t i = 0; i < rays.size(); ++i) found_[rays[i].number()] = found[i];
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
      const bool unknown = ray.winding < 0 || (any_open_ && ray.unbalanced != 0);
      const std::uint8_t flag = unknown ? kPointUnknown : ray.winding > 0 ? kPointInside : kPointOutside;
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
  find_touched(query.mesh);
  for (std::size_t i = 0; i < query.points.size(); i += kMostPoints)
    correct_some(q, i, std::min(query.points.size(), i + kMostPoints), out);
  for (const Worker& w : scratch_) {
    out.inside_count += static_cast<std::uint64_t>(w.inside);
    out.health.untrusted_points += static_cast<std::uint64_t>(w.unknown);
  }
}

}  // namespace lamella::proof
