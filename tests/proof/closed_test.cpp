#include "proof/closed.hpp"

#include <gtest/gtest.h>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::proof {
namespace {

bool closed(const Mesh& mesh) {
  Workers workers(1);
  return is_closed(mesh, false, workers);
}

Mesh soup_of(const Mesh& mesh) {
  Mesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(mesh.positions[t[k]]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

TEST(Closed, NothingAndABoxAreClosed) {
  EXPECT_TRUE(closed({}));
  EXPECT_TRUE(closed(test::box_mesh({0, 0, 0}, {1, 1, 1})));
}

TEST(Closed, OneTriangleLessOrTurnedIsNot) {
  for (const Mesh& mesh : {test::box_mesh({0, 0, 0}, {1, 1, 1}), scenes::torus(500), scenes::blob(2000)}) {
    ASSERT_TRUE(closed(mesh));
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 1 + mesh.triangles.size() / 40) {
      Mesh open = mesh;
      open.triangles.erase(open.triangles.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(closed(open)) << i;
      Mesh turned = mesh;
      std::swap(turned.triangles[i].a, turned.triangles[i].b);
      EXPECT_FALSE(closed(turned)) << i;
      Mesh doubled = mesh;
      doubled.triangles.push_back(mesh.triangles[i]);
      EXPECT_FALSE(closed(doubled)) << i;
    }
  }
}

TEST(Closed, CornersWithEqualCoordinatesAreOne) {
  Mesh soup = soup_of(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  soup.positions[0].x = -0.0f;
  EXPECT_TRUE(closed(soup));
  soup.triangles.pop_back();
  EXPECT_FALSE(closed(soup));
}

TEST(Closed, BrokenCornersOnlyWhereATriangleUsesThem) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.positions.push_back({NAN, 0, 0});
  EXPECT_TRUE(closed(mesh));
  mesh.positions[0].y = INFINITY;
  EXPECT_FALSE(closed(mesh));
}

TEST(Closed, TheSameForAnyNumberOfThreads) {
  const Mesh mesh = scenes::blob(300'000);
  Mesh open = mesh;
  open.triangles.pop_back();
  for (const unsigned threads : {1u, 2u, 5u}) {
    Workers workers(threads);
    EXPECT_TRUE(is_closed(mesh, true, workers));
    EXPECT_FALSE(is_closed(open, true, workers));
  }
}

}  // namespace
}  // namespace lamella::proof
