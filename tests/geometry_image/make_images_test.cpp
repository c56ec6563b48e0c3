#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "geometry_image/make/image_distance.hpp"
#include "geometry_image/make_shapes.hpp"
#include "lamella/geometry_image.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

double diagonal(const Mesh& mesh) { return length(extent(bounds(mesh))); }

/// What every image must hold; `within` bounds the volume's error.
void expect_good(const GeometryImage& image, const MakeImageReport& report, double within) {
  EXPECT_NO_THROW(check(image));
  EXPECT_EQ(image.normals.size(), image.positions.size());
  EXPECT_EQ(report.flipped_count, 0u);
  EXPECT_GT(report.stretch, 0.999);
  const MeshReport mesh = inspect(to_mesh(image));
  EXPECT_TRUE(mesh.closed);
  EXPECT_EQ(mesh.components, 1u);
  // As many handles as before: V - E + F = V - F / 2.
  EXPECT_EQ(static_cast<long>(mesh.vertices) - static_cast<long>(mesh.triangles / 2), 2 - 2 * report.genus);
  EXPECT_NEAR(mesh.volume, report.image_volume, 1e-5 * std::abs(report.volume));
  EXPECT_NEAR(report.image_volume / report.volume, 1, within);
  EXPECT_LE(report.distance, report.map_distance * (1 + 1e-6) + 1e-12);
}

TEST(MakeImage, OfATetrahedronIsTheTetrahedronMoreAndMore) {
  const Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  double last = 1;
  for (const int n : {2, 4, 6, 8}) {
    const MadeImages made = make_geometry_images(mesh, {.n = n});
    ASSERT_EQ(made.images.size(), 1u);
    EXPECT_EQ(made.images[0].n, n);
    EXPECT_EQ(made.reports[0].triangle_count, 4u);
    EXPECT_EQ(made.reports[0].genus, 0);
    EXPECT_NEAR(made.reports[0].volume, 1.0 / 6, 1e-12);
    expect_good(made.images[0], made.reports[0], n == 8 ? 0.002 : 0.3);
    EXPECT_LT(made.reports[0].distance, last);
    last = made.reports[0].distance;
  }
  EXPECT_LT(last, 0.005);
}

TEST(MakeImage, OfAnOctahedronAndOfTheSmallestTorus) {
  for (const Mesh& mesh : {test::octahedron(), scenes::torus(18)}) {
    const MadeImages made = make_geometry_images(mesh, {.n = 6});
    ASSERT_EQ(made.images.size(), 1u);
    expect_good(made.images[0], made.reports[0], 0.01);
    EXPECT_LT(made.reports[0].distance, 0.02 * diagonal(mesh));
  }
}

TEST(MakeImage, OfAnyGenus) {
  for (int genus = 0; genus < 6; ++genus) {
    SCOPED_TRACE(genus);
    const MadeImages made = make_geometry_images(test::plate_with_holes(genus, 2), {.n = 7});
    EXPECT_EQ(made.reports[0].genus, genus);
    expect_good(made.images[0], made.reports[0], 0.03);
    EXPECT_LT(made.reports[0].stretch, 4);
  }
}

TEST(MakeImage, OfEveryModelIsClosedAndClose) {
  for (const std::string_view name : scenes::model_names()) {
    SCOPED_TRACE(name);
    const Mesh mesh = scenes::make_model(name, 3000);
    const MadeImages made = make_geometry_images(mesh, {.n = 7});
    for (std::size_t i = 0; i < made.images.size(); ++i) expect_good(made.images[i], made.reports[i], 0.04);
    EXPECT_LT(made.reports[0].distance, 0.015 * diagonal(mesh));
  }
}

TEST(MakeImage, CutsIntoALegThatWouldShrinkBeyondThePrecisionOfNumbersEvenIfNoCutsAreAllowed) {
  // The first cut runs along two of the legs; in its map the third is smaller by some 100 powers of ten.
  const MadeImages made = make_geometry_images(test::tripod(150), {.n = 8, .max_cuts = 0});
  expect_good(made.images[0], made.reports[0], 0.1);
  EXPECT_GT(made.reports[0].cut_path_count, 1);
  EXPECT_LT(made.reports[0].distance, 3);
}

TEST(MakeImage, MakesDoWithFewerPathsWhereTheBorderIsShort) {
  const Mesh mesh = scenes::make_model("mouse", 2000);
  const MadeImages small = make_geometry_images(mesh, {.n = 3}), large = make_geometry_images(mesh, {.n = 7});
  EXPECT_LT(small.reports[0].cut_path_count, large.reports[0].cut_path_count);
  EXPECT_TRUE(inspect(to_mesh(small.images[0])).closed);
}

TEST(MakeImage, WorksAtEverySizeFromTwoUp) {
  const Mesh mesh = scenes::hand(1000);
  double last = 1;
  for (int n = 3; n <= 9; n += 2) {
    SCOPED_TRACE(n);
    const MadeImages made = make_geometry_images(mesh, {.n = n});
    expect_good(made.images[0], made.reports[0], 1);
    EXPECT_LT(made.reports[0].distance, last);
    last = made.reports[0].distance;
  }
  const MadeImages least = make_geometry_images(test::octahedron(), {.n = 2});
  expect_good(least.images[0], least.reports[0], 0.5);
}

TEST(MakeImage, TakesTrianglesWithoutAreaAndVerticesAtOnePlace) {
  Mesh mesh = scenes::sphere(800);
  for (const std::size_t t : {5u, 100u, 333u})  // collapses an edge in place: two triangles lose their area
    mesh.positions[mesh.triangles[t].a] = mesh.positions[mesh.triangles[t].b];
  const MadeImages made = make_geometry_images(mesh, {.n = 6});
  expect_good(made.images[0], made.reports[0], 0.02);

  Mesh flat = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25f, 0.25f, 0});
  const MadeImages flat_made = make_geometry_images(flat, {.n = 4});
  EXPECT_TRUE(inspect(to_mesh(flat_made.images[0])).closed);
  EXPECT_EQ(flat_made.reports[0].volume, 0);
  EXPECT_NEAR(flat_made.reports[0].image_volume, 0, 1e-6);
}

TEST(MakeImage, IsClosedWhereverTheVerticesLie) {
  constexpr std::string_view kModels[] = {"sphere", "torus", "torus_knot", "blob"};
  for (std::uint32_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    Mesh mesh = scenes::make_model(kModels[random.below(4)], 100 + random.below(500), seed);
    for (Vec3& p : mesh.positions) switch (seed % 5) {
        case 0:
          p = random.in({{0, 0, 0}, {1, 1, 1}});
          break;  // noise
        case 1:
          p = {std::round(p.x * 4), std::round(p.y * 4), std::round(p.z * 4)};
          break;  // many at one place
        case 2:
          p.x = 0;
          break;  // flat
        case 3:
          p.x *= 1e6f;
          break;  // a needle
        default:
          p = random.below(3) == 0 ? Vec3{} : p;
          break;  // spikes to one point
      }
    const MadeImages made = make_geometry_images(mesh, {.n = 5});
    ASSERT_EQ(made.images.size(), 1u);
    EXPECT_TRUE(inspect(to_mesh(made.images[0])).closed);
    EXPECT_EQ(made.reports[0].flipped_count, 0u);
    EXPECT_TRUE(std::isfinite(made.reports[0].stretch));
    EXPECT_TRUE(std::isfinite(made.reports[0].distance));
  }
}

TEST(MakeImage, OfAPointIsThatPointAllOver) {
  const MadeImages made = make_geometry_images(test::tetrahedron({1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}), {.n = 3});
  for (const Vec3 p : made.images[0].positions) EXPECT_LT(length(p - Vec3{1, 2, 3}), 1e-4f);
  EXPECT_TRUE(std::isfinite(made.reports[0].distance));
  EXPECT_TRUE(std::isfinite(made.reports[0].map_distance));
}

TEST(MakeImage, KeepsAnInsideOutComponentInsideOut) {
  Mesh mesh = scenes::sphere(500);
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  const MadeImages made = make_geometry_images(mesh, {.n = 6});
  EXPECT_LT(made.reports[0].volume, 0);
  EXPECT_LT(made.reports[0].image_volume, 0);
  expect_good(made.images[0], made.reports[0], 0.02);
}

TEST(MakeImage, MakesOneOfEveryComponentLargestAreaFirst) {
  Mesh mesh = test::tetrahedron({5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1});
  test::append(mesh, scenes::torus(400));
  test::append(mesh, test::box_mesh({-9, -1, -1}, {-7, 1, 1}));
  const MadeImages made = make_geometry_images(mesh, {.n = 5});
  ASSERT_EQ(made.images.size(), 3u);
  EXPECT_EQ(made.reports[0].triangle_count, 12u);
  EXPECT_EQ(made.reports[1].genus, 1);
  EXPECT_EQ(made.reports[2].triangle_count, 4u);
  for (std::size_t i = 0; i < 3; ++i) expect_good(made.images[i], made.reports[i], 0.1);
  for (const Vec3 p : made.images[2].positions) EXPECT_GE(p.x, 5);
}

TEST(MakeImage, IsTheSameBitsInEveryRunAndForAnyNumberOfThreads) {
  const Mesh mesh = scenes::make_model("mouse", 3000);
  const auto bits = [&](unsigned threads) {
    const MadeImages made = make_geometry_images(mesh, {.n = 6, .threads = threads});
    std::string all;
    const auto add = [&](const auto& values) {
      all.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    };
    add(made.images[0].positions);
    add(made.images[0].normals);
    return all + std::to_string(made.reports[0].distance);
  };
  const std::string once = bits(1);
  EXPECT_TRUE(once == bits(1));
  EXPECT_TRUE(once == bits(2));
  EXPECT_TRUE(once == bits(5));
}

TEST(MakeImage, MovesAndScalesWithTheMesh) {
  const Mesh mesh = scenes::make_model("blob", 1000);
  Mesh moved = mesh;
  for (Vec3& p : moved.positions) p = p * 1024.0f;  // exact in floats, so that all decisions are the same
  const MadeImages a = make_geometry_images(mesh, {.n = 5}), b = make_geometry_images(moved, {.n = 5});
  for (std::size_t i = 0; i < a.images[0].positions.size(); ++i)
    EXPECT_LT(length(a.images[0].positions[i] * 1024.0f - b.images[0].positions[i]), 0.01f);
  EXPECT_NEAR(a.reports[0].stretch, b.reports[0].stretch, 1e-6);
}

/// What the progress callback is told, as parts of the whole.
std::vector<double> progress_of(const Mesh& mesh, unsigned threads) {
  std::vector<double> parts{0};
  std::uint64_t last_total = 0;
  const std::thread::id caller = std::this_thread::get_id();
  MakeImageOptions options{.n = 4, .threads = threads};
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_TRUE(last_total == 0 || total == last_total);
    EXPECT_LE(done, total);
    last_total = total;
    parts.push_back(static_cast<double>(done) / static_cast<double>(total));
    EXPECT_GT(parts.back(), parts[parts.size() - 2]);
  };
  static_cast<void>(make_geometry_images(mesh, options));
  EXPECT_EQ(parts.back(), 1);
  return parts;
}

TEST(MakeImage, TellsHowFarItIsInAllStages) {
  const std::vector<double> parts = progress_of(scenes::torus(400), 1);
  for (std::size_t i = 1; i < parts.size(); ++i)
    EXPECT_LT(parts[i] - parts[i - 1], 0.2) << "from " << parts[i - 1] << " to " << parts[i];
}

TEST(MakeImage, TellsHowFarItIsOverAllComponentsAndThreads) {
  Mesh mesh = test::octahedron();
  test::append(mesh, scenes::torus(200));
  for (const unsigned threads : {1u, 4u}) {
    const std::vector<double> parts = progress_of(mesh, threads);
    EXPECT_TRUE(std::find(parts.begin(), parts.end(), 0.5) != parts.end()) << "one of two components";
  }
}

TEST(MakeImage, KnowsASheetFromOneThatIsFoldedUp) {
  // A strip of a cylinder, sampled along it and around it, or on lines that are slanted by many turns.
  constexpr int kAround = 64, kAlong = 8;
  const auto error = [&](double slant) {
    gi::Disc disc;
    for (int j = 0; j <= kAlong; ++j)
      for (int i = 0; i <= kAround; ++i) {
        const double x = double(i) / kAround, y = double(j) / kAlong, angle = 3 * (x + slant * y);
        disc.positions.push_back({std::cos(angle), std::sin(angle), y});
        disc.map.push_back({x, y});
      }
    for (int j = 0; j < kAlong; ++j)
      for (int i = 0; i < kAround; ++i) {
        const auto low = static_cast<std::uint32_t>(j * (kAround + 1) + i), high = low + kAround + 1;
        disc.triangles.push_back({low, low + 1, high + 1});
        disc.triangles.push_back({low, high + 1, high});
      }
    return gi::normal_error(disc, 3);
  };
  EXPECT_LT(error(0), 0.02);
  EXPECT_GT(error(4), 5 * error(0));
}

TEST(MakeImage, MeasuresTheFurthestVertexTruly) {
  // A cube at so few samples that its corners are cut off: the nearest point is checked by brute force.
  const Mesh mesh = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  const MadeImages made = make_geometry_images(mesh, {.n = 3});
  const GeometryImage& image = made.images[0];
  double furthest = 0;
  for (const Vec3 p : mesh.positions) {
    double nearest = 1e9;
    for (std::uint32_t i = 0; i < image.triangle_count(); ++i) {
      const Triangle t = image_triangle(image.n, i);
      constexpr int kSteps = 24;
      for (int u = 0; u <= kSteps; ++u)
        for (int v = 0; u + v <= kSteps; ++v) {
          const float s = static_cast<float>(u) / kSteps, w = static_cast<float>(v) / kSteps;
          const Vec3 q = image.positions[t.a] * (1 - s - w) + image.positions[t.b] * s + image.positions[t.c] * w;
          nearest = std::min(nearest, double{length(p - q)});
        }
    }
    furthest = std::max(furthest, nearest);
  }
  EXPECT_NEAR(made.reports[0].distance, furthest, 0.02);
  EXPECT_LE(made.reports[0].distance, furthest + 1e-6);
}

}  // namespace
}  // namespace lamella
