// `lamella figure`: every figure is drawn, small and of coarse models, and shows what it should.

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/png.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;

class Figures : public Program {
 protected:
  [[nodiscard]] Outcome draw(const std::string& name, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"figure", name, "--quick", "-o", at("out.png")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << name << ": " << outcome.err;
    EXPECT_EQ(outcome.err, "") << name;
    return outcome;
  }
  [[nodiscard]] picture::Image still(const std::string& name, const std::string& size) const {
    EXPECT_THAT(draw(name, {"--size", size, "--resolution", "24"}).out, HasSubstr("your own"));
    EXPECT_EQ(frame_count(content(at("out.png"))), 0u) << name;
    return read_png(at("out.png"));
  }
  [[nodiscard]] nlohmann::ordered_json animated(const std::string& name, unsigned frames) const {
    const Outcome outcome =
        draw(name, {"--size", "160x120", "--frames", std::to_string(frames), "--resolution", "24", "--json"});
    EXPECT_EQ(frame_count(content(at("out.png"))), frames) << name;
    const picture::Image first = read_png(at("out.png"));
    EXPECT_EQ(std::pair(first.width, first.height), std::pair(160u, 120u)) << name;
    return outcome.json();
  }
  /// A part of the picture from one width to another, in parts of it.
  [[nodiscard]] static picture::Image part(const picture::Image& image, unsigned index, unsigned count) {
    picture::Image out{image.width / count, image.height, {}};
    for (unsigned y = 0; y < out.height; ++y) {
      const auto row =
          image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (std::size_t{y} * image.width + index * out.width));
      out.rgb.insert(out.rgb.end(), row, row + static_cast<std::ptrdiff_t>(3 * out.width));
    }
    return out;
  }
};

TEST_F(Figures, AreListedWithTheirPapers) {
  const Outcome text = run({"figure"});
  EXPECT_EQ(text.status, 0);
  std::vector<std::string> names;
  const nlohmann::ordered_json json = run({"figure", "--json"}).json();
  for (const auto& figure : json["figures"]) {
    names.push_back(figure["name"]);
    EXPECT_THAT(text.out, AllOf(HasSubstr(figure["name"].get<std::string>() + " "),
                                HasSubstr(figure["shows"].get<std::string>())));
    EXPECT_THAT(figure["paper"].get<std::string>(), HasSubstr(", figure"));
  }
  EXPECT_THAT(names, IsSupersetOf({"tr395-1", "tr395-2", "tr395-7", "tr395-8", "tr395-9", "tr395-10", "tr395-11",
                                   "tr395-12", "wscg-3", "wscg-4", "wscg-5", "wscg-6", "jang-12", "jang-13", "jang-15",
                                   "jang-16", "gi-2", "gi-3", "gi-7"}));
  EXPECT_EQ(file_count(), 0u) << "nothing is drawn";
}

TEST_F(Figures, OfPairsShowBoxesVolumeOfInterestAndSharedVolume) {
  std::vector<std::size_t> red;
  for (const std::string name : {"tr395-8", "tr395-9"}) {
    const picture::Image image = still(name, "480x160");
    ASSERT_EQ(std::pair(image.width, image.height), std::pair(480u, 160u));
    for (unsigned i = 0; i < 3; ++i) {
      const picture::Image panel = part(image, i, 3);
      EXPECT_GT(count_pixels(panel, is_ink), 60u) << name << " " << i << ": the volume of interest";
      EXPECT_GT(count_pixels(panel, is_blue), 60u) << name << " " << i << ": the first body and its box";
      EXPECT_GT(count_pixels(panel, is_orange), 60u) << name << " " << i << ": the second";
    }
    red.push_back(count_pixels(image, is_red));
  }
  EXPECT_GT(red[1], red[0] + 200) << "pairs that overlap much show a volume beyond its colour in the legend";
}

TEST_F(Figures, OfTheStagesShowTheVolumeInTheLastAlone) {
  const picture::Image image = still("tr395-2", "480x160");
  const auto red = [&](unsigned i) { return count_pixels(part(image, i, 3), is_red); };
  EXPECT_EQ(red(1), 0u) << "spans of both bodies";
  EXPECT_GT(red(2), red(0) + 60) << "the first has it in the legend only";
  EXPECT_GT(count_pixels(part(image, 1, 3), is_orange), 60u);
}

TEST_F(Figures, OfObjectsShowEachInAPanel) {
  for (const auto& [name, count] : {std::pair{"tr395-7", 5u}, {"jang-12", 4u}}) {
    const picture::Image image = still(name, "500x100");
    for (unsigned i = 0; i < count; ++i) {
      const auto drawn = count_pixels(part(image, i, count), [](int r, int g, int b) { return r + g + b < 560; });
      EXPECT_GT(drawn, 400u) << name << " " << i;
    }
  }
}

TEST_F(Figures, OfPointsShowThoseInsideRedAndTheSpansByLayer) {
  for (const auto& [name, count] : {std::pair{"tr395-11", 2u}, {"wscg-5", 3u}}) {
    const picture::Image image = still(name, "480x160");
    const picture::Image spans = part(image, count - 2, count), points = part(image, count - 1, count);
    EXPECT_EQ(count_pixels(spans, is_red), 0u) << name;
    EXPECT_GT(count_pixels(spans, is_blue), 300u) << name << ": the first layer";
    EXPECT_GT(count_pixels(spans, is_orange), 30u) << name << ": the second";
    EXPECT_GT(count_pixels(points, is_red), 200u) << name;
  }
}

TEST_F(Figures, OfTheHandShowCollisionsRedAndSelfCollisionsGreen) {
  const picture::Image image = still("wscg-4", "480x160");
  const picture::Image both = part(image, 0, 3), own = part(image, 1, 3);
  EXPECT_GT(count_pixels(both, is_red), 50u);
  EXPECT_GT(count_pixels(both, is_green), 5u);
  EXPECT_EQ(count_pixels(own, is_red), 0u);
  EXPECT_GT(count_pixels(own, is_green), 20u);
}

TEST_F(Figures, OfKnotAndDragonShowTheSharedVolume) {
  EXPECT_GT(count_pixels(still("tr395-10", "160x120"), is_red), 200u);
}

TEST_F(Figures, OfLightAndHeavyPairsShowCollisionPoints) {
  const picture::Image image = still("jang-13", "480x240");
  for (unsigned i = 0; i < 4; ++i) EXPECT_GT(count_pixels(part(image, i, 4), is_red), 20u) << i;
}

TEST_F(Figures, ThatMoveHaveTheFramesAskedForAndSayHowLongDetectionTook) {
  for (const std::string name : {"tr395-1", "wscg-3", "wscg-6"}) {
    const auto json = animated(name, 2);
    EXPECT_EQ(json["frames"], 2) << name;
    EXPECT_GT(count_pixels(read_png(at("out.png")), is_red), 20u) << name << ": the shared volume";
    EXPECT_GT(json["ms"]["median"].get<double>(), 0) << name;
    EXPECT_GE(json["ms"]["max"], json["ms"]["median"]) << name;
    EXPECT_EQ(json["bytes"], content(at("out.png")).size()) << name;
  }
}

TEST_F(Figures, ThatAreSimulationsRun) {
  for (const std::string name : {"tr395-12", "jang-15"}) EXPECT_GT(animated(name, 2)["ms"]["max"].get<double>(), 0);
  const Outcome ragdoll =
      run({"figure", "jang-16", "--quick", "--frames", "2", "--size", "160x120", "-o", at("ragdoll.png")});
  if (ragdoll.status != 0) {
    EXPECT_THAT(ragdoll.err, HasSubstr("Bullet"));
    GTEST_SKIP() << "built without Bullet: no ragdoll";
  }
  EXPECT_EQ(frame_count(content(at("ragdoll.png"))), 2u);
}

TEST_F(Figures, OfAGeometryImageAreItsSheet) {
  const picture::Image image = still("gi-3", "820x860");
  EXPECT_EQ(std::pair(image.width, image.height), std::pair(820u, 860u));
  EXPECT_GT(count_pixels(image, is_red), 20u) << "the cut";
}

TEST_F(Figures, OfASearchShowBothBodiesAtFourDistances) {
  for (const char* name : {"gi-2", "gi-7"}) {
    const picture::Image image = still(name, "640x160");
    EXPECT_GE(image.width, 640u) << "four pictures and the gaps between them";
    EXPECT_GT(count_pixels(image, [](int r, int, int b) { return b > r + 20; }), 200u) << name << ": the first body";
    EXPECT_GT(count_pixels(image, [](int r, int, int b) { return r > b + 20; }), 200u) << name << ": the second";
  }
}

TEST_F(Figures, RefuseWhatIsNotThere) {
  const Outcome unknown = run({"figure", "tr395-88"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("no figure 'tr395-88'"), HasSubstr("did you mean tr395-8?")));
  const Outcome still = run({"figure", "tr395-8", "--frames", "3", "-o", at("out.png")});
  EXPECT_EQ(still.status, 2);
  EXPECT_THAT(still.err, HasSubstr("--frames: tr395-8 stands still"));
  const Outcome nameless = run({"figure", "-o", at("out.png")});
  EXPECT_EQ(nameless.status, 2);
  EXPECT_THAT(nameless.err, HasSubstr("which figure?"));
  EXPECT_EQ(run({"figure", "tr395-10", "-o", at("out.jpg")}).status, 2);
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(Figures, LeaveNoFileBehindWhenAnEngineFails) {
  const Outcome outcome = run({"figure", "wscg-3", "--quick", "--engine", "nonesuch", "-o", at("out.png")});
  EXPECT_GE(outcome.status, 2);
  EXPECT_EQ(file_count(), 0u);
}

}  // namespace
}  // namespace lamella::test
