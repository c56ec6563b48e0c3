#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/repair.hpp"
#include "lamella/response.hpp"
#include "response/algebra.hpp"
#include "response/mass.hpp"
#include "scenes/models.hpp"
#include "scenes/vec.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using namespace response;

/// The floats of a mesh are the solid; a tolerance is for the sums alone, unless a test says so.
constexpr double kRounding = 1e-12;

void expect_near(Vec3d a, Vec3d b, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

void expect_near(const Matrix3& a, const Matrix3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) expect_near(a[i], b[i], tolerance);
}

Matrix3 box_inertia(double mass, Vec3d side) {
  const Vec3d s{side.x * side.x, side.y * side.y, side.z * side.z};
  return {Vec3d{mass * (s.y + s.z) / 12, 0, 0}, {0, mass * (s.x + s.z) / 12, 0}, {0, 0, mass * (s.x + s.y) / 12}};
}

/// Inertia about a point that is `offset` from the centre.
Matrix3 steiner(const Matrix3& about_center, double mass, Vec3d offset) {
  return about_center + (diagonal(dot(offset, offset)) + outer(offset, offset) * -1.0) * mass;
}

/// An L in the plane, 2 x 2 with the upper right quarter missing, from z = 0 to 1.
Mesh l_shape() {
  const std::vector<Vec3> outline = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  Mesh mesh;
  for (const Vec3 p : outline) mesh.positions.push_back(p);
  for (const Vec3 p : outline) mesh.positions.push_back(p + Vec3{0, 0, 1});
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const Triangle t : {Triangle{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    mesh.triangles.push_back({t.a + 6, t.b + 6, t.c + 6});
    mesh.triangles.push_back({t.c, t.b, t.a});
  }
  return mesh;
}

TEST(MassProperties, OfABoxAreThoseOfTheTextbook) {
  const MassProperties m = mass_properties(scenes::box(12, {0.5f, 1, 2}), 3);
  EXPECT_NEAR(m.mass, 3 * 1 * 2 * 4, kRounding * 24);
  expect_near(m.center, {}, kRounding);
  expect_near(m.inertia, box_inertia(24, {1, 2, 4}), kRounding * 40);
}

TEST(MassProperties, DoNotDependOnHowASurfaceIsCutIntoTriangles) {
  const MassProperties coarse = mass_properties(scenes::box(12)), fine = mass_properties(scenes::box(3000));
  EXPECT_NEAR(coarse.mass, fine.mass, 1e-6 * coarse.mass);  // the finer mesh's vertices are rounded to float
  expect_near(coarse.inertia, fine.inertia, 1e-6 * coarse.mass);
}

TEST(MassProperties, OfASphereConvergeToThoseOfTheBall) {
  double last = 1;
  for (const std::size_t faces : {1000u, 4000u, 16000u}) {
    const MassProperties m = mass_properties(scenes::sphere(faces, 2));
    const double ball = 4.0 / 3 * scenes::kPi * 8, error = std::abs(m.mass - ball) / ball;
    EXPECT_LT(error, last / 3);  // four times the faces, a quarter of the error
    last = error;
    expect_near(m.inertia * (1 / m.mass), diagonal(0.4 * 4), 4 * error);
  }
  EXPECT_LT(last, 1e-3);
}

TEST(MassProperties, OfATorusConvergeToThoseOfTheTextbook) {
  const double big = 1, small = 0.35;
  const MassProperties m = mass_properties(scenes::torus(40000));
  EXPECT_NEAR(m.mass, 2 * scenes::kPi * scenes::kPi * big * small * small, 2e-3 * m.mass);
  const double around = big * big + 0.75 * small * small, across = big * big / 2 + 0.625 * small * small;
  std::array<double, 3> found{m.inertia[0].x / m.mass, m.inertia[1].y / m.mass, m.inertia[2].z / m.mass};
  std::sort(found.begin(), found.end());
  EXPECT_NEAR(found[0], across, 2e-3);
  EXPECT_NEAR(found[1], across, 2e-3);
  EXPECT_NEAR(found[2], around, 2e-3);
}

TEST(MassProperties, OfAConcaveSolidAreThoseOfItsParts) {
  const MassProperties m = mass_properties(l_shape());
  // A bar of 2 x 1 x 1 and a cube on its left half.
  const Vec3d bar{1, 0.5, 0.5}, cube{0.5, 1.5, 0.5};
  const Vec3d middle = (bar * 2.0 + cube) * (1.0 / 3);
  EXPECT_NEAR(m.mass, 3, kRounding * 3);
  expect_near(m.center, middle, kRounding * 2);
  expect_near(
      m.inertia,
      steiner(box_inertia(2, {2, 1, 1}), 2, bar - middle) + steiner(box_inertia(1, {1, 1, 1}), 1, cube - middle),
      kRounding * 10);
}

TEST(MassProperties, MoveAndTurnWithTheMesh) {
  const Mesh mesh = scenes::blob(2000);
  const Transform pose{{30, -20, 10}, rotation_about({1, 2, 3}, 0.7)};
  const MassProperties here = mass_properties(mesh), there = mass_properties(transformed(mesh, pose));
  // Vertices 40 units away are rounded to 4e-6.
  EXPECT_NEAR(there.mass, here.mass, 1e-5 * here.mass);
  expect_near(there.center, apply(pose, here.center), 1e-5);
  expect_near(there.inertia, turned(here.inertia, matrix_of(pose.rotation)), 1e-5 * here.mass);
}

TEST(MassProperties, RefuseWhatHoldsNoVolume) {
  Mesh inside_out = scenes::box(12);
  for (Triangle& t : inside_out.triangles) std::swap(t.a, t.b);
  EXPECT_THROW((void)mass_properties(inside_out), Error);
  EXPECT_THROW((void)mass_properties(Mesh{}), Error);
  EXPECT_THROW((void)mass_properties(scenes::box(12), 0), Error);
  EXPECT_THROW((void)mass_properties(scenes::box(12), std::numeric_limits<double>::quiet_NaN()), Error);
  Mesh broken = scenes::box(12);
  broken.positions[3].y = std::numeric_limits<float>::infinity();
  EXPECT_THROW((void)mass_properties(broken), Error);
  Mesh beyond = scenes::box(12);
  beyond.triangles[1].c = 1000;
  EXPECT_THROW((void)mass_properties(beyond), Error);
}

TEST(MassProperties, RefuseAnOpenMesh) {
  Mesh open = scenes::sphere(200);
  open.triangles.erase(open.triangles.begin() + 17);
  EXPECT_THROW((void)mass_properties(open), Error);
  Mesh turned = scenes::sphere(200);
  std::swap(turned.triangles[17].a, turned.triangles[17].b);
  EXPECT_THROW((void)mass_properties(turned), Error);
}

/// Adds a mesh with three vertices of its own for each triangle.
void add_soup(Mesh& soup, const Mesh& mesh, Vec3 offset = {}) {
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    soup.triangles.push_back({first, first + 1, first + 2});
    for (int i = 0; i < 3; ++i) soup.positions.push_back(mesh.positions[t[i]] + offset);
  }
}

TEST(MassProperties, NeedNoSharedVertices) {
  const Mesh box = scenes::box(12);
  Mesh soup;
  add_soup(soup, box);
  EXPECT_EQ(mass_properties(soup).mass, mass_properties(box).mass);
  add_soup(soup, box, {2, 2, 0});  // they share an edge, where four triangles meet
  EXPECT_NEAR(mass_properties(soup).mass, 2 * mass_properties(box).mass, kRounding);
}

TEST(MassProperties, RefuseWhatDoubleCannotHold) {
  EXPECT_THROW((void)mass_properties(scenes::box(12), 1e-310), Error);
  const Mesh speck = scenes::box(12, {1e-30f, 1e-30f, 1e-30f});
  EXPECT_THROW((void)mass_properties(speck), Error) << "the inverse of its inertia overflows";
  EXPECT_NO_THROW((void)mass_properties(scenes::box(12, {1e-9f, 1e-9f, 1e-9f})));
}

TEST(MassProperties, RefuseAVertexThatIsNotFiniteAndADensityThatIsNot) {
  for (int axis = 0; axis < 3; ++axis) {
    Mesh broken = scenes::box(12);
    broken.positions[3][axis] = std::numeric_limits<float>::quiet_NaN();
    const std::string message = test::error_of([&] { (void)mass_properties(broken); }).what();
    EXPECT_NE(message.find("not finite"), std::string::npos) << message;
  }
  for (const double bad : {-1.0, 0.0, std::numeric_limits<double>::infinity()}) {
    const std::string message = test::error_of([&] { (void)mass_properties(scenes::box(12), bad); }).what();
    EXPECT_NE(message.find("density"), std::string::npos) << message;
  }
  Mesh flat = scenes::box(12);
  for (Vec3& p : flat.positions) p.z = 0;
  const std::string message = test::error_of([&] { (void)mass_properties(flat); }).what();
  EXPECT_NE(message.find("no volume"), std::string::npos) << message;
}

TEST(Closed, IsAMeshWhoseEdgesAllRunBothWays) {
  EXPECT_TRUE(is_closed(Mesh{}));
  const Mesh ball = scenes::sphere(200);
  EXPECT_TRUE(is_closed(ball));
  for (std::size_t i = 0; i < ball.triangles.size(); ++i) {
    Mesh open = ball;
    open.triangles.erase(open.triangles.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(is_closed(open)) << i;
    Mesh turned = ball;
    std::swap(turned.triangles[i].b, turned.triangles[i].c);
    EXPECT_FALSE(is_closed(turned)) << i;
    Mesh rolled = ball;
    const Triangle t = rolled.triangles[i];
    rolled.triangles[i] = {t.b, t.c, t.a};
    EXPECT_TRUE(is_closed(rolled)) << i;
  }
}

TEST(Closed, ComparesAllThreeCoordinatesAndCallsBothZerosOne) {
  Mesh soup;
  add_soup(soup, scenes::box(12, {0.5f, 0.25f, 0.125f}), {0.5f, 0.25f, 0.125f});
  EXPECT_TRUE(is_closed(soup));
  for (int axis = 0; axis < 3; ++axis) {
    Mesh moved = soup;
    moved.positions[7][axis] += 1e-6f;
    EXPECT_FALSE(is_closed(moved)) << axis;
    Mesh negative = soup;
    int changed = 0;
    for (std::size_t i = 0; i < 18; ++i)
      if (negative.positions[i][axis] == 0) negative.positions[i][axis] = -0.0f, ++changed;
    EXPECT_GT(changed, 0);
    EXPECT_TRUE(is_closed(negative)) << axis;
  }
  Mesh folded = soup;  // there and back along an edge: no gap
  folded.positions.push_back({0, 0, 0});
  folded.positions.push_back({3, 0, 0});
  folded.triangles.push_back({36, 37, 36});
  EXPECT_TRUE(is_closed(folded));
}

TEST(MassProperties, AreRefusedUnlessBothTheyAndTheirInversesAreFinite) {
  int refused = 0, taken = 0;
  for (const double density : {1e-310, 1e-100, 1.0, 1e100, 1e300, 1.7e308})
    for (int size = -35; size <= 35; ++size)
      for (const float slender : {1.0f, 1e-3f, 1e3f}) {
        const float half = std::pow(10.0f, static_cast<float>(size));
        const Mesh mesh = scenes::box(12, {half, half, half * slender});
        try {
          const MassProperties m = mass_properties(mesh, density);
          const Matrix3 i = inverse(m.inertia);
          EXPECT_TRUE(std::isfinite(m.mass) && std::isfinite(1 / m.mass)) << size << ' ' << density;
          for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GT(m.inertia[k][static_cast<int>(k)], 0);
            EXPECT_GT(i[k][static_cast<int>(k)], 0);
            for (int r = 0; r < 3; ++r) EXPECT_TRUE(std::isfinite(m.inertia[k][r]) && std::isfinite(i[k][r]));
          }
          EXPECT_NEAR(m.mass / density, 8.0 * half * half * half * slender, 1e-5 * m.mass / density);
          ++taken;
        } catch (const Error&) {
          ++refused;
        }
      }
  EXPECT_GT(std::min(taken, refused), 300);
}

TEST(Thickness, IsTheThinnestSideWhicheverItIs) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half{5, 5, 5};
    half[axis] = 0.5f;
    EXPECT_EQ(thickness_of(scenes::box(12, half)), 1) << axis;
    Mesh inside_out = scenes::box(12, half);
    for (Triangle& t : inside_out.triangles) std::swap(t.a, t.b);
    EXPECT_EQ(thickness_of(inside_out), 1) << "its volume says nothing";
  }
  EXPECT_EQ(thickness_of(Mesh{}), 0);
  Mesh flat = scenes::box(12);
  for (Vec3& p : flat.positions) p.y = 1;
  EXPECT_EQ(thickness_of(flat), 0);
  // A long bar: 4 volume / area is just above its thickness only when it is flat.
  EXPECT_NEAR(thickness_of(scenes::box(12, {2, 0.5f, 0.5f})), 4 * 4.0 / (4 * 4 * 1 + 2), 1e-6);
}

TEST(Reach, IsTheDistanceOfTheFarthestVertexThatCanBeUsed) {
  Mesh box = scenes::box(12, {1, 2, 3});
  EXPECT_NEAR(reach_of(box, {}), std::sqrt(14.0), 1e-12);
  EXPECT_NEAR(reach_of(box, {1, 0, -1}), std::sqrt(4.0 + 4 + 16), 1e-12);
  box.positions[0].x = std::numeric_limits<float>::infinity();
  EXPECT_NEAR(reach_of(box, {}), std::sqrt(14.0), 1e-12);
  EXPECT_EQ(reach_of(Mesh{}, {1, 2, 3}), 0);
}

TEST(MassProperties, RefuseAMeshWhoseInsideOutPartsMakeItsInertiaNone) {
  const auto with_part = [](float size, Vec3 at) {
    Mesh mesh;
    add_soup(mesh, scenes::box(12));
    const std::size_t first = mesh.triangles.size();
    add_soup(mesh, scenes::box(12, {size, size, size}), at);
    for (std::size_t i = first; i < mesh.triangles.size(); ++i) std::swap(mesh.triangles[i].a, mesh.triangles[i].b);
    return mesh;
  };
  EXPECT_NEAR(mass_properties(with_part(0.5f, {})).mass, 7, kRounding * 8) << "a cavity is fine";
  EXPECT_THROW((void)mass_properties(with_part(0.5f, {9, 0, 0})), Error)
      << "its volume is above 0, but its inertia about y is below";
}

TEST(Thickness, IsThatOfTheThinnestPart) {
  EXPECT_NEAR(thickness_of(scenes::box(12, {5, 5, 0.5f})), 1, 1e-6);
  EXPECT_NEAR(thickness_of(scenes::torus(20000)), 0.7, 0.01);
  EXPECT_NEAR(thickness_of(scenes::sphere(20000)), 4.0 / 3, 0.01);
  const double knot = thickness_of(scenes::torus_knot(20000, 0.25f));
  EXPECT_NEAR(knot, 0.5, 0.02);  // the tube, not the box around the knot
}

}  // namespace
}  // namespace lamella
