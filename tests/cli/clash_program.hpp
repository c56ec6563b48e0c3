#pragma once

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace lamella::test {

/// `lamella clash`, with some boxes to run it on.
class ClashProgram : public Program {
 protected:
  using Json = nlohmann::ordered_json;

  void SetUp() override {
    Program::SetUp();
    a_ = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
    b_ = save("b.ply", make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2}));
    far_ = save("far.ply", make_box({10, 0, 0}, {11, 1, 1}));
  }

  [[nodiscard]] Outcome clash(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "clash");
    return run(arguments);
  }
  [[nodiscard]] Outcome json_of(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    return clash(arguments);
  }

  /// What is said about arguments that are wrong.
  [[nodiscard]] std::string refusal(const std::vector<std::string>& arguments) const {
    const Outcome outcome = clash(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, testing::StartsWith("lamella: "));
    return outcome.err;
  }

  std::string a_, b_, far_;
  static constexpr double kShared = 0.1875;  ///< of a and b: 0.5 * 0.75 * 0.5
};

}  // namespace lamella::test
