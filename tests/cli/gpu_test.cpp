#include <gmock/gmock.h>

#include <sstream>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// The program with the engines that need a GPU, or OpenGL on the CPU; skipped where there is neither.
class Gpu : public Program, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    Program::SetUp();
    const auto known = run({"engines", "--json"}).json();
    for (const auto& engine : known["engines"]) {
      if (engine["name"] == GetParam()) info_ = engine;
    }
    if (info_.is_null()) GTEST_SKIP() << "this build has no engine " << GetParam();
    if (!info_["available"]) GTEST_SKIP() << GetParam() << " is not available here: " << info_["why"];
  }

  nlohmann::ordered_json info_;
};

INSTANTIATE_TEST_SUITE_P(Engines, Gpu, testing::Values("gl-ordered", "gl-unordered", "gl-lists"), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Gpu, AnswersOnTheDeviceAskedForAndSaysWhatItCost) {
  ASSERT_EQ(info_["gpu"], true) << info_;
  ASSERT_FALSE(info_["devices"].empty()) << info_;
  const std::string a = save("a.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const std::string b = save("b.ply", make_box({0.5f, 0.25f, 0.5f}, {1.5f, 1.25f, 2}));
  const Outcome outcome = run({"intersect", a, b, "--json", "--engine", GetParam(), "--device", "0"});
  ASSERT_EQ(outcome.status, 1) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["engine"], GetParam());
  EXPECT_NEAR(json["volume"].get<double>(), 0.1875, 1e-5);
  EXPECT_GT(json["read_back_bytes"], 0);
  EXPECT_EQ(json["health"]["ok"], true) << json;
}

TEST_P(Gpu, RefusesADeviceThatIsNotThere) {
  const std::string box = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"self", box}, std::vector<std::string>{"bench", "paper"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--engine", GetParam(), "--device", "63"});
    const Outcome outcome = run(arguments);
    EXPECT_THAT(outcome.status, AnyOf(2, 3)) << command[0];
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("63"));
  }
}

TEST_P(Gpu, IsListedWithItsDevices) {
  const Outcome outcome = run({"engines"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(GetParam()), HasSubstr("(--device N):\n 0  "),
                                 HasSubstr(info_["devices"][0].get<std::string>())));
}

TEST_P(Gpu, BenchOfMovingMeshesCountsTheirUpload) {
  const Outcome outcome = run({"bench", "paper", "--table", "WSCG-3", "--engine", GetParam(), "--quick", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream stream(outcome.out);
  std::size_t rows = 0;
  for (std::string line; std::getline(stream, line); ++rows) {
    const auto row = parse_json(line);
    EXPECT_EQ(row["engine"], GetParam());
    EXPECT_EQ(row["paper_ms"], row[GetParam() == "gl-ordered" ? "paper_ordered_ms" : "paper_unordered_ms"]);
    EXPECT_GT(row["upload_ms"], 0.0) << row;
    EXPECT_GT(row["ms"]["total"], row["upload_ms"]) << row;
    EXPECT_TRUE(row["gpu_ms"].is_number()) << row;
    EXPECT_GT(row["read_back_bytes"], 0) << row;
    EXPECT_FALSE(row.contains("still_ms")) << "the hat moves: " << row;
    EXPECT_GT(row["volume"], 0.0) << row;
  }
  EXPECT_EQ(rows, 3u) << "once, not for each number of threads";
}

TEST_P(Gpu, BenchOfAMeshThatStandsStillTimesItWithoutUploadToo) {
  const std::string mesh = save("box.ply", make_box({0, 0, 0}, {1, 1, 1}));
  const Outcome outcome = run({"bench", "paper", "--mesh", mesh, "--engine", GetParam(), "--quick", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) {
    const auto row = parse_json(line);
    EXPECT_GT(row["still_ms"], 0.0) << row;
    EXPECT_GT(row["upload_ms"], 0.0) << row;
  }
}

TEST_P(Gpu, BenchForPeopleHasALinePerEngineThatFitsAScreen) {
  const Outcome outcome = run({"bench", "paper", "--table", "WSCG-1", "--engine", GetParam(), "--quick"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("upload"), HasSubstr("GPU"), HasSubstr("read KB"), HasSubstr(GetParam()),
                                 Not(HasSubstr("  Ordered")), Not(HasSubstr("conclusion"))));
  const std::string table = outcome.out.substr(outcome.out.find("[WSCG-1]"));
  std::istringstream stream(table);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(line.size(), 150u) << line;
}

}  // namespace
}  // namespace lamella::test
