#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

using Engines = Program;

TEST_F(Engines, AreListedWithWhatTheyAreOrWhyTheyAreMissing) {
  const Outcome outcome = run({"engines", "--json"});
  EXPECT_EQ(outcome.status, 0);
  const auto json = outcome.json();
  std::vector<std::string> names;
  for (const auto& engine : json["engines"]) {
    expect_keys(engine, {"name", "available", "summary", "why"});
    names.push_back(engine["name"]);
    EXPECT_NE(engine["available"].get<bool>(), !engine["why"].get<std::string>().empty()) << engine;
    EXPECT_NE(engine["summary"], "") << engine;
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"software", "reference"}));
  EXPECT_THAT(names, testing::Contains(json["automatic"].get<std::string>()));
}

TEST_F(Engines, AreATableForPeople) {
  const Outcome outcome = run({"engines"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("engine"));
  EXPECT_THAT(outcome.out, HasSubstr("software"));
  EXPECT_THAT(outcome.out, HasSubstr("automatic picks"));
}

TEST_F(Engines, ThatDoNotExistAreWrongUsage) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"self", box, "--engine", "steam"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no engine 'steam'; type one of: "));
  EXPECT_THAT(outcome.err, HasSubstr("software"));
}

TEST_F(Engines, ThatAreMissingHereAreADeviceFailureAndNoOtherStepsIn) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const auto json = run({"engines", "--json"}).json();
  for (const auto& engine : json["engines"]) {
    if (engine["available"]) continue;
    const Outcome outcome = run({"self", box, "--engine", engine["name"], "--json"});
    EXPECT_EQ(outcome.status, 3) << engine;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(engine["name"].get<std::string>()));
    return;
  }
  GTEST_SKIP() << "every engine is available here";
}

}  // namespace
}  // namespace lamella::test
