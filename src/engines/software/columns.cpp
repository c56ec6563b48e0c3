#include "engines/software/columns.hpp"

#include <algorithm>
#include <bit>

namespace lamella::software {
namespace {

/// Columns are short, mostly 2 to 8 crossings; but a hostile mesh can make one of any length.
void sort_column(Crossing* begin, Crossing* end) {
  constexpr std::ptrdiff_t kShort = 24;
  if (end - begin > kShort) {
    std::sort(begin, end);
    return;
  }
  for (Crossing* i = begin + 1; i < end; ++i) {
    const Crossing c = *i;
    Crossing* hole = i;
    for (; hole > begin && c < hole[-1]; --hole) *hole = hole[-1];
    *hole = c;
  }
}

void sort_band(const std::vector<FragmentStore>& stores, std::size_t band, Banding banding,
               std::vector<std::uint32_t>& cursor, std::size_t begin, Ldi& out) {
  const std::size_t first = band << banding.shift;
  const std::size_t last = std::min(first + (std::size_t{1} << banding.shift), out.grid.column_count());
  cursor.assign(last - first, 0);
  for (const FragmentStore& store : stores)
    store.for_each(band, [&](const Fragment& f) { ++cursor[f.column - first]; });

  auto running = static_cast<std::uint32_t>(begin);
  for (std::size_t i = 0; i < cursor.size(); ++i) {
    const std::uint32_t count = cursor[i];
    out.offsets[first + i] = cursor[i] = running;
    running += count;
  }
  for (const FragmentStore& store : stores)
    store.for_each(band, [&](const Fragment& f) { out.crossings[cursor[f.column - first]++] = {f.key}; });
  for (std::size_t i = 0; i < cursor.size(); ++i)
    sort_column(out.crossings.data() + out.offsets[first + i], out.crossings.data() + cursor[i]);
}

}  // namespace

void FragmentStore::reset(std::size_t bands, unsigned band_shift) {
  bands_.resize(bands);
  for (Band& b : bands_) {
    b.blocks.clear();
    b.size = 0;
    b.next = b.end = nullptr;
  }
  pool_used_ = 0;
  band_shift_ = band_shift;
}

void FragmentStore::grow(Band& band) {
  if (pool_used_ == pool_.size()) pool_.push_back(std::make_unique_for_overwrite<Fragment[]>(kBlock));
  band.blocks.push_back(static_cast<std::uint32_t>(pool_used_));
  band.next = pool_[pool_used_++].get();
  band.end = band.next + kBlock;
}

void FragmentStore::take(FragmentBuffer& buffer) {
  for (std::size_t i = 0; i < buffer.size; ++i) {
    Band& band = bands_[buffer.column[i] >> band_shift_];
    if (band.next == band.end) grow(band);
    *band.next++ = {buffer.column[i], buffer.key[i]};
    ++band.size;
  }
  buffer.size = 0;
}

Banding choose_bands(std::size_t columns, unsigned workers) {
  constexpr unsigned kMaxShift = 15, kMinShift = 8;  // 128 KiB of counters; below 256 columns a band is all overhead
  Banding banding{kMaxShift, 0};
  if (workers > 1) {
    const std::size_t per_band = std::max<std::size_t>(1, columns / (4 * std::size_t{workers}));
    banding.shift = std::clamp(static_cast<unsigned>(std::bit_width(per_band)) - 1, kMinShift, kMaxShift);
  }
  banding.count = (columns + (std::size_t{1} << banding.shift) - 1) >> banding.shift;
  return banding;
}

void sort_columns(const std::vector<FragmentStore>& stores, Banding banding, Workers& workers, ColumnScratch& scratch,
                  Ldi& out) {
  scratch.cursors.resize(workers.count());
  scratch.band_begin.resize(banding.count);
  std::size_t total = 0;
  for (std::size_t band = 0; band < banding.count; ++band) {
    scratch.band_begin[band] = total;
    for (const FragmentStore& store : stores) total += store.size(band);
  }
  out.offsets.resize(out.grid.column_count() + 1);
  out.crossings.resize(total);
  workers.for_chunks(banding.count, 1, [&](std::size_t band, std::size_t, unsigned worker) {
    sort_band(stores, band, banding, scratch.cursors[worker], scratch.band_begin[band], out);
  });
  out.offsets.back() = static_cast<std::uint32_t>(total);
}

}  // namespace lamella::software
