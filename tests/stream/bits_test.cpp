// Meshes that are read in parts, against the same meshes in memory: the same bits, however little memory there is.

#include <limits>

#include "core/placement.hpp"
#include "lamella/error.hpp"
#include "lamella/repair.hpp"
#include "scenes/models.hpp"
#include "stream/support.hpp"

namespace lamella {
namespace {

using test::expect_same_health;
using test::expect_same_sums;
using test::Random;
using test::tiny_limits;

constexpr std::uint32_t kResolutions[] = {1, 5, 16, 31, 64, 100};

Options random_options(Random& random) {
  Options options{.engine = "software",
                  .resolution = kResolutions[random.below(std::size(kResolutions))],
                  .threads = 1 + random.below(3)};
  if (random.below(2) == 0) options.axis = static_cast<Axis>(random.below(3));
  options.keep_spans = random.below(4) != 0;
  options.explain = random.below(2) == 0;
  options.close_holes = false;
  return options;
}

/// Closed; or with a hole, a broken vertex, faces that look inwards.
Mesh random_mesh(Random& random) {
  const Grid unit{.box = {{0, 0, 0}, {1, 1, 1}}, .axis = Axis::z, .columns = 16, .rows = 16};
  Mesh mesh = test::random_closed_mesh(random, unit);
  if (random.below(3) == 0) test::append(mesh, scenes::torus_knot(200 + random.below(600), 0.6f));
  const std::uint32_t kind = random.below(8);
  const auto some = [&] { return random.below(static_cast<std::uint32_t>(mesh.positions.size())); };
  if (kind == 0) mesh.triangles.resize(mesh.triangles.size() - 1 - random.below(4));
  if (kind == 1) mesh.positions[some()].y = std::numeric_limits<float>::quiet_NaN();
  if (kind == 2) mesh.positions[some()].x = 2e19f;  // usable, but beyond the lattice
  if (kind == 3)
    for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  if (kind == 4) std::swap(mesh.triangles.front(), mesh.triangles.back());
  return mesh;
}

Transform random_pose(Random& random) {
  const Vec3 axis = random.in({{-1, -1, -1}, {1, 1, 1}});
  Transform pose;
  pose.rotation = normalized(Quaternion{axis.x, axis.y, axis.z, 1});
  pose.translation = to_double(random.in({{-0.3f, -0.3f, -0.3f}, {0.3f, 0.3f, 0.3f}}));
  if (random.below(3) == 0) pose.translation = pose.translation + Vec3d{1e6, -3e5, 7e6};  // gets an origin
  return pose;
}

/// What queries do with a mesh in memory before they sample it; as the command line does.
Mesh placed(Mesh mesh, double scale, const Transform& pose) {
  if (scale != 1)
    for (Vec3& p : mesh.positions) p = to_float(to_double(p) * scale);
  if (!is_identity(pose)) transform(mesh, pose);
  return mesh;
}

/// The doubts of a mesh that is not closed, with those that only a sum over all edges can find.
bool has_doubt(const Overlap& out, int mesh) {
  for (const Doubt& d : out.doubts)
    if ((d.mesh == mesh || d.mesh < 0) &&
        (d.cause == Doubt::Cause::open_columns || d.cause == Doubt::Cause::skipped_triangles))
      return true;
  return false;
}

TEST(StreamedBits, OfPairsAreThoseOfMeshesInMemory) {
  std::uint32_t most_strips = 0, refused = 0, decided = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = random_mesh(random), b = random_mesh(random);
    const double scale = random.below(3) == 0 ? 0.75 : 1;
    const Transform pose_a = random.below(2) == 0 ? random_pose(random) : Transform{};
    Transform pose_b = pose_a;
    pose_b.translation.x += random.uniform(-0.2f, 0.2f);
    const Options options = random_options(random);
    const Mesh placed_a = placed(a, scale, pose_a), placed_b = placed(b, 1, pose_b);
    const Overlap expected = intersect(placed_a, placed_b, options);

    const auto source_a = stream_view(a), source_b = stream_view(b);
    Overlap found;
    StreamReport report;
    try {
      stream::intersect({*source_a, scale, pose_a}, {*source_b, 1, pose_b}, options, {},
                        tiny_limits(random, 1500 + random.below(60'000)), found, report);
    } catch (const Error& error) {  // not even one tile: says so
      EXPECT_THAT(error.what(), testing::HasSubstr("too little"));
      ++refused;
      continue;
    }
    expect_same_sums(found, expected);
    EXPECT_EQ(report.closed[0] && report.closed[1],
              expected.grid.column_count() == 0 || (is_closed(placed_a) && is_closed(placed_b)));
    if (report.closed[0] && report.closed[1]) {
      EXPECT_EQ(found.verdict, expected.verdict);
      EXPECT_EQ(found.doubts, expected.doubts);
      decided += found.verdict != Verdict::undecided ? 1 : 0;
    } else {
      EXPECT_EQ(found.verdict, expected.verdict == Verdict::clear ? Verdict::undecided : expected.verdict);
      for (int i : {0, 1}) EXPECT_TRUE(report.closed[i] || has_doubt(found, i));
    }
    most_strips = std::max(most_strips, report.strips);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(most_strips, 20u);
  EXPECT_GT(decided, 100u);
  EXPECT_LT(refused, 100u);
}

TEST(StreamedBits, OfSelfOverlapAreThoseOfAMeshInMemory) {
  std::uint32_t most_strips = 0, refused = 0, inside_out = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 1000);
    const Mesh mesh = random_mesh(random);
    const Transform pose = random.below(2) == 0 ? random_pose(random) : Transform{};
    const Options options = random_options(random);
    const Mesh in_memory = placed(mesh, 1, pose);
    const SelfOverlap expected = self_intersect(in_memory, options);
    const auto source = stream_view(mesh);
    SelfOverlap found;
    StreamReport report;
    try {
      stream::self_intersect({*source, 1, pose}, options, {}, tiny_limits(random, 1500 + random.below(40'000)), found,
                             report);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("too little"));
      ++refused;
      continue;
    }
    expect_same_sums(found, expected);
    EXPECT_EQ(found.inside_out, expected.inside_out);
    EXPECT_EQ(test::bits(found.inside_out_volume), test::bits(expected.inside_out_volume));
    EXPECT_EQ(found.verdict, expected.verdict);
    EXPECT_TRUE(report.closed[0] || has_doubt(found, 0));
    inside_out += found.inside_out.empty() ? 0 : 1;
    most_strips = std::max(most_strips, report.strips);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(most_strips, 20u);
  EXPECT_GT(inside_out, 20u);
  EXPECT_LT(refused, 100u);
}

TEST(StreamedBits, OfPointsAreThoseOfAMeshInMemory) {
  std::uint32_t refused = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 2000);
    const Mesh mesh = random_mesh(random);
    const Transform pose = random.below(2) == 0 ? random_pose(random) : Transform{};
    const Options options = random_options(random);
    const Mesh in_memory = placed(mesh, 1, pose);
    std::vector<Vec3d> points(1 + random.below(2000));
    for (Vec3d& p : points) p = to_double(random.in({{-0.2f, -0.2f, -0.2f}, {1.2f, 1.2f, 1.2f}})) + pose.translation;
    std::optional<Aabb> box;
    if (random.below(3) == 0) {
      const Vec3 low = to_float(pose.translation);
      box = Aabb{low, low + Vec3{0.5f, 0.7f, 0.6f}};
      if (!(box->max.x > low.x && box->max.y > low.y && box->max.z > low.z)) box.reset();
    }
    const Containment expected =
        box ? contains(in_memory, points, *box, options) : contains(in_memory, points, options);
    const auto source = stream_view(mesh);
    std::size_t at = 0;
    const StreamedPoints given{.read = [&](std::span<Vec3d> out) {
      const std::size_t count = std::min(out.size(), points.size() - at);
      std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(at), count, out.begin());
      at += count;
      return count;
    }};
    Containment found;
    StreamReport report;
    try {
      stream::contains({*source, 1, pose}, given, box, options, {}, tiny_limits(random, 1500 + random.below(40'000)),
                       found, report);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("too little"));
      ++refused;
      continue;
    }
    EXPECT_EQ(found.inside, expected.inside);
    EXPECT_EQ(found.inside_count, expected.inside_count);
    EXPECT_EQ(found.not_looked_at, expected.not_looked_at);
    EXPECT_EQ(found.box, expected.box);
    EXPECT_EQ(found.grid, expected.grid);
    EXPECT_EQ(found.origin, expected.origin);
    expect_same_health(found.health, expected.health);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LT(refused, 70u);
}

/// Boxes that only touch: rays off the lattice decide, which look at the meshes once more.
TEST(StreamedBits, OfSolidsThatTouchAreThoseOfMeshesInMemory) {
  Random random(7);
  std::uint32_t uncertain = 0, colliding = 0;
  for (int i = 0; i < 200; ++i) {
    const float gap = i % 2 == 0 ? 0 : random.uniform(-2e-4f, 1e-4f);
    Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 1});
    Mesh b = test::box_mesh({1 + gap, 0.2f, 0.3f}, {2, 0.8f, 0.9f});
    Transform pose;
    pose.rotation = normalized(Quaternion{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1});
    Options options = random_options(random);
    options.resolution = 64;
    const Overlap expected = intersect(placed(a, 1, pose), placed(b, 1, pose), options);
    const auto source_a = stream_view(a), source_b = stream_view(b);
    Overlap found;
    StreamReport report;
    stream::intersect({*source_a, 1, pose}, {*source_b, 1, pose}, options, {}, tiny_limits(random, 20'000), found,
                      report);
    expect_same_sums(found, expected);
    EXPECT_EQ(found.verdict, expected.verdict);
    EXPECT_EQ(found.doubts, expected.doubts);
    uncertain += found.health.uncertain_spans != 0 ? 1 : 0;
    colliding += found.colliding() ? 1 : 0;
  }
  EXPECT_GT(uncertain, 0u);
  EXPECT_GT(colliding, 0u);
}

}  // namespace
}  // namespace lamella
