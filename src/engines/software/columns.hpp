#pragma once

// From fragments in any order to sorted columns.
//
// The image is cut into bands of consecutive columns. Each worker stores its fragments by band, in blocks of fixed
// size. Afterwards each band is sorted separately: count per column, prefix sum, scatter, sort. A band's data fits the
// first- or second-level cache, bands are independent, and no fragment is stored twice. The order in which fragments
// arrive does not matter, since equal keys are equal bits.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/face_crossing.hpp"
#include "core/parallel.hpp"
#include "engines/software/kernels.hpp"
#include "lamella/ldi.hpp"

namespace lamella::software {

/// `Element` is Crossing or FaceCrossing, here and below.
template <class Element>
struct Fragment {
  std::uint32_t column;
  Element element;
};

/// One worker's fragments.
template <class Element>
class FragmentStore {
 public:
  static constexpr std::size_t kBlock = 1024;  ///< fragments; 8 or 16 KiB

  /// Drops all fragments, keeps the memory.
  void reset(std::size_t bands, unsigned band_shift);
  /// Moves `buffer`'s fragments here and empties it.
  void take(FragmentBuffer& buffer);

  [[nodiscard]] std::size_t size(std::size_t band) const {
    const Band& b = bands_[band];
    return b.blocks.size() * kBlock - static_cast<std::size_t>(b.end - b.next);
  }
  /// Calls visit(fragment) for all fragments of a band.
  template <class Visit>
  void for_each(std::size_t band, const Visit& visit) const {
    const Band& b = bands_[band];
    for (std::size_t i = 0; i < b.blocks.size(); ++i) {
      const Fragment<Element>* f = pool_[b.blocks[i]].get();
      const Fragment<Element>* end = i + 1 == b.blocks.size() ? b.next : f + kBlock;
      for (; f != end; ++f) visit(*f);
    }
  }

 private:
  struct Band {
    Fragment<Element>* next = nullptr;  ///< where the next fragment goes
    Fragment<Element>* end = nullptr;   ///< of its block
    std::vector<std::uint32_t> blocks;  ///< indices into the pool
  };
  void grow(Band& band);

  std::vector<std::unique_ptr<Fragment<Element>[]>> pool_;
  std::size_t pool_used_ = 0;
  std::vector<Band> bands_;
  unsigned band_shift_ = 0;
};

/// The bands of an image: 2^shift columns each.
struct Banding {
  unsigned shift = 0;
  std::size_t count = 0;
};
Banding choose_bands(std::size_t columns, unsigned workers);

/// Scratch of sort_columns, kept between builds.
struct ColumnScratch {
  std::vector<std::vector<std::uint32_t>> cursors;  ///< one per worker
  std::vector<std::size_t> band_begin;
};

/// Sorted columns: column i is elements[offsets[i] .. offsets[i + 1]).
template <class Element>
struct Columns {
  std::vector<std::uint32_t>& offsets;
  std::vector<Element>& elements;
};

/// Fills `out` from every worker's store.
template <class Element>
void sort_columns(const std::vector<FragmentStore<Element>>& stores, std::size_t column_count, Banding banding,
                  Workers& workers, ColumnScratch& scratch, Columns<Element> out);

}  // namespace lamella::software
