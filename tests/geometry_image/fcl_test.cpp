// All pairs of triangles against FCL's, on the same coordinates. FCL computes with doubles and a tolerance, we exactly:
// pairs that only one of them finds must be within the tolerance of touching.

#include <fcl/fcl.h>
#include <gtest/gtest.h>

#include <set>

#include "geometry_image/shapes.hpp"

namespace lamella {
namespace {

using namespace test;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using Model = fcl::BVHModel<fcl::OBBRSSd>;

/// Of surfaces one unit large: FCL's own triangle test treats what is nearer than this as either.
constexpr float kTolerance = 1e-5f;

std::shared_ptr<Model> fcl_model(const Mesh& mesh) {
  auto model = std::make_shared<Model>();
  std::vector<fcl::Vector3d> positions;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3 p : mesh.positions) positions.emplace_back(p.x, p.y, p.z);
  for (const Triangle t : mesh.triangles) triangles.emplace_back(t.a, t.b, t.c);
  model->beginModel();
  model->addSubModel(positions, triangles);
  model->endModel();
  return model;
}

Pairs fcl_pairs(const Mesh& a, const Mesh& b) {
  fcl::CollisionRequestd request;
  request.num_max_contacts = 1000000;
  fcl::CollisionResultd result;
  const auto still = fcl::Transform3d::Identity();
  fcl::collide(fcl_model(a).get(), still, fcl_model(b).get(), still, request, result);
  Pairs pairs;
  for (std::size_t i = 0; i < result.numContacts(); ++i)
    pairs.insert(
        {static_cast<std::uint32_t>(result.getContact(i).b1), static_cast<std::uint32_t>(result.getContact(i).b2)});
  return pairs;
}

/// Whether a small move along some axis changes the exact answer.
bool within_tolerance(const Mesh& a, const Mesh& b, std::pair<std::uint32_t, std::uint32_t> pair) {
  Vec3 p[3], q[3], moved[3];
  for (int k = 0; k < 3; ++k) {
    p[k] = a.positions[a.triangles[pair.first][k]];
    q[k] = b.positions[b.triangles[pair.second][k]];
  }
  const bool meet = triangles_meet(p, q);
  for (int axis = 0; axis < 3; ++axis)
    for (const float step : {-kTolerance, kTolerance}) {
      for (int k = 0; k < 3; ++k) {
        moved[k] = q[k];
        moved[k][axis] += step;
      }
      if (triangles_meet(p, moved) != meet) return true;
    }
  return false;
}

TEST(AgainstFcl, AllPairsAreTheSameButForTrianglesThatBarelyTouch) {
  std::mt19937 random(5);
  std::size_t same = 0, near = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const ImageBody a = make_body({lumpy_ball(5, seed)}),
                    b = make_body({seed % 2 == 0 ? hills(5, seed) : lumpy_ball(5, seed + 1)});
    const Transform pose = random_pose(random, 1.5);
    const Mesh first = unwelded(a.images[0]), second = transformed(unwelded(b.images[0]), pose);
    Pairs ours;
    for (const TrianglePair& pair : collide(a, {}, b, pose, {.all = true}).pairs)
      ours.insert({pair.triangle_a, pair.triangle_b});
    const Pairs theirs = fcl_pairs(first, second);
    for (const auto& pair : ours) {
      if (theirs.count(pair) != 0) {
        ++same;
        continue;
      }
      ++near;
      EXPECT_TRUE(within_tolerance(first, second, pair))
          << "seed " << seed << ": FCL misses " << pair.first << ' ' << pair.second;
    }
    for (const auto& pair : theirs) {
      if (ours.count(pair) != 0) continue;
      ++near;
      EXPECT_TRUE(within_tolerance(first, second, pair))
          << "seed " << seed << ": FCL alone finds " << pair.first << ' ' << pair.second;
    }
  }
  RecordProperty("same", static_cast<int>(same));
  RecordProperty("near", static_cast<int>(near));
  EXPECT_GT(same, 5000u);
  EXPECT_LT(near, same / 500);
}

}  // namespace
}  // namespace lamella
