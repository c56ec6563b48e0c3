#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/positions.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/separation.hpp"
#include "registry/registry.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::append;
using test::box_mesh;
using test::Random;
using test::round_sphere;

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(FreeShifts, OfBoxesAreTheirSides) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.25f, 0.5f, 0.75f}, {3, 4, 5});
  const FreeInterval z = free_shifts(a, b, {0, 0, 2});
  EXPECT_TRUE(z.overlapping);
  EXPECT_FLOAT_EQ(z.forward, 5);
  EXPECT_FLOAT_EQ(z.backward, 0.25f);
  EXPECT_EQ(z.room_forward, kNever);
  EXPECT_EQ(z.room_backward, kNever);
  EXPECT_NEAR(z.cell, 0.75 / 256, 1e-6);
  EXPECT_FALSE(z.open);
  const FreeInterval back = free_shifts(a, b, {0, 0, -1});
  EXPECT_EQ(back.forward, z.backward);
  EXPECT_EQ(back.backward, z.forward);
  const FreeInterval x = free_shifts(a, b, {1, 0, 0});
  EXPECT_FLOAT_EQ(x.forward, 3);
  EXPECT_FLOAT_EQ(x.backward, 0.75f);
  const FreeInterval swapped = free_shifts(b, a, {1, 0, 0});
  EXPECT_EQ(swapped.forward, x.backward);
  EXPECT_EQ(swapped.backward, x.forward);
}

TEST(FreeShifts, OfAClearPairAreTheClearance) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0.5f, 3}, {2, 2, 4});
  const FreeInterval z = free_shifts(a, b, {0, 0, 1});
  EXPECT_FALSE(z.overlapping);
  EXPECT_EQ(z.forward, 0);
  EXPECT_EQ(z.backward, 0);
  EXPECT_FLOAT_EQ(z.room_forward, 2);
  EXPECT_EQ(z.room_backward, kNever);
  EXPECT_FLOAT_EQ(free_shifts(a, b, {0, 0, -1}).room_backward, 2);
  EXPECT_EQ(free_shifts(a, b, {1, 0, 0}).room_forward, kNever);  // beside each other
  // Between two plates.
  Mesh plates = b;
  append(plates, box_mesh({0, 0, -3}, {1, 1, -0.5f}));
  const FreeInterval between = free_shifts(a, plates, {0, 0, 1});
  EXPECT_FLOAT_EQ(between.room_forward, 2);
  EXPECT_FLOAT_EQ(between.room_backward, 0.5f);
}

TEST(FreeShifts, StopInTheFirstGapThatIsWideEnough) {
  // Shelves 1 apart and 0.5 thick, but for one gap of 3.
  Mesh shelves;
  for (const float z : {0.0f, 1.5f, 3.0f, 6.5f, 8.0f}) append(shelves, box_mesh({-1, -1, z}, {1, 1, z + 0.5f}));
  const Mesh block = box_mesh({-0.5f, -0.5f, 0.25f}, {0.5f, 0.5f, 2.25f});
  const FreeInterval z = free_shifts(block, shelves, {0, 0, 1});
  EXPECT_FLOAT_EQ(z.forward, 3.25f);
  EXPECT_FLOAT_EQ(z.room_forward, 1);
  EXPECT_FLOAT_EQ(z.backward, 2.25f);
  EXPECT_EQ(z.room_backward, kNever);
}

TEST(FreeShifts, OfTouchingSolidsAreNothing) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0, 1}, {1, 1, 2});
  const FreeInterval z = free_shifts(a, b, {0, 0, 1});
  EXPECT_FALSE(z.overlapping);
  EXPECT_EQ(z.room_forward, 0);
  EXPECT_EQ(z.room_backward, kNever);
}

TEST(FreeShifts, ConvergeWithTheResolution) {
  const Mesh a = round_sphere(96, 192), b = transformed(round_sphere(96, 192), {{0.3, 0.4, 0.2}, {}});
  const double expected = 0.2 + std::sqrt(4 - 0.25);
  double before = HUGE_VAL;
  for (const std::uint32_t resolution : {8u, 32u, 128u, 512u}) {
    const double error = std::abs(free_shifts(a, b, {0, 0, 1}, resolution).forward - expected);
    EXPECT_LT(error, std::max(0.7 * before, 1e-3)) << resolution;
    before = error;
  }
  EXPECT_LT(before, 1e-3);
}

/// What columns of the reference engine forbid, by sorting all intervals.
struct Oracle {
  double forward = 0, backward = 0;
};
Oracle sort_all(const Mesh& a, const Mesh& b, std::uint32_t resolution) {
  const Aabb box_a = bounds(a), box_b = bounds(b);
  Aabb box = unite(box_a, box_b);
  for (int i = 0; i < 2; ++i) {
    box.min[i] = std::max(box_a.min[i], box_b.min[i]);
    box.max[i] = std::min(box_a.max[i], box_b.max[i]);
  }
  const auto engine = make_engine({.engine = "reference"});
  const Grid grid = square_grid(box, Axis::z, resolution);
  Ldi in_a, in_b;
  engine->build(a, grid, in_a);
  engine->build(b, grid, in_b);
  const auto stretches = [](std::span<const Crossing> column) {
    std::vector<std::pair<double, double>> out;
    int winding = 0;
    for (std::size_t i = 0; i + 1 < column.size(); ++i) {
      winding += column[i].sign();
      if (winding >= 1 && column[i + 1].depth() > column[i].depth())
        out.emplace_back(column[i].depth(), column[i + 1].depth());
    }
    return out;
  };
  std::vector<std::pair<double, double>> forbidden;
  for (std::size_t c = 0; c < grid.column_count(); ++c)
    for (const auto& [a0, a1] : stretches(in_a.column(c)))
      for (const auto& [b0, b1] : stretches(in_b.column(c))) forbidden.emplace_back(b0 - a1, b1 - a0);
  const auto free_end = [&](double sign) {
    std::vector<std::pair<double, double>> along;
    for (const auto& [from, to] : forbidden)
      along.emplace_back(std::min(sign * from, sign * to), std::max(sign * from, sign * to));
    std::sort(along.begin(), along.end());
    double end = 0;
    for (const auto& [from, to] : along)
      if (from < end || (end == 0 && from < 0)) end = std::max(end, to);
    return end;
  };
  return {free_end(1), free_end(-1)};
}

TEST(FreeShifts, AreThoseOfTheReferenceColumns) {
  const auto finder = make_shift_finder("software", {.threads = 2});
  Random random(3);
  const Mesh models[] = {scenes::torus(500), scenes::hand(900), scenes::torus_knot(800), scenes::serpent(900)};
  for (int i = 0; i < 40; ++i) {
    const Mesh& a = models[random.below(4)];
    const Quaternion turn = rotation_about({random.uniform(-1, 1), random.uniform(-1, 1), 1.5}, random.uniform(0, 6));
    const Mesh b = transformed(models[random.below(4)],
                               {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, turn});
    Vec3d d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    d = i % 4 == 0 ? Vec3d{0, 0, 1} : d * (1 / length(d));
    const ViewRotation view = rotation_to(d);
    const auto turned = [&](const Mesh& mesh) {
      Mesh out = mesh;
      (void)place_positions(mesh.positions, {{view.u, view.v, view.w}, {}}, out.positions.data());
      return out;
    };
    std::vector<FreeShift> out;
    finder->find(a, b, {&d, 1}, 24, out);
    const Oracle expected = sort_all(turned(a), turned(b), 24);
    EXPECT_NEAR(out[0].forward, expected.forward, 1e-5) << i;
    EXPECT_NEAR(out[0].backward, expected.backward, 1e-5) << i;
  }
}

TEST(FreeShifts, LeaveOutColumnsThatDoNotClose) {
  Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.erase(open.triangles.begin());  // half of the bottom
  const FreeInterval z = free_shifts(open, box_mesh({0, 0, 0.5f}, {1, 1, 2}), {0, 0, 1});
  EXPECT_TRUE(z.open);
  EXPECT_FLOAT_EQ(z.backward, 0.5f);
}

TEST(FreeShifts, TakeADirectionOfAnyLength) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.25f, 0.5f, 0.75f}, {3, 4, 5});
  const FreeInterval unit = free_shifts(a, b, {0, 0, 1}, 64);
  for (const double size : {1e-310, 1e-200, 1e200, 1e308}) {
    const FreeInterval found = free_shifts(a, b, {0, 0, size}, 64);
    EXPECT_EQ(found.forward, unit.forward) << size;
    EXPECT_EQ(found.backward, unit.backward) << size;
  }
}

TEST(FreeShifts, RefuseNoDirectionAndNoRays) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_THROW((void)free_shifts(box, box, {0, 0, 0}), Error);
  EXPECT_THROW((void)free_shifts(box, box, {0, NAN, 0}), Error);
  EXPECT_THROW((void)free_shifts(box, box, {0, 0, 1}, 0), Error);
  Mesh out_of_range = box;
  out_of_range.triangles[2].c = 8;
  EXPECT_THROW((void)free_shifts(box, out_of_range, {0, 0, 1}), Error);
  EXPECT_FALSE(free_shifts(box, Mesh{}, {0, 0, 1}).overlapping);
}

TEST(FreeShifts, RotationsIntoTheViewAreRightHanded) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    Vec3d d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (i < 3) d = {}, d[i] = 1;
    if (i >= 3 && i < 6) d = {}, d[i - 3] = -1;
    d = d * (1 / length(d));
    const ViewRotation r = rotation_to(d);
    EXPECT_EQ(r.w, d);
    EXPECT_NEAR(length(r.u), 1, 1e-12);
    EXPECT_NEAR(dot(r.u, d), 0, 1e-12);
    EXPECT_LT(length(cross(r.u, r.v) - d), 1e-12);
    if (i < 6)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(std::abs(r.u[k]), std::round(std::abs(r.u[k])));
        EXPECT_EQ(std::abs(r.v[k]), std::round(std::abs(r.v[k])));
      }
  }
  const ViewRotation same = rotation_to({0, 0, 1});
  EXPECT_EQ(same.u, (Vec3d{1, 0, 0}));
  EXPECT_EQ(same.v, (Vec3d{0, 1, 0}));
}

}  // namespace
}  // namespace lamella
