// FCL's own test scene: two open triangle soups in 200 placements, with exact counts of intersecting triangles. Rays
// cannot tell what is inside a soup, so the answer must say so. As measured: all 200 answers are unhealthy; of the 117
// placements with intersecting triangles 99 share a volume on the rays that close, of the 83 without none does.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lamella/mesh_io.hpp"
#include "lamella/scene.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using test::shared_meshes;

/// Of the rotation in a row-major 3 x 4 matrix [R | t] (Shepperd's method).
Transform transform_of(const std::vector<double>& m) {
  const double diagonal[3] = {m[0], m[5], m[10]}, trace = m[0] + m[5] + m[10];
  Quaternion q;
  if (trace > 0)
    q = {m[9] - m[6], m[2] - m[8], m[4] - m[1], 1 + trace};
  else if (diagonal[0] >= diagonal[1] && diagonal[0] >= diagonal[2])
    q = {1 + m[0] - m[5] - m[10], m[1] + m[4], m[2] + m[8], m[9] - m[6]};
  else if (diagonal[1] >= diagonal[2])
    q = {m[1] + m[4], 1 + m[5] - m[0] - m[10], m[6] + m[9], m[2] - m[8]};
  else
    q = {m[2] + m[8], m[6] + m[9], 1 + m[10] - m[0] - m[5], m[4] - m[1]};
  const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {{m[3], m[7], m[11]}, {q.x / l, q.y / l, q.z / l, q.w / l}};
}

TEST(FclScene, ItsOpenMeshesAreCalledOpen) {
  LAMELLA_NEED_SHARED_MESHES();
  const auto folder = shared_meshes() / "fcl";
  const Mesh env = read_mesh(folder / "env.obj"), rob = read_mesh(folder / "rob.obj");
  EXPECT_FALSE(inspect(env).closed);
  EXPECT_FALSE(inspect(rob).closed);
  const auto file = nlohmann::json::parse(std::ifstream(folder / "env_rob_transforms.json"));
  const auto transforms = file["transforms"].get<std::vector<std::vector<double>>>();
  const auto exact = file["intersecting_triangle_pairs"].get<std::vector<int>>();
  ASSERT_EQ(transforms.size(), 200u);

  Scene scene({.engine = "software", .resolution = 64, .close_holes = false});
  const ObjectId fixed = scene.add(env), moving = scene.add(rob);
  int told[2][2] = {}, sampled = 0, unsound = 0;
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    const Transform pose = transform_of(transforms[i]);
    for (int row = 0; row < 3; ++row) {  // the matrix was a rotation, and is the pose's
      Vec3d axis;
      axis[row] = 1;
      const Vec3d image = apply({{}, pose.rotation}, axis);
      for (int k = 0; k < 3; ++k) ASSERT_NEAR(image[k], transforms[i][static_cast<std::size_t>(4 * k + row)], 1e-9);
    }
    scene.move(moving, pose);
    const SceneResult& r = scene.collide();
    const bool collides = r.colliding(), touches = exact[i] > 0;
    ++told[touches ? 1 : 0][collides ? 1 : 0];
    if (r.groups.empty()) {
      EXPECT_FALSE(touches) << "placement " << i << ": nothing was sampled, though triangles intersect";
      continue;
    }
    ++sampled;
    EXPECT_EQ(r.health.ok(), r.defects.empty());
    for (const SceneDefect& d : r.defects) {
      EXPECT_TRUE(d.object == fixed || d.object == moving);
      EXPECT_GT(d.open_columns + d.inside_out_columns, 0u);
      EXPECT_EQ(d.skipped_triangles, 0u);
    }
    unsound += r.health.ok() ? 0 : 1;
    EXPECT_TRUE(collides == touches || !r.health.ok()) << "placement " << i << ": a wrong answer that is called right";
  }
  RecordProperty("placements that were sampled", sampled);
  RecordProperty("of these not healthy", unsound);
  RecordProperty("triangles intersect, and we say so", told[1][1]);
  RecordProperty("triangles intersect, and we do not say so", told[1][0]);
  RecordProperty("no triangles intersect, and we say they share a volume", told[0][1]);
  RecordProperty("no triangles intersect, nor do we say so", told[0][0]);
  EXPECT_EQ(unsound, sampled);
  EXPECT_GT(told[1][1], 80);
  EXPECT_EQ(told[0][1], 0);
}

}  // namespace
}  // namespace lamella
