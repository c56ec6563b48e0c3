#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"
#include "scenes/catalogue.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Mesh kBox = make_box({0, 0, 0}, {1, 2, 3});

std::vector<Vec3> positions_of(Conversation& talk, std::uint32_t id) {
  const Reply reply = talk.ask({{"op", "mesh"}, {"id", id}});
  return reply.array<Vec3>(reply["positions"]);
}

TEST(Sessions, SayWhatTheyHave) {
  Conversation talk({.threads = 2, .most_bytes = 77});
  const Reply hello = talk.ask({{"op", "hello"}});
  EXPECT_EQ(hello["native"], true);
  EXPECT_EQ(hello["threads"], 2);
  EXPECT_EQ(hello["most_bytes"], 77);
  EXPECT_EQ(hello["models"].size(), scenes::catalogue().size());
  EXPECT_EQ(hello["models"][0]["name"], "hand");
  std::vector<std::string> engines, simulations;
  for (const Json& e : hello["engines"]) engines.push_back(e["name"]);
  for (const Json& s : hello["simulations"]) {
    simulations.push_back(s["name"]);
    EXPECT_NE(s["summary"], "");
  }
  EXPECT_THAT(engines, testing::Contains("software"));
  EXPECT_THAT(simulations, testing::IsSupersetOf({"cube", "squeeze", "surgery", "particles", "bunnies"}));
}

TEST(Sessions, BeginEmpty) {
  Conversation talk;
  const Reply state = talk.ask({{"op", "state"}});
  EXPECT_EQ(state["objects"], Json::array());
  EXPECT_EQ(state["view"], nullptr);
  EXPECT_EQ(state["report"], nullptr);
}

TEST(Sessions, KeepTheViewThatTheyAreGiven) {
  Conversation talk;
  const Json view{{"camera", {1, 2, 3}}, {"array", 5}};
  talk.ask({{"op", "set_view"}, {"view", view}});
  EXPECT_EQ(talk.ask({{"op", "state"}})["view"], view);
}

TEST(Opening, AFileGivesItsMesh) {
  Conversation talk;
  const Json file = talk.writer.add(ply_of(kBox));
  const Reply reply = talk.ask({{"op", "open"}, {"name", "crate.ply"}, {"file", file}});
  ASSERT_EQ(reply["objects"].size(), 1u);
  const Json& box = reply["objects"][0];
  EXPECT_EQ(box["name"], "crate.ply");
  EXPECT_EQ(box["faces"], 12);
  EXPECT_EQ(box["vertices"], 8);
  EXPECT_EQ(box["volume"], 6);
  EXPECT_EQ(box["bounds"], Json({{"min", {0, 0, 0}}, {"max", {1, 2, 3}}}));
  EXPECT_EQ(box["origin"], Json({0, 0, 0}));
  EXPECT_EQ(box["pose"], Json({0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(box["closed"], true);
  EXPECT_EQ(box["deformed"], false);
  EXPECT_EQ(box["simplified"], nullptr);
  EXPECT_EQ(box["source"], Json({{"file", "crate.ply"}}));
  const Reply mesh = talk.ask({{"op", "mesh"}, {"id", box["id"]}});
  EXPECT_EQ(mesh.array<Vec3>(mesh["positions"]), kBox.positions);
  EXPECT_EQ(mesh.array<Triangle>(mesh["triangles"]), kBox.triangles);
  EXPECT_EQ(mesh["simplified"], false);
}

TEST(Opening, AFileInPartsGivesAnObjectForEach) {
  Conversation talk;
  const auto two = ply_of(joined(kBox, make_box({5, 0, 0}, {6, 1, 1})));
  Json file = talk.writer.add(two);
  EXPECT_EQ(talk.ask({{"op", "open"}, {"name", "a.ply"}, {"file", file}, {"split", "components"}})["objects"].size(),
            2u);
  file = talk.writer.add(two);
  EXPECT_EQ(talk.ask({{"op", "open"}, {"name", "a.ply"}, {"file", file}, {"split", "none"}})["objects"].size(), 1u);
  file = talk.writer.add(two);
  EXPECT_THAT(talk.refused({{"op", "open"}, {"name", "a.ply"}, {"file", file}, {"split", "up"}}), HasSubstr("split"));
}

TEST(Opening, ABadFileGivesTheReadersMessage) {
  Conversation talk;
  const std::string text = "ply\nformat ascii 1.0\nelement vertex 3\n";
  const Json file = talk.writer.add(std::vector<std::uint8_t>(text.begin(), text.end()));
  EXPECT_THAT(talk.refused({{"op", "open"}, {"name", "half.ply"}, {"file", file}}), HasSubstr("half.ply"));
  const Json other = talk.writer.add(std::vector<std::uint8_t>(5));
  EXPECT_THAT(talk.refused({{"op", "open"}, {"name", "notes.txt"}, {"file", other}}), HasSubstr(".glb"));
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"], Json::array());
}

TEST(Opening, AFileThatIsTooLargeNamesTheSizeTheLimitAndTheRemedy) {
  Conversation talk({.most_bytes = 2'000'000});
  const Json file = talk.writer.add(std::vector<std::uint8_t>(3'100'000));
  const std::string error = talk.refused({{"op", "open"}, {"name", "city.ply"}, {"file", file}});
  EXPECT_THAT(error, HasSubstr("city.ply: the file has 4 MB, and 2 MB is the most"));
  EXPECT_THAT(error, HasSubstr("`lamella view city.ply`"));
}

TEST(Names, AreTextWhateverIsInThem) {
  Conversation talk;
  const std::string hostile = "<script>alert(\"1\")</script>.ply";
  const Json file = talk.writer.add(ply_of(kBox));
  const Reply reply = talk.ask({{"op", "open"}, {"name", hostile}, {"file", file}});
  EXPECT_EQ(reply["objects"][0]["name"], "script>.ply") << "the last part of a path";
  const Json id = reply["objects"][0]["id"];
  const std::string name = "<script>&\"'\xe2\x82\xac";
  EXPECT_EQ(talk.ask({{"op", "rename"}, {"id", id}, {"name", name}})["object"]["name"], name);
  EXPECT_EQ(talk.ask({{"op", "query"}, {"kind", "self"}, {"id", id}})["answer"]["files"], Json::array({name}));
  EXPECT_NE(talk.refused({{"op", "rename"}, {"id", id}, {"name", ""}}), "");
  EXPECT_LE(talk.ask({{"op", "rename"}, {"id", id}, {"name", std::string(5000, 'x')}})["object"]["name"]
                .get<std::string>()
                .size(),
            512u);
}

TEST(Names, TellObjectsApart) {
  Conversation talk;
  for (const char* expected : {"box", "box 2", "box 3"})
    EXPECT_EQ(talk.ask({{"op", "model"}, {"name", "box"}})["objects"][0]["name"], expected);
}

TEST(Models, AreThoseOfTheCatalogue) {
  Conversation talk;
  const Transform pose{{1, 2, 3}, {0, 0, 0.6, 0.8}};
  const Reply reply = talk.ask({{"op", "model"}, {"name", "hand"}, {"faces", 3000}, {"pose", to_pose(pose)}});
  const Mesh hand = scenes::find_model("hand")->make(3000);
  EXPECT_EQ(reply["objects"][0]["pose"], to_pose(pose));
  EXPECT_EQ(reply["objects"][0]["source"], Json({{"model", "hand"}, {"faces", 3000}}));
  EXPECT_EQ(positions_of(talk, reply["objects"][0]["id"]), hand.positions);
  EXPECT_THAT(talk.refused({{"op", "model"}, {"name", "teapot"}}), HasSubstr("'teapot'"));
  EXPECT_THAT(talk.refused({{"op", "model"}, {"name", "hand"}, {"faces", 99'999'999}}), HasSubstr("faces"));
}

TEST(Models, WithABadPoseAreNotAdded) {
  Conversation talk;
  EXPECT_NE(talk.refused({{"op", "model"}, {"name", "box"}, {"pose", {1, 2}}}), "");
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"], Json::array());
}

TEST(Objects, AreCopiedAndRemoved) {
  Conversation talk;
  const std::uint32_t id = talk.add_mesh("a.ply", kBox);
  const Reply copy = talk.ask({{"op", "copy"}, {"id", id}});
  const std::uint32_t other = copy["objects"][0]["id"];
  EXPECT_NE(other, id);
  EXPECT_EQ(positions_of(talk, other), kBox.positions);
  EXPECT_NE(talk.refused({{"op", "remove"}, {"ids", {id, 99}}}), "");
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"].size(), 2u) << "all or none";
  talk.ask({{"op", "remove"}, {"ids", {id}}});
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"][0]["id"], other);
  EXPECT_NE(talk.add_mesh("b.ply", kBox), id) << "numbers are not used again";
  EXPECT_THAT(talk.refused({{"op", "mesh"}, {"id", id}}), HasSubstr("there is no object"));
}

TEST(Poses, AreTakenAllOrNone) {
  Conversation talk;
  const std::uint32_t a = talk.add_mesh("a.ply", kBox), b = talk.add_mesh("b.ply", kBox);
  const Json good = to_pose({{1, 0, 0}, {}});
  talk.ask({{"op", "pose"}, {"poses", {{a, good}}}});
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"][0]["pose"], good);
  for (const Json& bad : {Json({1, 2, 3}), Json({0, 0, 0, 0, 0, 0, 2}), Json({0, 0, 0, 0, 0, 0, "1"}), Json()})
    EXPECT_NE(talk.refused({{"op", "pose"}, {"poses", {{a, to_pose({{9, 9, 9}, {}})}, {b, bad}}}}), "") << bad;
  EXPECT_EQ(talk.ask({{"op", "state"}})["objects"][0]["pose"], good);
}

TEST(Deforming, SetsPositionsAndResetTakesThemBack) {
  Conversation talk;
  const std::uint32_t id = talk.add_mesh("a.ply", kBox);
  std::vector<Vec3> larger = kBox.positions;
  for (Vec3& p : larger) p = p * 2;
  Json array = talk.writer.add(larger);
  const Reply reply = talk.ask({{"op", "deform"}, {"id", id}, {"positions", array}});
  EXPECT_EQ(reply["object"]["deformed"], true);
  EXPECT_EQ(reply["object"]["volume"], 48);
  EXPECT_EQ(reply["object"]["bounds"]["max"], Json({2, 4, 6}));
  EXPECT_EQ(positions_of(talk, id), larger);
  array = talk.writer.add(std::vector<Vec3>{{-1, -1, -1}});
  const Json vertex = talk.writer.add(std::vector<std::uint32_t>{3});
  talk.ask({{"op", "deform"}, {"id", id}, {"positions", array}, {"vertices", vertex}});
  larger[3] = {-1, -1, -1};
  EXPECT_EQ(positions_of(talk, id), larger);
  EXPECT_EQ(talk.ask({{"op", "reset"}, {"id", id}})["object"]["deformed"], false);
  EXPECT_EQ(positions_of(talk, id), kBox.positions);
}

TEST(Deforming, RefusesWhatDoesNotFit) {
  Conversation talk;
  const std::uint32_t id = talk.add_mesh("a.ply", kBox);
  Json array = talk.writer.add(std::vector<Vec3>(7));
  EXPECT_THAT(talk.refused({{"op", "deform"}, {"id", id}, {"positions", array}}), HasSubstr("7 places for 8"));
  array = talk.writer.add(std::vector<Vec3>(8, {0, NAN, 0}));
  EXPECT_THAT(talk.refused({{"op", "deform"}, {"id", id}, {"positions", array}}), HasSubstr("not finite"));
  array = talk.writer.add(std::vector<Vec3>(1));
  const Json vertex = talk.writer.add(std::vector<std::uint32_t>{8});
  EXPECT_NE(talk.refused({{"op", "deform"}, {"id", id}, {"positions", array}, {"vertices", vertex}}), "");
  EXPECT_EQ(positions_of(talk, id), kBox.positions);
}

TEST(Pulling, MovesTheVertexAllTheWayAndOthersLessTheFarther) {
  Conversation talk;
  const std::uint32_t id = talk.add_model("sphere", 2000);
  const std::vector<Vec3> before = positions_of(talk, id);
  const Vec3d to = to_double(before[5]) + Vec3d{0.5, 0, 0};
  const auto pull = [&](Vec3d where, bool done) {
    const Reply reply = talk.ask({{"op", "pull"},
                                  {"id", id},
                                  {"vertex", 5},
                                  {"to", {where.x, where.y, where.z}},
                                  {"radius", 0.4},
                                  {"done", done}});
    return reply.array<Vec3>(reply["positions"]);
  };
  (void)pull(to + Vec3d{3, 3, 3}, false);
  const std::vector<Vec3> after = pull(to, true);
  EXPECT_EQ(after[5], to_float(to)) << "from the positions before the pull";
  bool some = false;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const float far = length(before[i] - before[5]), moved = length(after[i] - before[i]);
    if (far >= 0.4f) {
      EXPECT_EQ(after[i], before[i]);
    } else if (i != 5) {
      some = true;
      EXPECT_LT(moved, 0.5f);
      const double rest = 1 - double{far} * far / 0.16;
      EXPECT_NEAR(moved, 0.5 * rest * rest, 1e-5);
    }
  }
  EXPECT_TRUE(some);
  const std::vector<Vec3> again = pull(to_double(after[5]), true);
  EXPECT_EQ(again, after) << "done: this is where the next pull begins";
}

TEST(Pulling, WithRadiusZeroMovesOneVertexAlone) {
  Conversation talk;
  const std::uint32_t id = talk.add_mesh("a.ply", kBox);
  const Reply reply =
      talk.ask({{"op", "pull"}, {"id", id}, {"vertex", 0}, {"to", {-1, -1, -1}}, {"radius", 0}, {"done", true}});
  std::vector<Vec3> expected = kBox.positions;
  expected[0] = {-1, -1, -1};
  EXPECT_EQ(reply.array<Vec3>(reply["positions"]), expected);
  EXPECT_NE(talk.refused({{"op", "pull"}, {"id", id}, {"vertex", 8}, {"to", {0, 0, 0}}, {"radius", 1}}), "");
  EXPECT_NE(talk.refused({{"op", "pull"}, {"id", id}, {"vertex", 0}, {"to", {0, 0, 1e60}}, {"radius", 1}}), "");
  EXPECT_NE(talk.refused({{"op", "pull"}, {"id", id}, {"vertex", 0}, {"to", {0, 0, 0}}, {"radius", -1}}), "");
}

TEST(Holes, AreTheEdgesWhereAMeshIsOpen) {
  Conversation talk;
  const std::uint32_t closed = talk.add_mesh("a.ply", kBox),
                      open = talk.add_mesh("b.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(talk.ask({{"op", "holes"}, {"id", closed}})["count"], 0);
  const Reply reply = talk.ask({{"op", "holes"}, {"id", open}});
  EXPECT_EQ(reply["count"], 4);
  const auto ends = reply.array<Vec3>(reply["edges"]);
  ASSERT_EQ(ends.size(), 8u);
  for (const Vec3 p : ends) EXPECT_EQ(p.x, 0);
  EXPECT_EQ(reply["nonmanifold_count"], 0);
}

TEST(Holes, AreNoneWhereVerticesOnlyAreApart) {
  Conversation talk;
  Mesh soup;
  for (const Triangle& t : kBox.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(kBox.positions[t[k]]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const std::uint32_t id = talk.add_mesh("soup.ply", soup);
  EXPECT_EQ(talk.ask({{"op", "holes"}, {"id", id}})["count"], 0);
}

TEST(Holes, ListEdgesOfMoreThanTwoFaces) {
  Conversation talk;
  // Two boxes that share an edge.
  const std::uint32_t id =
      talk.add_mesh("a.ply", joined(make_box({0, 0, 0}, {1, 1, 1}), make_box({1, 1, 0}, {2, 2, 1})));
  const Reply reply = talk.ask({{"op", "holes"}, {"id", id}});
  EXPECT_EQ(reply["count"], 0);
  EXPECT_EQ(reply["nonmanifold_count"], 1);
  EXPECT_THAT(reply.array<Vec3>(reply["nonmanifold"]), testing::UnorderedElementsAre(Vec3{1, 1, 0}, Vec3{1, 1, 1}));
}

TEST(Repairing, ClosesHolesAndSaysSo) {
  Conversation talk;
  const std::uint32_t id = talk.add_mesh("a.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Reply reply = talk.ask({{"op", "repair"}, {"id", id}});
  EXPECT_EQ(reply["report"]["closed_holes"], 1);
  EXPECT_EQ(reply["object"]["closed"], true);
  EXPECT_NEAR(reply["object"]["volume"], 1, 1e-12);
}

TEST(Operations, ThatAreNoneAreNamed) {
  Conversation talk;
  EXPECT_THAT(talk.refused({{"op", "fly"}}), HasSubstr("'fly'"));
  EXPECT_THAT(talk.refused({{"up", "fly"}}), HasSubstr("'op' is missing"));
  EXPECT_THAT(talk.refused({{"op", 5}}), HasSubstr("'op' is no text"));
  EXPECT_THAT(talk.refused({{"op", "query"}, {"kind", "riddle"}}), HasSubstr("'riddle'"));
  EXPECT_THAT(talk.refused({{"op", "mesh"}, {"id", 1.5}}), HasSubstr("'id'"));
}

}  // namespace
}  // namespace lamella::test
