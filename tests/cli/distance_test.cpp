#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Distance : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    b_ = save("b.ply", make_box({3, 0.25f, 0.5f}, {4, 2, 2}));
  }
  std::string a_, b_;
};

TEST_F(Distance, OfTwoBoxesIsTheGapBetweenThem) {
  const Outcome outcome = run({"distance", a_, b_, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "distance", "on_a", "on_b", "triangle_a", "triangle_b", "verdict", "ms", "files"});
  EXPECT_EQ(json["query"], "distance");
  EXPECT_EQ(json["distance"], 2);
  EXPECT_EQ(json["on_a"][0], 1);
  EXPECT_EQ(json["on_b"][0], 3);
  EXPECT_EQ(json["on_a"][1], json["on_b"][1]);
  EXPECT_EQ(json["on_a"][2], json["on_b"][2]);
  EXPECT_LT(json["triangle_a"], 2) << "one of the two at x = 1";
  EXPECT_EQ(json["verdict"], "clear");
  EXPECT_EQ(json["files"], nlohmann::ordered_json({a_, b_}));
}

TEST_F(Distance, OfCornersIsTheirDistance) {
  const auto json = run({"distance", a_, b_, "--pose-b", "-1,0.75,0.5", "--json"}).json();
  EXPECT_NEAR(json["distance"].get<double>(), 1, 1e-6);
  const auto corner = run({"distance", a_, b_, "--pose-b", "0,2.75,2.5", "--json"}).json();
  EXPECT_NEAR(corner["distance"].get<double>(), std::sqrt(4.0 + 4 + 4), 1e-6);
  expect_vector(corner["on_a"], {1, 1, 1}, 1e-6);
  expect_vector(corner["on_b"], {3, 3, 3}, 1e-6);
}

TEST_F(Distance, OfMeshesThatOverlapIsZeroAndTheyAreToldToDo) {
  const Outcome outcome = run({"distance", a_, b_, "--pose-b", "-2.5,0,0"});
  EXPECT_EQ(outcome.status, 0) << "an answer";
  EXPECT_THAT(outcome.out, StartsWith("distance      0: they overlap; `lamella depth` says"));
  const auto json = run({"distance", a_, b_, "--pose-b", "-2.5,0,0", "--json"}).json();
  EXPECT_EQ(json["distance"], 0);
  EXPECT_EQ(json["verdict"], "colliding");
  EXPECT_EQ(json["on_a"], json["on_b"]) << "a point of both";
  const std::string inner = save("inner.ply", make_box({0.25f, 0.25f, 0.25f}, {0.5f, 0.5f, 0.5f}));
  const auto inside = run({"distance", a_, inner, "--json"}).json();
  EXPECT_EQ(inside["verdict"], "colliding") << "one inside the other";
  EXPECT_EQ(inside["triangle_a"], nullptr);
}

TEST_F(Distance, OfFacesThatTouchIsZeroToo) {
  const Outcome outcome = run({"distance", a_, b_, "--pose-b", "-2,0,0"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("distance      0: they touch\non A          1, "));
}

TEST_F(Distance, OfAMeshWithoutUsableTrianglesIsNone) {
  const std::string bad = save_text("nan.off", "OFF\n3 1 0\nnan 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  const Outcome outcome = run({"distance", a_, bad, "--json"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_EQ(outcome.json()["distance"], nullptr);
  EXPECT_EQ(outcome.json()["on_a"], nullptr);
  EXPECT_EQ(outcome.json()["verdict"], "undecided");
  EXPECT_THAT(run({"distance", a_, bad}).out, StartsWith("distance      none: a mesh has no triangle"));
  EXPECT_EQ(run({"distance", a_, bad, "--exit-zero", "--picture", at("d.png")}).status, 0) << "drawn without a line";
}

TEST_F(Distance, SaysItToPeopleAndDrawsIt) {
  const Outcome outcome = run({"distance", a_, b_, "--picture", at("d.png"), "--size", "320x240"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("distance      2\non A          1, "));
  EXPECT_THAT(outcome.out, HasSubstr("in triangle "));
  const picture::Image image = read_png(at("d.png"));
  EXPECT_GT(count_pixels(image, is_ink), 50u) << "the line";
  EXPECT_GT(count_pixels(image, is_red), 20u) << "the points";
}

TEST_F(Distance, RefusesWhatItCannotUse) {
  const Outcome outcome = run({"distance", a_, at("none.ply")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("none.ply"));
  EXPECT_EQ(run({"distance", a_}).status, 2);
  EXPECT_THAT(run({"distance", a_, b_, "--resolution", "64"}).err, HasSubstr("unknown option --resolution"));
  EXPECT_EQ(run({"distance", a_, b_, "--picture", at("no/such/d.png")}).status, 2);
  EXPECT_EQ(file_count(), 2u) << "nothing is left behind";
}

}  // namespace
}  // namespace lamella::test
