// Kernels over whole meshes: codes, cull.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion is compiled.
#if defined(LAMELLA_SOFTWARE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_STREAM_INL
#undef LAMELLA_SOFTWARE_STREAM_INL
#else
#define LAMELLA_SOFTWARE_STREAM_INL
#endif

#include <algorithm>
#include <bit>

#include "engines/software/compress-inl.hpp"
#include "engines/software/kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, kMaxLanes>;
using I32 = hn::CappedTag<std::int32_t, kMaxLanes>;
using U32 = hn::CappedTag<std::uint32_t, kMaxLanes>;
using VF = hn::Vec<F32>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;

inline const char* InstructionSet() { return hwy::TargetName(HWY_TARGET); }

// --------------------------------------------------------------------------------------------------------- snapping

/// lattice_coordinate() and snap(), minus one, clamped to `begin` - 1 to `end` - 1.
HWY_INLINE VI SnapClamped(VF x, VF origin, VF scale, VF begin, VF end) {
  const F32 d;
  const I32 di;
  const VF c = hn::Add(hn::Mul(hn::Sub(x, origin), scale), hn::Set(d, kSubStep / 2));
  // Clamped as a float, to integers that float holds exactly.
  const VF bounded = hn::Min(hn::Max(c, begin), end);
  return hn::Sub(hn::NearestInt(bounded), hn::Set(di, 1));
}

constexpr float SnapBegin(std::uint32_t first) { return static_cast<float>(clamped_low(first) + 1); }
constexpr float SnapEnd(std::uint32_t end) { return static_cast<float>(clamped_high(end) + 1); }

/// The same where `end` is at most kSmallEnd: by an addition after which the number's last bit is worth one, and which
/// rounds as a conversion would. Conversions are slow where the instruction set has only those that saturate.
constexpr float kSmallEnd = 0x1p23f;
HWY_INLINE VI SnapSmall(VF x, VF origin, VF scale, VF begin, VF end) {
  const F32 d;
  const I32 di;
  const VF c = hn::Add(hn::Mul(hn::Sub(x, origin), scale), hn::Set(d, kSubStep / 2));
  const VF bounded = hn::Min(hn::Max(c, begin), end);
  const auto bits = hn::BitCast(di, hn::Add(bounded, hn::Set(d, kSmallEnd)));
  return hn::Sub(bits, hn::Set(di, std::bit_cast<std::int32_t>(kSmallEnd) + 1));
}

/// The lattice's constants for one position of the flat xyz stream's period of three vectors, and which lanes matter.
struct StreamPhase {
  VF origin, scale, begin, end;
  LaneCompressor<> kept;
  std::size_t kept_count;
};

HWY_INLINE StreamPhase MakePhase(const RasterTarget& target, std::size_t phase) {
  const F32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float origin[kMaxLanes], scale[kMaxLanes], begin[kMaxLanes], end[kMaxLanes];
  HWY_ALIGN std::int32_t kept[kMaxLanes];
  const Lattice& l = target.lattice;
  std::size_t kept_count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    const int component = static_cast<int>((phase * lanes + k) % 3);
    const bool is_u = component == target.grid.u(), is_w = component == target.grid.w();
    origin[k] = is_u ? l.origin_u : l.origin_v;
    scale[k] = is_u ? l.scale_u : l.scale_v;
    begin[k] = SnapBegin(is_u ? target.window.first_u : target.window.first_v);
    end[k] = SnapEnd(is_u ? target.window.end_u : target.window.end_v);
    kept[k] = is_w ? 0 : 1;
    kept_count += is_w ? 0 : 1;
  }
  return {hn::Load(d, origin),
          hn::Load(d, scale),
          hn::Load(d, begin),
          hn::Load(d, end),
          LaneCompressor<>(hn::Ne(hn::Load(di, kept), hn::Zero(di))),
          kept_count};
}

/// One vertex, as in core/lattice.hpp.
inline CellCode EncodeOne(Vec3 p, const RasterTarget& target) {
  if (!usable(p)) return {};
  const auto encode_axis = [](float x, float origin, float scale, std::uint32_t first, std::uint32_t end) {
    const float c = lattice_coordinate(x, origin, scale);
    // In a box so small that its scale is infinite, c may be NaN, which becomes the low limit, as in vectors.
    const float bounded = c > SnapBegin(first) ? std::min(c, SnapEnd(end)) : SnapBegin(first);
    return static_cast<std::uint16_t>((snap(bounded) - 1) >> kSubBits);
  };
  const Lattice& l = target.lattice;
  const Grid& g = target.grid;
  const Window& w = target.window;
  const std::uint16_t u = encode_axis(p[g.u()], l.origin_u, l.scale_u, w.first_u, w.end_u);
  const std::uint16_t v = encode_axis(p[g.v()], l.origin_v, l.scale_v, w.first_v, w.end_v);
  return g.axis == Axis::y ? CellCode{v, u} : CellCode{u, v};
}

/// What the loops over vectors of vertices did. Codes are written for the first `encoded`.
struct Encoded {
  std::size_t encoded;
  bool all_usable;
};

/// Works on the flat stream: all three components are encoded, then the one along the ray is removed.
HWY_INLINE Encoded EncodeStream(std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  const F32 d;
  const hn::Rebind<std::uint16_t, I32> d16;
  const std::size_t lanes = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(positions.data());
  const StreamPhase phases[3] = {MakePhase(target, 0), MakePhase(target, 1), MakePhase(target, 2)};
  const VF limit = hn::Set(d, kMaxCoordinate);
  auto all_usable = hn::Eq(limit, limit);
  auto* to = reinterpret_cast<std::uint16_t*>(codes);
  std::size_t i = 0;
  // Compacted vectors are stored whole, so a few numbers too many are written. The caller encodes the last vertices, so
  // that all writes stay within this call's part of the array.
  for (; i + 2 * lanes <= positions.size(); i += lanes)
    for (std::size_t j = 0; j < 3; ++j) {
      const StreamPhase& phase = phases[j];
      const VF x = hn::LoadU(d, p + 3 * i + j * lanes);
      all_usable = hn::And(all_usable, hn::Le(hn::Abs(x), limit));
      const VI code = hn::ShiftRight<kSubBits>(SnapClamped(x, phase.origin, phase.scale, phase.begin, phase.end));
      hn::StoreU(hn::DemoteTo(d16, phase.kept(code)), d16, to);
      to += phase.kept_count;
    }
  return {i, hn::AllTrue(d, all_usable)};
}

/// For vectors `D` of four lanes: loads a vertex and one component of the next, and takes the image's two components of
/// two vertices together. They are neighbours, but for rays along y. Takes a third fewer steps than EncodeStream().
/// Needs the window's SnapEnd() to be at most kSmallEnd.
template <bool kNeighbours, class D>
HWY_INLINE Encoded EncodePairs(D d, std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  const hn::Rebind<std::uint32_t, D> du;
  const hn::Repartition<std::int16_t, D> d16;
  using V = hn::Vec<D>;
  const bool u_first = target.grid.axis != Axis::y;
  const auto in_turn = [&](float u, float v) {
    HWY_ALIGN const float both[4] = {u_first ? u : v, u_first ? v : u, u_first ? u : v, u_first ? v : u};
    return hn::Load(d, both);
  };
  const Lattice& l = target.lattice;
  const Window& w = target.window;
  const V origin = in_turn(l.origin_u, l.origin_v), scale = in_turn(l.scale_u, l.scale_v);
  const V begin = in_turn(SnapBegin(w.first_u), SnapBegin(w.first_v)),
          end = in_turn(SnapEnd(w.end_u), SnapEnd(w.end_v));
  const float* p = reinterpret_cast<const float*>(positions.data()) + (target.grid.w() == 0 ? 1 : 0);
  auto* to = reinterpret_cast<std::int16_t*>(codes);
  // As bits without the sign, a NaN is larger than infinity, and infinity is larger than any number.
  auto largest = hn::BitCast(du, hn::Abs(hn::Set(d, positions.empty() ? 0.0f : positions[0].x)));
  const auto load = [&](std::size_t vertex) {
    const V x = hn::LoadU(d, p + 3 * vertex);
    largest = hn::Max(largest, hn::BitCast(du, hn::Abs(x)));
    return x;
  };
  const auto encode_two = [&](std::size_t vertex) {
    const V one = load(vertex), other = load(vertex + 1);
    // Unqualified: Highway's scalar vectors do not have them.
    const V x = kNeighbours ? ConcatLowerLower(d, other, one) : ConcatEven(d, other, one);
    return hn::ShiftRight<kSubBits>(SnapSmall(x, origin, scale, begin, end));
  };
  std::size_t i = 0;
  for (; i + 5 <= positions.size(); i += 4) {
    const auto low = encode_two(i), high = encode_two(i + 2);
    hn::StoreU(ReorderDemote2To(d16, low, high), d16, to + 2 * i);
  }
  return {i, hn::AllFalse(du, hn::Gt(largest, hn::BitCast(du, hn::Set(d, kMaxCoordinate))))};
}

template <class D>
HWY_INLINE Encoded EncodeVectors(D d, std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  if constexpr (hn::MaxLanes(D()) == 4)
    if (SnapEnd(std::max(target.window.end_u, target.window.end_v)) <= kSmallEnd)
      return target.grid.axis == Axis::y ? EncodePairs<false>(d, positions, target, codes)
                                         : EncodePairs<true>(d, positions, target, codes);
  return EncodeStream(positions, target, codes);
}

inline std::size_t Encode(std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  const Encoded vectors = EncodeVectors(F32(), positions, target, codes);
  for (std::size_t i = vectors.encoded; i < positions.size(); ++i) codes[i] = EncodeOne(positions[i], target);
  std::size_t unusable = 0;
  for (std::size_t i = vectors.all_usable ? vectors.encoded : 0; i < positions.size(); ++i)
    unusable += usable(positions[i]) ? 0 : 1;
  return unusable;
}

// ---------------------------------------------------------------------------------------------------------- culling

/// Appends the ids of the triangles whose corners differ on both axes.
HWY_INLINE void AppendSurvivors(VU differ, VU id, std::uint32_t* ids, std::size_t& count) {
  const U32 d;
  const I32 di;
  const VU least = hn::Min(hn::And(differ, hn::Set(d, 0xffffu)), hn::ShiftRight<16>(differ));
  const LaneCompressor<> compress(hn::Gt(hn::BitCast(di, least), hn::Zero(di)));
  hn::StoreU(compress(id), d, ids + count);
  count += compress.count();
}

/// A vector of triangles at a time.
inline std::size_t CullByGathers(std::span<const Triangle> triangles, std::span<const CellCode> codes,
                                 std::uint32_t first, std::uint32_t* ids) {
  const U32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  const auto* indices = reinterpret_cast<const std::uint32_t*>(triangles.data());
  const auto* base = reinterpret_cast<const std::uint32_t*>(codes.data());
  const VU end = hn::Set(d, static_cast<std::uint32_t>(codes.size()));
  const auto code = [&](VU index) { return hn::GatherIndex(d, base, hn::BitCast(di, index)); };
  VU id = hn::Iota(d, first);
  std::size_t count = 0, i = 0;
  for (; i + lanes <= triangles.size(); i += lanes) {
    VU ia, ib, ic;
    hn::LoadInterleaved3(d, indices + 3 * i, ia, ib, ic);
    if (!hn::AllTrue(d, hn::Lt(hn::Max(hn::Max(ia, ib), ic), end))) return kBadIndex;
    const VU a = code(ia);
    AppendSurvivors(hn::Or(hn::Xor(a, code(ib)), hn::Xor(a, code(ic))), id, ids, count);
    id = hn::Add(id, hn::Set(d, static_cast<std::uint32_t>(lanes)));
  }
  if (i == triangles.size()) return count;
  const std::size_t rest =
      cull_by_loads(triangles.subspan(i), codes, first + static_cast<std::uint32_t>(i), ids + count);
  return rest == kBadIndex ? kBadIndex : count + rest;
}

/// The bits in which the codes of each triangle's corners differ. WebAssembly loads numbers into the lanes of vectors
/// at no more cost than alone, so that less is left to do one by one; elsewhere all of it is.
template <class D>
HWY_INLINE void CollectDifferences(D d, std::span<const Triangle> triangles, const CellCode* codes,
                                   std::uint32_t* differ) {
  std::size_t i = 0;
  if constexpr (HWY_TARGET == HWY_WASM) {
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const auto load = [&](auto corner) {
      HWY_ALIGN std::uint32_t lanes[kLanes];
      for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = std::bit_cast<std::uint32_t>(codes[triangles[i + k].*corner]);
      return hn::Load(d, lanes);
    };
    for (; i + kLanes <= triangles.size(); i += kLanes) {
      const auto a = load(&Triangle::a), b = load(&Triangle::b), c = load(&Triangle::c);
      hn::Store(hn::Or(hn::Xor(a, b), hn::Xor(a, c)), d, differ + i);
    }
  }
  collect_differences(triangles.subspan(i), codes, differ + i);
}

/// In blocks, each in two steps: plain loads collect the bits in which the corners differ, then vectors test and
/// compact.
inline std::size_t CullByLoads(std::span<const Triangle> triangles, std::span<const CellCode> codes,
                               std::uint32_t first, std::uint32_t* ids) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kBlock = 512;  // long enough that the first stores are done when the vectors load them
  HWY_ALIGN std::uint32_t differ[kBlock];
  VU id = hn::Iota(d, first);
  std::size_t count = 0;
  for (std::size_t block = 0; block < triangles.size(); block += kBlock) {
    const std::size_t n = std::min(kBlock, triangles.size() - block);
    if (max_index(triangles.subspan(block, n)) >= codes.size()) return kBadIndex;
    CollectDifferences(d, triangles.subspan(block, n), codes.data(), differ);
    for (std::size_t i = n; i % lanes != 0; ++i) differ[i] = 0;
    for (std::size_t i = 0; i < n; i += lanes) {
      AppendSurvivors(hn::Load(d, differ + i), id, ids, count);
      id = hn::Add(id, hn::Set(d, static_cast<std::uint32_t>(lanes)));
    }
  }
  return count;
}

/// Loads the corners' codes of a block of triangles one by one, then takes their minima and maxima by vectors.
inline void CollectBoxes(std::span<const std::uint32_t> ids, std::span<const Triangle> triangles, const CellCode* codes,
                         CellCode* low, CellCode* high) {
  const hn::CappedTag<std::uint16_t, 2 * kMaxLanes> d;
  constexpr std::size_t kBlock = 256;
  HWY_ALIGN CellCode corner[3][kBlock + kMaxLanes];
  for (std::size_t block = 0; block < ids.size(); block += kBlock) {
    const std::size_t n = std::min(kBlock, ids.size() - block);
    for (std::size_t i = 0; i < n; ++i) {
      const Triangle t = triangles[ids[block + i]];
      corner[0][i] = codes[t.a];
      corner[1][i] = codes[t.b];
      corner[2][i] = codes[t.c];
    }
    const auto load = [&](int k, std::size_t i) {
      return hn::Load(d, reinterpret_cast<const std::uint16_t*>(corner[k]) + i);
    };
    auto* const lows = reinterpret_cast<std::uint16_t*>(low + block);
    auto* const highs = reinterpret_cast<std::uint16_t*>(high + block);
    for (std::size_t i = 0; i < 2 * n; i += hn::Lanes(d)) {
      const auto a = load(0, i), b = load(1, i), c = load(2, i);
      hn::StoreU(hn::Min(hn::Min(a, b), c), d, lows + i);
      hn::StoreU(hn::Max(hn::Max(a, b), c), d, highs + i);
    }
  }
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
