// software-wscg: the published software generator, which clips. Where nothing is clipped its columns are the reference
// engine's (engine_test.cpp); here, what clipping does.

#include <gtest/gtest.h>

#include <cmath>

#include "engines/wscg/clip.hpp"
#include "lamella/engine.hpp"
#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"
#include "support/health.hpp"
#include "support/on_grid.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;
using wscg::Plane;
using wscg::Polygon;

constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};

Polygon triangle(Vec3 a, Vec3 b, Vec3 c) {
  Polygon p;
  for (const Vec3 corner : {a, b, c}) p.add(corner);
  return p;
}

/// Of the unit cube.
constexpr Plane kUnit[] = {{0, 0, true}, {0, 1, false}, {1, 0, true}, {1, 1, false}, {2, 0, true}, {2, 1, false}};

/// Area of the projection along z, counter-clockwise positive.
double area(const Polygon& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.count; ++i) {
    const Vec3 a = p.corners[i], b = p.corners[(i + 1) % p.count];
    sum += 0.5 * (static_cast<double>(a.x) * b.y - static_cast<double>(a.y) * b.x);
  }
  return sum;
}

TEST(WscgClip, ATriangleInsideStaysAsItIs) {
  const Polygon p = triangle({0, 0, 0}, {1, 0.5f, 1}, {0.25f, 1, 0.5f});
  const Polygon clipped = wscg::clip(p, kUnit);
  ASSERT_EQ(clipped.count, 3u);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(clipped.corners[k], p.corners[k]);
}

TEST(WscgClip, ACornerCutOffMakesAnotherCornerAndTheCutLiesOnThePlane) {
  const Polygon clipped = wscg::clip(triangle({0.25f, 0.25f, 0.5f}, {1.25f, 0.25f, 0.5f}, {0.25f, 0.75f, 0.5f}), kUnit);
  ASSERT_EQ(clipped.count, 4u);
  EXPECT_EQ(clipped.corners[1], (Vec3{1, 0.25f, 0.5f}));
  EXPECT_EQ(clipped.corners[2], (Vec3{1, 0.375f, 0.5f}));
}

TEST(WscgClip, ATriangleAroundTheBoxBecomesItsCrossSection) {
  const Polygon clipped = wscg::clip(triangle({-9, -9, 0.5f}, {12, -9, 0.5f}, {-9, 12, 0.5f}), kUnit);
  EXPECT_NEAR(area(clipped), 1, 1e-6);
}

TEST(WscgClip, NothingIsLeftOfATriangleBeyondACornerThatNoPlaneAloneExcludes) {
  const Polygon p = triangle({1.5f, 0.7f, 0.5f}, {0.7f, 1.5f, 0.5f}, {1.5f, 1.5f, 0.5f});
  EXPECT_FALSE(wscg::is_beyond(p.points(), kUnit));
  EXPECT_LT(wscg::clip(p, kUnit).count, 3u);
  EXPECT_TRUE(wscg::is_beyond(triangle({2, 0, 0}, {3, 1, 1}, {2, 1, 0}).points(), kUnit));
}

TEST(WscgClip, NeighboursGetTheSameCornersOnTheirSharedEdge) {
  Random random(5);
  std::size_t shared = 0;
  for (int i = 0; i < 500; ++i) {
    const Aabb around{{-1, -1, -1}, {2, 2, 2}};
    const Vec3 a = random.in(around), b = random.in(around), c = random.in(around), d = random.in(around);
    const Polygon one = wscg::clip(triangle(a, b, c), kUnit), other = wscg::clip(triangle(b, a, d), kUnit);
    const auto on_edge = [&](Vec3 p) { return length(cross(to_double(p - a), to_double(b - a))) < 1e-6; };
    const auto cut_off = [&](const Polygon& p) {
      std::vector<Vec3> corners;
      for (const Vec3 q : p.points())
        if (on_edge(q) && q != a && q != b) corners.push_back(q);
      std::sort(corners.begin(), corners.end(), [](Vec3 v, Vec3 w) { return v.x < w.x; });
      corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
      return corners;
    };
    if (one.count == 0 || other.count == 0) continue;
    EXPECT_EQ(cut_off(one), cut_off(other));
    shared += cut_off(one).size();
  }
  EXPECT_GT(shared, 100u) << "else nothing was compared";
}

/// From the inner end, so that a far outer end costs no digits.
TEST(WscgClip, ACutIsAsExactAsItsInnerEndHoweverFarTheOuterEndIs) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Vec3 first = random.in({{0, 0, 0}, {1, 1, 1}}), last = random.in({{0, 0, 0}, {1, 1, 1}});
    const float far = i % 2 == 0 ? 1e3f : 1e12f;
    Vec3 outer = random.in({{-far, -far, -far}, {far, far, far}});
    const int axis = i % 3;
    const bool above = i % 4 < 2;
    outer[axis] = above ? -far : far;
    const Plane plane{axis, above ? 0.0f : 1.0f, above};
    const Polygon clipped = wscg::clip(triangle(first, outer, last), {&plane, 1});
    ASSERT_EQ(clipped.count, 4u);
    EXPECT_EQ(clipped.corners[0], first);
    EXPECT_EQ(clipped.corners[3], last);
    for (const int which : {1, 2}) {
      const Vec3 inner = which == 1 ? first : last;
      const long double t =
          (static_cast<long double>(plane.at) - inner[axis]) / (static_cast<long double>(outer[axis]) - inner[axis]);
      for (int k = 0; k < 3; ++k)
        EXPECT_FLOAT_EQ(
            clipped.corners[which][k],
            k == axis ? plane.at : static_cast<float>(inner[k] + t * (static_cast<long double>(outer[k]) - inner[k])));
    }
  }
}

class Wscg : public testing::Test {
 protected:
  Ldi build_cut(MeshView mesh, const Grid& grid, End outside) {
    Ldi out;
    engine_->build_cut(mesh, grid, outside, out);
    const LdiReport report = validate(out);
    EXPECT_TRUE(report.well_formed) << report.problem;
    return out;
  }
  std::unique_ptr<Engine> engine_ = make_engine({.engine = "software-wscg"});
  std::unique_ptr<Engine> reference_ = make_engine({.engine = "reference"});
};

TEST_F(Wscg, LeavesOutWhatLiesBeyondTheBoxOfAPair) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
  const Ldi low = build_cut(box_mesh({0, 0, 0.25f}, {1, 1, 5}), grid, End::low);
  EXPECT_EQ(low.outside, End::low);
  const Ldi high = build_cut(box_mesh({0, 0, -5}, {1, 1, 0.75f}), grid, End::high);
  EXPECT_EQ(high.outside, End::high);
  for (std::size_t i = 0; i < grid.column_count(); ++i) {
    ASSERT_EQ(low.column(i).size(), 1u);
    EXPECT_EQ(low.column(i)[0], Crossing::make(0.25f, true));
    ASSERT_EQ(high.column(i).size(), 1u);
    EXPECT_EQ(high.column(i)[0], Crossing::make(0.75f, false));
  }
}

TEST_F(Wscg, AMeshThatEndsWithinTheBoxIsWholeAndAHoleInItShows) {
  Mesh mesh = test::round_sphere(20, 40);
  const Grid grid{{{-1, -1, -1.5f}, {1, 1, 2}}, Axis::z, 32, 32};
  EXPECT_EQ(build_cut(mesh, grid, End::low).outside, End::both);
  EXPECT_EQ(validate(build_cut(mesh, grid, End::low)).open_columns, 0u);
  mesh.triangles.resize(mesh.triangles.size() - 300);
  EXPECT_GT(validate(build_cut(mesh, grid, End::low)).open_columns, 30u);
}

TEST_F(Wscg, EveryColumnOfARandomClosedMeshClosesAlsoWhereTheImageCutsIt) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Grid grid = test::random_grid(random);
    Ldi ldi;
    engine_->build(test::random_closed_mesh(random, grid), grid, ldi);
    const LdiReport report = validate(ldi);
    ASSERT_TRUE(report.well_formed) << report.problem;
    ASSERT_EQ(report.open_columns, 0u) << "seed " << seed;
  }
}

/// So far that only clipping at that side keeps the whole numbers of the scan conversion small enough.
TEST_F(Wscg, ASlabThatGoesOnFarBeyondOneSideOfTheImageCoversWhatItCoversInside) {
  for (const Axis axis : kAxes)
    for (int side = 0; side < 4; ++side) {
      const Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 16, 16};
      const int along = side < 2 ? grid.u() : grid.v();
      Vec3 low, high{1, 1, 1};
      low[grid.w()] = 0.25f;
      high[grid.w()] = 0.75f;
      (side % 2 == 0 ? low : high)[along] = side % 2 == 0 ? -3e12f : 3e12f;
      (side % 2 == 0 ? high : low)[along] = 0.3f;
      Ldi ldi;
      engine_->build(box_mesh(low, high), grid, ldi);
      for (std::size_t i = 0; i < grid.column_count(); ++i) {
        const bool covered = (sample_position(grid, i, 0)[along] < 0.3) == (side % 2 == 0);
        ASSERT_EQ(ldi.column(i).size(), covered ? 2u : 0u) << "side " << side << ", column " << i;
        if (!covered) continue;
        ASSERT_EQ(ldi.column(i)[0], Crossing::make(0.25f, true));
        ASSERT_EQ(ldi.column(i)[1], Crossing::make(0.75f, false));
      }
    }
}

TEST_F(Wscg, ClippingMovesEdgesAndDepthsByLessThanALatticeStep) {
  // New corners are moved to the lattice, 1024 points a cell. That bends the edges that they lie on, and tilts the
  // pieces: depths move by that step times the slope.
  const Mesh mesh = scenes::make_model("mouse", 6000);
  const Aabb box = bounds(mesh);
  const Vec3 margin = extent(box) * 0.3f;
  for (const Axis axis : kAxes) {
    const Grid grid{{box.min + margin, box.max - margin}, axis, 96, 80};
    Ldi ldi, expected;
    engine_->build(mesh, grid, ldi);
    reference_->build(mesh, grid, expected);
    std::size_t counts = 0, exact = 0, compared = 0;
    double largest = 0;
    for (std::size_t i = 0; i < grid.column_count(); ++i) {
      const auto a = ldi.column(i), b = expected.column(i);
      counts += a.size() != b.size() ? 1 : 0;
      for (std::size_t k = 0; a.size() == b.size() && k < a.size(); ++k, ++compared) {
        const double off = std::abs(static_cast<double>(a[k].depth()) - b[k].depth()) / grid.depth();
        exact += off < 1e-6 ? 1 : 0;
        largest = std::max(largest, off);
      }
    }
    EXPECT_LE(counts, 2u);
    EXPECT_LT(largest, 2e-4) << "of the box's depth; measured: 4e-5";
    EXPECT_GT(exact, compared * 9 / 10) << "triangles that are not clipped are the same";
  }
}

TEST_F(Wscg, PairsHaveTheReferenceEnginesVolume) {
  const scenes::Pair pairs[] = {scenes::hand_and_phone(4800, 900, 0.5f), scenes::hat_and_mouse(1500, 6000, 0.25f),
                                scenes::overlapping("torus_knot", 6000, "serpent", 12000, true)};
  for (const scenes::Pair& pair : pairs)
    for (const Axis axis : kAxes) {
      const Overlap o = intersect(pair.a, pair.b, {.engine = "software-wscg", .resolution = 64, .axis = axis});
      const auto voi = choose_pair_voi(bounds(pair.a), bounds(pair.b), axis);
      ASSERT_TRUE(voi);
      EXPECT_EQ(o.grid, square_grid(voi->box, axis, 64));
      const Overlap expected = test::overlap_on(o.grid, pair.a, pair.b);
      EXPECT_TRUE(o.colliding() && expected.colliding());
      EXPECT_TRUE(test::all_close(o.health));
      EXPECT_NEAR(o.volume, expected.volume, 1e-4 * expected.volume);
      EXPECT_EQ(o.engine, "software-wscg");
    }
}

TEST_F(Wscg, ABoxWithinAnother) {
  const Mesh inner = box_mesh({0.3f, 0.4f, 0.35f}, {0.6f, 0.7f, 0.55f}), outer = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Axis axis : kAxes) {
    EXPECT_NEAR(intersect(inner, outer, {.engine = "software-wscg", .axis = axis}).volume, 0.3 * 0.3 * 0.2, 1e-7);
    EXPECT_NEAR(intersect(outer, inner, {.engine = "software-wscg", .axis = axis}).volume, 0.3 * 0.3 * 0.2, 1e-7);
  }
}

TEST_F(Wscg, SelfOverlapAndPointsAreTheSoftwareEngines) {
  const Mesh fist = scenes::hand(4800, 1);
  const SelfOverlap o = self_intersect(fist, {.engine = "software-wscg"});
  const SelfOverlap expected = self_intersect(fist, {.engine = "software"});
  EXPECT_GT(expected.volume, 0);
  EXPECT_NEAR(o.volume, expected.volume, 1e-5 * expected.volume);
  const std::vector<Vec3> points = scenes::random_points(fist, 5001);
  EXPECT_EQ(contains(fist, points, {.engine = "software-wscg"}).inside_count,
            contains(fist, points, {.engine = "software"}).inside_count);
}

TEST_F(Wscg, MoreCrossingsThanAllowedAreAnErrorAndItWorksAfterwards) {
  const auto engine = make_engine({.engine = "software-wscg", .max_crossings = 100});
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  Ldi ldi;
  const Error error = test::error_of([&] { engine->build(box, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 8, 8}, ldi); });
  EXPECT_NE(std::string(error.what()).find("max_crossings"), std::string::npos) << error.what();
  engine->build(box, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 5, 10}, ldi);
  EXPECT_EQ(ldi.crossings.size(), 100u);
}

}  // namespace
}  // namespace lamella
