// --picture, --up, --view and --size: the same words in every command that draws.

#include <gmock/gmock.h>

#include <set>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

/// Width and height that a PNG says of itself.
std::pair<unsigned, unsigned> size_of(const std::string& png) {
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(png.at(i));
    return value;
  };
  return {number(16), number(20)};
}

class Pictures : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    // Looks like none of its mirror images.
    box_ = save("box.ply", joined(make_box({0, 0, 0}, {1, 1, 4}), make_box({1.5f, 0, 0}, {2, 3, 1})));
    points_ = save_text("points.xyz", "0.5 0.5 0.5\n");
    commands_ = {{"intersect", box_, box_}, {"self", box_}, {"contain", box_, points_}, {"scene", box_, box_}};
  }
  [[nodiscard]] std::string draw(std::vector<std::string> command, const std::vector<std::string>& options) const {
    command.insert(command.end(), {"--picture", at("out.png")});
    command.insert(command.end(), options.begin(), options.end());
    const Outcome outcome = run(command);
    EXPECT_LT(outcome.status, 2) << outcome.err;
    return content(at("out.png"));
  }

  std::string box_, points_;
  std::vector<std::vector<std::string>> commands_;
};

TEST_F(Pictures, HaveTheSizeAskedFor) {
  for (const auto& command : commands_) {
    EXPECT_EQ(size_of(draw(command, {"--size", "60x200"})), std::pair(60u, 200u)) << command.front();
  }
  EXPECT_EQ(size_of(draw({"layers", box_, "--resolution", "8"}, {"--size", "900x640"})), std::pair(900u, 640u));
}

TEST_F(Pictures, HaveTheAxisUpThatIsAskedFor) {
  for (const auto& command : commands_) {
    const std::string z = draw(command, {"--size", "80x80"});
    EXPECT_TRUE(draw(command, {"--size", "80x80", "--up", "z"}) == z) << command.front();
    for (const std::string up : {"x", "y", "-x", "-y", "-z"}) {
      EXPECT_FALSE(draw(command, {"--size", "80x80", "--up", up}) == z) << command.front() << " " << up;
    }
  }
}

TEST_F(Pictures, ShowTheSideThatIsAskedFor) {
  for (const auto& command : commands_) {
    const std::vector<std::string> small{"--size", "80x80"};
    const auto from = [&](const std::string& view) { return draw(command, {"--size", "80x80", "--view", view}); };
    std::set<std::string> seen{draw(command, small)};
    EXPECT_TRUE(from("iso") == *seen.begin()) << command.front();
    for (const std::string view : {"front", "back", "left", "right", "top", "bottom"}) seen.insert(from(view));
    EXPECT_EQ(seen.size(), 7u) << command.front();
    EXPECT_TRUE(from("0,1,0") == from("front")) << command.front();
    EXPECT_TRUE(from("-1,0,0") == from("right")) << command.front();
  }
}

TEST_F(Pictures, OfGltfFilesWithoutUpComeWithAHint) {
  const std::string gltf =
      save_text("box.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[]}],"nodes":[],"meshes":[]})");
  const std::string hint = "is drawn with z up, and glTF files have y up";
  EXPECT_THAT(run({"self", gltf, "--picture", at("out.png")}).err, HasSubstr(hint));
  EXPECT_THAT(run({"self", gltf, "--picture", at("out.png"), "--up", "y"}).err, testing::Not(HasSubstr(hint)));
  EXPECT_THAT(run({"self", gltf}).err, testing::Not(HasSubstr(hint)));
  EXPECT_THAT(run({"self", box_, "--picture", at("out.png")}).err, testing::Not(HasSubstr(hint)));
}

TEST_F(Pictures, RefuseAbsurdSizesAndAxes) {
  const auto refusal = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command{"self", box_, "--picture", at("out.png")};
    command.insert(command.end(), options.begin(), options.end());
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  for (const std::string size : {"0x100", "100x15", "8193x100", "100x1000000", "-5x5", "axb", "100x"}) {
    EXPECT_THAT(refusal({"--size", size}), HasSubstr("is not a whole number from 16 to 8192")) << size;
  }
  for (const std::string size : {"100", "", "1x2x3", "100*100"}) {
    EXPECT_THAT(refusal({"--size", size}), HasSubstr("--size: '" + size + "' is no size; type WxH")) << size;
  }
  for (const std::string up : {"w", "-", "+z", "--z", "zz"}) {
    EXPECT_THAT(refusal({"--up=" + up}), HasSubstr("type one of: x, y, z, -x, -y, -z")) << up;
  }
  EXPECT_THAT(refusal({"--view", "fornt"}), HasSubstr("--view: 'fornt' is no view; did you mean front?"));
  EXPECT_THAT(refusal({"--view", "0,0,0"}), HasSubstr("--view: '0,0,0' is no direction"));
  EXPECT_THAT(refusal({"--view", "1,2"}), HasSubstr("--view"));
  EXPECT_EQ(file_count(), 2u) << "no picture";
  const Outcome alone = run({"self", box_, "--size", "100x100"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("--size requires --picture"));
}

class Draw : public Pictures {
 protected:
  [[nodiscard]] picture::Image image(const std::vector<std::string>& command, const std::string& what) const {
    (void)draw(command, {"--size", "200x160", "--draw", what});
    return read_png(at("out.png"));
  }
};

TEST_F(Draw, BoxesShowTheVolumeOfInterestAndTheSharedVolume) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {2, 2, 2})),
                    b = save("b.ply", make_box({1, 1, 1}, {3, 3, 3}));
  const std::vector<std::string> pair{"intersect", a, b};
  const picture::Image boxes = image(pair, "boxes"), volume = image(pair, "volume");
  EXPECT_GT(count_pixels(boxes, is_ink), 100u);
  EXPECT_EQ(count_pixels(volume, is_ink), 0u);
  EXPECT_GT(count_pixels(volume, is_red), 300u);
  EXPECT_EQ(content(at("out.png")), draw(pair, {"--size", "200x160"})) << "the default";
}

TEST_F(Draw, BoxesThatShareNothingAreDrawnAlone) {
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1})),
                    b = save("b.ply", make_box({3, 0, 0}, {4, 1, 1}));
  const picture::Image boxes = image({"intersect", a, b}, "boxes");
  EXPECT_EQ(count_pixels(boxes, is_ink), 0u) << "no volume of interest";
  EXPECT_EQ(count_pixels(boxes, is_red), 0u);
  EXPECT_GT(count_pixels(boxes, is_blue), 100u);
  EXPECT_GT(count_pixels(boxes, is_orange), 100u);
}

TEST_F(Draw, SpansAreColouredByLayer) {
  const std::vector<std::string> one{"layers", save("one.ply", make_box({0, 0, 0}, {1, 1, 1})), "--resolution", "16"};
  EXPECT_GT(count_pixels(image(one, "spans"), is_blue), 1000u);
  EXPECT_EQ(count_pixels(image(one, "spans"), is_orange), 0u) << "one layer";
  const std::string two = save("two.ply", joined(make_box({0, 0, 0}, {4, 4, 1}), make_box({0, 0, 2}, {4, 4, 3})));
  const picture::Image both = image({"layers", two, "--resolution", "16"}, "spans");
  EXPECT_GT(count_pixels(both, is_blue), 1000u);
  EXPECT_GT(count_pixels(both, is_orange), 1000u);
  EXPECT_GT(count_pixels(image({"intersect", box_, box_}, "spans"), is_red), 1000u) << "an overlap's are red";
}

TEST_F(Draw, SelfShowsWhatAMeshCoversTwice) {
  const std::string twice = save("twice.ply", joined(make_box({0, 0, 0}, {2, 2, 2}), make_box({1, 0, 0}, {3, 2, 2})));
  const std::string aside = save("aside.ply", make_box({2.5f, 0, 0}, {4, 2, 2}));
  const picture::Image self = image({"intersect", twice, aside}, "self");
  EXPECT_GT(count_pixels(self, is_green), 300u);
  EXPECT_GT(count_pixels(self, is_red), 300u);
  EXPECT_EQ(count_pixels(image({"intersect", twice, aside}, "volume"), is_green), 0u);
}

TEST_F(Draw, RefusesOtherWordsAndNeedsAPicture) {
  const Outcome unknown = run({"intersect", box_, box_, "--picture", at("out.png"), "--draw", "boxs"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("--draw: 'boxs' is nothing to draw here; did you mean boxes? There are: volume, "));
  EXPECT_EQ(run({"layers", box_, "--picture", at("out.png"), "--draw", "boxes"}).status, 2);
  EXPECT_THAT(run({"intersect", box_, box_, "--draw", "boxes"}).err, HasSubstr("--draw requires --picture"));
}

}  // namespace
}  // namespace lamella::test
