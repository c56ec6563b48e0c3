// Scenes as Jang, Jeong and Han publish them, beside the complete method; and what gl-pairs reads back.

#include <gmock/gmock.h>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/scene.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using testing::HasSubstr;
using PairList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Skips where there is no OpenGL.
class OpenGlJang : public testing::Test {
 protected:
  void SetUp() override {
    try {
      Scene scene(jang_options());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  static PairList pairs_of(const SceneResult& result) {
    PairList pairs;
    for (const ScenePair& p : result.pairs) pairs.emplace_back(p.a.number, p.b.number);
    return pairs;
  }
};

SceneOptions gl_options() {
  SceneOptions options;
  options.engine = "gl-pairs";
  options.views = 1;
  options.resolution = 32;
  return options;
}

/// Three boxes, each of which overlaps both others; along z the third one's front is always the last.
void add_staggered(Scene& scene) {
  scene.add(test::box_mesh({0, 0, 0}, {1, 1, 4}));
  scene.add(test::box_mesh({0.01f, 0.01f, 1}, {0.99f, 0.99f, 5}));
  scene.add(test::box_mesh({0.02f, 0.02f, 2}, {0.98f, 0.98f, 6}));
}

TEST_F(OpenGlJang, APairIsMissedThatTheDefaultFindsAndTheResultSaysSo) {
  SceneOptions published = jang_options();
  published.resolution = 32;
  published.axis = Axis::z;
  SceneOptions usual = gl_options();
  usual.axis = Axis::z;
  Scene jang(published), complete(usual);
  add_staggered(jang);
  add_staggered(complete);
  const SceneResult& missed = jang.collide();
  EXPECT_GT(missed.passed_over, 0u);
  EXPECT_LT(missed.pairs.size(), 3u);
  EXPECT_TRUE(missed.colliding());
  const SceneResult& found = complete.collide();
  EXPECT_EQ(found.passed_over, 0u);
  EXPECT_EQ(pairs_of(found), (PairList{{0, 1}, {0, 2}, {1, 2}}));

  published.strict = true;
  Scene strict(published);
  add_staggered(strict);
  EXPECT_THAT(test::error_of([&] { (void)strict.collide(); }).what(), HasSubstr("method complete"));
}

TEST_F(OpenGlJang, ContactsComeFromTheCollisionPoints) {
  SceneOptions published = jang_options();
  published.resolution = 64;
  Scene scene(published);
  scene.add(scenes::sphere(2000));
  scene.add(scenes::sphere(2000), {{1.6, 0.1, 0.05}, {}});
  const SceneResult& result = scene.collide();
  EXPECT_EQ(result.groups.size(), 1u) << "one view";
  EXPECT_EQ(result.passed_over, 0u);
  ASSERT_EQ(result.pairs.size(), 1u);
  ASSERT_GE(result.contacts.size(), 3u);
  for (const Contact& c : result.contacts) {
    EXPECT_LT(c.normal.x, -0.3f) << "from b to a";
    EXPECT_NEAR(length(c.normal), 1, 1e-5);
    const Grid& grid = result.groups[0].grid;
    const double cell = std::max(grid.cell_u(), grid.cell_v());
    EXPECT_LE(c.depth, published.threshold * cell * 1.001) << "no more than a point's two surfaces are apart";
    // On the circle where the spheres intersect, or near it.
    EXPECT_NEAR(length(c.position), 1, 4 * cell);
    EXPECT_NEAR(length(c.position - to_double(Vec3{1.6f, 0.1f, 0.05f})), 1, 4 * cell);
  }
  EXPECT_LE(result.read_back_bytes, 24 * result.points.size() + 1000) << "only points are read";
}

TEST_F(OpenGlJang, WithoutContactsOnlyPointsAreReadAndTheAnswerIsTheSame) {
  SceneOptions with = gl_options(), without = gl_options();
  with.resolution = without.resolution = 64;
  without.max_contacts = 0;
  Scene contacts(with), points(without);
  for (Scene* scene : {&contacts, &points}) {
    scene->add(scenes::torus_knot(1500));
    scene->add(scenes::blob(1200, 3), {{0.3, 0.2, 0.1}, {}});
    scene->add(scenes::torus(900), {{-0.5, 0.2, 0.1}, {}});
  }
  const SceneResult &full = contacts.collide(), &few = points.collide();
  EXPECT_EQ(pairs_of(few), pairs_of(full));
  ASSERT_EQ(few.points.size(), full.points.size());
  for (std::size_t i = 0; i < few.points.size(); ++i) {
    EXPECT_EQ(few.points[i].on_a, full.points[i].on_a);
    EXPECT_EQ(few.points[i].on_b, full.points[i].on_b);
    EXPECT_EQ(few.points[i].triangle_a, full.points[i].triangle_a);
    EXPECT_EQ(few.points[i].triangle_b, full.points[i].triangle_b);
  }
  const double size = length(extent(few.groups[0].grid.box));
  for (std::size_t i = 0; i < few.pairs.size(); ++i) {
    EXPECT_EQ(few.pairs[i].span_count, full.pairs[i].span_count);
    EXPECT_LT(length(few.pairs[i].centroid - full.pairs[i].centroid), 1e-5 * size);
  }
  EXPECT_TRUE(few.contacts.empty());
  EXPECT_FALSE(full.contacts.empty());
  EXPECT_LE(few.read_back_bytes, 24 * few.points.size() + 1000);
  EXPECT_LT(few.read_back_bytes, full.read_back_bytes);
}

TEST(Jang, RunsOnGlPairsAlone) {
  SceneOptions options = jang_options();
  EXPECT_EQ(options.views, 1u);
  EXPECT_EQ(options.normals, Normals::neighbours);
  options.engine = "software";
  EXPECT_THAT(test::error_of([&] { Scene scene(options); }).what(), HasSubstr("gl-pairs"));
}

}  // namespace
}  // namespace lamella
