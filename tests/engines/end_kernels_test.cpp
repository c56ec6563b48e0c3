// The vector kernels for ends of spans have the bits of the code that CUDA shares.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "engines/software/end_kernels.hpp"
#include "engines/software/engines.hpp"
#include "support/closed_meshes.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

TEST(EndKernels, HaveTheBitsOfTheCodeThatCudaShares) {
  test::Random random(11);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 64, 48};
    const Lattice lattice = make_lattice(grid);
    const auto batch = std::make_unique<software::EndBatch>();
    batch->size = 203;  // no multiple of any vector
    for (std::size_t i = 0; i < batch->size; ++i) {
      const float size = i % 3 == 0 ? 30.0f : 0.3f;
      for (auto& corner : batch->corner) corner[i] = random.in({{-size, -size, -size}, {size, size, size}});
      const std::uint32_t u = random.below(64), v = random.below(48);
      batch->cell[i] = software::EndBatch::pack(u, v, random.below(2) == 0);
    }
    batch->corner[1][7] = batch->corner[2][7] = batch->corner[0][7];  // no area
    EndSums expected;
    for (std::size_t i = 0; i < batch->size; ++i) {
      const Vec3d n = unit_normal(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i]);
      expected.add(batch->sign(i), batch->u(i), batch->v(i), n, n[grid.w()]);
    }
    test::for_each_instruction_set([&] {
      EndSums found;
      ASSERT_TRUE(software::work_on_ends({grid, lattice, true, true}, *batch, found));
      EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0) << software::instruction_set();
      for (std::size_t i = 0; i < batch->size; ++i) {
        const EndTriangle t(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i], grid, lattice);
        const double u = (batch->u(i) + 1.0) * kSubStep, v = (batch->v(i) + 1.0) * kSubStep;
        const auto edge = [&](int a, int b) {
          return (static_cast<double>(t.corner[a].u) - u) * (static_cast<double>(t.corner[b].v) - v) -
                 (static_cast<double>(t.corner[a].v) - v) * (static_cast<double>(t.corner[b].u) - u);
        };
        const double of[3] = {edge(1, 2), edge(2, 0), edge(0, 1)};
        const bool inside = std::min({of[0], of[1], of[2]}) >= 0 || std::max({of[0], of[1], of[2]}) <= 0;
        if (!inside) continue;
        const EndWeights w = t.weights(batch->u(i), batch->v(i));
        EXPECT_EQ(batch->weight_b[i], w.b) << i;
        EXPECT_EQ(batch->weight_c[i], w.c) << i;
      }
    });
    batch->corner[0][100] = {1e9f, 1e9f, 1e9f};
    EndSums sums;
    EXPECT_FALSE(software::work_on_ends({grid, lattice, true, false}, *batch, sums));  // too far for doubles
  }
}

}  // namespace
}  // namespace lamella
