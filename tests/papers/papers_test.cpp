#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <regex>

#include "cli/program.hpp"
#include "papers/page.hpp"

// docs/papers.md against the program, its tests and its files.

namespace lamella::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

const fs::path kSource = LAMELLA_SOURCE;

std::string page() { return content(kSource / "docs" / "papers.md"); }

TEST(PapersPage, RowsAreSortedIntoCommandsTestsAndFiles) {
  const auto items = paper_items(
      "| state | meaning |\n| --- | --- |\n| same | x |\n\n| item | a | b | c | d |\n| --- | --- | --- | --- | --- |\n"
      "| T1 | p | h | same | `lamella self a.ply`, `Suite.Name`, `docs/a.md` |\n| T2 | p | h | more | by eye |\n"
      "| T3 | p |\n\n| T4 | p | h | same | `lamella x` |\n");
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].line, 7);
  EXPECT_THAT(items[0].commands, testing::ElementsAre("lamella self a.ply"));
  EXPECT_THAT(items[0].tests, testing::ElementsAre("Suite.Name"));
  EXPECT_THAT(items[0].files, testing::ElementsAre("docs/a.md"));
  EXPECT_EQ(items[0].unknown, "");
  EXPECT_EQ(items[1].unknown, "by eye");
  EXPECT_NE(items[2].unknown, "");
}

TEST(PapersPage, EveryRowIsWholeAndNumbered) {
  std::map<char, int> count;
  for (const PaperItem& item : paper_items(page())) {
    SCOPED_TRACE("docs/papers.md:" + std::to_string(item.line));
    ASSERT_FALSE(item.id.empty());
    EXPECT_EQ(item.id.substr(1), std::to_string(++count[item.id[0]])) << item.id;
    EXPECT_NE(item.published, "");
    EXPECT_NE(item.here, "");
    EXPECT_THAT((std::vector<std::string>{"same", "choice", "more", "differs", "not"}), Contains(item.state));
    EXPECT_EQ(item.unknown, "") << "neither a command, a test nor a file";
    EXPECT_GT(item.commands.size() + item.tests.size() + item.files.size(), 0u) << "nothing shows it";
  }
  for (const char paper : {'T', 'W', 'J', 'G'}) EXPECT_GE(count[paper], 25) << paper;
}

TEST(PapersPage, TestsAndFilesThatItNamesAreThere) {
  const std::set<std::string> tests = test_names(kSource / "tests");
  ASSERT_GT(tests.size(), 1000u);
  for (const PaperItem& item : paper_items(page())) {
    for (const std::string& name : item.tests) EXPECT_TRUE(tests.count(name) == 1) << item.id << ": no test " << name;
    for (const std::string& file : item.files)
      EXPECT_TRUE(fs::is_regular_file(kSource / file)) << item.id << ": no file " << file;
  }
}

/// Runs commands in the test's folder, where one may use what an earlier one wrote.
class Papers : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    before_ = fs::current_path();
    fs::current_path(at("."));
  }
  void TearDown() override {
    fs::current_path(before_);
    Program::TearDown();
  }

  /// The different commands of one paper's rows, in order.
  [[nodiscard]] static std::vector<std::string> commands(char paper) {
    std::vector<std::string> out;
    for (const PaperItem& item : paper_items(page())) {
      if (item.id[0] != paper) continue;
      for (const std::string& command : item.commands) {
        if (std::find(out.begin(), out.end(), command) == out.end()) out.push_back(command);
      }
    }
    return out;
  }

  /// Every command must answer: exit with 0, or with 1 for a collision. One whose engine is not here says so.
  void expect_answers(char paper) const {
    const std::vector<std::string> all = commands(paper);
    ASSERT_GE(all.size(), 8u);
    for (const std::string& command : all) {
      std::vector<std::string> arguments = words(command);
      arguments.erase(arguments.begin());
      if (arguments[0] == "bench" || arguments[0] == "figure") arguments.push_back("--quick");
      if (arguments[0] == "bench" && arguments[1] == "paper") arguments.insert(arguments.end(), {"--threads", "1"});
      const Outcome run = this->run(arguments);
      if (run.status == 3) {
        std::printf("not tried: %s: %s", command.c_str(), run.err.c_str());
        EXPECT_THAT(command, testing::HasSubstr("gl-"));
        EXPECT_THAT(run.err, Not(IsEmpty()));
        continue;
      }
      EXPECT_TRUE(run.status == 0 || run.status == 1) << command << "\nexit status " << run.status << "\n" << run.err;
    }
  }

 private:
  fs::path before_;
};

TEST_F(Papers, CommandsOfTr395Answer) { expect_answers('T'); }
TEST_F(Papers, CommandsOfWscg2004Answer) { expect_answers('W'); }
TEST_F(Papers, CommandsOfJangAnswer) { expect_answers('J'); }
TEST_F(Papers, CommandsOfGiCollideAnswer) { expect_answers('G'); }

TEST_F(Papers, EveryPublishedTableIsOnThePage) {
  const Outcome list = run({"bench", "paper", "--list", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  std::stringstream lines(list.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::string table = parse_json(line).at("table");
    EXPECT_TRUE(std::regex_search(page(), std::regex("`lamella bench paper --table " + table + "[ `]"))) << table;
  }
  EXPECT_GE(count, 15);
}

TEST_F(Papers, EveryFigureIsOnThePage) {
  const Outcome list = run({"figure", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  const auto figures = list.json().at("figures");
  EXPECT_GE(figures.size(), 17u);
  for (const auto& figure : figures) {
    const std::string name = figure.at("name");
    EXPECT_TRUE(page().find("`lamella figure " + name + " ") != std::string::npos) << name;
  }
}

}  // namespace
}  // namespace lamella::test
