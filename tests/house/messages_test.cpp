// Messages reach people who do not read C++: the command line prints what the library throws. So no text in the code
// names a scope, as in Options::resolution.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// The string literals of a line that name a scope. Lines that are comments are left out.
std::vector<std::string> scopes_in(const std::string& line) {
  static const std::regex comment(R"(^\s*//)"), literal(R"("(?:[^"\\]|\\.)*"|'"')"), scope(R"([A-Za-z]::[A-Za-z])");
  std::vector<std::string> found;
  if (line.find("::") == std::string::npos || std::regex_search(line, comment)) return found;
  for (std::sregex_iterator at(line.begin(), line.end(), literal), end; at != end; ++at)
    if (std::regex_search(at->str(), scope)) found.push_back(at->str());
  return found;
}

TEST(Messages, AScopeIsFoundInTextAlone) {
  EXPECT_THAT(scopes_in(R"(throw Error("raise Options::max_crossings");)"),
              ElementsAre("\"raise Options::max_crossings\""));
  EXPECT_THAT(scopes_in(R"(throw Error("no \"" + std::to_string(n) + "\" of it");)"), IsEmpty());
  EXPECT_THAT(scopes_in(R"(const char quote = '"'; std::string text = "a";)"), IsEmpty());
  EXPECT_THAT(scopes_in(R"(  /// Sets "Options::axis".)"), IsEmpty());
}

TEST(Messages, NameNoScopes) {
  std::vector<std::string> found;
  for (const char* folder : {"src", "apps", "scenes"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(LAMELLA_SOURCE) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".cu") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        for (const std::string& text : scopes_in(line)) found.push_back(entry.path().filename().string() + ": " + text);
    }
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
