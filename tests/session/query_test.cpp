// Every query against the library's own answer, to the bit.

#include "lamella/query.hpp"

#include <gmock/gmock.h>

#include "answer/depth.hpp"
#include "answer/distance.hpp"
#include "answer/layers.hpp"
#include "answer/query.hpp"
#include "answer/scene.hpp"
#include "cli/program.hpp"
#include "lamella/scene.hpp"
#include "lamella/solid.hpp"
#include "scenes/catalogue.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

const Mesh& hand() {
  static const Mesh mesh = scenes::find_model("hand")->make(3000);
  return mesh;
}
const Mesh& phone() {
  static const Mesh mesh = scenes::find_model("phone")->make(2000);
  return mesh;
}

const Transform kMoved{{0.013, -0.02, 0.031}, normalized({0.02, -0.05, 0.1, 1})};
const Transform kFar{{3e7, 1e7, -2e7}, normalized({0.3, -0.5, 0.1, 1})};
const Options kAsked{.resolution = 64, .explain = true};

/// A hand and a phone, which may be placed.
class Asking : public testing::Test {
 protected:
  void SetUp() override {
    a_ = talk_.add_mesh("hand.ply", hand());
    b_ = talk_.add_mesh("phone.ply", phone());
  }
  void place(std::uint32_t id, const Transform& pose) {
    talk_.ask({{"op", "pose"}, {"poses", {{id, to_pose(pose)}}}, {"pose_as_is", true}});
  }
  Reply query(const char* kind, Json more) {
    more["op"] = "query";
    more["kind"] = kind;
    if (!more.contains("options")) more["options"] = {{"resolution", 64}};
    return talk_.ask(more);
  }
  Json pair(std::vector<std::string> want = {}) const { return {{"a", a_}, {"b", b_}, {"want", want}}; }

  Conversation talk_;
  std::uint32_t a_ = 0, b_ = 0;
  const answer::Subjects both_{.names = {"hand.ply", "phone.ply"}, .volumes = {}};
};

Json expected_overlap(MeshView a, MeshView b, const answer::Subjects& subjects) {
  return timeless(answer::overlap_json("intersect", intersect(a, b, kAsked), 64, subjects));
}

TEST_F(Asking, ForAnOverlapGivesTheLibrarysAnswer) {
  EXPECT_EQ(timeless(query("intersect", pair())["answer"]), expected_overlap(hand(), phone(), both_));
  EXPECT_GT(query("intersect", pair())["answer"]["volume"], 0);
}

TEST_F(Asking, WhileDraggingGivesTheBitsOfPlacedMeshes) {
  for (int step = 0; step < 8; ++step) {
    Transform pose = kMoved;
    pose.translation.x += 0.01 * step;
    place(b_, pose);
    EXPECT_EQ(timeless(query("intersect", pair())["answer"]),
              expected_overlap(hand(), transformed(phone(), pose), both_));
    if (step % 3 == 0) (void)query("self", {{"id", a_}});
  }
  place(b_, {});
  EXPECT_EQ(timeless(query("intersect", pair())["answer"]), expected_overlap(hand(), phone(), both_));
}

TEST_F(Asking, FarFromTheOriginOfTheWorld) {
  place(a_, kFar);
  place(b_, kFar);
  EXPECT_EQ(timeless(query("intersect", pair())["answer"]),
            expected_overlap(transformed(hand(), kFar), transformed(phone(), kFar), both_));
}

TEST_F(Asking, AfterDeforming) {
  std::vector<Vec3> bent = phone().positions;
  for (Vec3& p : bent) p.x += 0.1f * p.y * p.y;
  const Json array = talk_.writer.add(bent);
  talk_.ask({{"op", "deform"}, {"id", b_}, {"positions", array}});
  place(b_, kMoved);
  const Mesh other{bent, phone().triangles};
  EXPECT_EQ(timeless(query("intersect", pair())["answer"]),
            expected_overlap(hand(), transformed(other, kMoved), both_));
}

TEST_F(Asking, WithEveryOption) {
  const Json options{
      {"engine", "reference"}, {"resolution", 20}, {"axis", "x"}, {"threads", 1}, {"tolerance", {{"relative", 0.2}}},
      {"certify", true}};
  const Options same{.engine = "reference",
                     .resolution = 20,
                     .axis = Axis::x,
                     .threads = 1,
                     .tolerance = Tolerance{.relative = 0.2},
                     .certify = true,
                     .explain = true};
  answer::Subjects subjects = both_;
  subjects.tolerance = subjects.certify = true;
  Json request = pair();
  request["options"] = options;
  EXPECT_EQ(timeless(query("intersect", request)["answer"]),
            timeless(answer::overlap_json("intersect", intersect(hand(), phone(), same), 20, subjects)));
}

TEST_F(Asking, WithOptionsThatAreNoneIsRefused) {
  const auto refused = [&](const Json& options) {
    Json request = pair();
    request.update({{"op", "query"}, {"kind", "intersect"}, {"options", options}});
    return talk_.refused(request);
  };
  EXPECT_THAT(refused({{"engine", "steam"}}), HasSubstr("steam"));
  EXPECT_THAT(refused({{"resolution", 0}}), HasSubstr("resolution"));
  EXPECT_THAT(refused({{"resolution", 1e9}}), HasSubstr("resolution"));
  EXPECT_THAT(refused({{"axis", "w"}}), HasSubstr("axis"));
  EXPECT_THAT(refused({{"tolerance", {{"relative", -1}}}}), HasSubstr("tolerance"));
  EXPECT_THAT(refused({{"certify", "yes"}}), HasSubstr("certify"));
  EXPECT_THAT(refused(7), HasSubstr("options"));
}

TEST_F(Asking, ForSpansGivesThem) {
  place(b_, kMoved);
  const Reply reply = query("intersect", pair({"spans"}));
  const Overlap overlap = intersect(hand(), transformed(phone(), kMoved), kAsked);
  const Json& spans = reply["spans"];
  EXPECT_EQ(spans["grid"]["columns"], 64);
  EXPECT_EQ(spans["grid"]["box"], answer::to_json(overlap.grid.box));
  const auto columns = reply.array<std::uint32_t>(spans["columns"]);
  const auto begin = reply.array<float>(spans["begin"]), end = reply.array<float>(spans["end"]);
  ASSERT_EQ(columns.size(), overlap.spans.size());
  ASSERT_GT(columns.size(), 0u);
  for (std::size_t i = 0; i < columns.size(); ++i) EXPECT_EQ((Span{columns[i], begin[i], end[i]}), overlap.spans[i]);
  EXPECT_EQ(timeless(reply["answer"]), timeless(query("intersect", pair())["answer"]));
}

TEST_F(Asking, ForForcesGivesTheGradient) {
  const Reply reply = query("intersect", pair({"forces"}));
  const OverlapGradient gradient = volume_gradient(hand(), phone(), kAsked);
  EXPECT_EQ(reply.array<Vec3>(reply["forces"]["a"]), gradient.vertices_a);
  EXPECT_EQ(reply.array<Vec3>(reply["forces"]["b"]), gradient.vertices_b);
  EXPECT_EQ(reply["answer"]["gradient"], answer::gradient_json(gradient.sums, gradient.centroid, true));
}

void expect_solid(const Reply& reply, const Json& solid, const OverlapSolid& expected) {
  const DrawnSolid surface = drawn(expected);
  EXPECT_GT(surface.triangles.size(), 0u);
  EXPECT_EQ(reply.array<Vec3>(solid["positions"]), surface.positions);
  EXPECT_EQ(reply.array<Vec3>(solid["normals"]), surface.normals);
  EXPECT_EQ(reply.array<Triangle>(solid["triangles"]), surface.triangles);
  EXPECT_EQ(reply.array<std::uint8_t>(solid["side"]), expected.side);
  EXPECT_EQ(solid["missed"], expected.missed_volume);
}

TEST_F(Asking, ForTheSharedVolumeAsASolid) {
  place(b_, kMoved);
  Json request = pair({"solid"});
  request["solid_resolution"] = 24;
  const Mesh placed = transformed(phone(), kMoved);
  const Reply reply = query("intersect", request);
  expect_solid(reply, reply["solid"], overlap_solid(hand(), placed, {.resolution = 24}));
  const Reply scene = query("scene", {{"want", {"solids"}}, {"solid_resolution", 24}});
  expect_solid(scene, scene["answer"]["pairs_detail"][0]["solid"], overlap_solid(hand(), placed, {.resolution = 24}));
  const Mesh fist = scenes::find_model("fist")->make(4000);
  const Reply self = query("self", {{"id", talk_.add_mesh("fist.ply", fist)}, {"want", {"solid"}}});
  expect_solid(self, self["solid"], self_overlap_solid(fist));
}

TEST_F(Asking, OfMeshesWithHolesClosesThem) {
  const Mesh open = make_open_box({-0.1f, -0.1f, -0.1f}, {0.2f, 0.2f, 0.2f});
  const std::uint32_t id = talk_.add_mesh("open.ply", open);
  place(id, kMoved);
  const Mesh placed = transformed(open, kMoved);
  EXPECT_EQ(timeless(query("intersect", {{"a", a_}, {"b", id}})["answer"]),
            expected_overlap(hand(), placed, {.names = {"hand.ply", "open.ply"}, .volumes = {}}));
  EXPECT_GT(query("intersect", {{"a", a_}, {"b", id}})["answer"]["health"]["closed_edges"], 0);
  const Reply self = query("self", {{"id", id}});
  EXPECT_EQ(timeless(self["answer"]), timeless(answer::self_json(self_intersect(placed, {.resolution = 64}), 64,
                                                                 {.names = {"open.ply"}, .volumes = {}})));
}

TEST_F(Asking, ForSelfOverlap) {
  const Mesh fist = scenes::find_model("fist")->make(4000);
  const std::uint32_t id = talk_.add_mesh("fist.ply", fist);
  const Reply reply = query("self", {{"id", id}, {"want", {"spans"}}});
  const SelfOverlap overlap = self_intersect(fist, {.resolution = 64});
  EXPECT_EQ(timeless(reply["answer"]),
            timeless(answer::self_json(overlap, 64, {.names = {"fist.ply"}, .volumes = {}})));
  EXPECT_EQ(reply.array<std::uint32_t>(reply["spans"]["columns"]).size(), overlap.spans.size());
  EXPECT_EQ(reply.array<float>(reply["inside_out_spans"]["end"]).size(), overlap.inside_out.size());
  EXPECT_GT(overlap.spans.size(), 0u);
}

TEST_F(Asking, WhichPointsAreInside) {
  place(b_, kMoved);
  const Mesh placed = transformed(phone(), kMoved);
  std::vector<Vec3d> points;
  for (const Vec3 p : placed.positions) points.push_back(to_double(p) + placed.origin);
  const Containment expected = contains(hand(), points, {.resolution = 64});
  const Reply reply = query("contain", {{"id", a_}, {"points_of", b_}});
  EXPECT_EQ(reply.array<std::uint8_t>(reply["flags"]), expected.inside);
  EXPECT_EQ(timeless(reply["answer"]), timeless(answer::contain_json(expected, 64, false, both_)));
  EXPECT_GT(expected.inside_count, 0u);
  const Json given = talk_.writer.add(std::vector<Vec3>{{0, 0, 0}, {50, 0, 0}});
  const Reply few = query("contain", {{"id", a_}, {"points", given}});
  EXPECT_EQ(few.array<Vec3>(few["points"])[1], (Vec3{50, 0, 0}));
  EXPECT_EQ(few.array<std::uint8_t>(few["flags"])[1], kPointOutside);
  const Reply random = query("contain", {{"id", a_}, {"points_in_box", 500}});
  const auto places = random.array<Vec3>(random["points"]);
  ASSERT_EQ(places.size(), 500u);
  EXPECT_EQ(random.array<std::uint8_t>(random["flags"]), contains(hand(), places, {.resolution = 64}).inside);
  const Json nan = talk_.writer.add(std::vector<Vec3>{{0, NAN, 0}});
  EXPECT_NE(talk_.refused({{"op", "query"}, {"kind", "contain"}, {"id", a_}, {"points", nan}}), "");
}

TEST_F(Asking, ForNearestPoints) {
  const std::vector<Vec3> points{{0, 0, 0}, {2, 1, 1}, {-1, 0.5f, 0}};
  const Json given = talk_.writer.add(points);
  const Reply reply = query("closest", {{"id", a_}, {"points", given}});
  const ClosestPoints expected = closest(hand(), points);
  const auto distances = reply.array<double>(reply["distances"]);
  const auto positions = reply.array<Vec3d>(reply["positions"]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(distances[i], expected.points[i].distance);
    EXPECT_EQ(positions[i], expected.points[i].position);
  }
}

TEST_F(Asking, ForTheDistance) {
  const Transform away{{2, 0, 0}, {}};
  place(b_, away);
  const MeshDistance expected = distance(hand(), transformed(phone(), away));
  EXPECT_EQ(timeless(query("distance", pair())["answer"]), timeless(answer::whole_distance_json(expected, both_)));
  EXPECT_GT(expected.distance, 0);
}

TEST_F(Asking, ForTheWayOut) {
  Json request = pair();
  request["directions"] = 50;
  const Json found = timeless(query("depth", request)["answer"]);
  Options options{.resolution = 64, .keep_spans = false};
  const answer::DepthAnswer expected = answer::measure_depth(hand(), phone(), {.query = options, .directions = 50});
  EXPECT_EQ(found, timeless(answer::depth_json(expected, both_)));
  EXPECT_GT(found["separation"]["length"], 0);
}

TEST_F(Asking, ForLayersGivesTheLdi) {
  const Reply reply = query("layers", {{"id", a_}, {"options", {{"resolution", 32}}}});
  const auto engine = make_engine({.engine = "software"});
  const answer::SampledLayers layers = answer::sample_layers(*engine, hand(), {.resolution = 32});
  EXPECT_EQ(reply["answer"], answer::layers_json(layers, "software", 32));
  Ldi ldi;
  engine->build(hand(), layers.grid, ldi);
  const Json& columns = reply["columns"];
  EXPECT_EQ(reply.array<std::uint32_t>(columns["offsets"]), ldi.offsets);
  const auto depths = reply.array<float>(columns["depths"]);
  const auto entering = reply.array<std::uint8_t>(columns["entering"]);
  ASSERT_EQ(depths.size(), ldi.crossings.size());
  for (std::size_t i = 0; i < depths.size(); ++i)
    EXPECT_EQ(Crossing::make(depths[i], entering[i] != 0), ldi.crossings[i]);
}

TEST_F(Asking, ForLayersOfTwoGivesBothOnOneGrid) {
  const Reply reply = query("layers", pair());
  const Overlap overlap = intersect(hand(), phone(), kAsked);
  EXPECT_EQ(reply["columns"]["grid"], reply["columns_b"]["grid"]);
  EXPECT_EQ(reply["columns"]["grid"]["box"], answer::to_json(overlap.grid.box));
  EXPECT_EQ(reply.array<std::uint32_t>(reply["columns_b"]["offsets"]).size(), 64u * 64 + 1);
  place(b_, {{100, 0, 0}, {}});
  EXPECT_EQ(query("layers", pair())["columns"]["grid"]["columns"], 0) << "apart: nothing is sampled";
}

TEST_F(Asking, HowLongEnginesTake) {
  Json request = pair();
  request["engines"] = {"software", "reference", "steam"};
  request["rounds"] = 2;
  request["options"] = {{"resolution", 16}};
  const Json rows = query("times", request)["answer"]["rows"];
  ASSERT_EQ(rows.size(), 3u);
  const double volume = intersect(hand(), phone(), {.resolution = 16}).volume;
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(rows[i]["volume"], volume, 1e-6);
    EXPECT_GT(rows[i]["least"], 0);
    EXPECT_GE(rows[i]["ms"], rows[i]["least"]);
  }
  EXPECT_THAT(rows[2]["error"].get<std::string>(), HasSubstr("steam"));
}

/// The answer of a scene that has seen nothing before.
Json expected_scene(const std::vector<std::pair<const Mesh*, Transform>>& objects, SceneOptions options,
                    const Json& names) {
  options.points = false;
  Scene scene(options);
  for (const auto& [mesh, pose] : objects) scene.add(*mesh, pose);
  answer::SceneJsonEnds ends;
  const SceneResult& result = scene.collide();
  ends.head = {{"query", "scene"}, {"objects", result.object_count}};
  ends.tail["names"] = names;
  return timeless(
      answer::scene_json(result, {options, [&](std::uint32_t i) { return names[i].get<std::string>(); }}, ends));
}

TEST_F(Asking, OfAScene) {
  const Json names{"hand.ply", "phone.ply"};
  const Reply reply = query("scene", Json::object());
  Json found = timeless(reply["answer"]);
  const Json detail = found["pairs_detail"];
  found.erase("pairs_detail");
  EXPECT_EQ(found, expected_scene({{&hand(), {}}, {&phone(), {}}}, {.resolution = 64}, names));
  ASSERT_EQ(detail.size(), 1u);
  EXPECT_EQ(detail[0]["a"], a_);
  EXPECT_EQ(detail[0]["b"], b_);
  EXPECT_EQ(detail[0]["volume"], found["volumes"][0]);
  EXPECT_EQ(detail[0]["contacts"].size(), found["contacts"].size());
  EXPECT_EQ(detail[0]["patches"].size(), found["patches"].size());
  EXPECT_GT(detail[0]["contacts"].size(), 0u);
}

TEST_F(Asking, OfASceneWhoseObjectsMoveGivesTheBitsOfANewOne) {
  const std::uint32_t id = talk_.add_mesh("third.ply", phone());
  const Json names{"hand.ply", "phone.ply", "third.ply"};
  for (int step = 0; step < 6; ++step) {
    Transform pose = kMoved;
    pose.translation = pose.translation * (3 - step);
    pose.rotation = normalized({0.1 * step, 0.3, 0, 1});
    place(id, pose);
    Json found = timeless(query("scene", Json::object())["answer"]);
    found.erase("pairs_detail");
    EXPECT_EQ(found, expected_scene({{&hand(), {}}, {&phone(), {}}, {&phone(), pose}}, {.resolution = 64}, names));
  }
  talk_.ask({{"op", "remove"}, {"ids", {a_}}});
  Json few = timeless(query("scene", {{"ids", {id, b_}}})["answer"]);
  EXPECT_EQ(few["names"], Json({"third.ply", "phone.ply"})) << "in the order asked for";
  EXPECT_EQ(few["pairs_detail"][0]["a"], id);
}

TEST_F(Asking, OfASceneWithoutContactsOrWithSpans) {
  const Reply bare = query("scene", {{"contacts", false}});
  EXPECT_EQ(bare["answer"]["contacts"], Json::array());
  EXPECT_EQ(bare["answer"]["patches"], Json::array());
  const Reply drawn = query("scene", {{"want", {"spans"}}});
  const Json& spans = drawn["answer"]["pairs_detail"][0]["spans"];
  EXPECT_EQ(drawn.array<float>(spans["begin"]).size(), intersect(hand(), phone(), kAsked).spans.size());
}

TEST_F(Asking, OfAnEmptySceneOrOfTheSameTwice) {
  EXPECT_EQ(query("scene", {{"ids", Json::array()}})["answer"]["pairs"], Json::array());
  EXPECT_NE(talk_.refused({{"op", "query"}, {"kind", "scene"}, {"ids", {a_, a_}}}), "");
  EXPECT_NE(talk_.refused({{"op", "query"}, {"kind", "scene"}, {"ids", {77}}}), "");
}

}  // namespace
}  // namespace lamella::test
