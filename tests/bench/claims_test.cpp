#include "bench/paper/claims.hpp"

#include <gmock/gmock.h>

#include "bench/paper/judged.hpp"

namespace lamella::bench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<Match> kPublished{{"small", 30, 10}, {"large", 40, 20}};

TEST(UnorderedClaim, HoldsFromTwoToFourTimes) {
  for (const double ordered : {2.01, 3.0, 3.99}) {
    const Verdict verdict = judge_unordered({{"row", ordered, 1}}, kPublished);
    EXPECT_EQ(verdict.holds, true) << verdict.text;
    EXPECT_DOUBLE_EQ(verdict.figures.number("ratio"), ordered);
  }
  for (const double ordered : {0.5, 1.9, 4.1}) {
    const Verdict verdict = judge_unordered({{"row", ordered, 1}}, kPublished);
    EXPECT_EQ(verdict.holds, false) << verdict.text;
    EXPECT_THAT(verdict.text, StartsWith("does not hold here"));
  }
}

TEST(UnorderedClaim, TakesTheGeometricMeanAndTellsTheEnds) {
  const Verdict verdict = judge_unordered({{"small", 2, 1}, {"large", 8, 1}}, kPublished);
  EXPECT_NEAR(verdict.figures.number("ratio"), 4, 1e-12);
  EXPECT_EQ(verdict.figures.number("least_ratio"), 2);
  EXPECT_EQ(verdict.figures.number("most_ratio"), 8);
  EXPECT_NEAR(verdict.figures.number("paper_ratio"), std::sqrt(6.0), 1e-12);
  EXPECT_THAT(verdict.text, HasSubstr("4 times, 2 to 8 by row (published: 2.4 times, 2 to 3 by row)"));
}

TEST(UnorderedClaim, CannotBeToldWithoutBothMethods) {
  const Verdict verdict = judge_unordered({}, kPublished);
  EXPECT_EQ(verdict.holds, std::nullopt);
  EXPECT_THAT(verdict.text, StartsWith("cannot be told here: gl-ordered and gl-unordered"));
}

TEST(SoftwareClaim, HoldsWhereTheSameSideWinsAsPublished) {
  const std::vector<Match> software_won{{"row", 1, 2}, {"other", 1, 2}}, gpu_won{{"row", 2, 1}, {"other", 2, 1}};
  EXPECT_EQ(judge_software(software_won, software_won, "cpu", "gpu").text,
            "holds: software wins as published; cpu is faster than gpu on every row");
  EXPECT_EQ(judge_software(gpu_won, gpu_won, "cpu", "gpu").text,
            "holds: the GPU wins as published; gpu is faster than cpu on every row");
  const Verdict reversed = judge_software(gpu_won, software_won, "cpu", "gpu");
  EXPECT_EQ(reversed.holds, false);
  EXPECT_EQ(reversed.text, "does not hold here: published, software wins; gpu is faster than cpu on every row");
}

TEST(SoftwareClaim, CountsTheRowsWhereTheyAreMixed) {
  const Verdict verdict =
      judge_software({{"a", 1, 2}, {"b", 2, 1}, {"c", 1, 1}}, {{"a", 1, 2}, {"b", 1, 2}, {"c", 1, 2}}, "cpu", "gpu");
  EXPECT_EQ(verdict.holds, false);
  EXPECT_EQ(verdict.text, "is mixed here: published, software wins; cpu is faster than gpu on 2 of 3 rows");
  EXPECT_EQ(verdict.figures.number("software_rows"), 2) << "a tie is software's";
}

// On whole tables, with made-up times.

Row measured(const char* row, const char* engine, double ms, bool gpu) {
  Row out{{"row", row}, {"engine", engine}, {"threads", 1}, {"faces", 100}, {"ms.total", ms}};
  if (gpu) out.set({"gpu_ms", ms});
  return out;
}

/// The first table of the paper, where Ordered takes 9 ms, Unordered 3, and software as given.
Table table_with(double software) {
  Table table{.name = "WSCG-1"};
  for (const char* row : {"collision", "self-collision", "overall"}) {
    table.rows.push_back(measured(row, "gl-ordered", 9, true));
    table.rows.push_back(measured(row, "gl-unordered", 3, true));
    table.rows.push_back(measured(row, "software", software, false));
    table.rows.push_back(measured(row, "software-wscg", 2 * software, false));
  }
  return table;
}

std::vector<BenchEngine> engines(bool hardware) {
  std::vector<BenchEngine> all;
  for (const char* name : {"gl-ordered", "gl-unordered"}) {
    all.push_back({.name = name, .gpu = true, .hardware = hardware, .device_line = "Card; driver 1"});
  }
  for (const char* name : {"software", "software-wscg"}) all.push_back({.name = name});
  return all;
}

TEST(Judge, TriesBothClaimsAndThePublishedMethodsBesideOurs) {
  const std::vector<Row> rows = judge(published_table("WSCG-1"), table_with(2), engines(true));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].text("engine"), "gl-ordered, gl-unordered");
  EXPECT_THAT(rows[0].text("verdict"), StartsWith("holds: 3 times, 3 to 3 by row (published: 3.1 times"));
  EXPECT_EQ(rows[1].text("engine"), "software-wscg, gl-unordered");
  EXPECT_THAT(rows[1].text("verdict"), StartsWith("does not hold here"));
  EXPECT_EQ(rows[2].text("engine"), "software, the fastest GPU engine");
  EXPECT_THAT(rows[2].text("verdict"), StartsWith("holds"));
  for (const Row& row : rows) EXPECT_EQ(row.text("paper"), "wscg");
}

TEST(Judge, DoesNotTakeTheCpuForAGpu) {
  const std::vector<Row> rows = judge(published_table("WSCG-1"), table_with(2), engines(false));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].text("verdict"), HasSubstr("OpenGL is drawn by the CPU"));
  EXPECT_EQ(rows[1].text("verdict"), "cannot be told here: there is no GPU; OpenGL is drawn by the CPU (Card)");
  EXPECT_FALSE(rows[1].has_number("software_rows"));
  EXPECT_THAT(conclude({table_with(2)}, engines(false), {1}), HasSubstr("cannot be told here: there is no GPU"));
  EXPECT_THAT(conclude({table_with(2)}, engines(true), {1}), HasSubstr("software (1 thread) is faster"));
}

TEST(Judge, SaysThatNoGpuWasMeasured) {
  const std::vector<BenchEngine> cpu{{.name = "software"}, {.name = "software-wscg"}};
  const std::vector<Row> rows = judge(published_table("WSCG-1"), {}, cpu);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[1].text("verdict"), HasSubstr("no engine on a GPU was measured"));
}

}  // namespace
}  // namespace lamella::bench
