#include "proof/points_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "core/lattice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proof/points_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::proof::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;

constexpr float kFar = 0x1p20f;  ///< cells; beyond it nothing is told apart

struct Range {
  hn::Vec<I32> low, high;
};

/// From 1 on; 0 and `count` + 1 are beyond.
HWY_INLINE Range CellsOf(hn::Vec<F32> from_origin, const CellAxis& axis) {
  const F32 df;
  const I32 di;
  const auto far = hn::Set(df, kFar);
  auto x = hn::Mul(from_origin, hn::Set(df, axis.scale));
  x = hn::Min(hn::Max(x, hn::Neg(far)), far);
  const auto slack = hn::Add(hn::Mul(hn::Abs(x), hn::Set(df, kCellRoundings)), hn::Set(df, kCellSlack));
  const auto cell = [&](hn::Vec<F32> at) {  // cut towards zero, so it must not be negative
    return hn::ConvertTo(di, hn::Min(hn::Max(hn::Add(at, hn::Set(df, 1)), hn::Zero(df)),
                                     hn::Set(df, static_cast<float>(axis.count) + 1)));
  };
  return {cell(hn::Sub(x, slack)), cell(hn::Add(x, slack))};
}

HWY_INLINE void EncodeVector(const float* xyz, const CellGrid& grid, std::uint32_t* out) {
  const F32 df;
  const I32 di;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto limit = hn::Set(df, kMaxCoordinate);
  auto usable =
      hn::And(hn::And(hn::Le(hn::Abs(p[0]), limit), hn::Le(hn::Abs(p[1]), limit)), hn::Le(hn::Abs(p[2]), limit));
  auto low = hn::Zero(du), high = hn::Zero(du), beyond = hn::Zero(du);
  for (int k = 0; k < 3; ++k) {
    const CellAxis& axis = grid.cells[k];
    const auto from_origin = hn::Sub(p[grid.axis[k]], hn::Set(df, axis.origin));
    if (k < 2) {
      const auto placed = hn::Add(hn::Mul(from_origin, hn::Set(df, grid.lattice_scale[k])),
                                  hn::Set(df, static_cast<float>(kSubStep / 2)));
      usable = hn::And(usable, hn::Lt(hn::Abs(placed), hn::Set(df, kLatticeLimit)));
    }
    Range r = CellsOf(from_origin, axis);
    if (k < 2) {
      const auto end = hn::Set(di, static_cast<std::int32_t>(axis.count)), one = hn::Set(di, 1), zero = hn::Zero(di);
      const auto note = [&](hn::Mask<I32> mask, std::uint32_t bit) {
        beyond = hn::Or(beyond, hn::IfThenElseZero(hn::RebindMask(du, mask), hn::Set(du, bit << 24)));
      };
      note(hn::Lt(r.high, one), 1u << (2 * k));
      note(hn::Gt(r.low, end), 2u << (2 * k));
      r.low = hn::Max(hn::Min(hn::Sub(r.low, one), hn::Sub(end, one)), zero);
      r.high = hn::Max(hn::Min(hn::Sub(r.high, one), hn::Sub(end, one)), zero);
    }
    low = hn::Or(low, hn::ShiftLeftSame(hn::BitCast(du, r.low), 8 * k));
    high = hn::Or(high, hn::ShiftLeftSame(hn::BitCast(du, r.high), 8 * k));
  }
  low = hn::IfThenElseZero(hn::RebindMask(du, usable), hn::Or(low, hn::Set(du, 0xff000000u)));
  hn::StoreInterleaved2(low, hn::Or(hn::AndNot(high, hn::Set(du, 0xffffffu)), beyond), du, out);
}

inline void EncodeBoxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes) {
  const std::size_t lanes = hn::Lanes(F32());
  std::size_t i = 0;
  auto* out = reinterpret_cast<std::uint32_t*>(codes);
  for (; i + lanes <= positions.size(); i += lanes) EncodeVector(&positions[i].x, grid, out + 2 * i);
  if (i == positions.size()) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost] = {};
  std::uint32_t rest[2 * kMost];
  std::memcpy(xyz, &positions[i], (positions.size() - i) * sizeof(Vec3));
  EncodeVector(xyz, grid, rest);
  std::memcpy(out + 2 * i, rest, (positions.size() - i) * sizeof(BoxCode));
}

/// Eight bytes at a time, or as many as the instruction set takes at once.
inline void JoinBoxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups) {
  const hn::CappedTag<std::uint8_t, sizeof(BoxCode)> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kSides = sizeof(BoxCode) - 1;  // the byte of sides that all corners must be beyond
  const auto sides = [&](std::size_t byte) {
    HWY_ALIGN std::uint8_t which[HWY_MAX_BYTES] = {};
    if (byte + lanes > kSides) which[kSides - byte] = 0xff;
    return hn::MaskFromVec(hn::Load(d, which));
  };
  for (std::size_t byte = 0; byte < sizeof(BoxCode); byte += lanes) {
    const auto is_sides = sides(byte);
    const auto load = [&](std::uint32_t i) {
      return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(corners + i) + byte);
    };
    for (std::size_t i = 0; i < triangles.size(); i += kGroup) {
      auto all = hn::Set(d, 0xff), all_beyond = all;
      for (std::size_t k = i; k < std::min(i + kGroup, triangles.size()); ++k) {
        const auto a = load(triangles[k].a), b = load(triangles[k].b), c = load(triangles[k].c);
        const auto box = hn::Min(hn::Min(a, b), c), beyond = hn::And(hn::And(a, b), c);
        hn::StoreU(hn::IfThenElse(is_sides, beyond, box), d, reinterpret_cast<std::uint8_t*>(codes + k) + byte);
        all = hn::Min(all, box);
        all_beyond = hn::And(all_beyond, beyond);
      }
      hn::StoreU(hn::IfThenElse(is_sides, all_beyond, all), d,
                 reinterpret_cast<std::uint8_t*>(groups + i / kGroup) + byte);
    }
  }
}

HWY_INLINE void MeetVector(const BoxCode* codes, const NeededCells& needed, std::uint8_t* met) {
  const U32 du;
  const I32 di;
  hn::Vec<U32> low_code, high_code;
  hn::LoadInterleaved2(du, reinterpret_cast<const std::uint32_t*>(codes), low_code, high_code);
  const auto beyond = hn::BitCast(di, hn::ShiftRight<24>(high_code));
  const auto usable = hn::BitCast(di, hn::ShiftRight<24>(low_code));
  const auto low = hn::BitCast(di, low_code), high = hn::BitCast(di, hn::Not(high_code));
  const auto zero = hn::Zero(di), two = hn::Set(di, 2), byte = hn::Set(di, 255);
  const auto lu = hn::And(low, byte), lv = hn::And(hn::ShiftRight<8>(low), byte);
  const auto hu = hn::And(high, byte), hv = hn::And(hn::ShiftRight<8>(high), byte);
  const auto blocks_u = hn::Sub(hn::ShiftRight<1>(hu), hn::ShiftRight<1>(lu)),
             blocks_v = hn::Sub(hn::ShiftRight<1>(hv), hn::ShiftRight<1>(lv));
  const auto small = hn::And(hn::And(hn::Lt(blocks_u, two), hn::Lt(blocks_v, two)),
                             hn::And(hn::Eq(beyond, zero), hn::Ne(usable, zero)));
  // The corners cover a box of two cells, or of two blocks, along u and v.
  const auto tiny = hn::And(hn::Lt(hn::Sub(hu, lu), two), hn::Lt(hn::Sub(hv, lv), two));
  const auto number = [&](std::uint32_t n) { return hn::Set(di, static_cast<std::int32_t>(n)); };
  const auto across = hn::IfThenElse(tiny, number(needed.across), number(needed.across / 2));
  const auto first = hn::IfThenZeroElse(tiny, number(needed.blocks));
  const auto place = [&](hn::Vec<I32> x) { return hn::IfThenElse(tiny, x, hn::ShiftRight<1>(x)); };
  const auto left = place(lu), right = place(hu);
  const auto bottom = hn::Add(first, hn::Mul(place(lv), across)), top = hn::Add(first, hn::Mul(place(hv), across));
  auto most_up = zero, most_down = zero;
  for (const auto row : {bottom, top})
    for (const auto u : {left, right}) {
      const auto at = hn::GatherIndex(di, reinterpret_cast<const std::int32_t*>(needed.cells),
                                      hn::IfThenElseZero(small, hn::Add(row, u)));
      most_up = hn::Max(most_up, hn::And(at, hn::Set(di, 0xffff)));
      most_down = hn::Max(most_down, hn::ShiftRight<16>(at));
    }
  const auto last = hn::Max(hn::And(hn::ShiftRight<16>(high), byte), hn::Set(di, 1));
  const auto start = hn::Min(hn::And(hn::ShiftRight<16>(low), byte), number(kSlabs));
  const auto up = hn::Gt(hn::Add(most_up, last), hn::Set(di, 254)), not_down = hn::Gt(start, most_down);
  const auto bits =
      hn::Or(hn::IfThenElseZero(up, hn::Set(di, kMetUp)), hn::IfThenZeroElse(not_down, hn::Set(di, kMetDown)));
  const hn::Rebind<std::uint8_t, I32> d8;
  hn::StoreU(hn::DemoteTo(d8, hn::IfThenElse(small, bits, hn::Set(di, kLarge))), d8, met);
}

inline void MeetBoxes(std::span<const BoxCode> codes, const NeededCells& needed, std::uint8_t* met) {
  const std::size_t lanes = hn::Lanes(U32());
  std::size_t i = 0;
  for (; i + lanes <= codes.size(); i += lanes) MeetVector(codes.data() + i, needed, met + i);
  const std::size_t rest = codes.size() - i;
  if (rest == 0) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  BoxCode some[kMost] = {};
  std::uint8_t found[kMost];
  std::copy_n(codes.data() + i, rest, some);
  MeetVector(some, needed, found);
  std::copy_n(found, rest, met + i);
}

/// A bit for each point of a vector.
HWY_INLINE std::uint64_t CellsVector(const float* xyz, const PointCells& grid, const Aabb& box,
                                     const std::uint32_t* slabs, std::uint32_t* column, std::uint32_t* slab) {
  const F32 df;
  const I32 di;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto cell = [&](int k) {
    const CellAxis& axis = grid.cells[k];
    const auto at = hn::Mul(hn::Sub(p[grid.axis[k]], hn::Set(df, axis.origin)), hn::Set(df, axis.scale));
    const auto within = hn::Min(hn::Max(at, hn::Zero(df)), hn::Set(df, static_cast<float>(axis.count - 1)));
    return hn::BitCast(du, hn::ConvertTo(di, hn::IfThenElseZero(hn::Eq(at, at), within)));
  };
  const auto u = hn::ShiftRightSame(cell(0), static_cast<int>(grid.shift));
  const auto v = hn::ShiftRightSame(cell(1), static_cast<int>(grid.shift));
  const auto in_column = hn::Add(hn::Mul(v, hn::Set(du, grid.stride)), u), in_slab = cell(2);
  hn::StoreU(in_column, du, column);
  hn::StoreU(in_slab, du, slab);
  auto inside = hn::Eq(p[0], p[0]);
  for (int k = 0; k < 3; ++k)
    inside = hn::And(inside, hn::And(hn::Gt(p[k], hn::Set(df, box.min[k])), hn::Lt(p[k], hn::Set(df, box.max[k]))));
  const auto word = hn::Add(hn::ShiftLeft<kSlabWordsLog2>(in_column), hn::ShiftRight<5>(in_slab));
  const auto bits = hn::GatherIndex(du, slabs, hn::BitCast(di, word));
  const auto bit = hn::And(hn::Shr(bits, hn::And(in_slab, hn::Set(du, 31))), hn::Set(du, 1));
  const auto found = hn::Or(hn::Not(inside), hn::RebindMask(df, hn::Ne(bit, hn::Zero(du))));
  std::uint64_t mask = 0;
  hn::StoreMaskBits(df, found, reinterpret_cast<std::uint8_t*>(&mask));
  return mask;
}

inline void FindCells(std::span<const Vec3> points, const PointCells& grid, const Aabb& box, const std::uint32_t* slabs,
                      std::uint32_t* column, std::uint32_t* slab, std::uint64_t* found) {
  const std::size_t lanes = std::min<std::size_t>(hn::Lanes(F32()), 64);
  std::size_t i = 0;
  std::fill_n(found, (points.size() + 63) / 64, 0);
  for (; i + lanes <= points.size(); i += lanes)
    found[i / 64] |= CellsVector(&points[i].x, grid, box, slabs, column + i, slab + i) << (i % 64);
  const std::size_t rest = points.size() - i;
  if (rest == 0) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost] = {};
  std::uint32_t columns[kMost], in_slabs[kMost];
  std::memcpy(xyz, &points[i], rest * sizeof(Vec3));
  const std::uint64_t mask = CellsVector(xyz, grid, box, slabs, columns, in_slabs);
  found[i / 64] |= (mask & ((std::uint64_t{1} << rest) - 1)) << (i % 64);
  std::copy_n(columns, rest, column + i);
  std::copy_n(in_slabs, rest, slab + i);
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(EncodeBoxes);
HWY_EXPORT(JoinBoxes);
HWY_EXPORT(MeetBoxes);
HWY_EXPORT(FindCells);

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes) {
  HWY_DYNAMIC_DISPATCH(EncodeBoxes)(positions, grid, codes);
}
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups) {
  HWY_DYNAMIC_DISPATCH(JoinBoxes)(triangles, corners, codes, groups);
}
void meet_boxes(std::span<const BoxCode> codes, const NeededCells& needed, std::uint8_t* met) {
  HWY_DYNAMIC_DISPATCH(MeetBoxes)(codes, needed, met);
}
void find_cells(std::span<const Vec3> points, const PointCells& grid, const Aabb& box, const std::uint32_t* slabs,
                std::uint32_t* column, std::uint32_t* slab, std::uint64_t* found) {
  HWY_DYNAMIC_DISPATCH(FindCells)(points, grid, box, slabs, column, slab, found);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
