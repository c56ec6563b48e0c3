// The scripts name test programs to build and run under a sanitizer. A name that is no program's would only show when
// somebody runs that script.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// NAME of every lamella_test(NAME …).
std::set<std::string> test_programs() {
  static const std::regex kTest(R"(lamella_test\((\w+))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LAMELLA_SOURCE) / "tests")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator m(text.begin(), text.end(), kTest); m != std::sregex_iterator(); ++m)
      names.insert((*m)[1]);
  }
  return names;
}

/// The words of VARIABLE='…' in a script.
std::set<std::string> words_of(const fs::path& script, const std::string& variable) {
  const std::string text = text_of(script);
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("\n" + variable + "='([^']*)'"))) return {};
  std::istringstream in(found[1]);
  return {std::istream_iterator<std::string>(in), {}};
}

TEST(Programs, ThatScriptsNameAreTestPrograms) {
  const std::set<std::string> programs = test_programs();
  const fs::path root(LAMELLA_SOURCE);
  for (const auto& names : {words_of(root / "run", "thread_tests"), words_of(root / ".ci/run", "clang_tests")}) {
    EXPECT_THAT(names, testing::Contains("core"));
    EXPECT_TRUE(std::includes(programs.begin(), programs.end(), names.begin(), names.end()))
        << testing::PrintToString(names) << " are not all among " << testing::PrintToString(programs);
  }
}

}  // namespace
