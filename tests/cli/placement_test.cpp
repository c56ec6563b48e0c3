// --pose and --scale: the same words in every command that reads meshes.

#include <gmock/gmock.h>

#include <cmath>

#include "cli/parse.hpp"
#include "cli/program.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

Vec3d turned(std::string_view pose, Vec3d p) { return apply(cli::parse_pose("--pose", pose), p); }

void expect_near(Vec3d a, Vec3d b) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(ParsePose, TurnsAboutAnAxisByDegreesAndThenMoves) {
  expect_near(turned("1.5,0,0@z:90", {1, 2, 3}), {-0.5, 1, 3});
  expect_near(turned("0,0,0@x:90", {1, 2, 3}), {1, -3, 2});
  expect_near(turned("0,0,0@y:-90", {1, 2, 3}), {-3, 2, 1});
  expect_near(turned("@z:180", {1, 2, 3}), {-1, -2, 3});
  expect_near(turned("0,0,1@1,1,1:120", {1, 2, 3}), {3, 1, 3});
  expect_near(turned("0,0,1@-5,-5,-5:-120", {1, 2, 3}), {3, 1, 3});
  expect_near(turned("@0,0,1e-300:90", {1, 0, 0}), {0, 1, 0});
  expect_near(turned("@z:3690", {1, 0, 0}), {0, 1, 0});
}

TEST(ParsePose, KeepsItsOldForms) {
  expect_near(turned("1,2,3", {1, 1, 1}), {2, 3, 4});
  expect_near(turned("1.5,0,0,0,0,0.7071067811865476,0.7071067811865476", {1, 0, 0}), {1.5, 1, 0});
}

TEST(ParsePose, RefusesWhatIsNoPoseAndSaysWhatToType) {
  const auto message = [](std::string_view pose) -> std::string {
    try {
      (void)cli::parse_pose("--pose-b", pose);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(""), HasSubstr("is no number"));
  EXPECT_THAT(message("1,2@z:30"), HasSubstr("has 2 numbers before the @; type three (TX,TY,TZ), or none"));
  EXPECT_THAT(message("0,0,0,0,0,0,1@z:30"), HasSubstr("has 7 numbers before the @"));
  EXPECT_THAT(message("0,0,0@z"), HasSubstr("says no angle"));
  EXPECT_THAT(message("0,0,0@z:"), HasSubstr("says no angle"));
  EXPECT_THAT(message("0,0,0@z:30deg"), HasSubstr("says no angle"));
  EXPECT_THAT(message("0,0,0@z:inf"), HasSubstr("says no angle"));
  EXPECT_THAT(message("0,0,0@w:30"), HasSubstr("--pose-b: 'w' in '0,0,0@w:30' is no axis; type x, y, z"));
  EXPECT_THAT(message("0,0,0@:30"), HasSubstr("is no axis"));
  EXPECT_THAT(message("0,0,0@0,0,0:30"), HasSubstr("which is no direction"));
  EXPECT_THAT(message("0,0,0@1,0:30"), HasSubstr("the axis of '0,0,0@1,0:30' has 2 numbers"));
  EXPECT_THAT(message("0,0,0@z:30@x:20"), HasSubstr("says no angle"));
}

class PlacementOptions : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    box_ = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  }

  [[nodiscard]] nlohmann::ordered_json answer(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome outcome = run(arguments);
    EXPECT_LT(outcome.status, 2) << outcome.err;
    return outcome.json();
  }

  std::string box_;
};

TEST_F(PlacementOptions, PoseByAxisAndDegreesIsThatOfTheQuaternion) {
  const auto degrees = answer({"intersect", box_, box_, "--pose-b", "1.5,0,0@z:90", "--axis", "z"});
  EXPECT_NEAR(degrees["volume"].get<double>(), 0.5, 1e-5);
  expect_vector(degrees["centroid"], {0.75, 0.5, 0.5}, 1e-5);
}

TEST_F(PlacementOptions, ScaleComesBeforeThePose) {
  // The unit cube, twice as large, a quarter turn about z: x from -2 to 0; moved by 2.5: 0.5 to 2.5.
  const auto json = answer({"intersect", box_, box_, "--scale-b", "2", "--pose-b", "2.5,0,0@z:90", "--axis", "z"});
  EXPECT_NEAR(json["volume"].get<double>(), 0.5, 1e-5);
  EXPECT_NEAR(answer({"intersect", box_, box_, "--scale-a", "0.5"})["volume"].get<double>(), 0.125, 1e-6);
}

TEST_F(PlacementOptions, EveryCommandThatReadsMeshesScales) {
  EXPECT_NEAR(answer({"info", box_, "--scale", "3"})["volume"].get<double>(), 27, 1e-9);
  EXPECT_NEAR(answer({"self", box_, "--scale", "2"})["voi"]["max"][0].get<double>(), 2, 1e-6);
  EXPECT_EQ(answer({"contain", box_, save_text("p.xyz", "1.5 1.5 1.5\n"), "--scale", "2"})["inside"], 1);
  EXPECT_NEAR(answer({"layers", box_, "--scale", "2"})["voi"]["max"][0].get<double>(), 2, 1e-6);
  const std::string other = save("other.ply", make_box({0.5f, 0, 0}, {1, 1, 1}));
  const auto scene = answer({"scene", box_, other, "--scale", "2"});
  EXPECT_NEAR(scene["pairs"].size(), 1u, 0);
}

TEST_F(PlacementOptions, RefusesScalesThatAreNone) {
  for (const std::string value : {"0", "-1", "nan", "inf", "1e13", "2x", ""}) {
    const Outcome outcome = run({"info", box_, "--scale", value});
    EXPECT_EQ(outcome.status, 2) << value;
    EXPECT_THAT(outcome.err, HasSubstr("--scale: '" + value + "' is no scale; type a factor above 0"));
  }
  const std::string scene =
      save_text("s.json", R"({"meshes": {"b": "box.ply"}, "objects": [{"mesh": "b", "scale": 2}]})");
  const Outcome outcome = run({"scene", scene, "--scale", "2"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("each object has a \"scale\" of its own"));
}

}  // namespace
}  // namespace lamella::test
