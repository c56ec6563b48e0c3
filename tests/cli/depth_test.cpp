#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A unit cube that reaches a quarter into a large block, from the side of smaller x.
class Depth : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    b_ = save("b.ply", make_box({0.75f, -1, -1}, {4, 2, 2}));
  }
  std::string a_, b_;
};

TEST_F(Depth, OfABoxInABlockIsHowFarItReachesIn) {
  const Outcome outcome = run({"depth", a_, b_, "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "colliding", "verdict", "volume", "volume_error", "depth", "centroid", "separation",
                     "patches", "gradient", "distance"});
  EXPECT_EQ(json["query"], "depth");
  EXPECT_EQ(json["colliding"], true);
  EXPECT_EQ(json["verdict"], "colliding");
  EXPECT_NEAR(json["volume"].get<double>(), 0.25, 1e-4);
  EXPECT_NEAR(json["depth"].get<double>(), 0.25, 1e-3);
  expect_vector(json["centroid"], {0.875, 0.5, 0.5}, 1e-3);
  EXPECT_EQ(json["distance"], nullptr);
  EXPECT_EQ(json["files"], nlohmann::ordered_json({a_, b_}));
  EXPECT_EQ(json["health"]["ok"], true);
  EXPECT_TRUE(json["engine"].is_string());
  for (const char* part : {"gradient", "separation", "total", "load"}) EXPECT_TRUE(json["ms"].contains(part)) << part;
}

TEST_F(Depth, TheWayOutIsTheShortestAndLeavesNothing) {
  const auto way = run({"depth", a_, b_, "--json"}).json()["separation"];
  expect_keys(way, {"translation", "direction", "length", "margin", "verdict", "certain"});
  expect_vector(way["direction"], {-1, 0, 0}, 1e-3);
  EXPECT_NEAR(way["length"].get<double>(), 0.25, 1e-3);
  EXPECT_GE(way["margin"].get<double>(), 0);
  const double moved = way["translation"][0].get<double>();
  EXPECT_NEAR(moved, -way["length"].get<double>() - way["margin"].get<double>(), 1e-6);
  EXPECT_EQ(way["verdict"], "clear");
  EXPECT_EQ(way["certain"], true);
  const auto pose = std::to_string(moved) + ",0,0";
  EXPECT_EQ(run({"intersect", a_, b_, "--pose-a", pose, "--certify"}).status, 0) << pose;
}

TEST_F(Depth, GradientsAreThoseOfTheVolume) {
  const auto gradient = run({"depth", a_, b_, "--json"}).json()["gradient"];
  expect_vector(gradient["a"]["translation"], {1, 0, 0}, 1e-3);
  expect_vector(gradient["b"]["translation"], {-1, 0, 0}, 1e-3);
  expect_vector(gradient["a"]["rotation"], {0, 0, 0}, 1e-3);
  expect_vector(gradient["pivot"], {0.875, 0.5, 0.5}, 1e-3);
  EXPECT_NEAR(gradient["inner_a"]["area"].get<double>(), 2, 0.05) << "a face, and a quarter of four others";
  EXPECT_NEAR(gradient["inner_b"]["area"].get<double>(), 1, 0.02);
  expect_vector(gradient["inner_b"]["normal"], {-1, 0, 0}, 1e-2);
  EXPECT_NEAR(gradient["moments"][0][0].get<double>(), 0.25 * 0.0625 / 12, 1e-4);
  EXPECT_NEAR(gradient["moments"][1][1].get<double>(), 0.25 / 12, 1e-3);
}

TEST_F(Depth, OfMeshesApartIsTheirDistance) {
  const Outcome text = run({"depth", a_, b_, "--pose-a", "-1,0,0"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, StartsWith("colliding     no\n"));
  EXPECT_THAT(text.out, HasSubstr("distance      0.75\n"));
  const Outcome outcome = run({"depth", a_, b_, "--pose-a", "-1,0,0", "--json"});
  EXPECT_EQ(outcome.status, 0);
  const auto json = outcome.json();
  EXPECT_EQ(json["colliding"], false);
  EXPECT_EQ(json["separation"], nullptr);
  EXPECT_EQ(json["gradient"], nullptr);
  EXPECT_EQ(json["depth"], nullptr);
  EXPECT_EQ(json["volume"], 0);
  EXPECT_NEAR(json["distance"]["distance"].get<double>(), 0.75, 1e-6);
}

TEST_F(Depth, AlongADirectionTellsBothWays) {
  const Outcome outcome = run({"depth", a_, b_, "--direction", "2,0,0", "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const auto along = outcome.json()["along"];
  expect_vector(along["direction"], {1, 0, 0}, 1e-12);
  EXPECT_NEAR(along["forward"].get<double>(), 4, 1e-3) << "through the block";
  EXPECT_NEAR(along["backward"].get<double>(), 0.25, 1e-3);
  EXPECT_EQ(along["room_forward"], nullptr);
  EXPECT_THAT(run({"depth", a_, b_, "--direction", "1,0,0"}).out, HasSubstr("backwards     0.25"));
}

TEST_F(Depth, AlongADirectionMeshesApartTouchWhereTheyMeet) {
  const auto along = run({"depth", a_, b_, "--pose-a", "-1,0,0", "--direction", "1,0,0", "--json"}).json()["along"];
  EXPECT_NEAR(along["touch"]["distance"].get<double>(), 0.75, 1e-5);
  EXPECT_NEAR(along["touch"]["position"][0].get<double>(), 0.75, 1e-5);
  const auto away = run({"depth", a_, b_, "--pose-a", "-1,0,0", "--direction", "-1,0,0", "--json"}).json()["along"];
  EXPECT_EQ(away["touch"], nullptr);
  EXPECT_THAT(run({"depth", a_, b_, "--pose-a", "-1,0,0", "--direction", "-1,0,0"}).out, HasSubstr("none: A passes B"));
}

TEST_F(Depth, SaysItToPeople) {
  const Outcome outcome = run({"depth", a_, b_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, StartsWith("colliding     yes\nway out       move A by -0.25"));
  for (const char* words :
       {"\nlength        0.25", "\nafter it      clear, which is proved\n", "\ndepth         0.25",
        "\nvolume        0.25",
        "\npatch 1       0.25 deep over an area of 1, normal -1, 0, 0, 0.25 to leave along it, at 0.875, 0.5, 0.5\n",
        "\ngradient A    1, ", "\nhealth        ok"})
    EXPECT_THAT(outcome.out, HasSubstr(words));
  EXPECT_EQ(run({"depth", a_, b_, "--exit-zero"}).status, 0);
}

TEST_F(Depth, PatchesAreThePlacesOfTheOverlap) {
  const std::string two = save("two.ply", joined(make_box({0, 0, 0}, {1, 1, 1}), make_box({0.5f, 0, 1.5f}, {1, 1, 2})));
  const auto patches = run({"depth", two, b_, "--json"}).json()["patches"];
  ASSERT_EQ(patches.size(), 2u);
  for (const auto& patch : patches) {
    expect_vector(patch["normal"], {-1, 0, 0}, 0.02);
    EXPECT_NEAR(patch["depth"].get<double>(), 0.25, 0.01);
    EXPECT_NEAR(patch["separation"].get<double>(), 0.25, 0.01);
    EXPECT_NEAR(patch["center"][0].get<double>(), 0.875, 0.02);
  }
  EXPECT_NEAR(patches[0]["area"].get<double>() + patches[1]["area"].get<double>(), 1.5, 0.03);
}

TEST_F(Depth, ABodyInsideAnotherHasAWayOut) {
  const std::string block = save("block.ply", make_box({-2, -3, -4}, {2, 3, 4}));
  const Outcome outcome = run({"depth", a_, block, "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const auto json = outcome.json();
  EXPECT_LT(json["patches"][0]["one_sided"].get<double>(), 0.01) << "its surfaces face all ways";
  EXPECT_NEAR(json["separation"]["length"].get<double>(), 2, 0.01);
  expect_vector(json["separation"]["direction"], {1, 0, 0}, 0.05);
}

TEST_F(Depth, DrawsTheWayAndTheForces) {
  const std::vector<std::string> pair{"depth", a_, b_, "--picture", at("out.png"), "--size", "320x240"};
  EXPECT_EQ(run(pair).status, 1);
  const picture::Image way = read_png(at("out.png"));
  EXPECT_GT(count_pixels(way, is_ink), 100u) << "the arrow";
  EXPECT_GT(count_pixels(way, is_red), 100u) << "the shared volume";
  std::vector<std::string> forces = pair;
  forces.insert(forces.end(), {"--draw", "forces"});
  EXPECT_EQ(run(forces).status, 1);
  EXPECT_GT(count_pixels(read_png(at("out.png")), is_red), 100u) << "the scale and the surfaces";
  std::vector<std::string> apart = pair;
  apart.insert(apart.end(), {"--pose-a", "-1,0,0"});
  EXPECT_EQ(run(apart).status, 0);
  EXPECT_GT(count_pixels(read_png(at("out.png")), is_red), 20u) << "two dots";
}

TEST_F(Depth, AnOpenMeshIsUndecidedWhenItsHoleMatters) {
  const std::string open = save("open.ply", make_open_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"depth", open, b_, "--json"});
  EXPECT_EQ(outcome.json()["health"]["closed_edges"], 4) << "closed by a fan";
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 0.25, 1e-3);
  EXPECT_NEAR(outcome.json()["separation"]["length"].get<double>(), 0.25, 1e-3);
  EXPECT_EQ(run({"depth", open, b_, "--gradient", at("g.ply"), "--picture", at("f.png"), "--draw", "forces"}).status,
            1);
  EXPECT_EQ(run({"depth", open, b_, "--as-is", "--json"}).json()["health"]["ok"], false);
}

TEST_F(Depth, RefusesWhatItCannotUse) {
  const auto refusal = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(refusal({"depth", a_, at("none.ply")}), HasSubstr("none.ply"));
  EXPECT_THAT(refusal({"depth", a_}), HasSubstr("B"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--direction", "1,0"}), HasSubstr("--direction: '1,0' is not three numbers"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--direction", "nan,0,1"}), HasSubstr("--direction"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--direction", "0,0,0"}), HasSubstr("--direction: 0,0,0 is no direction"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--directions", "0"}), HasSubstr("--directions"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--draw", "way"}), HasSubstr("--draw requires --picture"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--gradient", at("g.obj")}), HasSubstr("must end in one of: .ply"));
  EXPECT_THAT(refusal({"depth", a_, b_, "--gradient", at("no/such/g.ply")}), HasSubstr("g.ply"));
  EXPECT_EQ(file_count(), 2u) << "nothing is left behind";
}

TEST_F(Depth, IsQuietInAPipe) {
  const Outcome outcome = run_into("/dev/null", {"depth", a_, b_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(run_into("/dev/full", {"depth", a_, b_}).status, 2) << "a full disk is noticed";
}

}  // namespace
}  // namespace lamella::test
