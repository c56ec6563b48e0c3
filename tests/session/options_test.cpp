// Options that a command has and the page has no field for: each gives the library's own answer, and each can be told.

#include <gmock/gmock.h>

#include "answer/depth.hpp"
#include "answer/query.hpp"
#include "cli/program.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/solid.hpp"
#include "scenes/catalogue.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

/// A closed box, and one without its lid that shares a slice with it, a tenth as deep as both together.
class AskedOptions : public testing::Test {
 protected:
  void SetUp() override {
    a_ = talk_.add_mesh("a.ply", box_);
    b_ = talk_.add_mesh("b.ply", open_);
  }
  Json answer(const char* kind, Json more, const Json& options) {
    more.update({{"op", "query"}, {"kind", kind}, {"options", options}});
    return timeless(talk_.ask(more)["answer"]);
  }
  Json pair(const Json& options) { return answer("intersect", {{"a", a_}, {"b", b_}}, options); }
  std::string refused(const char* kind, const Json& options) {
    return talk_.refused({{"op", "query"}, {"kind", kind}, {"a", a_}, {"b", b_}, {"id", a_}, {"options", options}});
  }
  Json expected(const Options& options) const {
    return timeless(answer::overlap_json("intersect", intersect(box_, open_, options), options.resolution, subjects_));
  }

  const Mesh box_ = make_box({0, 0, 0}, {1, 1, 1});
  const Mesh open_ = make_open_box({0.2f, 0.2f, 0.9f}, {0.8f, 0.8f, 1.9f});
  const answer::Subjects subjects_{.names = {"a.ply", "b.ply"}, .volumes = {}};
  Conversation talk_;
  std::uint32_t a_ = 0, b_ = 0;
};

TEST_F(AskedOptions, MinThickness) {
  const Mesh hand = scenes::find_model("hand")->make(3000), phone = scenes::find_model("phone")->make(2000);
  const Json pair{{"a", talk_.add_mesh("hand.ply", hand)}, {"b", talk_.add_mesh("phone.ply", phone)}};
  const Json found = answer("intersect", pair, {{"resolution", 64}});
  for (const float part : {0.01f, 0.3f, 0.9f}) {
    const Options options{.resolution = 64, .min_thickness = part, .explain = true};
    const Json thick = answer("intersect", pair, {{"resolution", 64}, {"min_thickness", answer::shortest(part)}});
    EXPECT_EQ(thick, timeless(answer::overlap_json("intersect", intersect(hand, phone, options), 64,
                                                   {.names = {"hand.ply", "phone.ply"}, .volumes = {}})));
    EXPECT_NE(thick["volume"], found["volume"]) << part;
  }
  EXPECT_EQ(answer("intersect", pair, {{"resolution", 64}}), found) << "the next question is asked without it";
  for (const Json& bad : {Json(-0.1), Json(1), Json("thin")})
    EXPECT_THAT(refused("intersect", {{"min_thickness", bad}}), HasSubstr("min_thickness"));
}

TEST_F(AskedOptions, AsIs) {
  const Json closed = pair({{"resolution", 32}}), as_is = pair({{"resolution", 32}, {"as_is", true}});
  EXPECT_EQ(as_is, expected({.resolution = 32, .explain = true, .close_holes = false}));
  EXPECT_NE(as_is["health"], closed["health"]);
  EXPECT_EQ(pair({{"resolution", 32}}), closed) << "the next question is asked without it";
  const Json self = answer("self", {{"id", b_}}, {{"resolution", 32}, {"as_is", true}});
  EXPECT_EQ(self, timeless(answer::self_json(self_intersect(open_, {.resolution = 32, .close_holes = false}), 32,
                                             {.names = {"b.ply"}, .volumes = {}})));
  EXPECT_THAT(refused("intersect", {{"as_is", 1}}), HasSubstr("as_is"));
}

TEST_F(AskedOptions, AsIsOfTheSurfaceThatIsDrawn) {
  const Reply reply = talk_.ask({{"op", "query"},
                                 {"kind", "intersect"},
                                 {"a", a_},
                                 {"b", b_},
                                 {"want", {"solid"}},
                                 {"solid_resolution", 16},
                                 {"options", {{"resolution", 32}, {"as_is", true}}}});
  const DrawnSolid surface = drawn(overlap_solid(box_, open_, {.resolution = 16, .close_holes = false}));
  EXPECT_EQ(reply.array<Vec3>(reply["solid"]["positions"]), surface.positions);
}

TEST_F(AskedOptions, MaxCrossings) {
  EXPECT_EQ(pair({{"resolution", 32}, {"max_crossings", 4294967295u}}), pair({{"resolution", 32}}));
  EXPECT_NE(refused("layers", {{"resolution", 32}, {"max_crossings", 1}}), "") << "a box has more";
  EXPECT_THAT(refused("intersect", {{"max_crossings", 0}}), HasSubstr("max_crossings"));
}

TEST_F(AskedOptions, AroundPointsAndBox) {
  const std::vector<Vec3> points{{0.05f, 0.05f, 0.05f}, {0.051f, 0.07f, 0.06f}, {0.06f, -0.001f, 0.05f}};
  const auto asked = [&](const Json& options) {
    const Json given = talk_.writer.add(points);
    return answer("contain", {{"id", a_}, {"points", given}}, options);
  };
  answer::Subjects subjects{.names = {"a.ply", "points"}, .volumes = {}};
  EXPECT_EQ(asked({{"resolution", 16}, {"around_points", true}}),
            timeless(answer::contain_json(contains(box_, points, {.resolution = 16, .around_points = true}), 16, false,
                                          subjects)));
  EXPECT_NE(asked({{"resolution", 16}, {"around_points", true}}), asked({{"resolution", 16}}));
  const Json box{{"min", {0, 0, 0}}, {"max", {0.1, 0.1, 0.1}}};
  subjects.boxed = true;
  EXPECT_EQ(asked({{"resolution", 16}, {"box", box}}),
            timeless(answer::contain_json(
                contains(box_, points, Aabb{{0, 0, 0}, {0.1f, 0.1f, 0.1f}}, {.resolution = 16}), 16, false, subjects)));
  EXPECT_THAT(refused("contain", {{"box", {{"min", {0, 0, 0}}, {"max", {1, 1, 1e300}}}}}), testing::_);
}

TEST_F(AskedOptions, Directions) {
  const Mesh b = make_box({0.7f, 0.1f, 0.2f}, {1.5f, 1.1f, 1.3f});
  const std::uint32_t id = talk_.add_mesh("c.ply", b);
  const Json found = answer("depth", {{"a", a_}, {"b", id}}, {{"resolution", 32}, {"directions", 7}});
  const answer::DepthAnswer expected =
      answer::measure_depth(box_, b, {.query = {.resolution = 32, .keep_spans = false}, .directions = 7});
  EXPECT_EQ(found["separation"],
            timeless(answer::depth_json(expected, {.names = {"a.ply", "c.ply"}, .volumes = {}}))["separation"]);
}

/// Of a scene, as it is told.
class AskedOptionsOfScenes : public AskedOptions {
 protected:
  /// Volumes and contacts of a scene that has seen nothing before.
  Json expected_pairs(SceneOptions options) const {
    options.points = false;
    Scene scene(options);
    scene.add(box_);
    scene.add(open_);
    return pairs_of(scene.collide());
  }
  static Json pairs_of(const SceneResult& result) {
    Json out = Json::array();
    for (const ScenePair& p : result.pairs)
      out.push_back({p.volume ? Json(*p.volume) : Json(nullptr), result.contacts_of(p).size()});
    return out;
  }
  Json pairs(const Json& options) {
    Json out = Json::array();
    const Json found = answer("scene", Json::object(), options);
    for (const Json& p : found["pairs_detail"]) out.push_back({p["volume"], p["contacts"].size()});
    return out;
  }
};

TEST_F(AskedOptionsOfScenes, EachGivesTheLibrarysAnswer) {
  const Json usual = pairs({{"resolution", 32}});
  EXPECT_EQ(usual, expected_pairs({.resolution = 32}));
  const Screen screen{{0, 0, 9}, 0.01};
  const std::vector<std::pair<Json, SceneOptions>> cases{
      {{{"cell", 0.07}}, {.cell = 0.07f}},
      {{{"screen", {0, 0, 9, 0.01}}}, {.screen = screen}},
      {{{"max_contacts", 2}}, {.max_contacts = 2}},
      {{{"max_contacts", 0}}, {.max_contacts = 0}},
      {{{"as_is", true}}, {.close_holes = false}},
      {{{"views", 1}, {"axis", "x"}}, {.axis = Axis::x, .views = 1}},
      {{{"normals", "neighbours"}}, {.normals = Normals::neighbours}},
      {{{"threshold", 40}}, {.threshold = 40}},
  };
  for (const auto& [options, same] : cases) {
    EXPECT_EQ(pairs(options), expected_pairs(same)) << options;
    EXPECT_EQ(pairs({{"resolution", 32}}), usual) << "after " << options;
  }
  EXPECT_NE(pairs({{"cell", 0.07}}), pairs(Json::object()));
}

TEST_F(AskedOptionsOfScenes, SelfOverlap) {
  const Mesh twice = joined(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0, 0}, {1.5f, 1, 1}));
  (void)talk_.add_mesh("twice.ply", twice);
  EXPECT_EQ(answer("scene", Json::object(), {{"resolution", 32}, {"self", true}})["self_overlaps"].size(), 1u);
  EXPECT_EQ(
      answer("scene", {{"self", false}}, {{"resolution", 32}, {"self", true}}).value("self_overlaps", Json()).size(),
      0u)
      << "the question itself has the last word";
}

TEST_F(AskedOptionsOfScenes, ThatAreNoneAreRefused) {
  const std::vector<std::pair<const char*, Json>> bad{
      {"cell", 0},          {"cell", -1},         {"cell", 1e300},   {"screen", {0, 0, 9}},    {"screen", 5},
      {"views", 2},         {"views", 0},         {"normals", "up"}, {"threshold", -1},        {"threshold", 1e300},
      {"max_contacts", -1}, {"max_contacts", 99}, {"as_is", "no"},   {"screen", {0, 0, 9, 0}}, {"self", 3},
  };
  for (const auto& [name, value] : bad) EXPECT_NE(refused("scene", {{name, value}}), "") << name << " " << value;
}

}  // namespace
}  // namespace lamella::test
