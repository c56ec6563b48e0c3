// contains() with Options::exact, through the engines.

#include "proof/points.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "proof/integer_winding.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/exact_inside.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;

Options exact_on(std::string engine, std::uint32_t resolution = 16) {
  return {.engine = std::move(engine), .resolution = resolution, .exact = true};
}

TEST(ExactPoints, FacesEdgesAndCornersOfABoxAreOutsideAndTheNextFloatIsInside) {
  const Mesh box = box_mesh({1, 2, 3}, {5, 7, 9});
  std::vector<Vec3> on, inside;
  for (const float x : {1.0f, 3.0f, 5.0f})
    for (const float y : {2.0f, 4.0f, 7.0f})
      for (const float z : {3.0f, 6.0f, 9.0f}) {
        const Vec3 p{x, y, z}, middle{3, 4, 6};
        if (p == middle) continue;
        on.push_back(p);
        inside.push_back({std::nextafter(x, 3.0f), std::nextafter(y, 4.0f), std::nextafter(z, 6.0f)});
      }
  for (const char* engine : {"software", "reference", "software-wscg", "automatic"})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      Options options = exact_on(engine);
      options.axis = axis;
      EXPECT_EQ(contains(box, on, options).inside_count, 0u) << engine;
      const Containment c = contains(box, inside, options);
      EXPECT_EQ(c.inside_count, inside.size()) << engine;
      EXPECT_EQ(c.inside, std::vector<std::uint8_t>(inside.size(), 1)) << engine;
    }
}

/// Solids with corners on a small lattice, which overlap, touch, turn inside out and collapse.
Mesh lattice_mesh(Random& random, float unit) {
  const auto corner = [&] {
    return Vec3{static_cast<float>(random.below(9)), static_cast<float>(random.below(9)),
                static_cast<float>(random.below(9))} *
           (2 * unit);
  };
  Mesh mesh;
  for (std::uint32_t i = 0, count = 1 + random.below(5); i < count; ++i) {
    if (random.below(2) == 0)
      test::append(mesh, test::tetrahedron(corner(), corner(), corner(), corner()));
    else
      test::append(mesh, box_mesh(corner(), corner()));
  }
  return mesh;
}

std::vector<Vec3> lattice_points(Random& random, float unit, std::size_t count) {
  std::vector<Vec3> points(count);
  for (Vec3& p : points)
    p = Vec3{static_cast<float>(random.below(18)), static_cast<float>(random.below(18)),
             static_cast<float>(random.below(18))} *
        unit;
  return points;
}

std::vector<std::uint8_t> exact_flags(MeshView mesh, std::span<const Vec3> points, float unit) {
  std::vector<std::uint8_t> flags;
  for (const Vec3 p : points) flags.push_back(test::exact_flag(mesh, p, unit));
  return flags;
}

RC_GTEST_PROP(ExactPoints, FlagsAreThoseOfIntegersOnEveryGrid, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const float unit = std::ldexp(1.0f, static_cast<int>(random.below(60)) - 40);
  const Mesh mesh = lattice_mesh(random, unit);
  const auto points = lattice_points(random, unit, 60);
  const auto flags = exact_flags(mesh, points, unit);
  static constexpr std::uint32_t kResolutions[] = {1, 2, 7, 16, 64, 130, 300};
  Options options = exact_on(random.below(4) == 0   ? "software-wscg"
                             : random.below(4) == 0 ? "reference"
                                                    : "software",
                             kResolutions[random.below(7)]);
  options.axis = static_cast<Axis>(random.below(3));
  options.threads = 1 + random.below(2);
  options.around_points = random.below(3) == 0;
  options.close_holes = false;
  const Containment c = contains(mesh, points, options);
  RC_ASSERT(c.inside == flags);
  RC_ASSERT(c.inside_count == static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), kPointInside)));
  RC_ASSERT(c.health.untrusted_points ==
            static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), kPointUnknown)));
}

RC_GTEST_PROP(ExactPoints, ABoxLimitsWhichPointsAreLookedAt, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const Mesh mesh = lattice_mesh(random, 1);
  const auto points = lattice_points(random, 1, 60);
  auto flags = exact_flags(mesh, points, 1);
  const float low = static_cast<float>(random.below(9)), high = low + static_cast<float>(1 + random.below(9));
  const Aabb box{{low, low, low}, {high, high, high}};
  std::uint64_t left_out = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i];
    const bool in = std::min({p.x, p.y, p.z}) >= low && std::max({p.x, p.y, p.z}) <= high;
    if (!in) flags[i] = kPointOutside;
    left_out += in ? 0 : 1;
  }
  const Containment c = contains(mesh, points, box, exact_on("software"));
  RC_ASSERT(c.inside == flags);
  RC_ASSERT(c.not_looked_at == left_out);
}

TEST(ExactPoints, AgreeWithWindingNumbersNearTheSurface) {
  for (const char* name : {"torus", "torus_knot", "blob", "hand"}) {
    const Mesh mesh = scenes::make_model(name, 2000);
    Random random(3);
    std::vector<Vec3> points;
    for (int i = 0; i < 1500; ++i) {
      const Triangle& t = mesh.triangles[random.below(static_cast<std::uint32_t>(mesh.triangles.size()))];
      const Vec3 middle = (mesh.positions[t.a] + mesh.positions[t.b] + mesh.positions[t.c]) * (1.0f / 3);
      const float size = std::pow(10.0f, random.uniform(-5, -1));
      points.push_back(middle + random.in({{-size, -size, -size}, {size, size, size}}));
    }
    const Containment c = contains(mesh, points, exact_on("software", 64));
    const auto winding = test::winding_numbers(mesh, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::abs(winding[i] - std::round(winding[i])) > 1e-6) continue;  // on the surface, as far as doubles see
      EXPECT_EQ(c.inside[i], winding[i] > 0.5 ? 1 : 0) << name << " " << i << ": " << winding[i];
    }
  }
}

TEST(ExactPoints, AreTheSameForAnyNumberOfThreadsAndAnyGrid) {
  const Mesh mesh = scenes::make_model("blob", 60000);
  Random random(5);
  std::vector<Vec3> points = mesh.positions;
  const Aabb box = bounds(mesh);
  for (int i = 0; i < 30000; ++i) points.push_back(random.in(box));
  for (Vec3& p : points) p.x = std::nextafter(p.x, random.below(2) == 0 ? 9.0f : -9.0f);
  const auto flags = contains(mesh, points, exact_on("software", 128)).inside;
  for (const unsigned threads : {1u, 2u, 4u})
    for (const std::uint32_t resolution : {8u, 100u, 700u}) {
      Options options = exact_on("software", resolution);
      options.threads = threads;
      EXPECT_EQ(contains(mesh, points, options).inside, flags) << threads << " threads, " << resolution;
    }
}

TEST(ExactPoints, AreTheSameWhereAllCrowdTogether) {
  // A detailed part, and one far away: all but one of the points near the surface are in one bin.
  Mesh mesh = scenes::make_model("blob", 20000);
  std::vector<Vec3> points = mesh.positions;
  for (Vec3& p : points) p.y = std::nextafter(p.y, 9.0f);
  const auto flags = contains(mesh, points, exact_on("software", 64)).inside;
  test::append(mesh, test::tetrahedron({4e4f, 0, 0}, {4e4f + 9, 0, 0}, {4e4f, 3e4f, 0}, {4e4f, 0, 9}));
  points.push_back({4e4f + 1, 1e4f, 1e-3f});
  for (const Axis axis : {Axis::x, Axis::z}) {
    Options options = exact_on("software", 64);
    options.axis = axis;
    auto far = contains(mesh, points, options).inside;
    EXPECT_EQ(far.back(), 1);
    far.pop_back();
    EXPECT_EQ(far, flags);
  }
}

TEST(ExactPoints, CrowdedPointsOfOneSideFollowRaysThatGoDownOrUp) {
  Mesh mesh = scenes::make_model("blob", 20000);
  const Aabb box = bounds(mesh);
  std::vector<Vec3> ends[2];
  for (Vec3 p : mesh.positions) {
    p.y = std::nextafter(p.y, 9.0f);
    const float depth = (p.z - box.min.z) / (box.max.z - box.min.z);
    if (depth < 0.3f || depth > 0.7f) ends[depth < 0.3f ? 0 : 1].push_back(p);
  }
  Mesh far = mesh;
  test::append(far, test::tetrahedron({4e4f, 0, 0}, {4e4f + 9, 0, 0}, {4e4f, 3e4f, 0}, {4e4f, 0, 9}));
  for (auto& points : ends) {
    auto flags = contains(mesh, points, exact_on("software", 64)).inside;
    points.push_back({4e4f + 1, 1e4f, 1e-3f});
    flags.push_back(1);
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      Options options = exact_on("software", 64);
      options.axis = axis;
      EXPECT_EQ(contains(far, points, options).inside, flags);
    }
  }
}

TEST(ExactPoints, RigidAndKeptMeshesInTheirOwnFrames) {
  Random random(9);
  const Mesh mesh = lattice_mesh(random, 1);
  const auto points = lattice_points(random, 1, 500);
  const auto flags = exact_flags(mesh, points, 1);
  Detector detector({.engine = "software", .resolution = 32, .exact = true});
  EXPECT_EQ(detector.contains(detector.add(mesh), points).inside, flags);
  const Transform pose{{3, -2, 5}, rotation_about({0, 0, 1}, 0)};
  std::vector<Vec3> moved = points;
  for (Vec3& p : moved) p = p + Vec3{3, -2, 5};
  const ObjectId rigid = detector.add_rigid(mesh, pose);
  EXPECT_EQ(detector.contains(rigid, moved).inside, flags);
  std::vector<Vec3d> wide;
  for (const Vec3 p : moved) wide.push_back(to_double(p));
  EXPECT_EQ(detector.contains(rigid, wide).inside, flags);
}

TEST(ExactPoints, ARigidMeshThatWasSampledWithoutItsTrianglesSaysWhatToDo) {
  const auto engine = make_engine({.engine = "software"});
  RigidMesh rigid;
  engine->sample_rigid(box_mesh({0, 0, 0}, {1, 1, 1}), {}, rigid);
  EXPECT_TRUE(rigid.triangles.empty());
  Containment out;
  const std::vector<Vec3> points{{0.5f, 0.5f, 0.5f}};
  EXPECT_THROW(engine->contains(rigid, {}, points, {.exact = true}, out), Error);
}

TEST(ExactPoints, FarFromTheOriginOfTheWorld) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Vec3d far{3e8, -5e8, 1e9};
  std::vector<Vec3d> corners;
  for (const Vec3 p : box.positions) corners.push_back(to_double(p) + far);
  const MeshView mesh{.positions = {}, .triangles = box.triangles, .wide = corners};
  const std::vector<Vec3d> points{far + Vec3d{0.5, 0.5, 0}, far + Vec3d{0.5, 0.5, 1e-6}, far + Vec3d{0.25, 0.25, 0.5},
                                  far + Vec3d{0.5, 0.5, -1e-6}};
  EXPECT_EQ(contains(mesh, points, exact_on("software", 8)).inside, (std::vector<std::uint8_t>{0, 1, 1, 0}));
}

TEST(ExactPoints, BrokenInputIsSkippedAndNothingIsInsideNothing) {
  const std::vector<Vec3> points{{NAN, 0.5f, 0.5f},     {0.5f, 0.5f, INFINITY}, {0.5f, 0.5f, 0.5f},
                                 {1e38f, 1e38f, 1e38f}, {0.5f, 0.5f, 1.0f},     {-0.0f, 0.5f, 0.5f}};
  EXPECT_EQ(contains({}, points, exact_on("software")).inside_count, 0u);
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), {{NAN, 0, 0}, {INFINITY, 1, 1}, {1e35f, -1e35f, 0}, {1e9f, 0, 1e9f}});
  mesh.triangles.push_back({0, first, first + 1});
  mesh.triangles.push_back({first + 2, first + 1, 3});
  mesh.triangles.push_back({first + 3, first + 3, first + 3});
  for (const char* engine : {"software", "software-wscg", "reference"}) {
    Options options = exact_on(engine);
    options.close_holes = false;
    EXPECT_EQ(contains(mesh, points, options).inside, (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0})) << engine;
  }
  mesh.triangles.push_back({0, 1, 99});
  EXPECT_THROW((void)contains(mesh, points, exact_on("software")), Error);
}

TEST(ExactPoints, WhereTheMeshIsOpenPointsStayUnknown) {
  Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.erase(open.triangles.begin());
  Random random(5);
  std::vector<Vec3> points(400);
  for (Vec3& p : points) p = random.in({{0.01f, 0.01f, 0.001f}, {0.99f, 0.99f, 0.999f}});
  Options options = exact_on("software");
  options.axis = Axis::z;
  options.close_holes = false;
  const Containment c = contains(open, points, options);
  EXPECT_GT(c.health.untrusted_points, 100u);
  EXPECT_EQ(c.inside_count + c.health.untrusted_points, points.size());
  options.close_holes = true;
  EXPECT_EQ(contains(open, points, options).inside_count, points.size());
}

TEST(ExactPoints, VerticesAndMiddlesOfRealMeshesAreOnTheSurface) {
  LAMELLA_NEED_SHARED_MESHES();
  const Mesh mesh = read_mesh(test::shared_meshes() / "mug_21k.ply");
  EXPECT_EQ(contains(mesh, mesh.positions, exact_on("software", 128)).inside_count, 0u);
}

}  // namespace
}  // namespace lamella
