#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "geometry_image/pyramid_support.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;

/// Both pairs of opposite sides coincide: genus 1.
GeometryImage torus_image(int n) {
  const std::uint32_t last = 1u << n;
  return filled(n, [&](std::uint32_t x, std::uint32_t y) {
    const double u = 2 * std::numbers::pi * (x % last) / last, v = 2 * std::numbers::pi * (y % last) / last;
    const double r = 1 + 0.4 * std::cos(v);
    return to_float(Vec3d{r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v)});
  });
}

TEST(ImageToMesh, ASheetKeepsItsVerticesAndTriangles) {
  const GeometryImage image = filled(2, [](auto x, auto y) {
    return Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(x * y)};
  });
  const Mesh mesh = to_mesh(image);
  ASSERT_EQ(mesh.positions.size(), 25u);
  ASSERT_EQ(mesh.triangles.size(), 32u);
  for (std::uint32_t i = 0; i < 32; ++i)
    for (int corner = 0; corner < 3; ++corner)
      EXPECT_EQ(mesh.positions[mesh.triangles[i][corner]], image.positions[image_triangle(2, i)[corner]]) << i;
  EXPECT_EQ(inspect(mesh).boundary_edges, 16u);
}

TEST(ImageToMesh, ASphereIsClosedAndItsVolumeConverges) {
  double error = 10;
  for (int n = 2; n <= 7; ++n) {
    const GeometryImage image = image_of_sphere(n, {1, 2, 3}, 2);
    const MeshReport report = inspect(to_mesh(image));
    EXPECT_TRUE(report.closed) << n;
    EXPECT_EQ(report.degenerate_triangles, 0u);
    EXPECT_EQ(report.components, 1u);
    EXPECT_EQ(report.vertices, 2 + report.triangles / 2) << "Euler";
    const double now = 1 - report.volume / (4 * std::numbers::pi / 3 * 8);
    EXPECT_GT(now, 0);
    EXPECT_LT(now, error / (n > 3 ? 3.5 : 2));
    error = now;
  }
  EXPECT_LT(error, 0.001);
}

TEST(ImageToMesh, ATorusIsClosedToo) {
  const MeshReport report = inspect(to_mesh(torus_image(5)));
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.vertices, report.triangles / 2) << "Euler";
  EXPECT_NEAR(report.volume, 2 * std::numbers::pi * std::numbers::pi * 0.16, 0.1);
}

TEST(ImageToMesh, WeldsZerosOfEitherSignOnTheBorderAndNothingInside) {
  GeometryImage image = filled(2, [](auto x, auto y) {
    return Vec3{static_cast<float>(x) + 1, static_cast<float>(y) + 1, 5};
  });
  image.positions[0] = {0.0f, 7, 7};                                              // (0, 0)
  image.positions[24] = {-0.0f, 7, 7};                                            // (4, 4)
  image.positions[6] = image.positions[12] = image.positions[18] = {0.0f, 7, 7};  // inside
  const Mesh mesh = to_mesh(image);
  EXPECT_EQ(mesh.positions.size(), 24u);
  EXPECT_EQ(mesh.triangles.front().a, mesh.triangles.back().b) << "(0, 0) and (4, 4)";
}

/// The surface of few places: many vertices of the border, and of the inside, coincide.
GeometryImage crowded_image(int n, std::uint32_t seed, std::uint32_t places) {
  Random random(seed);
  return filled(n, [&](auto, auto) {
    const auto one = [&] { return static_cast<float>(random.below(places)) * (random.below(2) == 0 ? 1.0f : -1.0f); };
    return Vec3{one(), one(), one()};
  });
}

bool on_border(const GeometryImage& image, std::uint32_t i) {
  const std::uint32_t x = i % image.side(), y = i / image.side();
  return x == 0 || y == 0 || x + 1 == image.side() || y + 1 == image.side();
}

TEST(ImageToMesh, JoinsVerticesOfTheBorderWithEqualCoordinatesAndNoOthers) {
  for (const int n : {1, 2, 3, 4})
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
      const GeometryImage image = crowded_image(n, seed, 1 + seed % 4);
      const Mesh mesh = to_mesh(image);
      ASSERT_EQ(mesh.triangles.size(), image.triangle_count());
      std::map<std::uint32_t, std::uint32_t> vertex_of;  // of the mesh, for each of the image
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
          const std::uint32_t in_image = image_triangle(n, t)[k], in_mesh = mesh.triangles[t][k];
          ASSERT_EQ(mesh.positions[in_mesh], image.positions[in_image]);
          const auto [at, fresh] = vertex_of.emplace(in_image, in_mesh);
          ASSERT_EQ(at->second, in_mesh);
        }
      std::set<std::uint32_t> used;
      for (std::uint32_t i = 0; i < image.positions.size(); ++i) {
        used.insert(vertex_of[i]);
        for (std::uint32_t j = 0; j < i; ++j) {
          const bool join = on_border(image, i) && on_border(image, j) && image.positions[i] == image.positions[j];
          ASSERT_EQ(vertex_of[i] == vertex_of[j], join) << i << " and " << j;
        }
      }
      EXPECT_EQ(used.size(), mesh.positions.size()) << "no vertex is unused";
    }
}

TEST(ImageToMesh, NumbersTheBorderFirstAndThenTheInsideRowByRow) {
  const GeometryImage image = filled(2, [](auto x, auto y) {
    return Vec3{static_cast<float>(x), static_cast<float>(y), 0};
  });
  const Mesh mesh = to_mesh(image);
  const std::vector<std::uint32_t> order{0,  1,  2, 3, 4, 9, 14, 19, 24, 23, 22, 21, 20,
                                         15, 10, 5, 6, 7, 8, 11, 12, 13, 16, 17, 18};
  ASSERT_EQ(mesh.positions.size(), 25u);
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(mesh.positions[i], image.positions[order[i]]) << i;
}

TEST(ImageNormals, AreThoseOfAllTrianglesAroundAVertex) {
  for (const int n : {1, 2, 4})
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      GeometryImage image = seed % 2 == 0 ? random_image(n, seed, 1) : crowded_image(n, seed, 3);
      const Mesh mesh = to_mesh(image);  // joined as normals are
      std::vector<Vec3d> sums(mesh.positions.size());
      for (const Triangle& t : mesh.triangles) {
        const Vec3d a = to_double(mesh.positions[t.a]);
        const Vec3d normal = cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a);
        for (int k = 0; k < 3; ++k) sums[t[k]] += normal;
      }
      compute_normals(image);
      ASSERT_EQ(image.normals.size(), image.positions.size());
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
          const Vec3d sum = sums[mesh.triangles[t][k]];
          const Vec3 found = image.normals[image_triangle(n, t)[k]];
          if (dot(sum, sum) == 0) {
            EXPECT_EQ(found, Vec3{});
            continue;
          }
          const Vec3d expected = sum * (1 / std::sqrt(dot(sum, sum)));
          for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(found[axis], expected[axis], 1e-6);
        }
    }
}

TEST(ImageToMesh, RefusesAnImageThatIsNotSound) {
  EXPECT_THROW((void)to_mesh({.n = 3, .positions = std::vector<Vec3>(80), .normals = {}}), Error);
}

TEST(ImageNormals, OfASphereAreItsRadii) {
  GeometryImage image = image_of_sphere(6);
  compute_normals(image);
  ASSERT_EQ(image.normals.size(), image.positions.size());
  for (std::size_t i = 0; i < image.normals.size(); ++i) {
    EXPECT_NEAR(length(image.normals[i]), 1, 1e-6f);
    EXPECT_GT(dot(image.normals[i], image.positions[i]), 0.9995f) << i;
  }
}

TEST(ImageNormals, AreEqualAcrossTheCut) {
  GeometryImage image = torus_image(4);
  compute_normals(image);
  const std::uint32_t side = image.side();
  for (std::uint32_t i = 0; i < side; ++i) {
    EXPECT_EQ(image.normals[i], image.normals[(side - 1) * side + i]);
    EXPECT_EQ(image.normals[i * side], image.normals[i * side + side - 1]);
  }
  EXPECT_GT(image.normals[0].x, 0.999f) << "the outermost point, at a corner of the image";
}

TEST(ImageNormals, WeighTrianglesByArea) {
  // All flat but one corner lifted: the two triangles there, and no other, lean.
  GeometryImage image = filled(1, [](auto x, auto y) {
    return Vec3{static_cast<float>(x), static_cast<float>(y), x == 2 && y == 2 ? 1.0f : 0.0f};
  });
  compute_normals(image);
  // About (1, 1): four flat triangles (0, 0, 1), and (0, -1, 1), (-1, 0, 1), all of twice the area 1.
  const Vec3 expected = normalize(Vec3{-1, -1, 6});
  EXPECT_NEAR(image.normals[4].x, expected.x, 1e-6f);
  EXPECT_NEAR(image.normals[4].y, expected.y, 1e-6f);
  EXPECT_NEAR(image.normals[4].z, expected.z, 1e-6f);
  EXPECT_EQ(image.normals[0], (Vec3{0, 0, 1}));
}

TEST(ImageNormals, AreZeroWhereTheSurfaceHasNone) {
  for (GeometryImage image : {filled(3,
                                     [](auto, auto) {
                                       return Vec3{1, 2, 3};
                                     }),
                              filled(3, [](auto x, auto y) {
                                return Vec3{1, 2, 3} * static_cast<float>(x * 9 + y);
                              })}) {
    compute_normals(image);
    for (const Vec3 n : image.normals) EXPECT_EQ(n, Vec3{});
  }
}

TEST(ImageNormals, DoNotDependOnTheScale) {
  GeometryImage unit = wavy_ball(4), other = unit;
  compute_normals(unit);
  for (const float scale : {0x1p-100f, 0x1p57f}) {
    other.positions = unit.positions;
    for (Vec3& p : other.positions) p = p * scale;
    compute_normals(other);
    EXPECT_EQ(unit.normals, other.normals) << scale;
  }
}

}  // namespace
}  // namespace lamella
