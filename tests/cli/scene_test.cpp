#include <fmt/core.h>
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <set>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The unit cube; one that shares 0.5 * 0.75 * 0.5 = 0.1875 with it; one far away.
const Mesh kA = make_box({0, 0, 0}, {1, 1, 1});
const Mesh kB = make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2});
const Mesh kFar = make_box({10, 0, 0}, {11, 1, 1});
constexpr double kShared = 0.1875;

class SceneCommand : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", kA);
    b_ = save("b.ply", kB);
    far_ = save("far.ply", kFar);
    (void)save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  }

  [[nodiscard]] std::string refusal(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("lamella: "));
    return outcome.err;
  }

  /// What is said about a scene file with this text.
  [[nodiscard]] std::string complaint(const std::string& text) const {
    return refusal({"scene", save_text("scene.json", text), "--json"});
  }

  std::string a_, b_, far_;
};

TEST_F(SceneCommand, SaysUndecidedForAnObjectThatIsInsideOutAndNamesIt) {
  Mesh turned = kB;
  for (Triangle& t : turned.triangles) std::swap(t.b, t.c);
  const std::string inside_out = save("turned.ply", turned);
  const Outcome outcome = run({"scene", a_, inside_out, "--json"});
  EXPECT_EQ(outcome.status, 4);
  const Json json = outcome.json();
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["colliding"], false);
  ASSERT_EQ(json["undecided"].size(), 1u);
  EXPECT_EQ(json["undecided"][0]["cause"], "inside_out");
  EXPECT_EQ(json["undecided"][0]["object"], 1);
  EXPECT_THAT(json["undecided"][0]["why"].get<std::string>(), AllOf(HasSubstr("turned.ply"), HasSubstr("repair")));
  EXPECT_GT(json["defects"].at(0)["inside_out_columns"], 0);
  EXPECT_EQ(run({"scene", a_, inside_out, "--exit-zero"}).status, 0);
  EXPECT_THAT(run({"scene", a_, inside_out}).out, AllOf(HasSubstr("undecided: 1 pair"), HasSubstr("turned.ply")));

  EXPECT_EQ(run({"scene", a_, inside_out, b_, "--json"}).status, 1) << "another pair collides";
  const Outcome clear = run({"scene", a_, far_, "--json"});
  EXPECT_EQ(clear.status, 0);
  EXPECT_EQ(clear.json()["verdict"], "clear");
  EXPECT_TRUE(clear.json()["undecided"].empty());
}

TEST_F(SceneCommand, GivesTheContractsKeysInOrderWithTheirTypes) {
  const Outcome outcome = run({"scene", far_, a_, b_, "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  const Json json = outcome.json();
  expect_keys(json, {"query", "objects", "pairs", "volumes", "volume_errors", "points", "contacts", "patches", "groups",
                     "self_overlaps", "engine", "colliding", "health", "defects", "ms"});
  EXPECT_EQ(json["query"], "scene");
  EXPECT_EQ(json["objects"], 3);
  EXPECT_EQ(json["pairs"], Json::parse("[[1, 2]]"));
  ASSERT_EQ(json["volumes"].size(), 1u);
  EXPECT_NEAR(json["volumes"][0].get<double>(), kShared, 0.02 * kShared);
  EXPECT_EQ(json["engine"], "software");
  EXPECT_EQ(json["colliding"], true);
  expect_keys(json["health"], {"open_columns", "skipped_triangles", "ok"});
  EXPECT_EQ(json["health"]["ok"], true);
  EXPECT_TRUE(json["defects"].empty());
  EXPECT_TRUE(json["self_overlaps"].empty());
  expect_keys(json["ms"], {"broad", "place", "ldi", "pairs", "points", "contacts", "total", "load"});
  EXPECT_EQ(json["names"], Json({far_, a_, b_}));
  ASSERT_FALSE(json["groups"].empty());
  expect_keys(json["groups"][0], {"objects", "candidates", "voi", "axis", "resolution"});
}

TEST_F(SceneCommand, SamplesPairsAgainForATolerance) {
  const Json plain = run({"scene", "model:hand", "model:phone", "--json"}).json();
  const double error = plain["volume_errors"].at(0), volume = plain["volumes"].at(0);
  EXPECT_GT(error, 0.0001 * volume);
  EXPECT_FALSE(plain.contains("refined"));
  const Json fine = run({"scene", "model:hand", "model:phone", "--tolerance", "0.01%", "--json"}).json();
  EXPECT_EQ(fine["refined"], 1);
  EXPECT_EQ(fine["tolerance_met"], true);
  EXPECT_LE(fine["volume_errors"].at(0).get<double>(), 0.0001 * fine["volumes"].at(0).get<double>());
  EXPECT_NEAR(fine["volumes"].at(0).get<double>(), volume, 3 * error);
  EXPECT_THAT(run({"scene", "model:hand", "model:phone", "--tolerance", "0.01%"}).out,
              HasSubstr("tolerance     1 pair sampled again"));
}

TEST_F(SceneCommand, ProvesWhatItIsAskedTo) {
  const Json json = run({"scene", a_, b_, far_, "--certify", "--json"}).json();
  EXPECT_EQ(json["certified"], 1);
  ASSERT_EQ(json["certificates"].size(), 1u);
  EXPECT_EQ(json["certificates"][0]["certain"], true);
  EXPECT_TRUE(json["certificates"][0]["witness"].is_array());
  EXPECT_THAT(run({"scene", a_, b_, "--certify"}).out, HasSubstr("proved        1 of 1 pair"));
}

TEST_F(SceneCommand, PointsAndContactsLieWhereTheSurfacesMeet) {
  // Boxes along the axes have none: where their surfaces meet, one of them is parallel to the rays.
  const std::string scene = save_text("scene.json", R"({"cell": 0.02, "meshes": {"ball": {"model": "sphere"}},
      "objects": [{"mesh": "ball"}, {"mesh": "ball", "pose": {"translation": [1.5, 0.2, 0]}}]})");
  const Json json = run({"scene", scene, "--json"}).json();
  ASSERT_FALSE(json["points"].empty());
  for (const Json& point : json["points"]) {
    expect_keys(point, {"a", "b", "position", "on_a", "on_b", "front_a", "front_b", "face_a", "face_b"});
    EXPECT_EQ(point["a"], 0);
    EXPECT_EQ(point["b"], 1);
    EXPECT_LT(point["face_a"], 5000);
    double from_first = 0;
    for (std::size_t i = 0; i < 3; ++i) from_first += std::pow(point["position"][i].get<double>(), 2);
    EXPECT_NEAR(std::sqrt(from_first), 1, 0.03) << "on the first ball";
    EXPECT_TRUE(point["front_a"].is_boolean());
    for (std::size_t i = 0; i < 3; ++i) {
      const double on_a = point["on_a"][i], on_b = point["on_b"][i], middle = point["position"][i];
      EXPECT_NEAR(middle, (on_a + on_b) / 2, 1e-6);
      EXPECT_LE(std::abs(on_a - on_b), 0.021) << "no further apart than a cell";
    }
  }
  ASSERT_FALSE(json["contacts"].empty());
  for (const Json& contact : json["contacts"]) {
    expect_keys(contact, {"a", "b", "position", "normal", "depth", "id"});
    const double x = contact["normal"][0], y = contact["normal"][1], z = contact["normal"][2];
    EXPECT_NEAR(x * x + y * y + z * z, 1, 1e-5);
    EXPECT_GT(contact["depth"], 0.0);
  }
}

TEST_F(SceneCommand, GivesAPatchForTheRegionThatTwoBoxesShare) {
  const Json json = run({"scene", far_, a_, b_, "--json"}).json();
  ASSERT_EQ(json["patches"].size(), 1u);
  const Json& patch = json["patches"][0];
  expect_keys(patch, {"a", "b", "normal", "depth", "area", "center", "volume", "one_sided"});
  EXPECT_EQ(patch["a"], 1);
  EXPECT_EQ(patch["b"], 2);
  const double volume = patch["volume"], area = patch["area"], depth = patch["depth"];
  EXPECT_NEAR(volume, kShared, 0.02 * kShared);
  EXPECT_NEAR(depth, volume / area, 1e-9 * depth);
}

TEST_F(SceneCommand, TellsThatAPairHasMoreContactsThanItGives) {
  const Json few = run({"scene", a_, b_, "--json", "--max-contacts", "1"}).json();
  EXPECT_EQ(few["contacts"].size(), 1u);
  EXPECT_EQ(few["more_contacts"], Json::parse("[true]"));
  const Outcome words = run({"scene", a_, b_, "--max-contacts", "1"});
  EXPECT_THAT(words.out, HasSubstr(" 1+ "));
  EXPECT_THAT(words.out, HasSubstr("contacts      1 pair has more than 1; --max-contacts allows 16\n"));
  const Json none = run({"scene", a_, b_, "--json", "--max-contacts", "0"}).json();
  EXPECT_TRUE(none["contacts"].empty());
  EXPECT_EQ(none["more_contacts"], Json::parse("[false]"));
  EXPECT_THAT(refusal({"scene", a_, b_, "--max-contacts", "17"}), HasSubstr("0 to 16"));
}

TEST_F(SceneCommand, WithoutPointsHasPairsAllTheSame) {
  const Json json = run({"scene", a_, b_, "--json", "--no-points"}).json();
  EXPECT_TRUE(json["points"].empty());
  EXPECT_EQ(json["pairs"].size(), 1u);
}

TEST_F(SceneCommand, OfObjectsApartIsNoCollision) {
  const Outcome outcome = run({"scene", a_, far_, "--json"});
  EXPECT_EQ(outcome.status, 0);
  const Json json = outcome.json();
  EXPECT_EQ(json["colliding"], false);
  for (const char* key : {"pairs", "volumes", "points", "contacts", "groups"}) EXPECT_TRUE(json[key].empty()) << key;
  const Outcome words = run({"scene", a_, far_});
  EXPECT_EQ(words.status, 0);
  EXPECT_THAT(words.out, StartsWith("colliding     no\n"));
  EXPECT_EQ(run({"scene", a_}).status, 0) << "one object has nothing to meet";
}

TEST_F(SceneCommand, TheSameFileTwiceIsTwoObjects) {
  const Json json = run({"scene", a_, a_, "--json"}).json();
  EXPECT_EQ(json["objects"], 2);
  EXPECT_EQ(json["pairs"], Json::parse("[[0, 1]]"));
  EXPECT_NEAR(json["volumes"][0].get<double>(), 1, 0.03);
}

TEST_F(SceneCommand, SaysWhatItFoundInWords) {
  const Outcome outcome = run({"scene", a_, b_, far_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("colliding     yes: 1 pair\nobjects       3 (36 triangles)\n"));
  for (const char* words : {"0 a.ply", "1 b.ply", "volume", "deepest", "grid 0", "ok: every column closes", "software",
                            "broad phase", "sampling"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
}

TEST_F(SceneCommand, ExitZeroIsZeroForAnyAnswerButNotForAnError) {
  EXPECT_EQ(run({"scene", a_, b_, "--exit-zero"}).status, 0);
  EXPECT_EQ(run({"scene", a_, at("missing.ply"), "--exit-zero"}).status, 2);
}

TEST_F(SceneCommand, TakesTheCommonOptions) {
  const Json json = run({"scene", a_, b_, "--json", "--axis", "z", "--resolution", "16", "--threads", "1", "--engine",
                         "software", "--threshold", "0"})
                        .json();
  for (const Json& group : json["groups"]) {
    EXPECT_EQ(group["axis"], "z");
    EXPECT_LE(group["resolution"][0], 16);
  }
  const Json cells = run({"scene", a_, b_, "--json", "--axis", "z", "--cell", "0.1"}).json();
  const Json& group = cells["groups"][0];
  const double width = group["voi"]["max"][0].get<double>() - group["voi"]["min"][0].get<double>();
  EXPECT_NEAR(width / group["resolution"][0].get<double>(), 0.1, 0.011);
  // A viewer 100 away with 0.1 radians in 100 pixels sees 0.1 a pixel.
  const Json seen = run({"scene", a_, b_, "--json", "--screen", "0.5,0.5,100,5.72481,100"}).json();
  EXPECT_EQ(seen["pairs"].size(), 1u);
  EXPECT_LT(seen["groups"][0]["resolution"][0], 30);
}

TEST_F(SceneCommand, SelfOverlapIsToldApartFromOverlapWithOthers) {
  const std::string twice = save("twice.ply", joined(kA, kB));
  const Json json = run({"scene", twice, far_, "--json", "--self"}).json();
  EXPECT_TRUE(json["pairs"].empty());
  ASSERT_EQ(json["self_overlaps"].size(), 1u);
  EXPECT_EQ(json["self_overlaps"][0]["object"], 0);
  EXPECT_NEAR(json["self_overlaps"][0]["volume"].get<double>(), kShared, 0.05 * kShared);
  EXPECT_THAT(run({"scene", twice, far_, "--self"}).out, HasSubstr("self-overlap  0 twice.ply: volume 0.1"));
}

TEST_F(SceneCommand, OpenMeshesAreNamedAndUnderStrictAreAnError) {
  const std::string open = at("open.ply");
  const Json closed = run({"scene", open, b_, "--axis", "x", "--json"}).json();
  EXPECT_EQ(closed["health"]["ok"], false);
  ASSERT_EQ(closed["defects"].size(), 1u);
  EXPECT_EQ(closed["defects"][0]["closed_edges"], 4);
  EXPECT_EQ(closed["defects"][0]["open_columns"], 0);
  const Json json = run({"scene", open, b_, "--axis", "x", "--as-is", "--json"}).json();
  EXPECT_EQ(json["health"]["ok"], false);
  ASSERT_EQ(json["defects"].size(), 1u);
  EXPECT_EQ(json["defects"][0]["object"], 0);
  EXPECT_GT(json["defects"][0]["open_columns"], 0);
  EXPECT_THAT(run({"scene", open, b_, "--axis", "x"}).out, HasSubstr("run `lamella info " + open));
  EXPECT_EQ(run({"scene", open, b_, "--axis", "x", "--strict"}).status, 2);
}

TEST_F(SceneCommand, DrawsAPicture) {
  EXPECT_EQ(run({"scene", a_, b_, "--picture", at("scene.png")}).status, 1);
  EXPECT_THAT(content(at("scene.png")), StartsWith("\x89PNG\r\n"));
  EXPECT_EQ(file_count(), 5u);
}

TEST_F(SceneCommand, ViewsAndNormalsAreOptions) {
  const auto groups = [&](const char* views) {
    return run({"scene", a_, b_, "--json", "--views", views}).json()["groups"].size();
  };
  EXPECT_EQ(groups("1"), 1u);
  EXPECT_EQ(groups("3"), 3u);
  EXPECT_EQ(run({"scene", a_, b_, "--normals", "neighbours", "--json"}).status, 1);
}

TEST_F(SceneCommand, AsPublishedTheAnswerSaysThatPairsMayBeMissing) {
  const std::vector<std::string> meshes{save("s0.ply", make_box({0, 0, 0}, {1, 1, 4})),
                                        save("s1.ply", make_box({0.01f, 0.01f, 1}, {0.99f, 0.99f, 5})),
                                        save("s2.ply", make_box({0.02f, 0.02f, 2}, {0.98f, 0.98f, 6}))};
  std::vector<std::string> arguments{"scene", meshes[0],  meshes[1], meshes[2],      "--axis",
                                     "z",     "--method", "jang",    "--resolution", "16"};
  const Outcome words = run(arguments);
  if (words.status == 3) GTEST_SKIP() << words.err;
  EXPECT_EQ(words.status, 1);
  EXPECT_THAT(words.out, HasSubstr("pairs of objects may be missing"));
  arguments.push_back("--json");
  const Json jang = run(arguments).json();
  EXPECT_EQ(jang["method"], "jang");
  EXPECT_EQ(jang["engine"], "gl-pairs");
  EXPECT_EQ(jang["pairs_may_be_missing"], true);
  EXPECT_GT(jang["passed_over"], 0);
  EXPECT_LT(jang["pairs"].size(), 3u);
  arguments[7] = "complete";
  const Json complete = run(arguments).json();
  EXPECT_EQ(complete["pairs"].size(), 3u);
  EXPECT_FALSE(complete.contains("passed_over"));
}

TEST_F(SceneCommand, RefusesWhatItCannotUse) {
  EXPECT_THAT(refusal({"scene"}), HasSubstr("MESH|SCENE is required"));
  EXPECT_THAT(refusal({"scene", a_, at("missing.ply")}), HasSubstr("missing.ply"));
  EXPECT_THAT(refusal({"scene", at("missing.json")}), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal({"scene", a_, save_text("s.json", "{}")}), HasSubstr("stands alone"));
  EXPECT_THAT(refusal({"scene", a_, "--engine", "cpu"}), HasSubstr("automatic, software, cuda, gl-pairs"));
  EXPECT_THAT(refusal({"scene", a_, "--cell", "-1"}), HasSubstr("--cell: '-1' is no size"));
  EXPECT_THAT(refusal({"scene", a_, "--threshold", "x"}), HasSubstr("--threshold"));
  EXPECT_THAT(refusal({"scene", a_, "--views", "2"}), HasSubstr("type 1 or 3"));
  EXPECT_THAT(refusal({"scene", a_, "--normals", "points"}), HasSubstr("faces, neighbours"));
  EXPECT_THAT(refusal({"scene", a_, "--method", "han"}), HasSubstr("complete, jang"));
  EXPECT_THAT(refusal({"scene", a_, "--method", "jang", "--engine", "software"}), HasSubstr("gl-pairs"));
  EXPECT_THAT(refusal({"scene", a_, "--screen", "1,2,3"}), HasSubstr("EX,EY,EZ,DEGREES,PIXELS"));
  EXPECT_THAT(refusal({"scene", a_, "--cell", "1", "--resolution", "8"}), HasSubstr("--cell excludes --resolution"));
  EXPECT_THAT(refusal({"scene", a_, "--frames", "3"}), HasSubstr("for scene files"));
  EXPECT_THAT(refusal({"scene", a_, b_, "--picture", at("no/such.png")}), HasSubstr("no/such.png"));
}

/// The example of docs/scene-file.md.
std::string documented_scene() {
  const std::string page = content(std::filesystem::path(LAMELLA_SOURCE) / "docs" / "scene-file.md");
  const std::size_t begin = page.find("```json\n") + 8;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST_F(SceneCommand, RunsTheDocumentedSceneFrameByFrame) {
  const std::string scene = save_text("scene.json", documented_scene());
  const Outcome outcome = run({"scene", scene, "--json"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 1);
  const Json json = outcome.json();
  expect_keys(json, {"query", "objects", "pairs", "colliding", "engine", "names", "verdict", "frames"});
  EXPECT_EQ(json["objects"], 4);
  EXPECT_EQ(json["names"], Json({"ball", "ring", "wall", "ball 2"}));
  ASSERT_EQ(json["frames"].size(), 16u);
  std::set<Json> pairs;
  for (const Json& frame : json["frames"]) pairs.insert(frame["pairs"].begin(), frame["pairs"].end());
  EXPECT_EQ(std::set<Json>(json["pairs"].begin(), json["pairs"].end()), pairs);
  EXPECT_EQ(json["pairs"].size(), pairs.size());
  expect_keys(json["frames"][3], {"frame", "pairs", "volumes", "volume_errors", "points", "contacts", "patches",
                                  "groups", "self_overlaps", "colliding", "health", "defects", "ms"});
  EXPECT_EQ(json["frames"][3]["frame"], 3);
  EXPECT_EQ(json["frames"][0]["colliding"], false) << "all apart";
  EXPECT_EQ(json["frames"][8]["pairs"], Json::parse("[[0, 3], [1, 3]]")) << "the small ball is in the ring";
  EXPECT_EQ(json["frames"][10]["pairs"], Json::parse("[[0, 3]]")) << "and then beyond it";
  EXPECT_EQ(json["frames"][15]["pairs"], Json::parse("[[0, 2]]")) << "the ball is in the wall";

  const Outcome words = run({"scene", scene});
  EXPECT_EQ(words.status, 1);
  EXPECT_THAT(words.out, AllOf(HasSubstr("of 16 frames"), HasSubstr("\n   15 "), HasSubstr("deepest")));
}

TEST_F(SceneCommand, OneFrameOfManyIsTheSameAsInTheWholeRun) {
  const std::string scene = save_text("scene.json", documented_scene());
  const Json whole = run({"scene", scene, "--json"}).json()["frames"][15];
  const Json one = run({"scene", scene, "--json", "--frame", "15"}).json();
  expect_keys(one, {"query", "objects", "pairs"});
  EXPECT_EQ(one["frame"], 15);
  for (const char* key : {"pairs", "volumes", "points", "groups"}) EXPECT_EQ(one[key], whole[key]) << key;
  EXPECT_EQ(run({"scene", scene, "--frames", "2"}).status, 0) << "nothing has met by then";
  EXPECT_EQ(run({"scene", scene, "--frames", "2", "--json"}).json()["frames"].size(), 2u);
}

TEST_F(SceneCommand, AFrameBeyondTheLastIsAnError) {
  const std::string scene = save_text("scene.json", documented_scene());
  EXPECT_THAT(refusal({"scene", scene, "--frame", "16"}), HasSubstr("--frame: 16 is beyond the last"));
  EXPECT_THAT(refusal({"scene", scene, "--frame", "16"}), HasSubstr("has 16 frames, counted from 0"));
}

TEST_F(SceneCommand, ObjectsWithoutNamesAreCalledAfterTheirMeshes) {
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "a.ply", "far": "far.ply"}, "objects": [
      {"mesh": "a"}, {"mesh": "a", "name": "a 2"}, {"mesh": "far"}, {"mesh": "a"}, {"mesh": "a"}]})");
  EXPECT_EQ(run({"scene", scene, "--json"}).json()["names"], Json({"a", "a 2", "far", "a 3", "a 4"}));
}

TEST_F(SceneCommand, StoppedHasTheFramesSoFarWhole) {
  const std::string scene = save_text("scene.json", documented_scene());
  const Outcome outcome =
      run_and_signal({"scene", scene, "--frames", "100000", "--json", "--picture", at("scene.png")}, SIGINT, ".part");
  const std::string bytes = content(at("scene.png"));
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("lamella: stopped by Ctrl-C after "), HasSubstr(" of 100,000 frames")));
  if (bytes.empty()) {  // it came before the first frame
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(file_count(), 5u);
    return;
  }
  EXPECT_GE(outcome.json()["frames"].size(), 1u);
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
  EXPECT_EQ(file_count(), 6u) << "no temporary";
}

TEST_F(SceneCommand, SaysWhenCellsAreLargerThanAskedFor) {
  EXPECT_THAT(run({"scene", a_, b_, "--cell", "1e-5", "--axis", "z"}).out,
              HasSubstr("1 grid with cells larger than 1e-05: 2048 columns and rows are the most"));
  EXPECT_THAT(run({"scene", a_, b_, "--cell", "0.01"}).out,
              AllOf(Not(HasSubstr("larger than")), HasSubstr("sampled in 3 grids")));
}

TEST_F(SceneCommand, DrawsFramesAsAnAnimation) {
  const std::string scene = save_text("scene.json", documented_scene());
  EXPECT_EQ(run({"scene", scene, "--frames", "3", "--picture", at("scene.png")}).status, 0);
  const std::string bytes = content(at("scene.png"));
  EXPECT_THAT(bytes, StartsWith("\x89PNG\r\n"));
  EXPECT_THAT(bytes, AllOf(HasSubstr("acTL"), HasSubstr("fdAT")));
  EXPECT_EQ(file_count(), 6u) << "no temporary";
}

TEST_F(SceneCommand, OneFrameIsNoFilm) {
  const Outcome outcome = run({"scene", a_, b_, "--picture", at("scene.gif")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--picture"), HasSubstr(".png")));
}

TEST_F(SceneCommand, DrawsSharedVolumesRedAndOthersGrey) {
  const std::string far = save("far.ply", make_box({-3, 0, 0}, {-2, 1, 1}));
  const auto drawn = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command{"scene", a_, b_, far, "--size", "320x240", "--picture", at("scene.png")};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(run(command).status, 1);
    return read_png(at("scene.png"));
  };
  const picture::Image volumes = drawn({}), contacts = drawn({"--draw", "contacts"});
  constexpr std::size_t kLegend = 130;  // pixels of the patch of red in it
  EXPECT_GT(count_pixels(volumes, is_red), kLegend + 200);
  EXPECT_LT(count_pixels(contacts, is_red), count_pixels(volumes, is_red) / 2) << "points instead";
}

TEST_F(SceneCommand, LeavesOutWhatIsFarAwayAndSaysSo) {
  // A row of 30 boxes, the first two of which collide; then one that is so far away that all others would be a dot.
  std::string objects;
  for (int i = 0; i < 30; ++i) {
    objects += fmt::format("{{\"mesh\":\"box\",\"pose\":{{\"translation\":[{},0,0]}}}},", i == 1 ? 0.5 : 2.0 * i);
  }
  const auto drawn = [&](const std::string& last) {
    const std::string scene =
        save_text("row.json", "{\"meshes\":{\"box\":{\"model\":\"box\",\"faces\":12}},\"objects\":[" + objects +
                                  "{\"mesh\":\"box\",\"pose\":{\"translation\":" + last + "}}]}");
    EXPECT_EQ(run({"scene", scene, "--size", "320x240", "--picture", at("row.png")}).status, 1);
    return read_png(at("row.png"));
  };
  const auto content_of = [](const picture::Image& image) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      const std::size_t left = i / (3 * image.width) * 3 * image.width;
      count += std::abs(image.rgb[i] - image.rgb[left]) > 12 ? 1 : 0;
    }
    return count;
  };
  const std::size_t near = content_of(drawn("[60,0,0]")), far = content_of(drawn("[6000,0,0]"));
  EXPECT_GT(near, 2000u);
  EXPECT_GT(far, near * 3 / 4) << "as large as without it";
}

TEST_F(SceneCommand, PlacesScalesAndDeformsWhatTheFileSays) {
  (void)save("wide.ply", make_box({0, 0, 0}, {2, 1, 1}));
  const Json json = run({"scene", save_text("scene.json", R"({
    "frames": 3, "cell": 0.02,
    "meshes": {"cube": "a.ply", "same": {"file": "a.ply"}},
    "objects": [
      {"mesh": "cube", "pose": {"translation": [1.5, 0, 0], "rotation": [0, 0, 0.7071068, 0.7071068]}},
      {"mesh": "same", "shapes": ["a.ply", "wide.ply"]},
      {"mesh": "cube", "scale": 0.5, "pose": {"translation": [0.25, 0.25, 0.25]}}
    ],
    "ignore": [[0, 2]]
  })"),
                         "--json"})
                        .json();
  // A quarter turn about z takes the cube to x from -1 to 0, moving it to 0.5 to 1.5. The wide shape reaches x = 2.
  const auto& frames = json["frames"];
  EXPECT_EQ(frames[0]["pairs"], Json::parse("[[0, 1], [1, 2]]"));
  EXPECT_NEAR(frames[0]["volumes"][0].get<double>(), 0.5, 0.02);
  EXPECT_NEAR(frames[0]["volumes"][1].get<double>(), 0.125, 0.01);
  EXPECT_NEAR(frames[1]["volumes"][0].get<double>(), 1, 0.04);
  EXPECT_EQ(frames[2]["volumes"], frames[1]["volumes"]) << "the last shape stays";
}

TEST_F(SceneCommand, AnAxisOfAnyLengthAboveZeroTurnsTheSameWay) {
  const auto volumes = [&](const std::string& length) {
    const std::string scene =
        save_text("scene.json", R"({"cell": 0.02, "meshes": {"a": "a.ply"}, "objects": [{"mesh": "a"}, {"mesh": "a",
        "pose": {"translation": [0.5, 0.5, 0.5], "rotation": {"axis": [0, 0, )" +
                                    length + R"(], "degrees": 30}}}]})");
    return run({"scene", scene, "--json"}).json()["volumes"];
  };
  const Json expected = volumes("1");
  ASSERT_EQ(expected.size(), 1u);
  // The square of the tiny ones is 0, or has lost most of its digits.
  for (const char* length : {"2", "1e12", "2e-162", "1e-200", "5e-324"}) EXPECT_EQ(volumes(length), expected) << length;
}

TEST_F(SceneCommand, FixedObjectsAreNotTestedAgainstOneAnother) {
  const auto pairs = [&](const std::string& second) {
    return run({"scene",
                save_text("scene.json", R"({"meshes": {"a": "a.ply", "b": "b.ply"}, "objects": [
                {"mesh": "a", "fixed": true}, {"mesh": "b", "fixed": )" +
                                            second + "}]}"),
                "--json"})
        .json()["pairs"]
        .size();
  };
  EXPECT_EQ(pairs("true"), 0u);
  EXPECT_EQ(pairs("false"), 1u);
}

TEST_F(SceneCommand, TheFilesSamplingCountsUnlessTheCommandLineHasOne) {
  const std::string scene = save_text("scene.json", R"({"resolution": 8, "meshes": {"a": "a.ply", "b": "b.ply"},
                                                        "objects": [{"mesh": "a"}, {"mesh": "b"}]})");
  const auto columns = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"scene", scene, "--json", "--axis", "z"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).json()["groups"][0]["resolution"][0].get<int>();
  };
  EXPECT_LE(columns({}), 8);
  EXPECT_GT(columns({"--resolution", "64"}), 16);
  EXPECT_GT(columns({"--cell", "0.01"}), 16);
}

TEST_F(SceneCommand, ErrorsOfTheGrammarNameLineAndColumn) {
  EXPECT_THAT(complaint("{\n  \"meshes\": {},\n  \"objects\": [,]\n}"), HasSubstr("scene.json:3:15: is no JSON: "));
  EXPECT_THAT(complaint(""), HasSubstr("scene.json:1:1: is no JSON"));
  EXPECT_THAT(complaint("{} x"), HasSubstr("scene.json:1:4: is no JSON"));
  EXPECT_THAT(complaint("{\n\"cell\": 1e999}"), HasSubstr("scene.json:2:"));
  EXPECT_THAT(complaint("{\"a\": \"\xff\"}"), HasSubstr("is no JSON"));
  EXPECT_THAT(complaint(std::string(1000, '[')), HasSubstr("scene.json:1:17: is nested deeper than 16 brackets"));
  EXPECT_THAT(complaint("{\n \"cell\": 1,\n \"cell\": 2}"), HasSubstr("scene.json:3:2: \"cell\" is there twice"));
  EXPECT_THAT(complaint("\xEF\xBB\xBF[]"), HasSubstr("scene.json:1:1: a scene must be an object, not a list"));
}

struct BadScene {
  const char* text;     ///< `@` begins a line of its own, so that the error is on line 2
  const char* message;  ///< what stands behind the line
};

class BadSceneFile : public SceneCommand, public testing::WithParamInterface<BadScene> {};

TEST_P(BadSceneFile, IsRefusedWithItsLineAndWhatToWrite) {
  std::string text = GetParam().text;
  const std::size_t at_sign = text.find('@');
  ASSERT_NE(at_sign, std::string::npos);
  text[at_sign] = '\n';
  EXPECT_THAT(complaint(text), AllOf(HasSubstr("scene.json:2:1: "), HasSubstr(GetParam().message)));
}

#define OBJECT(rest) R"({"frames": 4, "meshes": {"cup": "a.ply"}, "objects": [{"mesh": "cup", )" rest "}]}"
#define MESHES(rest) R"({"meshes": {)" rest R"(}, "objects": [{"mesh": "cup"}]})"
#define SCENE(rest) \
  R"({"meshes": {"cup": "a.ply"}, "objects": [{"mesh": "cup", "name": "x"}, {"mesh": "cup"}], )" rest "}"

INSTANTIATE_TEST_SUITE_P(
    All, BadSceneFile,
    testing::Values(
        BadScene{"@{\"meshes\": {}}", "a scene has no \"objects\"; add it"},
        BadScene{"@{\"objects\": []}", "a scene has no \"meshes\"; add it"},
        BadScene{R"({"meshes": {}, "objects": @[]})", "a scene without objects"},
        BadScene{R"({"meshes": {}, "objects": @{}})", "\"objects\" must be a list, not an object"},
        BadScene{R"({"meshes": @[], "objects": []})", "\"meshes\" must be an object, not a list"},
        BadScene{R"({"meshes": {"cups": "a.ply"}, "objects": [{"mesh": @"cup"}]})",
                 "object 0 names the mesh \"cup\", which is not among \"meshes\"; did you mean \"cups\"?"},
        BadScene{R"({"meshes": {"cup": "a.ply"}, "objects": [{"mesh": "cup"}, {"mesh": @"frog"}]})",
                 "object 1 names the mesh \"frog\", which is not among \"meshes\"; add it there"},
        BadScene{R"({"meshes": {}, "objects": [@{"name": "x"}]})", "object 0 has no \"mesh\"; add it"},
        BadScene{R"({"meshes": {}, "objects": [@7]})", "object 0 must be an object, not a number"},
        BadScene{R"({"meshes": {"cup": @"none.ply"}, "objects": []})", "none.ply"},
        BadScene{R"({"meshes": {"cup": @7}, "objects": []})", "the mesh \"cup\" must be a file's name"},
        BadScene{R"({"meshes": {"cup": @{}}, "objects": []})", "needs either \"file\" or \"model\""},
        BadScene{MESHES(R"("cup": {"model": @"spere"})"), "there is no model \"spere\"; did you mean \"sphere\"?"},
        BadScene{MESHES(R"("cup": {"model": "sphere", "faces": @3.5})"), "write a whole number from 4 to 10000000"},
        BadScene{MESHES(R"("cup": {"model": "sphere", "faces": @1e9})"), "write a whole number from 4 to 10000000"},
        BadScene{MESHES(R"("cup": {"model": "sphere", "seed": @-1})"), "the seed of the mesh \"cup\" is -1"},
        BadScene{MESHES(R"("cup": {"file": "a.ply", "faces": @9})"), "is a file: it has no \"faces\""},
        BadScene{MESHES(R"("cup": {@"fle": "a.ply"})"), "has no \"fle\"; did you mean \"file\"? There are: "},
        BadScene{OBJECT(R"(@"pos": {})"), "object 0 has no \"pos\"; did you mean \"pose\"?"},
        BadScene{OBJECT(R"("pose": @[0, 0, 0])"), "the pose of object 0 must be an object, not a list"},
        BadScene{OBJECT(R"("pose": {"translation": @[0, 0]})"), "the translation of object 0 has 2 numbers; write 3"},
        BadScene{OBJECT(R"("pose": {"translation": [0, @"1", 0]})"), "must be a number, not a text"},
        BadScene{OBJECT(R"("pose": {"translation": [0, @1e99, 0]})"), "is 1e+99; write a number from"},
        BadScene{OBJECT(R"("pose": {"rotation": @[0, 0, 0, 2]})"), "has length 2; divide its four numbers by that"},
        BadScene{OBJECT(R"("pose": {"rotation": @7})"), "a unit quaternion, or {\"axis\""},
        BadScene{OBJECT(R"("pose": {"rotation": {"axis": @[0, 0, 0], "degrees": 1}})"), "has length 0"},
        BadScene{OBJECT(R"("pose": {"rotation": @{"axis": [0, 0, 1]}})"), "has no \"degrees\"; add it"},
        BadScene{OBJECT(R"("scale": @0)"), "the scale of object 0 is 0; write a number from 1e-12 to 1e+12"},
        BadScene{OBJECT(R"("scale": @-2)"), "the scale of object 0 is -2"},
        BadScene{OBJECT(R"("fixed": @1)"), "\"fixed\" of object 0 must be true or false, not a number"},
        BadScene{OBJECT(R"("fixed": @null)"), "must be true or false, not null"},
        BadScene{OBJECT(R"("name": @3)"), "the name of object 0 must be a text"},
        BadScene{OBJECT(R"("motion": {@"velocty": [0, 0, 1]})"), "did you mean \"velocity\"?"},
        BadScene{OBJECT(R"("motion": {"keys": @[]})"), "the keys of object 0 are none"},
        BadScene{OBJECT(R"("motion": {"keys": [{"frame": 2}, {"frame": @2}]})"), "keys must ascend"},
        BadScene{OBJECT(R"("motion": {"keys": [@{"translation": [0, 0, 0]}]})"), "key 0 of object 0 has no \"frame\""},
        BadScene{OBJECT(R"("pose": {}, "motion": {"keys": @[{"frame": 0}]})"), "leave out its \"pose\""},
        BadScene{OBJECT(R"("motion": {"velocity": [0, 0, 1], "keys": @[{"frame": 0}]})"), "leave out its velocities"},
        BadScene{OBJECT(R"("shapes": ["far.ply", @"none.ply"])"), "none.ply"},
        BadScene{OBJECT(R"("shapes": [@"open.ply"])"),
                 "has other faces than its mesh (8 vertices and 10 faces, not 8 and 12)"},
        BadScene{R"({"meshes": {"cup": "a.ply"}, "objects": [{"mesh": "cup", "motion": @{}}]})",
                 "object 0 moves, but the scene has one frame; say how many with \"frames\": N"},
        BadScene{SCENE(R"("frames": @0)"), "\"frames\" is 0; write a whole number from 1 to 100000"},
        BadScene{SCENE(R"("cell": @0)"), "\"cell\" is 0"},
        BadScene{SCENE(R"("cell": 1, "resolution": @2)"), "keep one"},
        BadScene{SCENE(R"("screen": @{"eye": [0, 0, 0], "degrees": 60})"), "\"screen\" has no \"pixels\""},
        BadScene{SCENE(R"(@"ingore": [])"), "did you mean \"ignore\"?"},
        BadScene{SCENE(R"("ignore": [@[0]])"), "a pair to ignore has 1 objects; write two"},
        BadScene{SCENE(R"("ignore": [[0, @2]])"), "write a whole number from 0 to 1"},
        BadScene{SCENE(R"("ignore": [[0, @"y"]])"), "no object has the name \"y\""},
        BadScene{SCENE(R"("ignore": [@["x", 0]])"), "an object with itself"}));

TEST_F(SceneCommand, NamesThatWouldSteerATerminalAreSpeltOut) {
  const std::string err = complaint(R"({"meshes": {"a": "a.ply"}, "objects": [{"mesh": "\u001b[31mred\u009b"}]})");
  EXPECT_THAT(err, HasSubstr(R"("\u001b[31mred\u009b")"));
  EXPECT_THAT(err, Not(HasSubstr("\x1b")));
  const std::string scene = save_text(
      "scene.json", R"({"meshes": {"a": "a.ply"}, "objects": [{"mesh": "a", "name": "x\u0007"}, {"mesh": "a"}]})");
  EXPECT_THAT(run({"scene", scene}).out, HasSubstr(R"(0 x\u0007)"));
}

/// A scene of one object with the mesh that `file` names.
std::string scene_with(const std::string& file) {
  return Json{{"meshes", {{"cup", file}}}, {"objects", {{{"mesh", "cup"}}}}}.dump();
}

TEST_F(SceneCommand, FilesOutsideTheScenesFolderNeedPermission) {
  namespace fs = std::filesystem;
  for (const char* folder : {"room", "room/inner", "other"}) fs::create_directory(at(folder));
  (void)save("room/inner/in.ply", kA);
  (void)save("other/out.ply", kA);
  fs::create_symlink("inner/in.ply", at("room/link_in.ply"));
  fs::create_symlink("../other/out.ply", at("room/link_out.ply"));
  fs::create_directory_symlink("../other", at("room/folder_out"));
  for (const std::string& name : {at("other/out.ply"), at("room/inner/in.ply"), std::string("../other/out.ply"),
                                  std::string("inner/../inner/in.ply"), std::string("link_out.ply"),
                                  std::string("folder_out/out.ply"), std::string("../other/none.ply")}) {
    const std::string scene = save_text("room/scene.json", scene_with(name));
    EXPECT_THAT(refusal({"scene", scene}),
                AllOf(HasSubstr("scene.json:1:"), HasSubstr("must be in the scene file's folder or below it"),
                      HasSubstr("--allow-any-path")))
        << name;
    EXPECT_EQ(run({"scene", scene, "--allow-any-path"}).status, name.ends_with("none.ply") ? 2 : 0) << name;
  }
  for (const char* name : {"inner/in.ply", "./inner/in.ply", "link_in.ply"}) {
    EXPECT_EQ(run({"scene", save_text("room/scene.json", scene_with(name))}).status, 0) << name;
  }
  const std::string shapes = R"({"frames": 2, "meshes": {"cup": "inner/in.ply"}, "objects": [{"mesh": "cup",
      "shapes": ["../other/out.ply"]}]})";
  EXPECT_THAT(refusal({"scene", save_text("room/scene.json", shapes)}),
              HasSubstr("must be in the scene file's folder"));
}

TEST_F(SceneCommand, ControlCharactersInFileNamesAreRefused) {
  (void)save_text("secret", "word of mine\n");
  for (const char* permission : {"--json", "--allow-any-path"}) {
    const std::string scene = save_text("scene.json", R"({"meshes": {"cup": "secret\u0000.off"}, "objects": []})");
    EXPECT_THAT(refusal({"scene", scene, permission}),
                AllOf(HasSubstr(R"(the file name "secret\u0000.off" has control characters; rename the file)"),
                      Not(HasSubstr("word"))));
  }
}

TEST_F(SceneCommand, LongNamesAreComparedInLinearTimeAndCutInMessages) {
  const std::string name(std::size_t{4} << 20, 'x');  // compared letter by letter with each other, it would take hours
  const std::string err =
      complaint(R"({"meshes": {")" + name + R"(y": "a.ply"}, "objects": [{"mesh": ")" + name + "\"}]}");
  EXPECT_THAT(err, HasSubstr("object 0 names the mesh \"xxx"));
  EXPECT_THAT(err, HasSubstr("did you mean \"xxx"));
  EXPECT_LT(err.size(), 1000u);
}

TEST_F(SceneCommand, ManyObjectsInOnePlaceAreRefusedBeforeTheyTakeMemory) {
  std::string objects;
  for (int i = 0; i < 3000; ++i) objects += R"(,{"mesh":"a"})";
  const std::string scene =
      save_text("scene.json", R"({"meshes": {"a": "a.ply"}, "objects": [)" + objects.substr(1) + "]}");
  EXPECT_THAT(refusal({"scene", scene}),
              AllOf(HasSubstr("more than 2097152 pairs of objects"), HasSubstr("max_pairs")));
  EXPECT_THAT(refusal({"scene", a_, a_, a_, "--max-pairs", "2"}), HasSubstr("more than 2 pairs of objects"));
  EXPECT_THAT(refusal({"scene", a_, a_, "--max-spans", "100"}), HasSubstr("more than 100 intervals of rays"));
  EXPECT_EQ(run({"scene", a_, a_, a_, "--max-pairs", "3"}).status, 1);
}

TEST_F(SceneCommand, TwoNamesOfOneFileAreTwoMeshes) {
  const std::string scene = save_text("scene.json", R"({"meshes": {"a": "a.ply", "b": "./a.ply"}, "objects": [
      {"mesh": "a"}, {"mesh": "b", "scale": 0.5}, {"mesh": "b"}]})");
  const Json json = run({"scene", scene, "--json", "--no-points"}).json();
  EXPECT_EQ(json["names"], Json({"a", "b", "b 2"}));
  ASSERT_EQ(json["volumes"].size(), 3u);
  EXPECT_NEAR(json["volumes"][0].get<double>(), 0.125, 0.01);
  EXPECT_NEAR(json["volumes"][1].get<double>(), 1, 0.03);
}

TEST_F(SceneCommand, FilesOfOneNameAreToldApart) {
  for (const char* folder : {"left", "right", "left/deep", "right/deep"}) std::filesystem::create_directory(at(folder));
  std::vector<std::string> arguments{"scene"};
  for (const char* name : {"left/part.ply", "right/part.ply", "left/deep/part.ply", "right/deep/part.ply"}) {
    arguments.push_back(save(name, kA));
  }
  arguments.push_back(a_);
  arguments.push_back(at("left/../a.ply"));
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 1);
  for (const char* label : {"0 left/part.ply  ", "1 right/part.ply  ", "2 left/deep/part.ply  ",
                            "3 right/deep/part.ply  ", "4 a.ply  ", "5 a.ply#2  "}) {
    EXPECT_THAT(outcome.out, HasSubstr(label));
  }
}

TEST_F(SceneCommand, AScenesLimitsAreStatedBeforeAnythingIsMade) {
  const std::string large = save_text("large.json", "{}");
  std::filesystem::resize_file(large, (std::uintmax_t{512} << 20) + 1);  // of which no byte is stored
  EXPECT_THAT(refusal({"scene", large}), HasSubstr("bytes; 536870912 is the most"));
  std::string objects;
  for (int i = 0; i <= 1'000'000; ++i) objects += ",{}";
  EXPECT_THAT(complaint(R"({"meshes": {}, "objects": [)" + objects.substr(1) + "]}"),
              HasSubstr("more than 1000000 objects"));
}

}  // namespace
}  // namespace lamella::test
