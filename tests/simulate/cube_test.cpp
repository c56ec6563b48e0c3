#include <gmock/gmock.h>

#include <cmath>

#include "lamella/error.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

Options small(std::uint64_t seed = 1) {
  Options options;
  options.scene.threads = 1;
  options.objects = 8;
  options.seed = seed;
  return options;
}

/// How far a vertex of a body is outside the view, which is the cube's inside and its edges.
float beyond(const Drawing& drawing) {
  float most = 0;
  for (const auto& solid : drawing.solids) {
    for (const Vec3 p : solid.mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(p[axis])) return p[axis];
        most = std::max({most, drawing.view.min[axis] - p[axis], p[axis] - drawing.view.max[axis]});
      }
    }
  }
  return most;
}

TEST(Cube, StartsWithBodiesApartFromOneAnotherAndFromTheWalls) {
  const auto cube = make_cube(small());
  cube->step();
  EXPECT_EQ(cube->figures().objects, 8u);
  EXPECT_EQ(cube->figures().pairs, 0u);
  Drawing drawing;
  cube->draw(drawing);
  EXPECT_EQ(drawing.solids.size(), 9u) << "and the cube's edges";
  EXPECT_EQ(beyond(drawing), 0);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(static_cast<double>(drawing.solids[i].mesh.triangles.size()), 3000, 600);
}

TEST(Cube, KeepsItsBodiesInside) {
  // Long enough for gravity to turn. Cells are 2 cm wide: a fingertip may pass between rays for a moment.
  for (const std::uint64_t seed : {1, 2}) {
    const auto cube = make_cube(small(seed));
    Drawing drawing;
    std::uint32_t pairs = 0;
    for (int frame = 0; frame < 180; ++frame) {
      cube->step();
      cube->draw(drawing);
      pairs += cube->figures().pairs;
      ASSERT_LT(beyond(drawing), 0.05f) << "seed " << seed << ", frame " << frame;
    }
    EXPECT_GT(pairs, 0u) << "nothing collided";
  }
}

TEST(Cube, HasTheSameViewInEveryFrame) {
  const auto cube = make_cube(small());
  Drawing first, later;
  cube->draw(first);
  for (int frame = 0; frame < 10; ++frame) cube->step();
  cube->draw(later);
  EXPECT_EQ(first.view, later.view);
  EXPECT_EQ(first.looking, later.looking);
}

TEST(Simulations, OfAnUnknownNameAreAnError) {
  EXPECT_THAT(simulation_names(),
              testing::ElementsAre("cube", "ragdoll", "particles", "squeeze", "surgery", "bunnies", "helicopter"));
  EXPECT_THROW((void)make_simulation("frog", small()), Error);
}

}  // namespace
}  // namespace lamella::simulate
