// Points in a mesh, exactly. Samples decide most of them: sampling moves a vertex by half a lattice step at most, and a
// point is looked up at the centre of its cell. Where the surface does not touch a cell, even when it is moved by that
// much, all of the cell is inside or all of it is outside, of the mesh and of what was sampled. Only points in other
// cells need a ray.
//
// Rays run along the sampling axis, from the point out of the mesh, the way on which fewer slabs are touched. They are
// taken column by column of cells: a triangle is listed in those columns that it may touch and that have such points.

#include "proof/points.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/lattice.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kVertexChunk = 8192, kTriangleChunk = 8192, kPointChunk = 8192;
/// Points at a time: what is kept of them is bounded.
constexpr std::size_t kMostPoints = std::size_t{1} << 24;
/// Entries at a time, unless a single column has more.
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 25;
constexpr std::uint32_t kWays = 2;

bool strictly_inside(Vec3 p, const Aabb& box) {
  return box.min.x < p.x && p.x < box.max.x && box.min.y < p.y && p.y < box.max.y && box.min.z < p.z &&
         p.z < box.max.z;
}
bool inside_or_on(Vec3 p, const Aabb& box) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
         p.z <= box.max.z;
}

}  // namespace

void ExactPoints::find_touched(MeshView mesh) {
  if (vertex_codes_.size() < mesh.positions.size()) vertex_codes_.resize(mesh.positions.size());
  if (codes_.size() < mesh.triangles.size()) codes_.resize(mesh.triangles.size());
  workers_.for_chunks(mesh.positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    encode_boxes(mesh.positions.subspan(begin, end - begin), blocks_.cells, vertex_codes_.data() + begin);
  });
  for (Worker& w : scratch_) w.touched.assign(blocks_.count(), 0);
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    join_boxes(mesh.triangles.subspan(begin, end - begin), vertex_codes_.data(), codes_.data() + begin);
    Slabs* const touched = scratch_[worker].touched.data();
    BoxCode last = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (codes_[i] == last) continue;  // often, where triangles are smaller than cells
      const CellBox box = decode(codes_[i]);
      if (!box.usable) continue;
      bool small = true;
      visit_cells(box, blocks_, mesh, i, [&](std::uint32_t column, Slabs slabs) { touched[column] |= slabs; });
      small = (box.high[0] - box.low[0] + 1) * (box.high[1] - box.low[1] + 1) <= kSmallBox;
      last = small ? codes_[i] : 0;
    }
  });
  touched_.assign(blocks_.count(), 0);
  for (const Worker& w : scratch_)
    for (std::size_t i = 0; i < touched_.size(); ++i) touched_[i] |= w.touched[i];
}

/// Changes a flag, and notes what that changes in the counts.
void ExactPoints::set(std::uint8_t& flag, std::uint8_t to, Worker& worker) {
  worker.inside += (to == kPointInside ? 1 : 0) - (flag == kPointInside ? 1 : 0);
  worker.unknown += (to == kPointUnknown ? 1 : 0) - (flag == kPointUnknown ? 1 : 0);
  flag = to;
}

/// Points that need a ray; the flags of those that cannot be inside.
void ExactPoints::find_near(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out) {
  for (Worker& w : scratch_) w.near.clear();
  const CellGrid& cells = blocks_.cells;
  workers_.for_chunks(end - begin, kPointChunk, [&](std::size_t from, std::size_t to, unsigned worker) {
    Worker& w = scratch_[worker];
    for (std::size_t i = begin + from; i < begin + to; ++i) {
      const Vec3 p = query.points[i];
      if (query.box != nullptr && !inside_or_on(p, *query.box)) continue;
      if (!strictly_inside(p, query.bounds)) {
        set(out.inside[i], kPointOutside, w);
        continue;
      }
      const Vec3 at{p[cells.axis[0]], p[cells.axis[1]], p[cells.axis[2]]};
      const std::uint32_t column = blocks_.column_of(at), slab = blocks_.slab_of(at);
      const Slabs touched = touched_[column], here = Slabs{1} << slab;
      if (query.sampled && (touched & here) == 0) continue;
      const bool down = std::popcount(touched & (here - 1)) < std::popcount(touched & ~(here | (here - 1)));
      w.near.push_back({{at, static_cast<std::uint32_t>(i - begin)}, column * kWays + (down ? 1u : 0u)});
    }
  });
}

/// A counting sort by column and way.
void ExactPoints::sort_near() {
  near_begin_.assign(blocks_.count() * kWays + 1, 0);
  needed_.assign(blocks_.count(), 0);
  std::size_t total = 0;
  for (const Worker& w : scratch_) {
    total += w.near.size();
    for (const Near& n : w.near) {
      ++near_begin_[n.group + 1];
      const std::uint32_t slab = blocks_.slab_of(n.ray.at);
      needed_[n.group / kWays] |= any_open_              ? ~Slabs{0}
                                  : n.group % kWays != 0 ? slabs_between(0, slab)
                                                         : slabs_between(slab, kSlabs - 1);
    }
  }
  std::partial_sum(near_begin_.begin(), near_begin_.end(), near_begin_.begin());
  if (near_.size() < total) near_.resize(total);
  std::vector<std::uint32_t> next(near_begin_.begin(), near_begin_.end() - 1);
  for (const Worker& w : scratch_)
    for (const Near& n : w.near) near_[next[n.group]++] = n.ray;
}

/// How many triangles each column with points has.
void ExactPoints::count_entries(MeshView mesh) {
  for (Worker& w : scratch_) w.count.assign(blocks_.count(), 0);
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    std::uint32_t* const count = scratch_[worker].count.data();
    for (std::size_t i = begin; i < end; ++i) {
      const CellBox box = decode(codes_[i]);
      if (!box.usable) continue;
      visit_cells(box, blocks_, mesh, i,
                  [&](std::uint32_t column, Slabs slabs) { count[column] += (needed_[column] & slabs) != 0 ? 1 : 0; });
    }
  });
  entry_begin_.assign(blocks_.count() + 1, 0);
  for (std::size_t c = 0; c < blocks_.count(); ++c) {
    entry_begin_[c + 1] = entry_begin_[c];
    for (const Worker& w : scratch_) entry_begin_[c + 1] += w.count[c];
  }
}

/// The triangles of columns `first` to before `end`.
void ExactPoints::list_entries(MeshView mesh, std::uint32_t first, std::uint32_t end) {
  const std::uint64_t base = entry_begin_[first];
  if (entries_.size() < entry_begin_[end] - base) entries_.resize(entry_begin_[end] - base);
  std::vector<std::atomic<std::uint32_t>> next(end - first);
  for (std::uint32_t c = first; c < end; ++c) next[c - first] = static_cast<std::uint32_t>(entry_begin_[c] - base);
  workers_.for_chunks(mesh.triangles.size(), kTriangleChunk, [&](std::size_t begin, std::size_t to, unsigned) {
    for (std::size_t i = begin; i < to; ++i) {
      const CellBox box = decode(codes_[i]);
      if (!box.usable) continue;
      visit_cells(box, blocks_, mesh, i, [&](std::uint32_t column, Slabs slabs) {
        if (column < first || column >= end || (needed_[column] & slabs) == 0) return;
        entries_[next[column - first].fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(i);
      });
    }
  });
}

void ExactPoints::cast_column(std::uint32_t column, Worker& worker, std::uint8_t* flags) {
  for (std::uint32_t way = 0; way < kWays; ++way) {
    const std::size_t begin = near_begin_[column * kWays + way], end = near_begin_[column * kWays + way + 1];
    const auto points = std::span(near_).subspan(begin, end - begin);
    const auto found = worker.rays.cast(points, any_open_ ? Way::both : way == 0 ? Way::up : Way::down);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const RayWinding& ray = found[i];
      const bool unknown = !ray.on_surface && (ray.winding < 0 || (any_open_ && ray.unbalanced != 0));
      const std::uint8_t flag = ray.on_surface    ? kPointOutside
                                : unknown         ? kPointUnknown
                                : ray.winding > 0 ? kPointInside
                                                  : kPointOutside;
      set(flags[points[i].number], flag, worker);
    }
  }
}

void ExactPoints::correct_some(const ExactQuery& query, std::size_t begin, std::size_t end, Containment& out) {
  find_near(query, begin, end, out);
  sort_near();
  if (near_begin_.back() == 0) return;
  count_entries(query.mesh);
  for (std::uint32_t first = 0; first < blocks_.count();) {
    std::uint32_t last = first + 1;
    while (last < blocks_.count() && entry_begin_[last + 1] - entry_begin_[first] <= kMostEntries) ++last;
    list_entries(query.mesh, first, last);
    workers_.for_chunks(last - first, 16, [&](std::size_t from, std::size_t to, unsigned worker) {
      for (std::size_t i = from; i < to; ++i) {
        const auto column = static_cast<std::uint32_t>(first + i);
        if (near_begin_[column * kWays] == near_begin_[(column + 1) * kWays]) continue;
        const std::uint64_t at = entry_begin_[column] - entry_begin_[first];
        scratch_[worker].rays.start(
            query.mesh, std::span(entries_).subspan(at, entry_begin_[column + 1] - entry_begin_[column]),
            blocks_.cells.axis);
        cast_column(column, scratch_[worker], out.inside.data() + begin);
      }
    });
    first = last;
  }
}

void ExactPoints::correct(const ExactQuery& query, Containment& out) {
  const bool sampled = query.sampled && out.grid.column_count() != 0;
  ExactQuery q = query;
  q.sampled = sampled;
  any_open_ = !sampled || out.health.open_columns != 0;
  for (Worker& w : scratch_) w.inside = w.unknown = 0;
  Grid grid = out.grid;
  if (!sampled) grid = square_grid(query.bounds, Axis::z, kMostCells);
  blocks_ = make_blocks(grid, sampled);
  find_touched(query.mesh);
  for (std::size_t i = 0; i < query.points.size(); i += kMostPoints)
    correct_some(q, i, std::min(query.points.size(), i + kMostPoints), out);
  for (const Worker& w : scratch_) {
    out.inside_count += static_cast<std::uint64_t>(w.inside);
    out.health.untrusted_points += static_cast<std::uint64_t>(w.unknown);
  }
}

}  // namespace lamella::proof
