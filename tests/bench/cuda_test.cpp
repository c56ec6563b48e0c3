#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BenchCuda : public Program {
 protected:
  /// Why there is no GPU; empty where there is one.
  [[nodiscard]] std::string missing() const {
    const auto known = run({"engines", "--json"}).json();
    for (const auto& engine : known["engines"]) {
      if (engine["name"] == "cuda") return engine["available"] ? "" : engine["why"].get<std::string>();
    }
    return "no engine of that name";
  }
};

TEST_F(BenchCuda, SaysWhyThereIsNothingToMeasure) {
  const std::string why = missing();
  if (why.empty()) GTEST_SKIP() << "there is a GPU here";
  const Outcome outcome = run({"bench", "cuda"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cuda"), HasSubstr(why)));
}

TEST_F(BenchCuda, NamesTheWorksWhereOneIsUnknown) {
  const Outcome outcome = run({"bench", "cuda", "--work", "dragon"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("dragon"), HasSubstr("serpent"), HasSubstr("scene")));
}

TEST_F(BenchCuda, WantsBothMeshesOfAPairOrNone) {
  const Outcome outcome = run({"bench", "cuda", "--a", "a.ply"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--b"));
}

TEST_F(BenchCuda, GpuAnswersAsTheCpuDoesInEveryWork) {
  if (const std::string why = missing(); !why.empty()) GTEST_SKIP() << "cuda is not available here: " << why;
  for (const std::string work : {"serpent", "scans", "hand", "large", "pairs", "distinct", "scene"}) {
    const Outcome outcome = run({"bench", "cuda", "--quick", "--frames", "3", "--json", "--work", work});
    ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
    const auto row = outcome.json();
    EXPECT_EQ(row["work"], work);
    EXPECT_EQ(row["agrees"], true) << row;
    EXPECT_GT(row["device"]["median_us"], 0.0) << row;
    EXPECT_GE(row["vertex_sets"], 4) << row;
  }
}

}  // namespace
}  // namespace lamella::test
