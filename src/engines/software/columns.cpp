#include "engines/software/columns.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace lamella::software {
namespace {

template <class Key>
void exchange(Key& a, Key& b) {
  const Key x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

/// Columns are short, mostly 2 to 8 crossings, and their order is not predictable: up to 8 crossings are sorted without
/// branches, by sorting networks of 1, 5 and 19 exchanges. A malicious mesh can make a column of any length.
template <class Element>
void sort_column(Element* begin, std::size_t n) {
  using Key = decltype(Element::key);
  Key k[8];
  if (n < 2) return;
  if (n > 8) {
    std::sort(begin, begin + n);
    return;
  }
  if (n == 2) {
    Key first = begin[0].key, second = begin[1].key;
    exchange(first, second);
    begin[0].key = first;
    begin[1].key = second;
    return;
  }
  for (std::size_t i = 0; i < 8; ++i) k[i] = i < n ? begin[i].key : ~Key{0};
  if (n <= 4) {
    exchange(k[0], k[1]), exchange(k[2], k[3]);
    exchange(k[0], k[2]), exchange(k[1], k[3]);
    exchange(k[1], k[2]);
  } else {
    exchange(k[0], k[2]), exchange(k[1], k[3]), exchange(k[4], k[6]), exchange(k[5], k[7]);
    exchange(k[0], k[4]), exchange(k[1], k[5]), exchange(k[2], k[6]), exchange(k[3], k[7]);
    exchange(k[0], k[1]), exchange(k[2], k[3]), exchange(k[4], k[5]), exchange(k[6], k[7]);
    exchange(k[2], k[4]), exchange(k[3], k[5]);
    exchange(k[1], k[4]), exchange(k[3], k[6]);
    exchange(k[1], k[2]), exchange(k[3], k[4]), exchange(k[5], k[6]);
  }
  for (std::size_t i = 0; i < n; ++i) begin[i].key = k[i];
}

/// One band's part of a sort.
struct BandRange {
  std::size_t band, first, last;  ///< columns
  std::size_t begin;              ///< of its elements in the whole
};

template <class Element>
void sort_band(const std::vector<FragmentStore<Element>>& stores, BandRange range, std::vector<std::uint32_t>& cursor,
               Columns<Element> out) {
  cursor.assign(range.last - range.first, 0);
  for (const auto& store : stores)
    store.for_each(range.band, [&](const Fragment<Element>& f) { ++cursor[f.column - range.first]; });

  auto running = static_cast<std::uint32_t>(range.begin);
  for (std::size_t i = 0; i < cursor.size(); ++i) {
    const std::uint32_t count = cursor[i];
    out.offsets[range.first + i] = cursor[i] = running;
    running += count;
  }
  for (const auto& store : stores)
    store.for_each(range.band,
                   [&](const Fragment<Element>& f) { out.elements[cursor[f.column - range.first]++] = f.element; });
  for (std::size_t i = 0; i < cursor.size(); ++i)
    sort_column(out.elements.data() + out.offsets[range.first + i], cursor[i] - out.offsets[range.first + i]);
}

}  // namespace

template <class Element>
void FragmentStore<Element>::reset(std::size_t bands, unsigned band_shift) {
  if (bands_.size() < bands) bands_.resize(bands);
  for (Band& b : bands_) {
    b.blocks.clear();
    b.next = b.end = nullptr;
  }
  pool_used_ = 0;
  band_shift_ = band_shift;
}

template <class Element>
void FragmentStore<Element>::grow(Band& band) {
  if (pool_used_ == pool_.size()) pool_.push_back(std::make_unique_for_overwrite<Fragment<Element>[]>(kBlock));
  band.blocks.push_back(static_cast<std::uint32_t>(pool_used_));
  band.next = pool_[pool_used_++].get();
  band.end = band.next + kBlock;
}

template <class Element>
void FragmentStore<Element>::take(FragmentBuffer& buffer) {
  for (std::size_t i = 0; i < buffer.size; ++i) {
    Band& band = bands_[buffer.column[i] >> band_shift_];
    if (band.next == band.end) grow(band);
    if constexpr (std::is_same_v<Element, FaceCrossing>)
      *band.next++ = {buffer.column[i], FaceCrossing::make({buffer.key[i]}, buffer.face[i])};
    else
      *band.next++ = {buffer.column[i], {buffer.key[i]}};
  }
  buffer.size = 0;
}

Banding choose_bands(std::size_t columns, unsigned workers) {
  constexpr unsigned kMaxShift = 12, kMinShift = 8;  // 16 KiB of counters; below 256 columns a band is mostly overhead
  Banding banding{kMaxShift, 0};
  if (workers > 1) {
    const std::size_t per_band = std::max<std::size_t>(1, columns / (4 * std::size_t{workers}));
    banding.shift = std::clamp(static_cast<unsigned>(std::bit_width(per_band)) - 1, kMinShift, kMaxShift);
  }
  banding.count = (columns + (std::size_t{1} << banding.shift) - 1) >> banding.shift;
  return banding;
}

template <class Element>
void sort_columns(const std::vector<FragmentStore<Element>>& stores, std::size_t column_count, Banding banding,
                  Workers& workers, ColumnScratch& scratch, Columns<Element> out) {
  scratch.cursors.resize(workers.count());
  scratch.band_begin.resize(banding.count);
  std::size_t total = 0;
  for (std::size_t band = 0; band < banding.count; ++band) {
    scratch.band_begin[band] = total;
    for (const auto& store : stores) total += store.size(band);
  }
  out.offsets.resize(column_count + 1);
  out.elements.resize(total);
  workers.for_chunks(banding.count, 1, [&](std::size_t band, std::size_t, unsigned worker) {
    const std::size_t first = band << banding.shift;
    const std::size_t last = std::min(first + (std::size_t{1} << banding.shift), column_count);
    sort_band(stores, {band, first, last, scratch.band_begin[band]}, scratch.cursors[worker], out);
  });
  out.offsets.back() = static_cast<std::uint32_t>(total);
}

template class FragmentStore<Crossing>;
template class FragmentStore<FaceCrossing>;
template void sort_columns(const std::vector<FragmentStore<Crossing>>&, std::size_t, Banding, Workers&, ColumnScratch&,
                           Columns<Crossing>);
template void sort_columns(const std::vector<FragmentStore<FaceCrossing>>&, std::size_t, Banding, Workers&,
                           ColumnScratch&, Columns<FaceCrossing>);

}  // namespace lamella::software
