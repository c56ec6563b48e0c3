#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Layers : public Program {
 protected:
  /// Fails with status 2, a message with these words, and nothing else.
  void expect_refusal(const std::vector<std::string>& arguments, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("lamella: "), HasSubstr(words)));
  }

  /// Two boxes one behind the other along x, the far one half as wide.
  [[nodiscard]] std::string two_boxes() const {
    return save("two.ply", joined(make_box({0, 0, 0}, {1, 2, 2}), make_box({2, 0, 0}, {3, 1, 2})));
  }
};

TEST_F(Layers, OfABoxAreItsFrontAndItsBack) {
  const Outcome outcome =
      run({"layers", save("box.ply", make_box({0, 0, 0}, {1, 2, 2})), "--resolution", "8", "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  expect_keys(json, {"query", "engine", "voi", "axis", "resolution", "layers", "crossings", "max_layers"});
  EXPECT_EQ(json["query"], "layers");
  EXPECT_EQ(json["engine"], "software") << "automatic";
  EXPECT_EQ(json["axis"], "x") << "the shallowest";
  EXPECT_EQ(json["resolution"], nlohmann::ordered_json::array({8, 8}));
  ASSERT_EQ(json["layers"].size(), 2u);
  EXPECT_EQ(json["layers"][0], (nlohmann::ordered_json{{"facing", "front"}, {"crossings", 64}}));
  EXPECT_EQ(json["layers"][1], (nlohmann::ordered_json{{"facing", "back"}, {"crossings", 64}}));
  EXPECT_EQ(json["crossings"], 128);
  EXPECT_EQ(json["max_layers"], 2);
}

TEST_F(Layers, AreFilledFromTheRaysStartOn) {
  const auto json = run({"layers", two_boxes(), "--resolution", "8", "--axis", "x", "--json"}).json();
  ASSERT_EQ(json["layers"].size(), 4u);
  EXPECT_EQ(json["layers"][0]["crossings"], 64);
  EXPECT_EQ(json["layers"][1]["crossings"], 32);
  EXPECT_EQ(json["layers"][1]["facing"], "front");
  EXPECT_EQ(json["layers"][2]["facing"], "back");
  EXPECT_EQ(json["layers"][3]["crossings"], 32);
  EXPECT_EQ(json["max_layers"], 4);
}

TEST_F(Layers, ForPeopleHaveALineEach) {
  const Outcome outcome = run({"layers", two_boxes(), "--resolution", "8", "--axis", "x"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 front, 2 back; the fullest column has 4 crossings"),
                                 HasSubstr("front 2       32 crossings\nback 1        64 crossings\n"),
                                 HasSubstr("8 x 8 columns along x"), HasSubstr("engine        software\n")));
}

TEST_F(Layers, OfABuiltInModelNeedNoFile) {
  const Outcome outcome = run({"layers", "model:sphere:500", "--resolution", "16", "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["layers"].size(), 2u);
}

TEST_F(Layers, AreDrawnAsAPicture) {
  const Outcome outcome = run({"layers", two_boxes(), "--resolution", "8", "--picture", at("layers.png")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(content(at("layers.png")), StartsWith("\x89PNG\r\n"));
}

TEST_F(Layers, OfAFlatMeshAreNoneAndNoPictureIsWritten) {
  const std::string flat = save("flat.ply", make_box({0, 0, 0}, {1, 1, 0}));
  const Outcome outcome = run({"layers", flat, "--picture", at("layers.png"), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.json()["axis"].is_null());
  EXPECT_TRUE(outcome.json()["layers"].empty());
  EXPECT_EQ(outcome.json()["max_layers"], 0);
  EXPECT_THAT(outcome.err, HasSubstr("no picture is written"));
  EXPECT_EQ(file_count(), 1u);
  EXPECT_THAT(run({"layers", flat}).out, HasSubstr("the mesh's box has no volume"));
}

TEST_F(Layers, RefuseWhatCannotBeUsed) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  expect_refusal({"layers"}, "MESH is required");
  expect_refusal({"layers", at("none.ply")}, "none.ply");
  expect_refusal({"layers", "model:teapot"}, "'teapot'");
  expect_refusal({"layers", box, "--size", "800x600"}, "--size requires --picture");
  expect_refusal({"layers", box, "--picture", at("layers.png"), "--size", "40x40"}, "do not fit into 40x40 pixels");
  expect_refusal({"layers", box, "--axis", "w"}, "--axis: 'w'");
  expect_refusal({"layers", box, "--axis", ""}, "--axis: ''");
  expect_refusal({"layers", box, "--resolution", "0"}, "--resolution: '0'");
  expect_refusal({"layers", box, "--engine", "none"}, "--engine");
  expect_refusal({"layers", box, "--picture", at("layers.jpg")}, "must end in one of: .png");
  expect_refusal({"layers", box, "--picture", at("none/layers.png")}, "none/layers.png");
}

/// With each of the engines that need OpenGL; skipped where there is none.
class LayersOfGpu : public Layers, public testing::WithParamInterface<std::string> {};

TEST_P(LayersOfGpu, HaveAsManyCrossingsAsThoseOfSoftware) {
  const std::vector<std::string> asked{"layers", "model:hand:4000", "--resolution", "32", "--json", "--engine"};
  const auto with = [&](const std::string& engine) {
    std::vector<std::string> arguments = asked;
    arguments.push_back(engine);
    return run(arguments);
  };
  const Outcome outcome = with(GetParam());
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json(), expected = with("software").json();
  EXPECT_EQ(json["engine"], GetParam());
  EXPECT_EQ(json["layers"].size(), expected["layers"].size());
  EXPECT_EQ(json["max_layers"], expected["max_layers"]);
  // Columns next to an edge may differ.
  EXPECT_NEAR(json["crossings"].get<double>(), expected["crossings"].get<double>(), 8);
}

INSTANTIATE_TEST_SUITE_P(Engines, LayersOfGpu, testing::Values("gl-ordered", "gl-unordered", "gl-lists"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace lamella::test
