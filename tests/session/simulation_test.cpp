#include <gmock/gmock.h>

#include "session/conversation.hpp"
#include "simulate/simulation.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

class Simulating : public testing::TestWithParam<const char*> {};

/// Few bodies, so that the tests are short.
std::uint32_t objects_of(const std::string& name) {
  return name == "cube" ? 8 : name == "particles" ? 500 : name == "bunnies" ? 4 : 2;
}

TEST_P(Simulating, ShowsWhatTheSimulationDraws) {
  const std::string name = GetParam();
  Conversation talk;
  const Reply first = talk.ask({{"op", "simulate"}, {"name", name}, {"objects", objects_of(name)}, {"seed", 3}});
  EXPECT_EQ(first["step"], 0);
  ASSERT_GT(first["solids"].size(), 0u);
  for (const Json& solid : first["solids"]) {
    const std::size_t vertices = first.array<Vec3>(solid["positions"]).size();
    for (const Triangle& t : first.array<Triangle>(solid["triangles"]))
      ASSERT_TRUE(t.a < vertices && t.b < vertices && t.c < vertices);
  }
  simulate::Options options;
  options.seed = 3;
  options.objects = objects_of(name);
  const auto simulation = simulate::make_simulation(name, options);
  for (int i = 0; i < 3; ++i) simulation->step();
  simulate::Drawing drawing;
  simulation->draw(drawing);
  const Reply third = talk.ask({{"op", "step"}, {"count", 3}});
  EXPECT_EQ(third["step"], 3);
  ASSERT_EQ(third["solids"].size(), drawing.solids.size());
  for (std::size_t i = 0; i < drawing.solids.size(); ++i) {
    const Json& solid = third["solids"][i];
    const auto positions = third.array<Vec3>(solid["positions"]);
    const auto& expected = drawing.solids[i].mesh.positions;
    EXPECT_TRUE(std::equal(positions.begin(), positions.end(), expected.begin(), expected.end())) << i;
    EXPECT_FALSE(solid.contains("triangles")) << "they stayed the same";
  }
  ASSERT_EQ(third["dots"].size(), drawing.dots.size());
  for (std::size_t i = 0; i < drawing.dots.size(); ++i)
    EXPECT_EQ(third.array<Vec3>(third["dots"][i]["positions"]), drawing.dots[i].positions);
  EXPECT_EQ(third["figures"]["objects"], simulation->figures().objects);
}

INSTANTIATE_TEST_SUITE_P(All, Simulating, testing::Values("cube", "squeeze", "surgery", "particles", "bunnies"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Simulations, AreAskedForByName) {
  Conversation talk;
  EXPECT_THAT(talk.refused({{"op", "simulate"}, {"name", "weather"}}), HasSubstr("'weather'"));
  EXPECT_THAT(talk.refused({{"op", "simulate"}, {"name", "cube"}, {"objects", 1'000'000}}), HasSubstr("objects"));
  EXPECT_THAT(talk.refused({{"op", "simulate"}, {"name", "squeeze"}, {"objects", 3}}), HasSubstr("two bodies"));
  EXPECT_THAT(talk.refused({{"op", "step"}}), HasSubstr("no simulation runs"));
  talk.ask({{"op", "simulate"}, {"name", "cube"}, {"objects", 2}});
  talk.ask({{"op", "end_simulation"}});
  EXPECT_THAT(talk.refused({{"op", "step"}}), HasSubstr("no simulation runs"));
}

}  // namespace
}  // namespace lamella::test
