// A grid of bits over the box that both meshes share: for each of 128 x 128 cells a mask of the depths, in 64 slabs,
// that boxes of one mesh's triangles touch. What the masks of the other mesh do not meet is dropped. Cells are found by
// roundings that keep the order of coordinates: boxes that share a point share a cell. For triangles within a reach of
// each other, masks are made larger by it on every side.

#include "proof/near.hpp"

#include <algorithm>
#include <cmath>

#include "proof/near_kernel.hpp"

namespace lamella::proof {
namespace {

constexpr std::size_t kChunk = 16384;
constexpr unsigned kFieldBits = kCellBits;
constexpr std::uint32_t kField = kCellField;
constexpr unsigned kCellShift = 2, kSlabShift = 3;  ///< from the fine cells to those of the bits
constexpr std::uint32_t kCells = (kField + 1) >> kCellShift;

/// Cells 1 to 510 of each axis are in the box; 0 is below it, 511 is above.
struct Cells {
  Vec3 low, scale;

  explicit Cells(const Aabb& box) : low(box.min) {
    const Vec3 size = extent(box);
    for (int k = 0; k < 3; ++k) {
      scale[k] = static_cast<float>(kField - 2) / size[k];
      if (!std::isfinite(scale[k])) scale[k] = 0;
    }
  }
};

constexpr std::uint32_t field(std::uint32_t code, unsigned k) { return code >> k * kFieldBits & kField; }

void find_in_box(MeshView mesh, const Cells& cells, Workers& workers, NearScratch& scratch, std::vector<NearBox>& out) {
  if (scratch.codes.size() < mesh.positions.size()) scratch.codes.resize(mesh.positions.size());
  const std::size_t chunks = (mesh.triangles.size() + kChunk - 1) / kChunk;
  if (scratch.chunks.size() < chunks) {
    scratch.chunks.resize(chunks);
    scratch.counts.resize(chunks);
  }
  workers.for_chunks(mesh.positions.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    write_cells(mesh.positions.subspan(begin, end - begin), cells.low, cells.scale, kField,
                scratch.codes.data() + begin);
  });
  workers.for_chunks(mesh.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    const std::size_t i = begin / kChunk;
    std::vector<NearBox>& found = scratch.chunks[i];
    if (found.size() < end - begin + kNearPad) found.resize(end - begin + kNearPad);
    scratch.counts[i] = find_boxes(mesh.triangles.subspan(begin, end - begin), static_cast<std::uint32_t>(begin),
                                   {scratch.codes.data(), mesh.positions.size()}, found.data());
  });
  out.clear();
  for (std::size_t i = 0; i < chunks; ++i)
    out.insert(out.end(), scratch.chunks[i].data(), scratch.chunks[i].data() + scratch.counts[i]);
}

std::uint64_t slabs_of(const NearBox& box) {
  const std::uint32_t first = field(box.low, 2) >> kSlabShift, last = field(box.high, 2) >> kSlabShift;
  return ~std::uint64_t{0} >> (63 - (last - first)) << first;
}

/// Calls visit(word) for the words of the cells that a box touches. Few boxes touch more than two along an axis; for
/// all others the same is done, so that no branch is guessed wrong.
template <class Words, class Visit>
void for_cells(Words& slabs, const NearBox& box, const Visit& visit) {
  const std::uint32_t u0 = field(box.low, 0) >> kCellShift, u1 = field(box.high, 0) >> kCellShift;
  const std::uint32_t v0 = field(box.low, 1) >> kCellShift, v1 = field(box.high, 1) >> kCellShift;
  if (u1 - u0 <= 1 && v1 - v0 <= 1) {
    visit(slabs[v0 * kCells + u0]);
    visit(slabs[v0 * kCells + u1]);
    visit(slabs[v1 * kCells + u0]);
    visit(slabs[v1 * kCells + u1]);
    return;
  }
  for (std::uint32_t v = v0; v <= v1; ++v)
    for (std::uint32_t u = u0; u <= u1; ++u) visit(slabs[v * kCells + u]);
}

void mark(const std::vector<NearBox>& boxes, std::vector<std::uint64_t>& slabs) {
  slabs.assign(std::size_t{kCells} * kCells, 0);
  for (const NearBox& box : boxes) for_cells(slabs, box, [mask = slabs_of(box)](std::uint64_t& word) { word |= mask; });
}

/// Calls step(distance) until marks that are moved by all distances, either way, and joined have grown by `reach`
/// cells.
template <class Step>
void grow_by(std::uint32_t reach, const Step& step) {
  for (std::uint32_t done = 0; done < reach;) {
    const std::uint32_t by = std::min(2 * done + 1, reach - done);
    step(by);
    done += by;
  }
}

/// Marks all cells that are within `reach` of a marked one, along each axis.
void grow(const Cells& cells, float reach, std::vector<std::uint64_t>& slabs, std::vector<std::uint64_t>& other) {
  const auto in_cells = [&](int k, unsigned shift) {
    // Fine cells of two points differ by no more than this; some for what their rounding adds.
    const float fine = reach * cells.scale[k] * 1.0001f + 0.25f;
    return fine < static_cast<float>(kField) ? (static_cast<std::uint32_t>(fine) >> shift) + 1 : kCells;
  };
  grow_by(std::min(in_cells(2, kSlabShift), 63u), [&](std::uint32_t by) {
    for (std::uint64_t& word : slabs) word |= word << by | word >> by;
  });
  other.resize(slabs.size());
  const auto along = [&](std::uint32_t most, std::size_t stride, std::uint32_t by) {
    for (std::uint32_t v = 0; v < kCells; ++v)
      for (std::uint32_t u = 0; u < kCells; ++u) {
        const std::size_t i = std::size_t{v} * kCells + u;
        const std::uint32_t at = stride == 1 ? u : v;
        other[i] = slabs[i] | (at >= by ? slabs[i - by * stride] : 0) | (at + by < most ? slabs[i + by * stride] : 0);
      }
    slabs.swap(other);
  };
  grow_by(std::min(in_cells(0, kCellShift), kCells - 1), [&](std::uint32_t by) { along(kCells, 1, by); });
  grow_by(std::min(in_cells(1, kCellShift), kCells - 1), [&](std::uint32_t by) { along(kCells, kCells, by); });
}

void keep_marked(std::vector<NearBox>& boxes, const std::vector<std::uint64_t>& slabs) {
  std::size_t kept = 0;
  for (const NearBox box : boxes) {
    std::uint64_t touched = 0;
    for_cells(slabs, box, [&](std::uint64_t word) { touched |= word; });
    boxes[kept] = box;
    kept += (touched & slabs_of(box)) != 0 ? 1 : 0;
  }
  boxes.resize(kept);
}

}  // namespace

void find_inside(MeshView a, MeshView b, const Aabb& shared, Workers& workers, NearScratch& scratch,
                 std::vector<NearBox>& in_a, std::vector<NearBox>& in_b) {
  const Cells cells(shared);
  find_in_box(a, cells, workers, scratch, in_a);
  find_in_box(b, cells, workers, scratch, in_b);
  const auto note = [](const std::vector<NearBox>& boxes, std::vector<std::uint32_t>& inside) {
    inside.clear();
    for (const NearBox& box : boxes) inside.push_back(box.triangle);
  };
  note(in_a, scratch.inside_a);
  note(in_b, scratch.inside_b);
}

void find_near(MeshView a, MeshView b, const Aabb& shared, Workers& workers, NearScratch& scratch,
               std::vector<NearBox>& near_a, std::vector<NearBox>& near_b, float reach) {
  const Cells cells(shared);
  find_inside(a, b, shared, workers, scratch, near_a, near_b);
  const bool a_first = near_a.size() < near_b.size();
  std::vector<NearBox>&first = a_first ? near_a : near_b, &second = a_first ? near_b : near_a;
  const auto mark_around = [&](const std::vector<NearBox>& boxes) {
    mark(boxes, scratch.slabs);
    if (reach > 0) grow(cells, reach, scratch.slabs, scratch.grown);
  };
  mark_around(first);
  keep_marked(second, scratch.slabs);
  mark_around(second);
  keep_marked(first, scratch.slabs);
}

}  // namespace lamella::proof
