#include "engines/software/sampler.hpp"

#include <algorithm>
#include <type_traits>

#include "engines/checks.hpp"

namespace lamella::software {
namespace {

/// Most crossings: they have 32-bit numbers.
constexpr std::uint64_t kMostNumbered = 0xffffffffu;

}  // namespace

template <class Element>
Sampler<Element>::Sampler(unsigned threads, std::uint64_t max_crossings)
    : sampler_(threads, std::min(max_crossings, kMostNumbered), std::is_same_v<Element, FaceCrossing>),
      max_crossings_(std::min(max_crossings, kMostNumbered)) {}

template <class Element>
void Sampler<Element>::sample(std::span<const SampledMesh> meshes, const Grid& grid, Columns<Element> out) {
  offsets_ = &out.offsets;
  elements_ = &out.elements;
  out.offsets.assign(grid.column_count() + 1, 0);
  out.elements.clear();
  crossings_ = 0;
  sampler_.sample(meshes, grid, *this);
}

template <class Element>
void Sampler<Element>::start(const Tiling& tiling) {
  tiling_ = tiling;
  runs_.start(tiling, workers().count());
}

template <class Element>
void Sampler<Element>::begin_rows(std::uint32_t first, std::uint32_t end) {
  runs_.begin_rows(first, end);
}

/// Sorts each row of the tile, and notes the lengths of its columns.
template <class Element>
void Sampler<Element>::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  const Window w = tiling_.window(tile);
  RecordList<Element>& list = runs_.list(worker);
  runs_.begin_tile(tile, worker);
  const std::size_t before = list.size();
  for (std::uint32_t row = 0; row < w.end_v - w.first_v; ++row) {
    sort_row(sides[0], row, list, offsets_->data() + std::size_t{w.first_v + row} * tiling_.columns + w.first_u);
    runs_.end_row(tile, row);
  }
  if ((crossings_ += list.size() - before) > max_crossings_) throw too_many_crossings(max_crossings_);
}

template <class Element>
void Sampler<Element>::finish_rows(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t first_row = first << tiling_.shift_v;
  const std::uint32_t end_row = std::min(end << tiling_.shift_v, tiling_.rows);
  row_begin_.resize(end_row - first_row);
  std::size_t at = elements_->size();
  for (std::uint32_t row = first_row; row < end_row; ++row) {
    row_begin_[row - first_row] = at;
    at += runs_.count_in(row);
  }
  elements_->resize(at);
  // From lengths to offsets, and the crossings to their place.
  workers().for_chunks(end_row - first_row, 16, [&](std::size_t begin, std::size_t stop, unsigned) {
    for (std::size_t i = begin; i < stop; ++i) {
      const std::uint32_t row = first_row + static_cast<std::uint32_t>(i);
      std::size_t to = row_begin_[i];
      auto offset = static_cast<std::uint32_t>(to);
      std::uint32_t* const offsets = offsets_->data() + std::size_t{row} * tiling_.columns;
      for (std::uint32_t u = 0; u < tiling_.columns; ++u) {
        const std::uint32_t length = offsets[u];
        offsets[u] = offset;
        offset += length;
      }
      runs_.for_row(row, [&](std::span<const Element> run) {
        std::copy(run.begin(), run.end(), elements_->begin() + static_cast<std::ptrdiff_t>(to));
        to += run.size();
      });
    }
  });
  if (end == tiling_.down) offsets_->back() = static_cast<std::uint32_t>(at);
}

template class Sampler<Crossing>;
template class Sampler<FaceCrossing>;

}  // namespace lamella::software
