// The table of a clash report, from reports in memory.

#include "cli/clash/table.hpp"

#include <gmock/gmock.h>

#include "cli/clash_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string table_of(const cli::ClashAnswer& answer) {
  const std::vector<cli::ClashResult> results(answer.report.pairs.size(), cli::ClashResult::undecided);
  testing::internal::CaptureStdout();
  cli::print_clashes(answer, {.results = results});
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(ClashTable, SaysWhatIsInDoubtWhereExactArithmeticFoundNoProof) {
  cli::ClashAnswer answer = undecided_answer();
  for (ClashPair& pair : answer.report.pairs) pair.doubts.clear();
  EXPECT_THAT(table_of(answer), HasSubstr("lower and upper: exact arithmetic is needed; try --certify"));
  answer.options.certify = true;
  EXPECT_THAT(table_of(answer),
              AllOf(HasSubstr("lower and upper: rays see no shared volume, and exact arithmetic found "
                              "no proof that there is none"),
                    Not(HasSubstr("--certify"))));
  answer.report.pairs[0].volume = 1;
  EXPECT_THAT(table_of(answer), HasSubstr("rays see a shared volume, and exact arithmetic found no proof of any"));
}

TEST(ClashTable, CountsPairsThatMissTheToleranceWhereOneWasAskedFor) {
  cli::ClashAnswer answer = undecided_answer();
  answer.report.pairs[0].tolerance_met = false;
  EXPECT_THAT(table_of(answer), Not(HasSubstr("tolerance")));
  answer.options.tolerance = Tolerance{.relative = 0.01};
  EXPECT_THAT(table_of(answer), HasSubstr("tolerance     not met by 1 pair"));
}

}  // namespace
}  // namespace lamella::test
