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
#include <utility>

#include "engines/software/compress_table.hpp"
#include "engines/software/tile.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The entry of the table for a choice of lanes, or the mask itself where the instruction set can move lanes by it.
template <std::size_t kLanes, class D>
HWY_INLINE auto FindOrder(D d, hn::Mask<D> mask) {
  if constexpr (kLanes == 4 || kLanes == 8) {
    std::uint8_t bits[8];
    hn::StoreMaskBits(d, mask, bits);
    if constexpr (kLanes == 4)
      return hn::LoadU(hn::Repartition<std::uint8_t, D>(), kCompressBytes[bits[0]].data());
    else
      return hn::SetTableIndices(d, kCompressTable<kLanes>[bits[0]].data());
  } else {
    return mask;
  }
}

/// For vectors of 32-bit lanes, all with the same choice.
template <std::size_t kLanes = hn::MaxLanes(hn::CappedTag<std::uint32_t, kMaxLanes>())>
class LaneCompressor {
  using D = hn::CappedTag<std::uint32_t, kMaxLanes>;

 public:
  template <class Mask>
  explicit HWY_INLINE LaneCompressor(Mask mask)
      : mask_(hn::RebindMask(D(), mask)), order_(FindOrder<kLanes>(D(), mask_)) {}

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
      return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), order_));
    } else if constexpr (kLanes == 8) {
      return hn::TableLookupLanes(v, order_);
    } else {
      return hn::Compress(v, mask_);
    }
  }
  hn::Mask<D> mask_;
  decltype(FindOrder<kLanes>(D(), std::declval<hn::Mask<D>>())) order_;
};

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
