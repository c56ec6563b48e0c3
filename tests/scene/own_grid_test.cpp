// With a resolution, every pair has a grid of its own: its volume is as good as that of intersect(), and no other
// object changes its answer.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

using test::Bodies;
using test::box_mesh;

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

TEST(OwnGrid, APairsVolumeIsThatOfIntersectAtTheSameResolutionAlongTheSameAxis) {
  std::size_t pairs = 0;
  double worst = 0;
  for (std::uint32_t seed = 5000; seed < 5070; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    const std::vector<Mesh> meshes = test::placed(bodies);
    Scene scene({.engine = "software", .resolution = 64, .threads = 1, .points = false, .max_contacts = 0});
    test::add_all(scene, bodies);
    const SceneResult& r = scene.collide();
    for (const ScenePair& p : r.pairs) {
      const Grid& grid = r.groups[p.group].grid;
      const Overlap o = intersect(meshes[p.a.number], meshes[p.b.number],
                                  {.engine = "software", .resolution = 64, .axis = grid.axis, .threads = 1});
      ++pairs;
      EXPECT_EQ(grid.columns, 64u);
      EXPECT_EQ(grid.rows, 64u);
      // Vertices are rounded relative to other origins: samples at a silhouette may go either way, each a part of
      // 64 x 64 cells, and depths by a part of the objects' size.
      const double room = 1e-5 * o.volume + 2e-6 * grid.cell_area() * grid.column_count();
      EXPECT_NEAR(*p.volume, o.volume, room) << "scene " << seed << ", " << p.a.number << " and " << p.b.number;
      // Such samples also change the error.
      EXPECT_NEAR(*p.volume_error, o.volume_error, 0.01 * o.volume_error + room) << "scene " << seed;
      worst = std::max(worst, std::abs(*p.volume - o.volume) / o.volume);
    }
  }
  EXPECT_GT(pairs, 500u);
  RecordProperty("largest relative difference", std::to_string(worst));
}

/// Everything about a pair, as bits. Ids of contacts count through the whole scene, so they are left out.
std::vector<std::uint64_t> bits_of(const SceneResult& r, const ScenePair& p) {
  std::vector<std::uint64_t> bits{p.span_count, p.point_count, p.contact_count, p.more_contacts ? 1u : 0u};
  const auto put = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  const auto put3 = [&](Vec3d v) { put(v.x), put(v.y), put(v.z); };
  put(p.volume.value_or(-1));
  put(p.volume_error.value_or(-1));
  put(static_cast<double>(p.depth));
  put3(p.centroid);
  for (const CollisionPoint& c : r.points_of(p)) put3(c.on_a), put3(c.on_b);
  for (const Contact& c : r.contacts_of(p))
    put3(c.position), put3(to_double(c.normal)), put(static_cast<double>(c.depth));
  for (const ContactPatch& c : r.patches_of(p))
    put3(c.center), put3(c.normal), put(c.volume), put(c.area), put(c.depth), put(c.one_sided);
  return bits;
}

TEST(OwnGrid, NoOtherObjectChangesAPairToTheLastBit) {
  std::size_t pairs = 0;
  for (std::uint32_t seed = 5100; seed < 5121; ++seed) {
    const Bodies bodies = test::random_scene(seed);
    for (const unsigned views : {1u, 3u}) {
      const SceneOptions options{.engine = "software", .resolution = 48, .views = views, .threads = 1};
      Scene scene(options);
      test::add_all(scene, bodies);
      const SceneResult& all = scene.collide();
      for (const ScenePair& p : all.pairs) {
        if (++pairs % 4 != 0) continue;
        Scene two(options);
        (void)two.add(bodies[p.a.number].mesh, bodies[p.a.number].pose);
        (void)two.add(bodies[p.b.number].mesh, bodies[p.b.number].pose);
        const SceneResult& alone = two.collide();
        ASSERT_EQ(alone.pairs.size(), 1u);
        EXPECT_EQ(bits_of(all, p), bits_of(alone, alone.pairs[0])) << seed << ": " << p.a.number << ' ' << p.b.number;
      }
    }
  }
  EXPECT_GT(pairs, 300u);
}

TEST(OwnGrid, AThinPlateInALargeBoxIsFoundWithItsVolume) {
  const Mesh box = box_mesh({-500, -500, -500}, {500, 500, 500});
  const Mesh plate = box_mesh({-0.5f, -0.5f, -0.0002f}, {0.5f, 0.5f, 0.0002f});
  for (const Transform& pose : {at(0, 0, 0), at(400, 300, 200), at(-411.3, 17.77, -333.33)})
    for (const auto axis : {std::optional<Axis>(), std::optional(Axis::x), std::optional(Axis::z)}) {
      Scene scene({.resolution = 64, .axis = axis});
      (void)scene.add(box);
      (void)scene.add(plate, pose);
      const SceneResult& r = scene.collide();
      ASSERT_EQ(r.pairs.size(), 1u) << pose.translation.x;
      EXPECT_NEAR(*r.pairs[0].volume, 0.0004, 0.000004) << pose.translation.x;
      EXPECT_EQ(r.verdict, Verdict::colliding);
      // The plate must leave the box: to the nearest side, where contacts look along its normal.
      if (pose.translation.x == 0) {
        EXPECT_NEAR(r.pairs[0].depth, 500, 1);
      }
    }
}

TEST(OwnGrid, CellsStayWhereTheyAreInTheWorldWhenOthersJoin) {
  // With a cell size pairs share a grid, at multiples of the cell.
  Scene scene({.cell = 0.05f});
  (void)scene.add(test::box_mesh({0, 0, 0}, {1, 1, 1}), at(0.01, 0.02, 0.03));
  (void)scene.add(test::box_mesh({0, 0, 0}, {1, 1, 1}), at(0.61, 0.32, 0.73));
  const double before = *scene.collide().pairs.at(0).volume;
  (void)scene.add(test::box_mesh({0, 0, 0}, {1, 1, 1}), at(1.31, 0.92, 1.43));
  EXPECT_EQ(scene.collide().pairs.size(), 2u);
  EXPECT_NEAR(*scene.collide().pairs.at(0).volume, before, 1e-6);
}

}  // namespace
}  // namespace lamella
