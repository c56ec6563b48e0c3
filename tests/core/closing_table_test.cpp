// Closing by fans beside generalised winding numbers, as a table on stdout: points wrong on models with holes, and on
// meshes that are not part of the project. docs/repair.md has the figures.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "lamella/mesh_io.hpp"
#include "scenes/models.hpp"
#include "support/holes.hpp"
#include "support/shared_meshes.hpp"

namespace lamella::test {
namespace {

void print_heading() {
  fmt::print("{:<28} {:>9} {:>7} {:>7} {:>7} {:>9} {:>8} {:>7} {:>8}\n", "mesh", "triangles", "edges", "holes", "open",
             "sampling", "winding", "closed", "differ");
}

void print_row(const std::string& name, const Holed& mesh, const Wrong& wrong) {
  fmt::print("{:<28} {:>9} {:>7} {:>7} {:>7} {:>9} {:>8} {:>7} {:>8}\n", name, mesh.open.triangles.size(), wrong.edges,
             wrong.holes, wrong.open, wrong.sampling, wrong.winding, wrong.closed, wrong.differ);
}

/// No more wrong points than the winding number has, and sampling alone.
void expect_no_worse(const Wrong& wrong) {
  EXPECT_LE(wrong.closed, wrong.winding + wrong.sampling);
  EXPECT_EQ(wrong.open_columns, 0u);
}

TEST(ClosingBesideWindingNumbers, NoMorePointsAreWrongOnModelsWithRandomHoles) {
  print_heading();
  Random random(5);
  for (const std::string_view name : scenes::model_names()) {
    const Mesh whole = scenes::make_model(name, 6000);
    const std::vector<Vec3> points = random_points(whole, 400, random);
    for (const std::size_t count : {1u, 10u, 100u, 1000u}) {
      for (const bool together : {false, true}) {
        const Holed holed = together ? without_patch(whole, count, random) : without_random(whole, count, random);
        const std::string label = fmt::format("{} {} {}", name, together ? "patch" : "random", count);
        SCOPED_TRACE(label);
        const Wrong wrong = compare(holed, points, 512);
        print_row(label, holed, wrong);
        expect_no_worse(wrong);
      }
    }
  }
}

TEST(ClosingBesideWindingNumbers, NoMorePointsAreWrongOnModelsThatLackAWholeSide) {
  print_heading();
  Random random(6);
  for (const std::string_view name : scenes::model_names()) {
    const Mesh whole = scenes::make_model(name, 6000);
    const std::vector<Vec3> points = random_points(whole, 400, random);
    const Aabb box = bounds(whole);
    for (const float part : {0.5f, 0.8f}) {
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 normal{};
        normal[axis] = 1;
        const Holed holed = without_cap(whole, normal, box.min[axis] + part * extent(box)[axis]);
        const std::string label = fmt::format("{} above {} {}", name, "xyz"[axis], part);
        SCOPED_TRACE(label);
        const Wrong wrong = compare(holed, points, 512);
        print_row(label, holed, wrong);
        expect_no_worse(wrong);
      }
    }
  }
}

Mesh read_shared(const std::string& file) { return read_mesh(shared_meshes() / file); }

/// Takes minutes: every point against every triangle. Run it by name, with --gtest_also_run_disabled_tests.
TEST(ClosingBesideWindingNumbers, DISABLED_TableOfScansWithThousandTrianglesMissing) {
  LAMELLA_NEED_SHARED_MESHES();
  print_heading();
  Random random(7);
  for (const char* file : {"bunny_75k.ply", "armadillo_86k.ply", "lucy_100k.ply", "buddha_100k.ply"}) {
    const Mesh whole = read_shared(file);
    const Holed holed = without_random(whole, 1000, random);
    const Wrong wrong = compare(holed, random_points(whole, 4000, random));
    print_row(file, holed, wrong);
    expect_no_worse(wrong);
  }
}

TEST(ClosingBesideWindingNumbers, DISABLED_TableOfDefects) {
  LAMELLA_NEED_SHARED_MESHES();
  print_heading();
  Random random(8);
  for (const char* name :
       {"blobby_misoriented", "chair_doublesided", "cow_selfint", "degenerate_faces", "dragon50k_nonmanifold",
        "ellipsoid_inverted", "ingenuity_parts", "man_selfint", "motor_cad", "selfint_A", "selfint_B", "shark_holes"}) {
    const Mesh mesh = read_shared(fmt::format("defects/{}.ply", name));
    const Holed as_given{mesh, {mesh.positions, {}}};
    const Mesh mended = repair(mesh).mesh;
    const std::vector<Vec3> points = random_points(mesh, 4000, random);
    print_row(name, as_given, compare(as_given, points));
    print_row(fmt::format("{} repaired", name), {mended, {mended.positions, {}}},
              compare({mended, {mended.positions, {}}}, points));
  }
}

}  // namespace
}  // namespace lamella::test
