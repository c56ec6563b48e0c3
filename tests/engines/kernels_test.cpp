#include <gtest/gtest.h>

#include "engines/software/kernels.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::software {
namespace {

TEST(Kernels, CullNoticesAnIndexOutOfRangeWhereverItIs) {
  const std::vector<Snapped> vertices(4);
  for (std::size_t n : {1u, 2u, 11u, 100u, 600u})
    for (std::size_t at = 0; at < 3 * n; ++at) {
      std::vector<Triangle> triangles(n, Triangle{1, 2, 3});
      std::vector<std::uint32_t> ids(n + 64);
      EXPECT_NE(cull(triangles, vertices, 0, ids.data()), kBadIndex);
      std::uint32_t Triangle::*const corners[] = {&Triangle::a, &Triangle::b, &Triangle::c};
      triangles[at / 3].*corners[at % 3] = at % 2 == 0 ? 4 : 4'000'000'000u;
      EXPECT_EQ(cull(triangles, vertices, 0, ids.data()), kBadIndex) << n << " triangles, at " << at;
    }
}

TEST(Kernels, SnapIsTheLatticeOfTheReferenceWhereverItIsNotClamped) {
  test::Random random(3);
  for (int round = 0; round < 60; ++round) {
    const Grid grid = test::random_grid(random);
    const RasterTarget target{grid, make_lattice(grid), grid.depth()};
    std::vector<Vec3> positions(1 + random.below(100));
    for (Vec3& p : positions) p = test::random_vertex(random, grid);
    if (round % 3 == 0) positions[random.below(static_cast<std::uint32_t>(positions.size()))].y = NAN;
    std::vector<Snapped> out(positions.size() + 1, Snapped{-7, -7});
    std::vector<float> w(positions.size() + 1, -7);
    std::size_t unusable = 0;
    EXPECT_EQ(snap(positions, target, out.data(), w.data()), round % 3 == 0 ? 1u : 0u);
    EXPECT_EQ(out.back().first, -7) << "wrote beyond its part";
    EXPECT_EQ(w.back(), -7) << "wrote beyond its part";
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (usable(positions[i])) {
        EXPECT_EQ(w[i], positions[i][grid.w()]);
      }
      const std::int32_t u = grid.axis == Axis::y ? out[i].second : out[i].first;
      const std::int32_t v = grid.axis == Axis::y ? out[i].first : out[i].second;
      LatticeVertex exact;
      if (!place(positions[i], grid, target.lattice, exact)) {
        unusable += usable(positions[i]) ? 0 : 1;
        continue;
      }
      EXPECT_EQ(u, std::clamp<std::int64_t>(exact.u - 1, 0, clamped_high(grid.columns)));
      EXPECT_EQ(v, std::clamp<std::int64_t>(exact.v - 1, 0, clamped_high(grid.rows)));
    }
    EXPECT_EQ(unusable, round % 3 == 0 ? 1u : 0u);
  }
}

TEST(Kernels, CullKeepsExactlyTheTrianglesWhoseBoxHoldsASample) {
  test::Random random(4);
  const std::uint32_t cells = 20;
  std::vector<Snapped> snapped(500);
  for (Snapped& s : snapped)
    s = {static_cast<std::int32_t>(random.below(cells << kSubBits)),
         static_cast<std::int32_t>(random.below(4 << kSubBits))};
  for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 1023u, 1024u, 1025u, 3000u}) {
    std::vector<Triangle> triangles(n);
    std::vector<std::uint32_t> expected, ids(n + 64);
    for (std::size_t i = 0; i < n; ++i) {
      triangles[i] = {random.below(500), random.below(500), random.below(500)};
      if (random.below(2) == 0) triangles[i].b = triangles[i].c = triangles[i].a;
      const auto differ = [&](auto member) {
        const std::int32_t a = snapped[triangles[i].a].*member >> kSubBits;
        return a != snapped[triangles[i].b].*member >> kSubBits || a != snapped[triangles[i].c].*member >> kSubBits;
      };
      if (differ(&Snapped::first) && differ(&Snapped::second)) expected.push_back(static_cast<std::uint32_t>(100 + i));
    }
    ids.resize(cull(triangles, snapped, 100, ids.data()));
    EXPECT_EQ(ids, expected) << n << " triangles";
  }
}

}  // namespace
}  // namespace lamella::software
