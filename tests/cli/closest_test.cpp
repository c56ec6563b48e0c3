#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Closest : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    mesh_ = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
    points_ = save_text("points.xyz", "0.5 0.25 0.875\n2 0.5 0.25\n2 2 2\n");
  }
  std::string mesh_, points_;
};

TEST_F(Closest, SumsUpTheDistances) {
  const Outcome outcome = run({"closest", mesh_, points_, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "points", "inside", "unknown", "min", "max", "mean", "ms", "files"});
  EXPECT_EQ(json["query"], "closest");
  EXPECT_EQ(json["points"], 3);
  EXPECT_EQ(json["inside"], 1);
  EXPECT_EQ(json["unknown"], 0);
  EXPECT_NEAR(json["min"].get<double>(), -0.125, 1e-7);
  EXPECT_NEAR(json["max"].get<double>(), std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(json["mean"].get<double>(), (-0.125 + 1 + std::sqrt(3.0)) / 3, 1e-6);
  EXPECT_EQ(json["files"], nlohmann::ordered_json({mesh_, points_}));
}

TEST_F(Closest, WritesALineForEachPoint) {
  const Outcome outcome = run({"closest", mesh_, points_, "-o", at("list.csv")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("points        3 points\ninside        1 (33.3 %)\ndistance      -0.125 to 1.73205"));
  std::istringstream lines(content(at("list.csv")));
  std::string header, first, second, third, rest;
  std::getline(lines, header), std::getline(lines, first), std::getline(lines, second), std::getline(lines, third);
  EXPECT_EQ(header, "x,y,z,distance,nearest_x,nearest_y,nearest_z,normal_x,normal_y,normal_z,triangle");
  EXPECT_THAT(first, StartsWith("0.5,0.25,0.875,-0.125,0.5,0.25,1,0,0,1,"));
  EXPECT_THAT(second, StartsWith("2,0.5,0.25,1,1,0.5,0.25,1,0,0,"));
  EXPECT_THAT(third, StartsWith("2,2,2,1.732050"));
  EXPECT_THAT(third, HasSubstr(",1,1,1,0.577350")) << "the corner, and the mean of its normals";
  EXPECT_FALSE(std::getline(lines, rest));
}

TEST_F(Closest, OtherFilesHaveBlanksAndAreFilesOfPointsAgain) {
  EXPECT_EQ(run({"closest", mesh_, points_, "-o", at("list.xyz")}).status, 0);
  EXPECT_THAT(content(at("list.xyz")), StartsWith("# x y z distance nearest_x "));
  const auto again = run({"closest", mesh_, at("list.xyz"), "--json"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["max"], run({"closest", mesh_, points_, "--json"}).json()["max"]);
}

TEST_F(Closest, TakesTheVerticesOfAMeshAndPlacesTheOther) {
  const std::string small = save("small.ply", make_box({0.25f, 0.25f, 0.25f}, {0.75f, 0.75f, 0.75f}));
  const auto json = run({"closest", mesh_, small, "--json"}).json();
  EXPECT_EQ(json["inside"], 8);
  EXPECT_EQ(json["min"], -0.25);
  EXPECT_EQ(json["max"], -0.25);
  EXPECT_NEAR(run({"closest", mesh_, small, "--pose", "2,0,0", "--json"}).json()["min"].get<double>(), 1.25, 1e-6);
}

TEST_F(Closest, DrawsPointsInTheColoursOfTheirDistance) {
  EXPECT_EQ(run({"closest", mesh_, points_, "--picture", at("c.png"), "--size", "320x240"}).status, 0);
  const picture::Image image = read_png(at("c.png"));
  EXPECT_GT(count_pixels(image, is_orange), 20u) << "inside";
  EXPECT_GT(count_pixels(image, [](int r, int g, int b) { return b > r + 25 && b > g + 40; }), 20u) << "outside";
}

TEST_F(Closest, SaysWhereTheSignIsUnknown) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"closest", open, points_, "--json"});
  EXPECT_THAT(outcome.status, testing::AnyOf(0, 4));
  EXPECT_EQ(outcome.status == 4, outcome.json()["unknown"] != 0);
  EXPECT_EQ(run({"closest", open, points_, "--exit-zero"}).status, 0);
}

TEST_F(Closest, OfAMeshWithoutUsableTrianglesHasNoDistances) {
  const std::string bad = save_text("nan.off", "OFF\n3 1 0\nnan 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  const Outcome outcome = run({"closest", bad, points_, "--json", "-o", at("list.csv"), "--picture", at("c.png")});
  EXPECT_LT(outcome.status, 5) << outcome.err;
  EXPECT_EQ(outcome.json()["min"], nullptr);
  EXPECT_THAT(content(at("list.csv")), HasSubstr("2,2,2,inf,nan,nan,nan,0,0,0,-1\n"));
}

TEST_F(Closest, RefusesBadPointsAndFilesItCannotWrite) {
  for (const std::string bad : {"1 2 nan\n", "1 two 3\n", "inf 0 0\n", "1 2\n", "# none\n"}) {
    const Outcome outcome = run({"closest", mesh_, save_text("bad.xyz", bad), "-o", at("list.csv")});
    EXPECT_EQ(outcome.status, 2) << bad;
    EXPECT_EQ(outcome.out, "") << bad;
    EXPECT_THAT(outcome.err, HasSubstr("bad.xyz")) << bad;
  }
  EXPECT_EQ(run({"closest", mesh_, points_, "-o", at("no/such/list.csv")}).status, 2);
  EXPECT_EQ(run({"closest", mesh_, at("missing.xyz")}).status, 2);
  EXPECT_EQ(file_count(), 3u) << "nothing is left behind";
}

TEST_F(Closest, ListsOnTheStandardOutputComeBeforeTheAnswer) {
  const Outcome outcome = run_into(at("all.txt"), {"closest", mesh_, points_, "-o", "/dev/stdout"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("# x y z distance"));
  EXPECT_THAT(outcome.out, HasSubstr("\npoints        3 points\n"));
}

}  // namespace
}  // namespace lamella::test
