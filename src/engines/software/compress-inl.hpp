// Moves the chosen lanes of a vector to its beginning.
//
// Highway 1.0's Compress() for vectors of 4 and 8 lanes copies its table of indices to the stack at every call when GCC
// compiles it, which took four fifths of the rasteriser's time. Here the tables are constants in memory.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion is compiled.
#if defined(LAMELLA_SOFTWARE_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_COMPRESS_INL
#undef LAMELLA_SOFTWARE_COMPRESS_INL
#else
#define LAMELLA_SOFTWARE_COMPRESS_INL
#endif

#include <cstdint>

#include "engines/software/compress_table.hpp"
#include "engines/software/tile.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// For vectors of 32-bit lanes, all with the same choice.
template <std::size_t kLanes = hn::MaxLanes(hn::CappedTag<std::uint32_t, kMaxLanes>())>
class LaneCompressor {
  using D = hn::CappedTag<std::uint32_t, kMaxLanes>;

 public:
  template <class Mask>
  explicit HWY_INLINE LaneCompressor(Mask mask) : mask_(hn::RebindMask(D(), mask)) {}

  [[nodiscard]] HWY_INLINE std::size_t count() const { return hn::CountTrue(D(), mask_); }
  template <class V>
  [[nodiscard]] HWY_INLINE V operator()(V v) const {
    const hn::DFromV<V> d;
    return hn::BitCast(d, Moved(hn::BitCast(D(), v)));
  }

 private:
  [[nodiscard]] HWY_INLINE hn::Vec<D> Moved(hn::Vec<D> v) const {
    if constexpr (kLanes == 4) {
      const hn::Repartition<std::uint8_t, hn::CappedTag<std::uint32_t, kLanes>> bytes;
      std::uint8_t bits[8];
      hn::StoreMaskBits(D(), mask_, bits);
      const auto order = hn::LoadU(bytes, kCompressBytes[bits[0]].data());
      return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), order));
    } else if constexpr (kLanes == 8) {
      std::uint8_t bits[8];
      hn::StoreMaskBits(D(), mask_, bits);
      return hn::TableLookupLanes(v, hn::SetTableIndices(D(), kCompressTable<kLanes>[bits[0]].data()));
    } else {
      return hn::Compress(v, mask_);
    }
  }
  hn::Mask<D> mask_;
};

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
