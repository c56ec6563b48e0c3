#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Contain : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    mesh_ = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
    points_ = save_text("points.xyz", "# in, out, in, far out\n0.5 0.5 0.5\n0.5 0.5 1.5\n0.25 0.75 0.1\n9 9 9\n");
  }
  std::string mesh_, points_;
};

TEST_F(Contain, GivesTheContractsKeysAndCounts) {
  const Outcome outcome = run({"contain", mesh_, points_, "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "inside", "points"});
  EXPECT_EQ(json["query"], "contain");
  EXPECT_EQ(json["inside"], 2);
  EXPECT_EQ(json["points"], 4);
  EXPECT_TRUE(json["engine"].is_string());
  expect_keys(json["health"], {"open_columns", "skipped_triangles", "ok"});
  EXPECT_EQ(json["health"]["untrusted_points"], 0);
  expect_keys(json["ms"], {"voi", "ldi", "query", "total"});
  EXPECT_EQ(json["resolution"], nlohmann::ordered_json({128, 128}));
  EXPECT_EQ(file_count(), 2u);
}

TEST_F(Contain, WritesAFlagPerPoint) {
  const Outcome outcome = run({"contain", mesh_, points_, "-o", at("flags.txt")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("inside        2 of 4 points (50 %)\n"));
  EXPECT_EQ(content(at("flags.txt")), "1\n0\n1\n0\n");
  EXPECT_EQ(file_count(), 3u);
}

TEST_F(Contain, DecidesPointsAtTheSurfaceExactly) {
  // On a face, just inside it, just outside it: closer than any cell.
  const std::string near = save_text("near.xyz", "0.3 0.3 1\n0.3 0.3 0.99999994\n0.3 0.3 1.0000001\n0 0 0\n");
  const Outcome outcome = run({"contain", mesh_, near, "--exact", "-o", at("flags.txt"), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["exact"], true);
  EXPECT_EQ(content(at("flags.txt")), "0\n1\n0\n0\n");
}

TEST_F(Contain, ReplacesFlagsThatAreThere) {
  const std::string flags = save_text("flags.txt", "something longer than the four flags\n");
  EXPECT_EQ(run({"contain", mesh_, points_, "-o", flags}).status, 0);
  EXPECT_EQ(content(flags), "1\n0\n1\n0\n");
}

TEST_F(Contain, FlagsOnTheStandardOutputComeBeforeTheAnswer) {
  const Outcome outcome = run_into(at("all.txt"), {"contain", mesh_, points_, "-o", "/dev/stdout"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("1\n0\n1\n0\ninside        2 of 4 points (50 %)\n"));
  EXPECT_EQ(run({"contain", mesh_, points_, "-o", "/dev/null"}).status, 0);
}

TEST_F(Contain, TakesTheVerticesOfAMeshAsPoints) {
  const std::string small = save("small.ply", make_box({0.25f, 0.25f, 0.25f}, {0.75f, 0.75f, 0.75f}));
  EXPECT_EQ(run({"contain", mesh_, small, "--json"}).json()["inside"], 8);
}

TEST_F(Contain, PlacesTheMeshAndLeavesThePoints) {
  EXPECT_EQ(run({"contain", mesh_, points_, "--pose", "8.5,8.5,8.5", "-o", at("flags.txt"), "--json"}).status, 0);
  EXPECT_EQ(content(at("flags.txt")), "0\n0\n0\n1\n");
}

TEST_F(Contain, DrawsAPicture) {
  EXPECT_EQ(run({"contain", mesh_, points_, "--picture", at("points.png")}).status, 0);
  EXPECT_THAT(content(at("points.png")), StartsWith("\x89PNG\r\n"));
}

TEST_F(Contain, RefusesBadPointsAndFlagsItCannotWrite) {
  const std::string bad = save_text("bad.xyz", "1 2 3\n1 two 3\n");
  const Outcome outcome = run({"contain", mesh_, bad});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.xyz"));
  const Outcome unwritable = run({"contain", mesh_, points_, "-o", at("no/such/flags.txt")});
  EXPECT_EQ(unwritable.status, 2);
  EXPECT_EQ(unwritable.out, "");
  EXPECT_THAT(unwritable.err, HasSubstr("flags.txt"));
  EXPECT_THAT(run({"contain", mesh_, points_, "-o", at(".")}).err, HasSubstr("is a folder"));
}

TEST_F(Contain, CountsPointsItCannotDecide) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"contain", open, points_, "--axis", "x", "--as-is", "--json", "-o", at("flags.txt")});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.json()["health"]["ok"], false);
  EXPECT_GE(outcome.json()["unknown"], 2);
  EXPECT_EQ(outcome.json()["health"]["untrusted_points"], outcome.json()["unknown"]);
  EXPECT_THAT(content(at("flags.txt")), HasSubstr("2\n"));
  EXPECT_EQ(run({"contain", open, points_, "--axis", "x", "--as-is", "--exit-zero"}).status, 0);
  EXPECT_THAT(run({"contain", open, points_, "--axis", "x", "--as-is"}).out, HasSubstr("unknown       "));
  EXPECT_EQ(run({"contain", open, points_, "--axis", "x", "--strict"}).status, 2);
  // Its hole closed, the box holds what it should.
  const Outcome closed = run({"contain", open, points_, "--axis", "x", "--json"});
  EXPECT_EQ(closed.status, 0);
  EXPECT_EQ(closed.json()["inside"], run({"contain", mesh_, points_, "--json"}).json()["inside"]);
  EXPECT_EQ(closed.json()["health"]["closed_edges"], 4);
}

TEST_F(Contain, HasNoVolumeToWrite) {
  EXPECT_THAT(run({"contain", mesh_, points_, "--volume", at("x.ply")}).err, HasSubstr("unknown option --volume"));
}

TEST_F(Contain, InABoxLooksOnlyAtItsPoints) {
  const Outcome outcome = run({"contain", mesh_, points_, "--box", "0,0,0,0.4,1,2", "-o", at("flags.txt")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("inside        1 of 1 point (100 %)\noutside box   3 points: not looked at\n"));
  EXPECT_EQ(content(at("flags.txt")), "-\n-\n1\n-\n");
  const auto json = run({"contain", mesh_, points_, "--box", "0,0,0,0.4,1,2", "--json"}).json();
  EXPECT_EQ(json["inside"], 1);
  EXPECT_EQ(json["points"], 4);
  EXPECT_EQ(json["not_looked_at"], 3);
  EXPECT_EQ(json["box"]["max"], nlohmann::ordered_json({0.4, 1, 2}));
  EXPECT_EQ(json["voi"]["max"], nlohmann::ordered_json({0.4, 1, 1})) << "the mesh's part of it";
  EXPECT_FALSE(run({"contain", mesh_, points_, "--json"}).json().contains("box"));
}

TEST_F(Contain, ABoxBesideTheMeshIsAnAnswerToo) {
  const Outcome outcome = run({"contain", mesh_, points_, "--box", "8,8,8,10,10,10"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("inside        0 of 1 point (0 %)"));
  EXPECT_THAT(outcome.out, HasSubstr("the boxes share no volume"));
}

TEST_F(Contain, RefusesABoxThatIsNone) {
  for (const auto& [box, word] : {std::pair{"0,0,0,1,1", "has 5 numbers"},
                                  {"0,0,0,1,1,one", "'one'"},
                                  {"0,0,0,1,1,nan", "is no number"},
                                  {"0,0,0,1,0,1", "along y"},
                                  {"", "is no number"}}) {
    const Outcome outcome = run({"contain", mesh_, points_, "--box", box});
    EXPECT_EQ(outcome.status, 2) << box;
    EXPECT_THAT(outcome.err, HasSubstr("--box")) << box;
    EXPECT_THAT(outcome.err, HasSubstr(word)) << box;
  }
}

}  // namespace
}  // namespace lamella::test
