// The part of exact points that goes over all triangles: which slabs they touch, and which of them rays can meet.

#include <algorithm>
#include <bit>
#include <cstring>

#include "proof/points.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kVertexChunk = 8192;

}  // namespace

void ExactPoints::find_touched(MeshView mesh) {
  if (vertex_codes_.size() < mesh.positions.size()) vertex_codes_.resize(mesh.positions.size());
  if (codes_.size() < mesh.triangles.size() + kGroup) codes_.resize(mesh.triangles.size() + kGroup);
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

/// Which triangles can meet rays.
void ExactPoints::note_needed() {
  const std::size_t across = blocks_.quarters_across(), down = blocks_.cells.cells[1].count;
  needed_.assign(across * down + blocks_.columns(), {});
  const CellAxis& depth = blocks_.cells.cells[2];
  for (const Worker& w : scratch_)
    for (const RayStart& n : w.near) {
      const auto here = static_cast<std::uint16_t>(1 + bin_of(n.at.z, depth.origin, depth.scale, kSlabs));
      const auto from_here = static_cast<std::uint16_t>(255 - here);
      Needed& needed = needed_[blocks_.quarter_of(n.at)];
      needed = needed | (n.way() == Way::up     ? Needed{from_here, 0}
                         : n.way() == Way::down ? Needed{0, here}
                                                : Needed{255, 0});
    }
  Needed* const columns = needed_.data() + across * down;
  for (std::size_t v = 0; v < down; ++v)
    for (std::size_t u = 0; u < across; ++u) {
      Needed& column = columns[v / 2 * blocks_.across() + u / 2];
      column = column | needed_[v * across + u];
    }
}

/// As meet_boxes() says it, for a triangle of any size.
std::uint8_t ExactPoints::meets_large(MeshView mesh, std::size_t triangle) const {
  const CellBox box = decode(codes_[triangle]);
  const Needed* const columns = needed_.data() + (needed_.size() - blocks_.columns());
  std::uint8_t met = 0;
  if (box.usable)
    visit_cells(box, blocks_, mesh, triangle, kSlabsOrEnds, [&](std::uint32_t column, Slabs slabs) {
      if (slabs == 0) return;
      if (columns[column].meets_up(kSlabs - static_cast<std::uint32_t>(std::countl_zero(slabs)))) met |= kMetUp;
      if (columns[column].meets_down(1 + static_cast<std::uint32_t>(std::countr_zero(slabs)))) met |= kMetDown;
    });
  return met;
}

/// Of at most kTriangleChunk triangles from `begin` on, which must be a multiple of kGroup; adds to what is selected.
/// First whole groups. Loops have no branches that cannot be foreseen.
void ExactPoints::select(MeshView mesh, std::size_t begin, std::size_t end, Selected& out) const {
  const NeededCells needed{needed_.data(), blocks_.quarters_across(),
                           static_cast<std::uint32_t>(needed_.size() - blocks_.columns())};
  std::uint8_t met[kTriangleChunk];
  std::uint32_t groups[kTriangleChunk / kGroup];
  BoxCode codes[kTriangleChunk];
  const std::size_t first = begin / kGroup, group_count = (end - begin + kGroup - 1) / kGroup;
  meet_boxes(std::span(groups_).subspan(first, group_count), needed, met);
  std::size_t met_groups = 0;
  for (std::size_t g = 0; g < group_count; ++g) {
    groups[met_groups] = static_cast<std::uint32_t>(begin + g * kGroup);
    met_groups += met[g] != 0 ? 1 : 0;
  }
  for (std::size_t g = 0; g < met_groups; ++g)
    std::memcpy(codes + g * kGroup, codes_.data() + groups[g], kGroup * sizeof(BoxCode));
  meet_boxes(std::span(codes).first(met_groups * kGroup), needed, met);
  for (int way = 0; way < 2; ++way)
    if (const std::size_t most = out.count[way] + (end - begin) + 1; out.ids[way].size() < most)
      out.ids[way].resize(most);
  std::uint32_t *const up = out.ids[0].data(), *const down = out.ids[1].data();
  for (std::size_t i = 0; i < met_groups * kGroup; ++i) {
    const std::size_t id = groups[i / kGroup] + i % kGroup;
    if (id >= end) break;  // codes there are of no triangle
    const std::uint8_t bits = met[i] == kLarge ? meets_large(mesh, id) : met[i];
    up[out.count[0]] = down[out.count[1]] = static_cast<std::uint32_t>(id);
    out.count[0] += bits & kMetUp;
    out.count[1] += bits >> 1 & 1;
  }
}

}  // namespace lamella::proof
