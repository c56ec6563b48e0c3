#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Demo = Program;

TEST_F(Demo, LeavesPicturesAndAReportWithAnswers) {
  const Outcome outcome = run({"demo", "--out", at("new/out")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* picture : {"hand_phone.png", "knot_serpent.png", "particles.png", "overview.png"}) {
    EXPECT_THAT(content(at("new/out/") + picture), StartsWith("\x89PNG\r\n")) << picture;
    EXPECT_THAT(outcome.out, HasSubstr(picture));
  }

  const auto report = parse_json(content(at("new/out/report.json")));
  ASSERT_EQ(report["demo"].size(), 4u);
  for (const auto& row : report["demo"]) {
    EXPECT_GT(row["points"] > 0 ? row["inside"].get<double>() : row["volume"].get<double>(), 0) << row;
    EXPECT_GT(row["ms"]["total"].get<double>(), 0) << row;
    EXPECT_GT(row["paper_ms"].get<double>(), 0) << row;
    EXPECT_THAT(outcome.out, HasSubstr(row["scene"].get<std::string>()));
  }
  EXPECT_THAT(outcome.out, HasSubstr(content(at("new/out/report.txt"))));
}

TEST_F(Demo, RefusesAFolderThatCannotBeMade) {
  const std::string file = save_text("taken", "");
  const Outcome outcome = run({"demo", "--out", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("taken"));
}

}  // namespace
}  // namespace lamella::test
