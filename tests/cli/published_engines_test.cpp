// The program with the generators that are there as published: gl-tr395, which skips without OpenGL, and software-wscg.

#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PublishedEngines : public Program {
 protected:
  /// With status 3, for want of a device, the test is to be skipped.
  Outcome intersect_boxes(const std::string& engine, bool json) {
    const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    const std::string b = save("b.ply", make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2}));
    std::vector<std::string> arguments{"intersect", a, b, "--engine", engine};
    if (json) arguments.emplace_back("--json");
    return run(arguments);
  }
};

TEST_F(PublishedEngines, AreListedWithWhatTheyAre) {
  EXPECT_THAT(run({"engines"}).out, AllOf(HasSubstr("software-wscg"), HasSubstr("gl-tr395")));
}

TEST_F(PublishedEngines, SoftwareWscgAnswersEveryQuery) {
  const Outcome outcome = intersect_boxes("software-wscg", true);
  ASSERT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 0.1875, 1e-6);
  EXPECT_EQ(outcome.json()["engine"], "software-wscg");
  EXPECT_FALSE(outcome.json().contains("alternating"));
  EXPECT_EQ(run({"self", at("a.ply"), "--engine", "software-wscg"}).status, 0);
  EXPECT_EQ(run({"layers", at("a.ply"), "--engine", "software-wscg", "--json"}).json()["layers"].size(), 2u);
}

TEST_F(PublishedEngines, GpuTr395SaysWhatItAssumes) {
  const Outcome outcome = intersect_boxes("gl-tr395", true);
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NEAR(outcome.json()["volume"].get<double>(), 0.1875, 1e-5);
  EXPECT_EQ(outcome.json()["alternating"], true);
  EXPECT_EQ(outcome.json()["health"]["ok"], true);
  EXPECT_THAT(intersect_boxes("gl-tr395", false).out, HasSubstr("assumes       that no mesh overlaps itself"));
  EXPECT_THAT(intersect_boxes("software", false).out, Not(HasSubstr("assumes")));
}

TEST_F(PublishedEngines, GpuTr395RefusesSelfOverlapAndNamesOthers) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"self", box, "--engine", "gl-tr395"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("gl-tr395"), HasSubstr("gl-unordered")));
}

TEST_F(PublishedEngines, GpuTr395HasLayersOfBothFacings) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 2, 2}));
  const std::vector<std::string> asked{"layers", box, "--resolution", "8", "--engine", "gl-tr395"};
  const Outcome outcome = run(asked);
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 of both facings; the fullest column has 2 crossings"),
                                 HasSubstr("layer 1       64 crossings\nlayer 2       64 crossings\n")));
  auto as_json = asked;
  as_json.insert(as_json.end(), {"--json", "--picture", at("layers.png")});
  const auto json = run(as_json).json();
  ASSERT_EQ(json["layers"].size(), 2u);
  EXPECT_EQ(json["layers"][0], (nlohmann::ordered_json{{"facing", "both"}, {"crossings", 64}}));
  EXPECT_THAT(content(at("layers.png")), testing::StartsWith("\x89PNG\r\n"));
}

}  // namespace
}  // namespace lamella::test
