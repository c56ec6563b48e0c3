// Free shifts that the GPU finds are those that the CPU finds.

#include "batch_fixture.hpp"
#include "registry/registry.hpp"

namespace lamella {
namespace {

using CudaShifts = test::CudaTest;
using test::kEmulated;

std::vector<Vec3d> some_directions(std::size_t count) {
  std::vector<Vec3d> all{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
  test::Random random(3);
  while (all.size() < count) {
    const Vec3d d = to_double(random.in({{-1, -1, -1}, {1, 1, 1}}));
    if (dot(d, d) > 0.1) all.push_back(d * (1 / length(d)));
  }
  all.resize(count);
  return all;
}

void expect_same_shifts(MeshView a, MeshView b, std::size_t directions, std::uint32_t resolution) {
  const auto all = some_directions(directions);
  const auto cuda = make_shift_finder("cuda", {}), software = make_shift_finder("software", {.threads = 1});
  std::vector<FreeShift> got, expected;
  cuda->find(a, b, all, resolution, got);
  software->find(a, b, all, resolution, expected);
  ASSERT_EQ(got.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "direction " << i);
    EXPECT_EQ(got[i].forward, expected[i].forward);
    EXPECT_EQ(got[i].backward, expected[i].backward);
    EXPECT_EQ(got[i].room_forward, expected[i].room_forward);
    EXPECT_EQ(got[i].room_backward, expected[i].room_backward);
    EXPECT_EQ(got[i].cell, expected[i].cell);
    EXPECT_EQ(got[i].open, expected[i].open);
  }
}

TEST_F(CudaShifts, OfTwoBoxesAlongTheAxes) {
  const Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 1}), b = test::box_mesh({0.75f, 0.25f, 0.5f}, {2, 2, 2});
  const auto finder = make_shift_finder("cuda", {});
  std::vector<FreeShift> got;
  finder->find(a, b, std::vector<Vec3d>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 8, got);
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0].backward, 0.25f);
  EXPECT_EQ(got[0].forward, 2.0f);
  EXPECT_EQ(got[1].backward, 0.75f);
  EXPECT_EQ(got[2].backward, 0.5f);
  EXPECT_FALSE(got[0].open);
}

TEST_F(CudaShifts, OfModelsAreTheCpus) {
  Mesh knot = scenes::torus_knot(kEmulated ? 600 : 50'000), ball = scenes::sphere(kEmulated ? 200 : 20'000);
  expect_same_shifts(knot, ball, kEmulated ? 8 : 200, kEmulated ? 12 : 64);
  for (Vec3& p : ball.positions) p = p * 0.4f + Vec3{0.9f, 0.1f, 0};
  expect_same_shifts(knot, ball, kEmulated ? 8 : 200, kEmulated ? 12 : 64);
  expect_same_shifts(knot, ball, kEmulated ? 1 : 20, kEmulated ? 100 : 200);
}

TEST_F(CudaShifts, OfMeshesApartOpenAndEmpty) {
  const Mesh ball = scenes::sphere(200);
  Mesh far = ball, open = ball;
  for (Vec3& p : far.positions) p = p + Vec3{5, 0, 0};
  open.triangles.resize(open.triangles.size() - 9);
  expect_same_shifts(ball, far, 6, 16);
  expect_same_shifts(open, ball, 6, 16);
  expect_same_shifts(ball, Mesh{}, 6, 16);
  std::vector<FreeShift> got{{}};
  make_shift_finder("cuda", {})->find(ball, far, {}, 16, got);
  EXPECT_TRUE(got.empty());
}

TEST_F(CudaShifts, OfDeepColumnsWithoutRoomAtFirst) {
  const Mesh slabs = batches::stack_of_slabs(kEmulated ? 40 : 300);
  Mesh moved = slabs;
  for (Vec3& p : moved.positions) p = p + Vec3{0.2f, 0.1f, 0.003f};
  expect_same_shifts(slabs, moved, 5, kEmulated ? 8 : 32);
}

}  // namespace
}  // namespace lamella
