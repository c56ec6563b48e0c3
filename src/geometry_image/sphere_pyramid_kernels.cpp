#include "geometry_image/sphere_pyramid_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry_image/sphere_pyramid_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target, as Highway asks.
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::pyramid::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kTile = 64;  // quads along x that are built at a time
constexpr std::size_t kPad = 16;   // vectors reach beyond a row's end by less than this
constexpr std::size_t kStripRows = std::size_t{1} << (kVertexLevels - 1);  // and along y
constexpr std::size_t kRows = kStripRows + 1;                              // of vertices

template <class D>
using V = hn::Vec<D>;

/// A point in every lane.
template <class D>
struct Points {
  V<D> x, y, z;
};

template <class D>
struct Boxes {
  Points<D> low, high;
};

template <class D>
HWY_INLINE V<D> EvenOf(D d, V<D> first, V<D> second) {
#if HWY_TARGET == HWY_SCALAR
  (void)d, (void)second;
  return first;
#else
  return hn::ConcatEven(d, second, first);
#endif
}
template <class D>
HWY_INLINE V<D> OddOf(D d, V<D> first, V<D> second) {
#if HWY_TARGET == HWY_SCALAR
  (void)d, (void)first;
  return second;
#else
  return hn::ConcatOdd(d, second, first);
#endif
}

/// Every 2^k-th vertex of a tile's rows, by axis.
template <int k>
struct Vertices {
  HWY_ALIGN float at[3][kRows][(kTile >> k) + kPad];
};

/// A tile's boxes on level k, two rows of them united, and the spheres of both rows: x, y, z, radius.
template <int k>
struct LevelRows {
  static constexpr std::size_t kWidth = (kTile >> k) + kPad;
  HWY_ALIGN float boxes[6][kWidth];
  HWY_ALIGN float spheres[2][4][kWidth];
};

/// What is kept of a tile: less than the first-level cache.
struct Tile {
  Vertices<0> vertices;
  Vertices<1> every_second;
  LevelRows<0> level0;
  LevelRows<1> level1;
  LevelRows<2> level2;
  LevelRows<3> level3;
};

template <class D, int k>
HWY_INLINE Points<D> LoadPoints(D d, const Vertices<k>& from, std::size_t row, std::size_t x) {
  return {hn::LoadU(d, from.at[0][row] + x), hn::LoadU(d, from.at[1][row] + x), hn::LoadU(d, from.at[2][row] + x)};
}

template <class D>
HWY_INLINE V<D> SquaredDistance(const Points<D>& a, const Points<D>& b) {
  const auto x = hn::Sub(a.x, b.x), y = hn::Sub(a.y, b.y), z = hn::Sub(a.z, b.z);
  return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
}

template <class D>
HWY_INLINE Points<D> Min(const Points<D>& a, const Points<D>& b) {
  return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)};
}
template <class D>
HWY_INLINE Points<D> Max(const Points<D>& a, const Points<D>& b) {
  return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)};
}
template <class D>
HWY_INLINE Boxes<D> Unite(const Boxes<D>& a, const Boxes<D>& b) {
  return {Min<D>(a.low, b.low), Max<D>(a.high, b.high)};
}

/// Which of -0 and 0 a minimum is depends on the order; adding 0 makes both 0.
template <class D>
HWY_INLINE V<D> Middle(D d, V<D> low, V<D> high) {
  return hn::Add(hn::Mul(hn::Add(low, high), hn::Set(d, 0.5f)), hn::Zero(d));
}
template <class D>
HWY_INLINE Points<D> Center(D d, const Boxes<D>& b) {
  return {Middle(d, b.low.x, b.high.x), Middle(d, b.low.y, b.high.y), Middle(d, b.low.z, b.high.z)};
}

template <class D>
HWY_INLINE V<D> RadiusFromSquare(D d, V<D> square) {
  return hn::Add(hn::Mul(hn::Sqrt(square), hn::Set(d, kEnlarge)), hn::Set(d, kLeast));
}

template <bool past_caches, class D>
HWY_INLINE void StoreSpheres(D d, const Points<D>& center, V<D> radius, Sphere* to) {
  if constexpr (past_caches) {
    HWY_ALIGN float spheres[4 * hn::MaxLanes(d)];
    hn::StoreInterleaved4(center.x, center.y, center.z, radius, d, spheres);
    for (std::size_t i = 0; i < 4 * hn::Lanes(d); i += hn::Lanes(d))
      hn::Stream(hn::Load(d, spheres + i), d, &to->x + i);
  } else {
    hn::StoreInterleaved4(center.x, center.y, center.z, radius, d, &to->x);
  }
}

template <class D, int k>
HWY_INLINE void KeepSpheres(D d, const Points<D>& center, V<D> radius, LevelRows<k>& rows, bool second, std::size_t x) {
  auto& to = rows.spheres[second ? 1 : 0];
  hn::StoreU(center.x, d, to[0] + x);
  hn::StoreU(center.y, d, to[1] + x);
  hn::StoreU(center.z, d, to[2] + x);
  hn::StoreU(radius, d, to[3] + x);
}

/// Boxes of a row, united with those of the row before if it is the `second` of two.
template <class D, int k>
HWY_INLINE void KeepBoxes(D d, Boxes<D> b, LevelRows<k>& rows, bool second, std::size_t x) {
  const auto at = [&](int i) { return rows.boxes[i] + x; };
  if (second)
    b = Unite<D>({{hn::LoadU(d, at(0)), hn::LoadU(d, at(1)), hn::LoadU(d, at(2))},
                  {hn::LoadU(d, at(3)), hn::LoadU(d, at(4)), hn::LoadU(d, at(5))}},
                 b);
  hn::StoreU(b.low.x, d, at(0));
  hn::StoreU(b.low.y, d, at(1));
  hn::StoreU(b.low.z, d, at(2));
  hn::StoreU(b.high.x, d, at(3));
  hn::StoreU(b.high.y, d, at(4));
  hn::StoreU(b.high.z, d, at(5));
}

/// Boxes 2x and 2x + 1, united.
template <class D, int k>
HWY_INLINE Boxes<D> LoadPairs(D d, const LevelRows<k>& rows, std::size_t x) {
  const auto pair = [&](int i, auto choose) {
    const float* const from = rows.boxes[i] + 2 * x;
    const auto first = hn::LoadU(d, from), second = hn::LoadU(d, from + hn::Lanes(d));
    return choose(EvenOf(d, first, second), OddOf(d, first, second));
  };
  const auto low = [](V<D> a, V<D> b) { return hn::Min(a, b); };
  const auto high = [](V<D> a, V<D> b) { return hn::Max(a, b); };
  return {{pair(0, low), pair(1, low), pair(2, low)}, {pair(3, high), pair(4, high), pair(5, high)}};
}

/// Separates x, y and z of a vector of vertices. 3 divides no number of lanes, so coordinates of one axis are in
/// different lanes of the three vectors that are read: two selections and one permutation collect them.
template <class D>
class Splitter {
 public:
  explicit Splitter(D d) {
    HWY_ALIGN float axis_of[3][hn::MaxLanes(d)];
    HWY_ALIGN std::int32_t order[3][hn::MaxLanes(d)];
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < 3 * lanes; ++i) {
      axis_of[i / lanes][i % lanes] = static_cast<float>(i % 3);
      order[i % 3][i / 3] = static_cast<std::int32_t>(i % lanes);
    }
    for (int axis = 0; axis < 3; ++axis) {
      order_[axis] = hn::SetTableIndices(d, order[axis]);
      for (int part = 0; part < 2; ++part)
        here_[axis][part] = hn::Eq(hn::Load(d, axis_of[part]), hn::Set(d, static_cast<float>(axis)));
    }
  }
  HWY_INLINE Points<D> Load(D d, const Vec3* from) const {
    const float* const xyz = &from->x;
    const auto a = hn::LoadU(d, xyz), b = hn::LoadU(d, xyz + hn::Lanes(d)), c = hn::LoadU(d, xyz + 2 * hn::Lanes(d));
    const auto pick = [&](int axis) {
      const auto mixed = hn::IfThenElse(here_[axis][0], a, hn::IfThenElse(here_[axis][1], b, c));
      return hn::TableLookupLanes(mixed, order_[axis]);
    };
    return {pick(0), pick(1), pick(2)};
  }

 private:
  hn::Mask<D> here_[3][2];
  decltype(hn::SetTableIndices(D(), static_cast<const std::int32_t*>(nullptr))) order_[3];
};

using Lanes16 = hn::CappedTag<float, 16>;

/// Vectors extend beyond the last vertex; those lanes are not used.
HWY_NOINLINE void LoadTile(const Vec3* corner, std::size_t side, const Splitter<Lanes16>& splitter, Tile& tile) {
  const Lanes16 d;
  for (std::size_t row = 0; row < kRows; ++row) {
    const Vec3* const from = corner + row * side;
    float* const to[3] = {tile.vertices.at[0][row], tile.vertices.at[1][row], tile.vertices.at[2][row]};
    for (std::size_t i = 0; i < kTile; i += hn::Lanes(d)) {
      const auto p = splitter.Load(d, from + i);
      hn::StoreU(p.x, d, to[0] + i);
      hn::StoreU(p.y, d, to[1] + i);
      hn::StoreU(p.z, d, to[2] + i);
    }
    for (int axis = 0; axis < 3; ++axis) {
      float* const thin = tile.every_second.at[axis][row];
      to[axis][kTile] = from[kTile][axis];
      for (std::size_t i = 0; i < kTile / 2; i += hn::Lanes(d))
        hn::StoreU(EvenOf(d, hn::LoadU(d, to[axis] + 2 * i), hn::LoadU(d, to[axis] + 2 * i + hn::Lanes(d))), d,
                   thin + i);
      thin[kTile / 2] = from[kTile][axis];
    }
  }
}

/// Spheres of two rows of quads, and the boxes of both rows as one. Prefetches two rows of vertices from `ahead` on,
/// for the next tile.
template <bool past_caches>
HWY_NOINLINE void BuildQuads(Tile& tile, std::size_t row, Sphere* upper, Sphere* lower, const Vec3* ahead,
                             std::size_t side) {
  using D = Lanes16;
  const D d;
  for (std::size_t i = 0; i < kTile; i += hn::Lanes(d)) {
    for (std::size_t j = 0; j < sizeof(Vec3) * hn::Lanes(d); j += 64) {
      hwy::Prefetch(reinterpret_cast<const char*>(ahead + i) + j);
      hwy::Prefetch(reinterpret_cast<const char*>(ahead + side + i) + j);
    }
    auto a = LoadPoints(d, tile.vertices, row, i), b = LoadPoints(d, tile.vertices, row, i + 1);
    Boxes<D> above{Min<D>(a, b), Max<D>(a, b)};  // of the edges between a and b
    const auto next_row = [&](std::size_t y, Sphere* to) {
      const auto e = LoadPoints(d, tile.vertices, y, i), f = LoadPoints(d, tile.vertices, y, i + 1);
      const Boxes<D> below{Min<D>(e, f), Max<D>(e, f)};
      const auto box = Unite<D>(above, below);
      const auto c = Center(d, box);
      const auto square = hn::Max(hn::Max(SquaredDistance<D>(a, c), SquaredDistance<D>(b, c)),
                                  hn::Max(SquaredDistance<D>(e, c), SquaredDistance<D>(f, c)));
      StoreSpheres<past_caches>(d, c, RadiusFromSquare(d, square), to + i);
      a = e;
      b = f;
      above = below;
      return box;
    };
    const auto first = next_row(row + 1, upper);
    KeepBoxes(d, Unite<D>(first, next_row(row + 2, lower)), tile.level0, false, i);
  }
}

/// A row of level 1: each sphere reaches the furthest of its nine vertices, of which `row` is the first row.
template <bool past_caches>
HWY_NOINLINE void BuildFours(Tile& tile, std::size_t row, Sphere* to) {
  using D = Lanes16;
  const D d;
  const bool second = row % 4 == 2;
  for (std::size_t i = 0; i < kTile / 2; i += hn::Lanes(d)) {
    const auto box = LoadPairs(d, tile.level0, i);
    const auto c = Center(d, box);
    auto square = hn::Zero(d);
    for (std::size_t v = row; v < row + 3; ++v) {
      const auto odd = [&](int axis) {
        const float* const from = tile.vertices.at[axis][v] + 2 * i;
        return OddOf(d, hn::LoadU(d, from), hn::LoadU(d, from + hn::Lanes(d)));
      };
      const auto left = SquaredDistance<D>(LoadPoints(d, tile.every_second, v, i), c);
      const auto middle = SquaredDistance<D>({odd(0), odd(1), odd(2)}, c);
      const auto right = SquaredDistance<D>(LoadPoints(d, tile.every_second, v, i + 1), c);
      square = hn::Max(square, hn::Max(left, hn::Max(middle, right)));
    }
    const auto radius = RadiusFromSquare(d, square);
    StoreSpheres<past_caches>(d, c, radius, to + i);
    KeepSpheres(d, c, radius, tile.level1, second, i);
    KeepBoxes(d, box, tile.level1, second, i);
  }
}

/// A row of level k, k > 1: spheres reach to the corners of their vertices' box, or around the four spheres of the
/// level below if that is less.
template <int k>
HWY_NOINLINE void BuildNested(const LevelRows<k - 1>& below, LevelRows<k>& rows, bool second, Sphere* to) {
  using D = hn::CappedTag<float, (kTile >> k)>;
  const D d;
  for (std::size_t i = 0; i < (kTile >> k); i += hn::Lanes(d)) {
    const auto box = LoadPairs(d, below, i);
    const auto c = Center(d, box);
    auto reach = hn::Zero(d);
    for (const auto& row : below.spheres) {
      const auto about = [&](auto choose) {
        const auto get = [&](int j) {
          return choose(hn::LoadU(d, row[j] + 2 * i), hn::LoadU(d, row[j] + 2 * i + hn::Lanes(d)));
        };
        const auto square = SquaredDistance<D>({get(0), get(1), get(2)}, c);
        return hn::Add(hn::Mul(hn::Sqrt(square), hn::Set(d, kEnlarge)), get(3));
      };
      reach = hn::Max(reach, hn::Max(about([d](V<D> p, V<D> q) { return EvenOf(d, p, q); }),
                                     about([d](V<D> p, V<D> q) { return OddOf(d, p, q); })));
    }
    const auto nested = hn::Add(hn::Mul(reach, hn::Set(d, kEnlargeSum)), hn::Set(d, kLeast));
    // The middle is rounded: on each axis either end may be the further one.
    const auto half = [](V<D> low, V<D> high, V<D> middle) {
      return hn::Max(hn::Sub(high, middle), hn::Sub(middle, low));
    };
    const auto hx = half(box.low.x, box.high.x, c.x), hy = half(box.low.y, box.high.y, c.y),
               hz = half(box.low.z, box.high.z, c.z);
    const auto corner = hn::Add(hn::Add(hn::Mul(hx, hx), hn::Mul(hy, hy)), hn::Mul(hz, hz));
    const auto radius = hn::Min(nested, RadiusFromSquare(d, corner));
    StoreSpheres<false>(d, c, radius, to + i);
    KeepSpheres(d, c, radius, rows, second, i);
    KeepBoxes(d, box, rows, second, i);
  }
}

template <bool past_caches>
HWY_INLINE void BuildStrip(const Vec3* positions, const Places& places, std::size_t first_row,
                           const Splitter<Lanes16>& splitter, Tile& tile) {
  static_assert(kVertexLevels == 4);
  const std::size_t quads = places.side(0), side = quads + 1;
  for (std::size_t x = 0; x < quads; x += kTile) {
    const Vec3* const corner = positions + first_row * side + x;
    LoadTile(corner, side, splitter, tile);
    const auto to = [&](int k, std::size_t row) { return places.row(k, (first_row + row) >> k) + (x >> k); };
    for (std::size_t row = 0; row < kStripRows; row += 2) {
      BuildQuads<past_caches>(tile, row, to(0, row), to(0, row + 1), corner + (row + 1) * side + kTile, side);
      BuildFours<past_caches>(tile, row, to(1, row));
      if (row % 4 == 2) BuildNested<2>(tile.level1, tile.level2, row == 6, to(2, row));
    }
    BuildNested<3>(tile.level2, tile.level3, false, to(3, 0));
  }
}

void BuildAbove(const Places& places, int k, std::size_t begin, std::size_t end) {
  using D = hn::CappedTag<float, 4>;
  const D d;
  const int under = level_under(k);
  const std::size_t side = std::size_t{1} << (k - under);
  const auto for_each_under = [&](std::size_t x, std::size_t y, auto visit) {
    for (std::size_t i = 0; i < side; ++i) {
      const Sphere* const from = places.row(under, y * side + i) + x * side;
      for (std::size_t j = 0; j < side; j += hn::Lanes(d)) {
        Points<D> p;
        V<D> radius;
        hn::LoadInterleaved4(d, &from[j].x, p.x, p.y, p.z, radius);
        visit(p, radius);
      }
    }
  };
  for (std::size_t y = begin; y < end; ++y)
    for (std::size_t x = 0; x < places.side(k); ++x) {
      const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
      Boxes<D> box{{infinity, infinity, infinity}, {hn::Neg(infinity), hn::Neg(infinity), hn::Neg(infinity)}};
      for_each_under(x, y, [&](const Points<D>& p, V<D> r) {
        box = Unite<D>(box, {{hn::Sub(p.x, r), hn::Sub(p.y, r), hn::Sub(p.z, r)},
                             {hn::Add(p.x, r), hn::Add(p.y, r), hn::Add(p.z, r)}});
      });
      const auto least = [d](V<D> v) { return hn::MinOfLanes(d, v); };
      const auto most = [d](V<D> v) { return hn::MaxOfLanes(d, v); };
      const auto c = Center<D>(d, {{least(box.low.x), least(box.low.y), least(box.low.z)},
                                   {most(box.high.x), most(box.high.y), most(box.high.z)}});
      auto reach = hn::Zero(d);
      for_each_under(x, y, [&](const Points<D>& p, V<D> r) {
        const auto distance = hn::Mul(hn::Sqrt(SquaredDistance<D>(p, c)), hn::Set(d, kEnlarge));
        reach = hn::Max(reach, hn::Add(distance, r));
      });
      places.row(k, y)[x] = {hn::GetLane(c.x), hn::GetLane(c.y), hn::GetLane(c.z),
                             hn::GetLane(most(reach)) * kEnlargeSum + kLeast};
    }
}

void BuildChunks(const Vec3* positions, const Places& places, std::size_t begin, std::size_t end, bool past_caches) {
  Tile tile;
  std::memset(&tile, 0, sizeof tile);  // lanes beyond a row's end are computed, but not used
  const Splitter<Lanes16> splitter{Lanes16()};
  for (std::size_t chunk = begin; chunk < end; ++chunk) {
    for (std::size_t row = chunk * kChunkRows; row < (chunk + 1) * kChunkRows; row += kStripRows)
      if (past_caches)
        BuildStrip<true>(positions, places, row, splitter, tile);
      else
        BuildStrip<false>(positions, places, row, splitter, tile);
    for (int k = kVertexLevels; k < kChunkLevels; ++k)
      BuildAbove(places, k, (chunk * kChunkRows) >> k, ((chunk + 1) * kChunkRows) >> k);
  }
  if (past_caches) hwy::FlushStream();
}

}  // namespace lamella::pyramid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::pyramid {

HWY_EXPORT(BuildChunks);
HWY_EXPORT(BuildAbove);

void build_chunks(const Vec3* positions, const Places& places, std::size_t begin, std::size_t end, bool past_caches) {
  HWY_DYNAMIC_DISPATCH(BuildChunks)(positions, places, begin, end, past_caches);
}

void build_above(const Places& places, int k, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(BuildAbove)(places, k, begin, end);
}

}  // namespace lamella::pyramid
#endif  // HWY_ONCE
