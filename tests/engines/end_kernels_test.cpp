// The vector kernels for ends of spans have the bits of the code that CUDA shares.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>

#include "engines/software/end_kernels.hpp"
#include "engines/software/engines.hpp"
#include "engines/software/face_table.hpp"
#include "support/closed_meshes.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

/// Random triangles, some far larger than the image, and one without area.
void fill_corners(test::Random& random, std::size_t count, Vec3* a, Vec3* b, Vec3* c) {
  for (std::size_t i = 0; i < count; ++i) {
    const float size = i % 3 == 0 ? 30.0f : 0.3f;
    for (Vec3* corner : {a, b, c}) corner[i] = random.in({{-size, -size, -size}, {size, size, size}});
  }
  b[7] = c[7] = a[7];
}

TEST(EndKernels, WeighAsTheCodeThatCudaShares) {
  test::Random random(11);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 64, 48};
    const Lattice lattice = make_lattice(grid);
    const auto batch = std::make_unique<software::EndBatch>();
    batch->size = 203;  // no multiple of any vector
    fill_corners(random, batch->size, batch->corner[0], batch->corner[1], batch->corner[2]);
    for (std::size_t i = 0; i < batch->size; ++i)
      batch->cell[i] = software::EndBatch::pack(random.below(64), random.below(48));
    test::for_each_instruction_set([&] {
      ASSERT_TRUE(software::weigh_ends(grid, lattice, *batch));
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
    EXPECT_FALSE(software::weigh_ends(grid, lattice, *batch));  // too far for doubles
  }
}

TEST(EndKernels, SumUpFacesAsTheCodeThatCudaShares) {
  test::Random random(12);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 64, 48};
    const Lattice lattice = make_lattice(grid);
    const auto batch = std::make_unique<software::FaceBatch>();
    constexpr std::size_t kFaces = 123;  // no multiple of any vector
    fill_corners(random, kFaces, batch->corner[0], batch->corner[1], batch->corner[2]);
    batch->corner[1][8] = batch->corner[0][8] + Vec3{1e-3f, 1e-3f, 1e-3f};  // a sliver: many weights per cell
    batch->corner[2][8] = batch->corner[0][8] + Vec3{2e-3f, 2.1e-3f, 2e-3f};
    std::vector<software::FaceEnds> ends(kFaces + software::kMaxLanes);
    EndSums expected;
    for (std::size_t i = 0; i < kFaces; ++i) {
      ends[i].count = i % 5 == 0 ? software::FaceBatch::kMostEnds : random.below(20);
      const Vec3d n = unit_normal(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i]);
      for (std::uint32_t k = 0; k < ends[i].count; ++k) expected.add(1, 0, 0, n, n[grid.w()]);
    }
    expected.count = expected.twice_u = expected.twice_v = 0;  // are not the kernel's
    test::for_each_instruction_set([&] {
      EndSums found;
      ASSERT_TRUE(software::sum_faces({grid, lattice, true}, std::span(ends).first(kFaces), *batch, found));
      EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0) << software::instruction_set();
      for (std::size_t i = 0; i < kFaces; ++i) {
        const EndTriangle t(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i], grid, lattice);
        EXPECT_EQ(batch->weights(i), corner_weights(t, grid)) << i << ' ' << software::instruction_set();
      }
    });
    batch->corner[0][100] = {1e9f, 1e9f, 1e9f};
    EndSums sums;
    EXPECT_FALSE(software::sum_faces({grid, lattice, true}, std::span(ends).first(kFaces), *batch, sums));
    EXPECT_TRUE(software::sum_faces({grid, lattice, false}, std::span(ends).first(kFaces), *batch, sums));
  }
}

TEST(FaceTable, KeepsCountsAndSumsOfCells) {
  test::Random random(13);
  software::FaceTable table;
  std::map<std::uint32_t, software::FaceEnds> expected, found;
  const auto empty_list = [&] {
    for (const software::FaceEnds& e : table.list()) {
      software::FaceEnds& f = found[e.face];
      f = {e.face, f.count + e.count, f.u + e.u, f.v + e.v};
    }
    table.clear_list();
  };
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t face = random.below(i % 2 == 0 ? 20 : 3000), u = random.below(100), v = random.below(100);
    software::FaceEnds& e = expected[face];
    e = {face, e.count + 1, e.u + u, e.v + v};
    if (table.room() == 0) empty_list();
    table.add(face, u, v);
  }
  for (std::size_t slot = 0; slot < software::FaceTable::kSlots;) {
    slot = table.move_slots(slot);
    empty_list();
  }
  for (const auto& [face, e] : expected) {
    EXPECT_EQ(found[face].count, e.count) << face;
    EXPECT_EQ(found[face].u, e.u) << face;
    EXPECT_EQ(found[face].v, e.v) << face;
  }
}

}  // namespace
}  // namespace lamella
