// Whole queries of the software engine, which make no LDI, against the same queries on the LDIs that it builds: the
// same bits, for any number of tiles and threads.

#include <gtest/gtest.h>

#include <cstring>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void expect_same(const Overlap& found, const Overlap& expected) {
  EXPECT_EQ(found.grid, expected.grid);
  ASSERT_EQ(found.spans, expected.spans);
  EXPECT_TRUE(same_bits(found.volume, expected.volume)) << found.volume << " " << expected.volume;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(same_bits(found.centroid[k], expected.centroid[k]));
  EXPECT_EQ(found.bounds, expected.bounds);
  EXPECT_EQ(found.health.open_columns, expected.health.open_columns);
  EXPECT_EQ(found.health.occupied_columns, expected.health.occupied_columns);
  EXPECT_EQ(found.health.inside_out_columns, expected.health.inside_out_columns);
  EXPECT_EQ(found.health.skipped_triangles, expected.health.skipped_triangles);
  EXPECT_TRUE(same_bits(found.health.untrusted_volume, expected.health.untrusted_volume));
}

/// Meshes with small, large and huge triangles; open, inside out, overlapping themselves; with a broken vertex.
std::vector<std::pair<Mesh, Mesh>> pairs() {
  std::vector<std::pair<Mesh, Mesh>> found;
  found.emplace_back(test::round_sphere(60, 80), test::round_sphere(40, 50, 0.8f, {0.5f, 0.2f, 0.1f}));
  found.emplace_back(test::box_mesh({0, 0, 0}, {2, 2, 2}), test::round_sphere(100, 120, 1, {1, 1, 0.5f}));
  found.emplace_back(scenes::torus_knot(3000, 0.6f), scenes::torus_knot(12000));
  Mesh open = test::round_sphere(30, 40), reversed = test::round_sphere(30, 40, 0.9f, {0.3f, 0, 0});
  open.triangles.resize(open.triangles.size() - 70);
  for (Triangle& t : reversed.triangles) std::swap(t.b, t.c);
  test::append(reversed, test::round_sphere(20, 30, 0.5f));
  found.emplace_back(open, reversed);
  Mesh broken = test::round_sphere(30, 40);
  broken.positions[77].x = std::numeric_limits<float>::quiet_NaN();
  broken.positions[78].x = 2e19f;  // usable, but beyond the lattice
  found.emplace_back(broken, test::round_sphere(20, 30, 0.5f));
  return found;
}

constexpr std::uint32_t kResolutions[] = {1, 37, 128, 300, 517};
constexpr unsigned kThreads[] = {1, 2, 3, 8};

/// Options for meshes with holes, which stay open.
Options as_they_are(std::uint32_t resolution, unsigned threads) {
  Options options{.engine = "software", .resolution = resolution, .threads = threads};
  options.close_holes = false;
  return options;
}

TEST(TileQueries, IntersectHasTheBitsOfTheQueryOnLdis) {
  const auto builder = make_engine({.engine = "software", .threads = 1});
  for (const auto& [a, b] : pairs())
    for (const std::uint32_t resolution : kResolutions) {
      Overlap expected;
      Ldi ldi_a, ldi_b;
      const auto voi = choose_shared_voi(builder->bounds(a), builder->bounds(b));
      ASSERT_TRUE(voi);
      builder->build(a, square_grid(voi->box, voi->axis, resolution), ldi_a);
      builder->build(b, square_grid(voi->box, voi->axis, resolution), ldi_b);
      lamella::intersect(ldi_a, ldi_b, Options{}.min_thickness, expected);
      for (const unsigned threads : kThreads) expect_same(intersect(a, b, as_they_are(resolution, threads)), expected);
    }
}

TEST(TileQueries, SelfIntersectHasTheBitsOfTheQueryOnAnLdi) {
  const auto builder = make_engine({.engine = "software", .threads = 1});
  bool some_inside_out = false;
  for (const auto& [a, b] : pairs())
    for (const Mesh& mesh : {a, b})
      for (const std::uint32_t resolution : kResolutions) {
        SelfOverlap expected;
        Ldi ldi;
        const Aabb box = builder->bounds(mesh);
        builder->build(mesh, square_grid(box, *choose_axis(box), resolution), ldi);
        lamella::self_intersect(ldi, Options{}.min_thickness, expected);
        some_inside_out = some_inside_out || !expected.inside_out.empty();
        for (const unsigned threads : kThreads) {
          const SelfOverlap found = self_intersect(mesh, as_they_are(resolution, threads));
          expect_same(found, expected);
          EXPECT_EQ(found.inside_out, expected.inside_out);
          EXPECT_TRUE(same_bits(found.inside_out_volume, expected.inside_out_volume));
        }
      }
  EXPECT_TRUE(some_inside_out);
}

TEST(TileQueries, ContainsHasTheFlagsOfTheQueryOnAnLdi) {
  const auto builder = make_engine({.engine = "software", .threads = 1});
  test::Random random(6);
  std::vector<Vec3> points(3001);
  for (Vec3& p : points) p = random.in({{-1.5f, -1.5f, -1.5f}, {2.2f, 2.2f, 2.2f}});
  points[17].y = std::numeric_limits<float>::quiet_NaN();
  points[18].z = std::numeric_limits<float>::infinity();
  for (const auto& [a, b] : pairs())
    for (const Mesh& mesh : {a, b})
      for (const std::uint32_t resolution : kResolutions) {
        Containment expected;
        Ldi ldi;
        const Aabb box = builder->bounds(mesh);
        builder->build(mesh, square_grid(box, *choose_axis(box), resolution), ldi);
        lamella::contains(ldi, points, expected);
        for (const unsigned threads : kThreads) {
          const Containment found = contains(mesh, points, as_they_are(resolution, threads));
          EXPECT_EQ(found.inside, expected.inside);
          EXPECT_EQ(found.inside_count, expected.inside_count);
          EXPECT_EQ(found.health.untrusted_points, expected.health.untrusted_points);
          EXPECT_EQ(found.health.open_columns, expected.health.open_columns);
          EXPECT_EQ(found.health.occupied_columns, expected.health.occupied_columns);
          EXPECT_EQ(found.health.inside_out_columns, expected.health.inside_out_columns);
          EXPECT_EQ(found.health.skipped_triangles, expected.health.skipped_triangles);
        }
      }
}

/// `count` sheets, one above the other, each a closed box.
Mesh stack(int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const float z = static_cast<float>(i) / static_cast<float>(count);
    test::append(mesh, test::box_mesh({0, 0, z}, {1, 1, z + 0.5f / static_cast<float>(count)}));
  }
  return mesh;
}

TEST(TileQueries, AStackOfAThousandSheetsIsDeeperThanTheLayersAndAllOfItCounts) {
  const Mesh sheets = stack(1000), block = test::box_mesh({0.25f, 0.25f, -1}, {0.75f, 0.75f, 2});
  for (const unsigned threads : {1u, 2u}) {
    const Options options{.engine = "software", .resolution = 32, .axis = Axis::z, .threads = threads};
    const Overlap o = intersect(sheets, block, options);
    EXPECT_EQ(o.spans.size(), 1000u * 32 * 32);
    EXPECT_NEAR(o.volume, 0.125, 1e-4);
    EXPECT_TRUE(o.health.ok());

    Mesh twice = sheets;
    test::append(twice, test::box_mesh({0, 0, 0}, {1, 1, 1}));
    const SelfOverlap self = self_intersect(twice, options);
    EXPECT_EQ(self.spans.size(), 1000u * 32 * 32);
    EXPECT_NEAR(self.volume, 0.5, 1e-3);

    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i) points.push_back({0.3f, 0.6f, (static_cast<float>(i) + 0.5f) / 2000});
    const Containment inside = contains(sheets, points, options);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_EQ(inside.inside[i], i % 2 == 0 ? 1 : 0) << "point " << i;
    EXPECT_EQ(inside.inside_count, 1000u);

    Mesh hole = sheets;
    hole.triangles.pop_back();
    hole.triangles.resize(hole.triangles.size() - 11);                         // one sheet less
    hole.triangles.push_back(sheets.triangles[sheets.triangles.size() - 12]);  // but for half of its floor
    Options open = options;
    open.close_holes = false;
    EXPECT_GT(intersect(hole, block, open).health.open_columns, 400u);
  }
}

/// Slivers from corner to corner touch all tiles, and are listed in none.
TEST(TileQueries, TrianglesAcrossTheWholeImageHaveTheReferencesCrossings) {
  Mesh mesh;
  test::Random random(7);
  for (int i = 0; i < 6; ++i) {
    const Vec3 a = random.in({{0, 0, 0}, {0.1f, 0.1f, 1}}), b = random.in({{0.9f, 0.9f, 0}, {1, 1, 1}});
    test::append(mesh, test::tetrahedron(a, b, random.in({{0, 0, 0}, {1, 1, 1}}), random.in({{0, 0, 0}, {1, 1, 1}})));
  }
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 700, 600};
  Ldi expected, found;
  make_engine({.engine = "reference"})->build(mesh, grid, expected);
  for (const unsigned threads : {1u, 2u}) {
    make_engine({.engine = "software", .threads = threads})->build(mesh, grid, found);
    ASSERT_EQ(found.offsets, expected.offsets);
    for (std::size_t i = 0; i < found.crossings.size(); ++i) {
      ASSERT_EQ(found.crossings[i].sign(), expected.crossings[i].sign());
      ASSERT_NEAR(found.crossings[i].depth(), expected.crossings[i].depth(), 8 * 0x1p-23f);
    }
  }
}

TEST(TileQueries, WithoutSpansTheSumsAreTheSame) {
  for (const auto& [a, b] : pairs())
    for (const unsigned threads : {1u, 2u})
      for (const std::string engine : {"software", "reference"}) {
        Options options{.engine = engine, .resolution = engine == "reference" ? 9u : 200u, .threads = threads};
        const Overlap with = intersect(a, b, options);
        const SelfOverlap self_with = self_intersect(b, options);
        options.keep_spans = false;
        Overlap without = intersect(a, b, options);
        SelfOverlap self_without = self_intersect(b, options);
        EXPECT_EQ(with.span_count, with.spans.size());
        EXPECT_EQ(without.span_count, with.spans.size());
        EXPECT_TRUE(without.spans.empty());
        EXPECT_EQ(without.colliding(), with.colliding());
        EXPECT_EQ(self_without.span_count, self_with.spans.size());
        EXPECT_EQ(self_without.inside_out, self_with.inside_out);
        without.spans = with.spans;
        self_without.spans = self_with.spans;
        expect_same(without, with);
        expect_same(self_without, self_with);
      }
}

/// Memory of spans is used again, and what was in it must not come back.
TEST(TileQueries, NoSpansOfAnEarlierAnswerAreLeft) {
  const Mesh a = test::round_sphere(30, 40), b = test::round_sphere(30, 40, 0.9f, {0.5f, 0, 0});
  const Mesh far = test::box_mesh({9, 9, 9}, {10, 10, 10}), touching = test::box_mesh({1, -1, -1}, {2, 1, 1});
  Mesh bad = b;
  bad.triangles[5].c = 1u << 30;
  for (const unsigned threads : {1u, 2u}) {
    const auto engine = make_engine({.engine = "software", .threads = threads});
    Overlap out;
    const auto fill = [&] {
      engine->intersect(a, b, {.resolution = 200}, out);
      ASSERT_GT(out.spans.size(), 1000u);
    };
    for (const Mesh& other : {far, touching}) {
      fill();
      engine->intersect(a, other, {.resolution = 200}, out);
      EXPECT_TRUE(out.spans.empty());
      EXPECT_FALSE(out.colliding());
    }
    fill();
    EXPECT_THROW(engine->intersect(a, bad, {.resolution = 200}, out), Error);
    EXPECT_FALSE(out.colliding());
    fill();
    engine->intersect(a, b, {.resolution = 20}, out);
    EXPECT_LT(out.spans.size(), 400u);
    EXPECT_EQ(out.spans, intersect(a, b, {.engine = "software", .resolution = 20}).spans);
  }
}

/// Points in a corner of a large mesh: all columns go there, so that the surface is found where it is.
TEST(TileQueries, AroundPointsACornerOfAMeshIsSampledFinely) {
  const Mesh sphere = test::round_sphere(300, 400);
  test::Random random(9);
  std::vector<Vec3> points(5000);
  for (Vec3& p : points) p = random.in({{0.5f, 0.5f, 0.65f}, {0.56f, 0.56f, 0.72f}});
  for (const std::string engine : {"software", "reference"}) {
    const auto wrong = [&](bool around) {
      const Containment found =
          contains(sphere, points, {.engine = engine, .resolution = 24, .threads = 2, .around_points = around});
      EXPECT_FALSE(found.box);
      EXPECT_EQ(found.not_looked_at, 0u);
      std::size_t count = 0;
      for (std::size_t i = 0; i < points.size(); ++i)
        count += (found.inside[i] != 0) != (dot(points[i], points[i]) < 1) ? 1 : 0;
      return count;
    };
    EXPECT_GT(wrong(false), 200u) << engine;
    EXPECT_LT(wrong(true), 60u) << engine;
  }
}

TEST(TileQueries, AroundPointsHasAnAnswerForAnyPoints) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto inside = [&](std::vector<Vec3> points) {
    return contains(box, points, {.engine = "software", .threads = 1, .around_points = true}).inside;
  };
  using Flags = std::vector<std::uint8_t>;
  EXPECT_EQ(inside({}), Flags{});
  EXPECT_EQ(inside({{0.5f, 0.5f, 0.5f}}), Flags{1}) << "a box without extent";
  EXPECT_EQ(inside({{0.25f, 0.5f, 0.5f}, {0.75f, 0.5f, 0.5f}, {2, 0.5f, 0.5f}}), (Flags{1, 1, 0}));
  EXPECT_EQ(inside({{5, 5, 5}, {6, 5, 5}}), (Flags{0, 0})) << "away from the mesh";
  EXPECT_EQ(inside({{nan, 0, 0}, {0.5f, 0.5f, 0.5f}}), (Flags{0, 1}));
  EXPECT_EQ(inside({{nan, 0, 0}}), Flags{0});
}

TEST(TileQueries, MoreCrossingsInATileThanAllowedAreAnError) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const auto with = [&](std::uint64_t most) {
    return self_intersect(box, {.engine = "software", .resolution = 20, .threads = 1, .max_crossings = most});
  };
  EXPECT_EQ(with(800).health.occupied_columns, 400u);
  const Error error = test::error_of([&] { with(799); });
  EXPECT_NE(std::string(error.what()).find("more than 799 crossings"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace lamella
