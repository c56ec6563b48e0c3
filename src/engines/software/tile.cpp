#include "engines/software/tile.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "engines/checks.hpp"

namespace lamella::software {
namespace {

/// The most columns of a tile: their crossings fit the second-level cache. An image of so many is one tile where one
/// thread does it all, and triangles need not be sorted into tiles.
constexpr std::size_t kMost = 16384;
/// Tiles that threads share are smaller; below this, too many triangles are in several of them.
constexpr std::size_t kLeast = 1024;

unsigned bits_for(std::uint32_t n) { return static_cast<unsigned>(std::bit_width(n - 1)); }

}  // namespace

Tiling choose_tiling(const Grid& grid, unsigned workers) {
  Tiling t{grid.columns, grid.rows};
  if (grid.column_count() == 0) return t;
  t.shift_u = bits_for(grid.columns);
  t.shift_v = bits_for(grid.rows);
  const std::size_t most =
      workers == 1 ? kMost : std::clamp(grid.column_count() / (4 * std::size_t{workers}), kLeast, kMost);
  while (std::min<std::size_t>(grid.columns, t.width()) * std::min<std::size_t>(grid.rows, t.height()) > most)
    --(t.shift_u > t.shift_v ? t.shift_u : t.shift_v);
  t.across = (grid.columns + t.width() - 1) >> t.shift_u;
  t.down = (grid.rows + t.height() - 1) >> t.shift_v;
  return t;
}

Window Tiling::window(std::size_t tile) const {
  const auto first_u = static_cast<std::uint32_t>(tile % across) << shift_u;
  const auto first_v = static_cast<std::uint32_t>(tile / across) << shift_v;
  return {first_u, first_v, std::min(first_u + width(), columns), std::min(first_v + height(), rows)};
}

std::uint32_t Tiling::stride() const {
  return static_cast<std::uint32_t>((std::min(width(), columns) + kMaxLanes - 1) / kMaxLanes * kMaxLanes);
}

void Layers::start(const Tiling& tiling, std::size_t tile, bool faces, std::uint64_t most_deep) {
  tile_ = tiling.window(tile);
  stride_ = tiling.stride();
  const std::size_t columns = std::size_t{stride_} * height();
  // Vectors of columns may begin anywhere in a row, and are loaded and stored whole. The layers of a column must not
  // fall into the same few sets of a cache, so a plane is not a power of two.
  const std::size_t padded = columns + 3 * kMaxLanes;
  if (room_ < padded || (faces && !has_face_room_)) {
    room_ = std::max(room_, padded);
    count_ = std::make_unique_for_overwrite<std::uint8_t[]>(room_);
    key_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_ * kLayers);
    if (faces) face_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_ * kLayers);
    has_face_room_ = faces;
  }
  plane_ = padded;
  has_faces_ = faces;
  most_deep_ = most_deep;
  std::fill_n(count_.get(), padded, std::uint8_t{0});
  deep_.clear();
  deep_sorted_ = false;
}

void Layers::take(const Samples& samples) {
  // Locals: a store through a pointer to bytes may change any member, for all that a compiler knows.
  std::uint8_t* const counts = count_.get();
  std::uint32_t *const keys = key_.get(), *const faces = has_faces_ ? face_.get() : nullptr;
  const std::size_t plane = plane_;
  const auto [columns, sample_keys, sample_faces, count] = samples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t column = columns[i];
    const std::uint8_t layer = counts[column];
    if (layer >= kLayers) [[unlikely]] {
      add_deep({column, sample_keys[i], faces != nullptr ? sample_faces[i] : 0});
      continue;
    }
    counts[column] = static_cast<std::uint8_t>(layer + 1);
    keys[layer * plane + column] = sample_keys[i];
    if (faces != nullptr) faces[layer * plane + column] = sample_faces[i];
  }
}

void Layers::add_deep(const DeepCrossing& crossing) {
  if (deep_.size() >= most_deep_) throw too_many_crossings(most_deep_, "crossings in one tile");
  deep_.push_back(crossing);
}

std::uint64_t Layers::crossing_count() const {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < plane_; ++i) sum += count_[i];
  return sum + deep_.size();
}

std::span<const DeepCrossing> Layers::deep(std::uint32_t column) {
  if (!deep_sorted_) {
    std::sort(deep_.begin(), deep_.end(), [](const DeepCrossing& a, const DeepCrossing& b) {
      return std::tie(a.column, a.key, a.face) < std::tie(b.column, b.key, b.face);
    });
    deep_sorted_ = true;
  }
  const auto [begin, end] =
      std::equal_range(deep_.begin(), deep_.end(), DeepCrossing{column, 0, 0},
                       [](const DeepCrossing& a, const DeepCrossing& b) { return a.column < b.column; });
  return std::span(deep_).subspan(static_cast<std::size_t>(begin - deep_.begin()),
                                  static_cast<std::size_t>(end - begin));
}

const std::vector<std::uint32_t>& Layers::sorted_keys(std::uint32_t column) {
  sorted_keys_.clear();
  for (std::uint32_t i = 0; i < count_[column]; ++i) sorted_keys_.push_back(key_[i * plane_ + column]);
  if (any_deep())
    for (const DeepCrossing& c : deep(column)) sorted_keys_.push_back(c.key);
  std::sort(sorted_keys_.begin(), sorted_keys_.end());
  return sorted_keys_;
}

}  // namespace lamella::software
