#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Usage : public Program {
 protected:
  /// stderr of a command line that must be refused.
  [[nodiscard]] std::string refusal(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("lamella: "));
    return outcome.err;
  }
};

TEST_F(Usage, WithoutASubcommandShowsTheHelp) {
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("a subcommand is required"), HasSubstr("intersect"), HasSubstr("Exit")));
}

TEST_F(Usage, HelpListsSubcommandsAndExitStatuses) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* text : {"info", "intersect", "self", "contain", "engines", "Exit status:", "  3  "}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(Usage, HelpOfEverySubcommandHasAnExample) {
  for (const std::string name : {"info", "intersect", "self", "contain", "engines"}) {
    const Outcome outcome = run({name, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, testing::ContainsRegex("Examples?:\n  lamella " + name));
  }
}

TEST_F(Usage, DeviceStandsBesideEngineEverywhere) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"intersect"}, {"self"}, {"contain"}, {"demo"}, {"bench", "paper"}, {"bench", "scaling"}}) {
    std::vector<std::string> arguments = command;
    arguments.push_back("--help");
    const std::string help = run(arguments).out;
    EXPECT_THAT(help, AllOf(HasSubstr("--engine"), HasSubstr("--device N"), HasSubstr("lamella engines")));
  }
}

TEST_F(Usage, VersionIsOneLine) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("lamella [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Usage, AnUnknownSubcommandGetsTheListAndTheNearest) {
  EXPECT_THAT(
      refusal({"intersct", "a", "b"}),
      AllOf(HasSubstr("'intersct' is no subcommand"), HasSubstr("did you mean intersect?"),
            HasSubstr("intersect, self, depth, distance, closest, contain, vertices, scene, clash, sweep, info")));
  EXPECT_THAT(refusal({"frobnicate"}), testing::Not(HasSubstr("did you mean")));
}

TEST_F(Usage, AnUnknownOptionGetsTheNearest) {
  EXPECT_THAT(refusal({"intersect", "a", "b", "--resolutoin", "64"}),
              AllOf(HasSubstr("unknown option --resolutoin; did you mean --resolution?"),
                    HasSubstr("`lamella intersect --help`")));
  EXPECT_THAT(refusal({"self", "--jsn"}), HasSubstr("did you mean --json?"));
  EXPECT_THAT(refusal({"--frobnicate"}), HasSubstr("unknown option --frobnicate"));
}

TEST_F(Usage, WhatWasTypedCannotSteerTheTerminal) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"\x1b[2J\n"}, {"info", "--\x1b[2J\n"}, {"engines", "\x1b[2J\n"}}) {
    const std::string err = refusal(arguments);
    EXPECT_THAT(err, HasSubstr(R"(\u001b[2J\n)"));
    EXPECT_EQ(err.find('\x1b'), std::string::npos);
  }
  EXPECT_THAT(refusal({"info", "--nothing"}), HasSubstr("\n`lamella info --help` shows what to type\n"))
      << "the hint has a line of its own";
}

TEST_F(Usage, MissingAndSurplusArgumentsAreNamed) {
  EXPECT_THAT(refusal({"intersect", "a"}), HasSubstr("B is required"));
  EXPECT_THAT(refusal({"info"}), HasSubstr("MESH is required"));
  EXPECT_THAT(refusal({"intersect", "a", "b", "c"}), HasSubstr("'c' is one argument too many"));
  EXPECT_THAT(refusal({"self", "a", "--resolution"}), HasSubstr("--resolution"));
}

TEST_F(Usage, ValuesOutOfRangeSayWhatTheRangeIs) {
  for (const std::string value : {"0", "16385", "-3", "12x", "1.5", "99999999999", ""}) {
    EXPECT_THAT(refusal({"self", "a", "--resolution", value}), HasSubstr("whole number from 1 to 16384")) << value;
  }
  EXPECT_THAT(refusal({"self", "a", "--threads", "many"}), HasSubstr("--threads: 'many' is not a whole number"));
  for (const std::string value : {"64", "-1", "first"}) {
    EXPECT_THAT(refusal({"self", "a", "--device", value}),
                HasSubstr("--device: '" + value + "' is not a whole number from 0 to 63"));
    EXPECT_THAT(refusal({"bench", "paper", "--device", value}), HasSubstr("whole number from 0 to 63"));
  }
  EXPECT_THAT(refusal({"self", "a", "--axis", "w"}), HasSubstr("type one of: auto, x, y, z"));
  EXPECT_THAT(refusal({"self", "a", "--min-thickness", "1"}), HasSubstr("from 0 up to 1"));
  EXPECT_THAT(refusal({"self", "a", "--min-thickness", "nan"}), HasSubstr("from 0 up to 1"));
}

TEST_F(Usage, AFullDiskIsNotSilence) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Outcome outcome = run_into("/dev/full", {"engines", "--json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to the standard output"));
}

}  // namespace
}  // namespace lamella::test
