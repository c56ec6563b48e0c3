// Widths of patches of columns, against distances spread step by step.
#include "scene/patch_width.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

struct Patch {
  Group group;
  std::vector<PairSpan> spans;

  Patch(std::uint32_t columns, std::uint32_t rows, double cell_u, double cell_v) {
    group.grid.box = {{0, 0, 0}, {static_cast<float>(columns * cell_u), static_cast<float>(rows * cell_v), 4}};
    group.grid.columns = columns;
    group.grid.rows = rows;
  }
  void add(std::uint32_t u, std::uint32_t v, float length) {
    PairSpan s;
    s.column = v * group.grid.columns + u;
    s.begin = 1;
    s.end = 1 + length;
    spans.push_back(s);
  }
  [[nodiscard]] PatchWidth measured() const {
    PatchWidth width;
    width.measure({&group, {}, spans});
    return width;
  }
};

/// Three for a straight step, four for a slanted one, from the nearest cell without a span; beyond the grid there is
/// none.
std::vector<int> distances(const Patch& p) {
  const int w = static_cast<int>(p.group.grid.columns) + 2, h = static_cast<int>(p.group.grid.rows) + 2;
  std::vector<int> d(static_cast<std::size_t>(w * h), 0);
  const auto at = [&](int u, int v) -> int& { return d[static_cast<std::size_t>((v + 1) * w + u + 1)]; };
  for (const PairSpan& s : p.spans)
    at(static_cast<int>(s.column % p.group.grid.columns), static_cast<int>(s.column / p.group.grid.columns)) = 100000;
  for (bool again = true; again;) {
    again = false;
    for (int v = 0; v < h - 2; ++v)
      for (int u = 0; u < w - 2; ++u)
        for (int dv = -1; dv <= 1; ++dv)
          for (int du = -1; du <= 1; ++du) {
            const int through = at(u + du, v + dv) + (du == 0 || dv == 0 ? 3 : 4);
            if ((du != 0 || dv != 0) && through < at(u, v)) at(u, v) = through, again = true;
          }
  }
  return d;
}

TEST(PatchWidth, ClimbsToAPlaceFromWhichAllNeighboursAreNearerTheRim) {
  test::Random random(1);
  int widths_seen = 0;
  for (int n = 0; n < 200; ++n) {
    Patch p(5 + random.below(20), 5 + random.below(20), 0.1, n % 2 == 0 ? 0.1 : 0.2);
    std::set<std::uint32_t> columns;
    for (std::uint32_t k = 0; k < 1 + random.below(4); ++k) {  // some rectangles, with holes
      const std::uint32_t u0 = random.below(p.group.grid.columns), v0 = random.below(p.group.grid.rows);
      const std::uint32_t u1 = std::min(u0 + 1 + random.below(12), p.group.grid.columns);
      const std::uint32_t v1 = std::min(v0 + 1 + random.below(12), p.group.grid.rows);
      for (std::uint32_t v = v0; v < v1; ++v)
        for (std::uint32_t u = u0; u < u1; ++u)
          if (random.below(40) != 0) columns.insert(v * p.group.grid.columns + u);
    }
    for (const std::uint32_t c : columns) p.add(c % p.group.grid.columns, c / p.group.grid.columns, 0.5f);
    if (p.spans.empty()) continue;
    const PatchWidth width = p.measured();
    const std::vector<int> d = distances(p);
    const int w = static_cast<int>(p.group.grid.columns) + 2;
    const double third = std::sqrt(p.group.grid.cell_area()) / 3;
    for (const std::uint32_t c : columns) {
      int at = (static_cast<int>(c / p.group.grid.columns) + 1) * w + static_cast<int>(c % p.group.grid.columns) + 1;
      for (;;) {
        int best = at;
        for (const int step : {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1})
          if (d[static_cast<std::size_t>(at + step)] > d[static_cast<std::size_t>(best)]) best = at + step;
        if (best == at) break;
        at = best;
      }
      EXPECT_NEAR(width.half(c), d[static_cast<std::size_t>(at)] * third, 1e-5) << "case " << n << ", column " << c;
      ++widths_seen;
    }
  }
  EXPECT_GT(widths_seen, 5000);
}

TEST(PatchWidth, OfASquareIsHalfItsSideFromAnyColumn) {
  Patch p(20, 20, 0.25, 0.25);
  for (std::uint32_t v = 4; v < 11; ++v)
    for (std::uint32_t u = 3; u < 10; ++u) p.add(u, v, 0.5f);
  const PatchWidth width = p.measured();
  for (const PairSpan& s : p.spans) EXPECT_NEAR(width.half(s.column), 4 * 0.25, 1e-6);
}

TEST(PatchWidth, DoesNotMatterWhereNoSpanIsLongerThanACell) {
  for (const float length : {0.09f, 0.11f}) {
    for (const bool narrow_u : {true, false}) {
      Patch p(8, 8, narrow_u ? 0.1 : 0.3, narrow_u ? 0.3 : 0.1);
      p.add(2, 3, 0.01f);
      p.add(3, 3, length);
      p.add(4, 3, 0.02f);
      const float half = p.measured().half(p.spans[0].column);
      if (length < 0.1f) {
        EXPECT_EQ(half, std::numeric_limits<float>::max());
      } else {
        EXPECT_NEAR(half, std::sqrt(0.03), 1e-6);
      }
    }
  }
}

TEST(PatchWidth, ForgetsTheLastPatch) {
  Patch wide(20, 20, 0.25, 0.25), narrow(6, 6, 0.25, 0.25), flat(6, 6, 0.25, 0.25);
  for (std::uint32_t v = 0; v < 20; ++v)
    for (std::uint32_t u = 0; u < 20; ++u) wide.add(u, v, 0.5f);
  narrow.add(5, 5, 0.5f);
  flat.add(5, 5, 0.1f);
  PatchWidth width;
  width.measure({&wide.group, {}, wide.spans});
  EXPECT_NEAR(width.half(0), 10 * 0.25, 1e-6);
  width.measure({&narrow.group, {}, narrow.spans});
  EXPECT_NEAR(width.half(35), 0.25, 1e-6);
  width.measure({&flat.group, {}, flat.spans});
  EXPECT_EQ(width.half(35), std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace lamella
