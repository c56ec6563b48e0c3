#include "proof/near_kernel.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proof/near_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::proof::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using VU = hn::Vec<U32>;

/// Writes the smaller fields to a, and the larger ones to b.
HWY_INLINE void Order(VU& a, VU& b) {
  const U32 d;
  const VU free = hn::Set(d, kFreeBits);
  const VU at_least = hn::And(hn::Sub(hn::Or(a, free), b), free);              // where a >= b
  const VU mask = hn::Sub(at_least, hn::ShiftRight<kCellBits - 1>(at_least));  // all bits of those fields
  const VU differ = hn::And(hn::Xor(a, b), mask);
  a = hn::Xor(a, differ);
  b = hn::Xor(b, differ);
}

/// The codes of one corner of a vector of triangles.
HWY_INLINE VU CodesAt(std::span<const std::uint32_t> codes, VU index) {
  if (HWY_LIKELY(codes.size() <= std::size_t{std::numeric_limits<std::int32_t>::max()}))
    return hn::GatherIndex(U32(), codes.data(), hn::BitCast(I32(), index));
  HWY_ALIGN std::uint32_t at[HWY_MAX_BYTES / sizeof(std::uint32_t)];
  hn::Store(index, U32(), at);
  for (std::size_t i = 0; i < hn::Lanes(U32()); ++i) at[i] = codes[at[i]];
  return hn::Load(U32(), at);
}

/// Of the first `count` lanes.
HWY_INLINE std::size_t AppendBoxes(const std::uint32_t* indices, std::uint32_t first, std::size_t count,
                                   std::span<const std::uint32_t> codes, NearBox* out) {
  const U32 d;
  VU a, b, c;
  hn::LoadInterleaved3(d, indices, a, b, c);
  VU low = CodesAt(codes, a), high = CodesAt(codes, b), third = CodesAt(codes, c);
  Order(low, high);
  VU middle = third;
  Order(low, middle);
  Order(third, high);
  const VU free = hn::Set(d, kFreeBits), ones = hn::Set(d, kOneEach);
  const auto none_below = hn::Eq(hn::And(hn::Sub(hn::Or(high, free), ones), free), free);
  const auto none_above = hn::Eq(hn::And(hn::Add(low, ones), free), hn::Zero(d));
  const auto inside = hn::And(hn::And(none_below, none_above), hn::FirstN(d, count));
  hn::StoreInterleaved3(hn::Compress(hn::Add(hn::Iota(d, 0), hn::Set(d, first)), inside), hn::Compress(low, inside),
                        hn::Compress(high, inside), d, &out->triangle);
  return hn::CountTrue(d, inside);
}

inline std::size_t FindBoxes(std::span<const Triangle> triangles, std::uint32_t first,
                             std::span<const std::uint32_t> codes, NearBox* out) {
  const std::size_t lanes = hn::Lanes(U32());
  const auto* indices = reinterpret_cast<const std::uint32_t*>(triangles.data());
  std::size_t found = 0, i = 0;
  for (; i + lanes <= triangles.size(); i += lanes)
    found += AppendBoxes(indices + 3 * i, first + static_cast<std::uint32_t>(i), lanes, codes, out + found);
  if (i == triangles.size()) return found;
  std::uint32_t rest[3 * HWY_MAX_BYTES / sizeof(std::uint32_t)] = {};
  std::copy(indices + 3 * i, indices + 3 * triangles.size(), rest);
  return found + AppendBoxes(rest, first + static_cast<std::uint32_t>(i), triangles.size() - i, codes, out + found);
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(FindBoxes);

std::size_t find_boxes(std::span<const Triangle> triangles, std::uint32_t first, std::span<const std::uint32_t> codes,
                       NearBox* out) {
  return HWY_DYNAMIC_DISPATCH(FindBoxes)(triangles, first, codes, out);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
