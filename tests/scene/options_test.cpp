// What the options of a scene do.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/scene.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Mesh unit_box() { return test::box_mesh({0, 0, 0}, {1, 1, 1}); }
Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

bool refused(const SceneOptions& options) {
  try {
    Scene scene(options);
  } catch (const Error&) {
    return true;
  }
  return false;
}

TEST(SceneOptions, ThatMakeNoSenseAreErrors) {
  EXPECT_FALSE(refused({}));
  EXPECT_TRUE(refused({.engine = "warp"}));
  EXPECT_TRUE(refused({.engine = "reference"})) << "an engine for meshes, not for scenes";
  EXPECT_TRUE(refused({.cell = kNan}));
  EXPECT_TRUE(refused({.cell = -1}));
  EXPECT_TRUE(refused({.cell = kInfinity}));
  EXPECT_TRUE(refused({.resolution = 0}));
  EXPECT_TRUE(refused({.resolution = kMaxResolution + 1}));
  EXPECT_TRUE(refused({.max_resolution = 0}));
  EXPECT_TRUE(refused({.max_resolution = kMaxResolution + 1}));
  EXPECT_TRUE(refused({.views = 0}));
  EXPECT_TRUE(refused({.views = 2}));
  EXPECT_TRUE(refused({.threshold = kNan}));
  EXPECT_TRUE(refused({.threshold = -1}));
  EXPECT_TRUE(refused({.max_contacts = 1000}));
  EXPECT_TRUE(refused({.min_thickness = kNan}));
  EXPECT_TRUE(refused({.min_thickness = kInfinity}));
  EXPECT_TRUE(refused({.min_thickness = -0.1f}));
  EXPECT_TRUE(refused({.screen = Screen{{0, 0, 0}, std::nan("")}}));
  EXPECT_TRUE(refused({.screen = Screen{{0, 0, std::nan("")}, 0.001}}));
}

TEST(SceneOptions, AreTakenUpToTheirLimitsAndNamedBeyondThem) {
  EXPECT_FALSE(
      refused({.cell = 0, .resolution = 1, .max_resolution = 1, .views = 1, .threshold = 0, .max_contacts = 0}));
  EXPECT_FALSE(refused({.cell = 0x1p100f,
                        .resolution = kMaxResolution,
                        .max_resolution = kMaxResolution,
                        .views = 3,
                        .threshold = kInfinity,
                        .max_contacts = kMaxContacts}));
  const auto named = [](const SceneOptions& options, const char* name) {
    const std::string message = test::error_of([&] { Scene scene(options); }).what();
    EXPECT_NE(message.find(name), std::string::npos) << message;
  };
  named({.cell = 0x1p101f}, "cell");
  named({.cell = -0.001f}, "cell");
  named({.resolution = 0}, "resolution 0");
  named({.max_resolution = 0}, "max_resolution");
  named({.views = 2}, "views");
  named({.threshold = -0.001f}, "threshold");
  named({.max_contacts = kMaxContacts + 1}, "max_contacts");
  named({.min_thickness = -0.001f}, "thick");
  named({.engine = "gl-pairs", .self_overlap = true}, "self-overlaps");
  named({.engine = "software", .method = PairMethod::jang}, "jang");
  for (const double bad : {0.0, -0.001, std::nan(""), double{kInfinity}})
    named({.screen = Screen{{0, 0, 0}, bad}}, "pixel_angle");
  for (int axis = 0; axis < 3; ++axis)
    for (const double bad : {std::nan(""), double{kInfinity}}) {
      Screen screen;
      screen.eye[axis] = bad;
      named({.screen = screen}, "eye");
      Scene scene;
      EXPECT_THROW(scene.look_from(screen), Error);
      EXPECT_EQ(scene.options().screen.has_value(), false);
    }
}

TEST(SceneOptions, OfJangAreAsPublished) {
  const SceneOptions options = jang_options();
  EXPECT_EQ(options.engine, "gl-pairs");
  EXPECT_EQ(options.views, 1u);
  EXPECT_EQ(options.normals, Normals::neighbours);
  EXPECT_EQ(options.method, PairMethod::jang);
}

/// The axis along which a pair's volume and points were found.
Axis own_axis(const SceneResult& r) { return r.groups.at(r.pairs.at(0).group).grid.axis; }

TEST(SceneOptions, APairKeepsItsAxisUntilAnotherIsClearlyBetter) {
  // Along x the boxes are 0.5 in each other, along z as deep as given.
  const auto depth = [](double x, double z) { return at(1 - x, 0, 1 - z); };
  for (const unsigned views : {1u, 3u}) {
    SCOPED_TRACE(views);
    Scene scene({.resolution = 16, .views = views});
    (void)scene.add(unit_box());
    const ObjectId b = scene.add(unit_box(), depth(0.4, 0.5));
    EXPECT_EQ(own_axis(scene.collide()), Axis::x) << "the shallowest";
    scene.move(b, depth(0.4, 0.33));
    EXPECT_EQ(own_axis(scene.collide()), Axis::x) << "z is better, but not by a fifth";
    scene.move(b, depth(0.4, 0.31));
    EXPECT_EQ(own_axis(scene.collide()), Axis::z);
    scene.move(b, depth(0.26, 0.31));
    EXPECT_EQ(own_axis(scene.collide()), Axis::z);
    scene.move(b, depth(0.24, 0.31));
    EXPECT_EQ(own_axis(scene.collide()), Axis::x);
    // Apart, and together again: nothing is remembered.
    scene.move(b, at(50, 0, 0));
    EXPECT_FALSE(scene.collide().colliding());
    scene.move(b, depth(0.4, 0.38));
    EXPECT_EQ(own_axis(scene.collide()), Axis::z);
  }
  Scene forced({.resolution = 16, .axis = Axis::y});
  (void)forced.add(unit_box());
  (void)forced.add(unit_box(), depth(0.4, 0.1));
  EXPECT_EQ(own_axis(forced.collide()), Axis::y);
  EXPECT_EQ(forced.collide().groups.size(), 1u);
}

TEST(SceneOptions, PointsAndContactsAreMadeOnlyWhenAskedFor) {
  Scene scene({.points = false, .max_contacts = 0});
  (void)scene.add(scenes::sphere(320));
  (void)scene.add(scenes::sphere(320), at(0.5, 0.25, 0.1));
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_TRUE(r.points.empty());
  EXPECT_TRUE(r.contacts.empty());
  EXPECT_EQ(r.pairs[0].point_count, 0u);
  EXPECT_EQ(r.pairs[0].contact_count, 0u);

  Scene both;
  (void)both.add(scenes::sphere(320));
  (void)both.add(scenes::sphere(320), at(0.5, 0.25, 0.1));
  EXPECT_FALSE(both.collide().points.empty());
  EXPECT_FALSE(both.collide().contacts.empty());
  EXPECT_EQ(*both.collide().pairs[0].volume, *r.pairs[0].volume);
}

TEST(SceneOptions, ACellSizeIsKeptUnlessTheGridWouldGetTooLarge) {
  for (const float cell : {0.01f, 0.037f, 0.3f}) {
    Scene scene({.cell = cell, .max_resolution = 64});
    (void)scene.add(scenes::sphere(320));
    (void)scene.add(scenes::sphere(320), at(0.3, 0.2, 0.1));
    for (const SceneGroup& g : scene.collide().groups) {
      EXPECT_LE(g.grid.columns, 64u);
      EXPECT_LE(g.grid.rows, 64u);
      const auto kept = [&](double size) { return std::abs(size - cell) < 1e-5 * cell; };
      EXPECT_TRUE(kept(g.grid.cell_u()) || (g.grid.columns == 64 && g.grid.cell_u() > cell));
      EXPECT_TRUE(kept(g.grid.cell_v()) || (g.grid.rows == 64 && g.grid.cell_v() > cell));
      EXPECT_EQ(kept(g.grid.cell_u()), cell > 0.02f);
    }
    EXPECT_EQ(scene.collide().pairs.size(), 1u);
  }
}

TEST(SceneOptions, AResolutionIsThatOfEachGroup) {
  Scene scene({.resolution = 40});
  for (const double x : {0.0, 0.3, 20.0, 20.6}) (void)scene.add(unit_box(), at(x, 0.1 * x, 0));
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.pairs.size(), 2u);
  EXPECT_EQ(r.groups.size(), 6u);
  for (const SceneGroup& g : r.groups) {
    EXPECT_EQ(g.grid.columns, 40u);
    EXPECT_EQ(g.grid.rows, 40u);
  }
}

TEST(SceneOptions, CellsAreFinerWhereTheViewerIsNearer) {
  Scene scene({.screen = Screen{{-10, 0, 0}, 0.002}});
  for (const double x : {0.0, 0.3, 40.0, 40.3}) (void)scene.add(unit_box(), at(x, 0, 0));
  const auto cell_of = [&](const SceneResult& r, std::size_t pair) {
    return r.groups[r.pairs[pair].group].grid.cell_u();
  };
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 2u);
  for (const auto& [pair, distance] : {std::pair(0u, 10.0), std::pair(1u, 50.0)}) {
    EXPECT_LE(cell_of(r, pair), 1.1 * distance * 0.002) << "no coarser than a pixel";
    EXPECT_GT(cell_of(r, pair), 0.49 * distance * 0.002) << "nor much finer";
  }
  scene.look_from({{55, 0, 0}, 0.002});
  const SceneResult& moved = scene.collide();
  EXPECT_GT(cell_of(moved, 0), 3 * cell_of(moved, 1));
  scene.look_from({{0.5, 0.5, 0.5}, 0.002});  // within the first two
  EXPECT_GT(cell_of(scene.collide(), 0), 0.0005);
}

TEST(SceneOptions, CellsTooSmallToCountAreAsManyAsAllowed) {
  Scene scene({.screen = Screen{{10, 0, 0}, 1e-320}, .max_resolution = 64});
  for (const double x : {0.0, 0.3}) (void)scene.add(unit_box(), at(x, 0, 0));
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_NEAR(r.pairs[0].volume.value(), 0.7, 1e-6);
  EXPECT_EQ(r.groups[0].grid.columns, 64u);
}

TEST(SceneOptions, CellsStayFiniteHoweverFarTheViewerIsAndHoweverLargeAPixel) {
  Mesh open = unit_box();
  open.triangles.pop_back();
  for (const Screen& screen : {Screen{{1e300, 0, 0}, 0.001}, Screen{{10, 0, 0}, 1e300}, Screen{{1e308, 1e308, 0}, 1}}) {
    Scene scene({.screen = screen});
    (void)scene.add(open);
    (void)scene.add(unit_box(), at(0.3, 0, 0));
    const SceneResult& r = scene.collide();
    ASSERT_EQ(r.candidate_count, 1u);
    for (const SceneGroup& g : r.groups) {
      EXPECT_EQ(g.grid.column_count(), 1u);
      EXPECT_LE(g.grid.cell_u(), 0x1p100);
    }
    EXPECT_TRUE(std::isfinite(r.health.untrusted_volume));
  }
}

TEST(SceneOptions, AGivenCellGoesBeforeAScreen) {
  Scene scene({.cell = 0.05f, .screen = Screen{{-1000, 0, 0}, 0.002}});
  for (const double x : {0.0, 0.3}) (void)scene.add(unit_box(), at(x, 0, 0));
  for (const SceneGroup& g : scene.collide().groups) EXPECT_NEAR(g.grid.cell_u(), 0.05, 1e-6);
}

TEST(SceneOptions, TooManyCrossingsAreAnErrorAndTheSceneGoesOn) {
  Scene scene({.max_crossings = 1000});
  const ObjectId a = scene.add(scenes::torus_knot(600)), b = scene.add(scenes::torus_knot(600), at(0.2, 0.1, 0));
  EXPECT_THROW((void)scene.collide(), Error);
  EXPECT_THROW((void)scene.collide(), Error);
  scene.move(b, at(100, 0, 0));
  EXPECT_FALSE(scene.collide().colliding());
  scene.move(b, at(0.3, 0, 0.2));
  (void)a;
  EXPECT_THROW((void)scene.collide(), Error);
}

}  // namespace
}  // namespace lamella
