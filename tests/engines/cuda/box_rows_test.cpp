// Short cuts of the kernels on the host, each against the longer way that it must agree with: rows of a box against its
// samples, boxes of one sample against others, small boxes that a window cuts against rows.

#include "engines/cuda/box_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/rows.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::cuda {
namespace {

// Cells of unit size, so that multiples of 1 / kSubStep are lattice points.
constexpr Grid kGrid{{{0, 0, 0}, {100, 80, 50}}, Axis::z, 100, 80};
constexpr int kTriangles = 30'000;

using Corners = std::array<Vec3, 3>;

/// Random triangles, of which many have corners on samples or half way between lattice points, edges along the axes,
/// hardly any area, or as large a box as can be.
class Triangles {
 public:
  explicit Triangles(std::uint32_t seed) : random_(seed) {}

  /// Within `extent` cells along either axis, of which the first is (u, v).
  Corners next(std::int32_t extent, std::int32_t u, std::int32_t v) {
    grain_ = 1 << (random_.below(2) == 0 ? between(1, kSubBits) : 0);
    end_ = extent << kSubBits;
    Point p[3];
    for (Point& one : p) one = {coordinate(), coordinate()};
    if (random_.below(3) == 0) {
      p[0] = {1, 1};
      p[random_.below(2) + 1].u = end_;
      p[1].v = end_;
    }
    if (random_.below(3) == 0) p[1].v = p[0].v;
    if (random_.below(3) == 0) p[2].u = p[random_.below(2)].u;
    if (random_.below(3) == 0) p[2] = near_line(p[0], p[1]);
    if (random_.below(2) == 0) std::swap(p[0], p[1]);
    Corners out;
    for (int k = 0; k < 3; ++k) out[k] = {world(p[k].u, u), world(p[k].v, v), random_.uniform(-10, 60)};
    return out;
  }

  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(high - low + 1)));
  }

 private:
  struct Point {
    std::int32_t u, v;  // from 1 to end_, with samples at the multiples of kSubStep
  };

  std::int32_t coordinate() { return between(1, end_ / grain_) * grain_; }
  Point near_line(Point a, Point b) {
    const float along = random_.uniform(0, 1);
    const auto near = [&](std::int32_t from, std::int32_t to) {
      const auto way = static_cast<std::int32_t>(along * static_cast<float>(to - from));
      return std::clamp(from + way + between(-1, 1), 1, end_);
    };
    return {near(a.u, b.u), near(a.v, b.v)};
  }
  float world(std::int32_t x, std::int32_t first_cell) {
    const float half = random_.below(16) == 0 ? 0.5f : 0.0f;
    return (static_cast<float>((first_cell << kSubBits) + x - kSubStep / 2) + half) / kSubStep;
  }

  test::Random random_;
  std::int32_t grain_ = 1, end_ = 0;
};

const Target kWhole = make_target(kGrid, whole(kGrid));

/// Row j as the kernels ask for it, but for inverses that are off by some units in the last place.
RowStretch stretch_at(const SmallTriangle& s, std::int32_t j, RowStretch within, std::int32_t off) {
  std::int32_t value[3];
  float inverse[3];
  for (int k = 0; k < 3; ++k) {
    value[k] = s.value[k] - (s.bias >> k & 1) + j * s.step_v[k];
    inverse[k] = std::bit_cast<float>(std::bit_cast<std::int32_t>(inverse_of_step(s.step_u[k])) + off);
  }
  return stretch_of_row(value, s.step_u, inverse, within);
}

using Samples = std::vector<std::int32_t>;
Samples listed(RowStretch r) {
  Samples out;
  for (std::int32_t i = r.first; i <= r.last; ++i) out.push_back(i);
  return out;
}
Samples covered_in(const SmallTriangle& s, std::int32_t j, RowStretch within) {
  Samples out;
  for (std::int32_t i = within.first; i <= within.last; ++i)
    if (is_covered(s, edge_values(s, i, j))) out.push_back(i);
  return out;
}

TEST(CudaBoxRows, AStretchHoldsTheCoveredSamples) {
  Triangles triangles(1);
  int largest = 0, with_samples = 0;
  for (int n = 0; n < kTriangles; ++n) {
    const std::int32_t extent = n % 2 == 0 ? kMaxSmallExtent + 1 : triangles.between(2, kMaxSmallExtent);
    SmallTriangle s;
    if (set_up(triangles.next(extent, 10, 20).data(), kWhole, s) != Method::small) continue;
    largest += s.width == kMaxSmallExtent && s.height == kMaxSmallExtent;
    // Where a window cuts the box, less than all of the row is asked for.
    const RowStretch all{0, s.width - 1}, part{triangles.between(0, all.last), triangles.between(0, all.last)};
    const RowStretch within = n % 3 == 0 ? part : all;
    for (std::int32_t j = 0; j < s.height; ++j) {
      const Samples expected = covered_in(s, j, within);
      with_samples += !expected.empty();
      for (const std::int32_t off : {0, -4, 4})  // a GPU's quotients are not exact
        ASSERT_EQ(listed(stretch_at(s, j, within, off)), expected) << "triangle " << n << ", row " << j;
    }
  }
  EXPECT_GT(largest, 1000);
  EXPECT_GT(with_samples, kTriangles);
}

TEST(CudaBoxRows, TheOnlySampleOfABoxIsAsAmongOthers) {
  Triangles triangles(2);
  int covered = 0, on_edge = 0, without_area = 0;
  for (int n = 0; n < kTriangles; ++n) {
    const SnappedCorners corners = snap_corners(triangles.next(2, 30, 40).data(), kWhole);
    SmallTriangle s;
    if (set_up_method(corners, kWhole, s) != Method::small || s.width > 1 || s.height > 1) continue;
    const OnlySample only = look_at_only_sample(corners, s, kWhole);
    if (!set_up_edges(corners, kWhole, s)) {
      ASSERT_FALSE(only.covered || only.on_edge) << "triangle " << n;
      ++without_area;
      continue;
    }
    const EdgeValues e = edge_values(s, 0, 0);
    if (only.on_edge) {
      ASSERT_TRUE(e.f[0] == 0 || e.f[1] == 0 || e.f[2] == 0) << "triangle " << n;
      ++on_edge;
      continue;
    }
    ASSERT_EQ(only.covered, is_covered(s, e)) << "triangle " << n;
    if (!only.covered) continue;
    ASSERT_EQ(only.key, key_at(s, e, kWhole.depth)) << "triangle " << n;
    ++covered;
  }
  EXPECT_GT(covered, 1000);
  EXPECT_GT(on_edge, 100);
  EXPECT_GT(without_area, 10);
}

using Crossings = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // column, key

Crossings by_rows(const RowTriangle<std::int64_t>& rows, const Target& t) {
  Crossings out;
  RowSpan span;
  for (std::int64_t r = rows.first_row; r < rows.last_row; ++r) {
    if (!rows.row(r, t.columns, span)) continue;
    for (std::uint32_t i = 0; i < span.count; ++i)
      out.emplace_back(span.first_column + i, key_at(span, i, rows.depth, t.depth));
  }
  return out;
}

Crossings by_cut_box(const SmallTriangle& s, const Target& t) {
  const auto clip = [](std::uint32_t end, std::int32_t first) { return static_cast<std::int32_t>(end) - first; };
  const RowStretch across{std::max(0, clip(t.window.first_u, s.first_u)),
                          std::min(s.width, clip(t.window.end_u, s.first_u)) - 1};
  const std::int32_t end = std::min(s.height, clip(t.window.end_v, s.first_row));
  Crossings out;
  for (std::int32_t j = std::max(0, clip(t.window.first_v, s.first_row)); j < end; ++j) {
    const Samples covered = covered_in(s, j, across);
    for (const std::int32_t i : covered) {
      const EdgeValues e = edge_values(s, covered[0], j);
      const float z = depth_in_row(e.f[1], e.f[2], s.step_u[1], s.step_u[2], i - covered[0], 1.0 / s.area, s.depth);
      out.emplace_back(s.first_column + static_cast<std::uint32_t>(j) * t.columns + static_cast<std::uint32_t>(i),
                       make_key(z, s.depth, t.depth));
    }
  }
  return out;
}

bool is_small(const LatticeVertex (&c)[3]) {
  const auto samples = [](auto... x) {
    return ((std::max({x...}) - 1) >> kSubBits) - ((std::min({x...}) - 1) >> kSubBits);
  };
  return samples(c[0].u, c[1].u, c[2].u) <= kMaxSmallExtent && samples(c[0].v, c[1].v, c[2].v) <= kMaxSmallExtent;
}

/// Whether a corner lies beyond the window's cells.
bool reaches_out(const LatticeVertex (&c)[3], const Window& w) {
  return std::any_of(c, c + 3, [&w](const LatticeVertex& p) {
    return p.u <= w.first_u << kSubBits || p.v <= w.first_v << kSubBits || p.u > (w.end_u + 1) << kSubBits ||
           p.v > (w.end_v + 1) << kSubBits;
  });
}

TEST(CudaBoxRows, ASmallBoxThatTheWindowCutsIsAsItsRows) {
  // The whole image, a tile of it and a few cells that lie within many triangles.
  const Window windows[] = {whole(kGrid), {32, 16, 64, 48}, {50, 40, 53, 42}};
  Triangles triangles(3);
  int cut = 0, large = 0;
  for (int n = 0; n < kTriangles; ++n) {
    const Target t = make_target(kGrid, windows[n % 3]);
    const std::int32_t extent = n % 2 == 0 ? kMaxSmallExtent + 2 : triangles.between(2, kMaxSmallExtent + 1);
    const auto across = [&](std::uint32_t first, std::uint32_t end) {
      return static_cast<std::int32_t>(triangles.between(0, 1) == 0 ? first : end) - triangles.between(0, extent);
    };
    const std::int32_t u = across(t.window.first_u, t.window.end_u), v = across(t.window.first_v, t.window.end_v);
    const Corners corners = triangles.next(extent, u, v);
    LatticeVertex placed[3];
    RowTriangle<std::int64_t> rows;
    SmallTriangle s;
    ASSERT_TRUE(place_corners(corners.data(), t, placed));
    ASSERT_EQ(is_cut_small(corners.data(), t), is_small(placed)) << "triangle " << n;
    if (!set_up_rows(placed, t.window, rows)) {
      ASSERT_FALSE(is_small(placed) && set_up_cut(corners.data(), t, s)) << "triangle " << n;
      continue;
    }
    const bool in_window = rows.first_row < rows.last_row && rows.first_u < rows.last_u;
    if (!in_window || !reaches_out(placed, t.window)) continue;
    ASSERT_EQ(set_up(corners.data(), t, s), Method::rows) << "triangle " << n;
    large += !is_small(placed);
    if (!is_small(placed)) continue;
    ASSERT_TRUE(set_up_cut(corners.data(), t, s)) << "triangle " << n;
    const Crossings expected = by_rows(rows, t);
    ASSERT_EQ(by_cut_box(s, t), expected) << "triangle " << n;
    cut += !expected.empty();
  }
  EXPECT_GT(cut, 3000);
  EXPECT_GT(large, 1000);
}

TEST(CudaBoxRows, HalvesAreRoundedToEven) {
  const std::pair<float, std::int32_t> cases[] = {{0, 0},    {0.5f, 0},           {1.5f, 2},  {2.5f, 2},
                                                  {3.5f, 4}, {0x1.fffffep-2f, 0}, {2.75f, 3}, {4194304.5f, 4194304}};
  for (const auto& [x, rounded] : cases) {
    EXPECT_EQ(round_to_int(x), rounded) << x;
    EXPECT_EQ(round_to_int(-x), -rounded) << -x;
  }
}

}  // namespace
}  // namespace lamella::cuda
