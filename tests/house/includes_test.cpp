// Folders only look down. ARCHITECTURE.md has the order as a block of lines `folder : what it may include : public
// headers that belong to it`; a folder may name only folders above it. Every #include of the project's own files is
// held against it, those of public headers too: one that belongs to a folder further up is a look up all the same.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

struct Folder {
  std::set<std::string> below;    ///< that it may include
  std::set<std::string> headers;  ///< public ones, without .hpp
};

struct House {
  std::map<std::string, Folder> folders;
  std::map<std::string, std::string> owner;  ///< of each public header
  std::vector<std::string> problems;         ///< of the table itself
};

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// The block that begins with ```folders.
House read_house(std::istream& in) {
  House house;
  std::string line;
  while (std::getline(in, line) && line != "```folders") {
  }
  while (std::getline(in, line) && line != "```") {
    std::istringstream fields(line);
    std::string name, below, headers;
    std::getline(fields, name, ':');
    std::getline(fields, below, ':');
    std::getline(fields, headers, ':');
    name = *words(name).begin();
    for (const std::string& b : words(below))
      if (!house.folders.contains(b)) house.problems.push_back(name + " names " + b + ", which is not above it");
    if (!house.folders.emplace(name, Folder{words(below), words(headers)}).second)
      house.problems.push_back(name + " is there twice");
    for (const std::string& h : words(headers))
      if (!house.owner.emplace(h, name).second) house.problems.push_back(h + ".hpp belongs to two folders");
  }
  return house;
}

struct File {
  std::string path;  ///< from the checkout: src/core/mesh.cpp
  std::string text;
};

/// Which folder of the house a file is in: its own, or the nearest around it.
std::string folder_of(const House& house, const std::string& path) {
  if (path.starts_with("include/lamella/")) {
    const auto owner = house.owner.find(fs::path(path).stem().string());
    return owner == house.owner.end() ? "" : owner->second;
  }
  fs::path folder = fs::path(path).parent_path();
  if (path.starts_with("src/")) folder = folder.lexically_relative("src");
  for (; !folder.empty(); folder = folder.parent_path())
    if (house.folders.contains(folder.string())) return folder.string();
  return "";
}

/// The file that an include names, "" when it is none of the project's.
std::string resolve(const std::set<std::string>& paths, const std::string& from, const std::string& name) {
  const fs::path beside = (fs::path(from).parent_path() / name).lexically_normal();
  for (const std::string& candidate :
       {beside.string(), "src/" + name, "include/" + name, "apps/" + name, "viewer/" + name, name})
    if (paths.contains(candidate)) return candidate;
  return "";
}

/// What looks up or sideways, one line each.
std::vector<std::string> violations(const House& house, const std::vector<File>& files) {
  static const std::regex kInclude(R"re(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])re");
  std::set<std::string> paths;
  for (const File& f : files) paths.insert(f.path);
  std::vector<std::string> found;
  for (const File& f : files) {
    if (f.path == "include/lamella/lamella.hpp") continue;  // all of them
    const std::string here = folder_of(house, f.path);
    if (here.empty()) {
      found.push_back(f.path + " is in no folder of the table");
      continue;
    }
    // Programs use the public headers of all folders.
    const bool program = !f.path.starts_with("src/") && !f.path.starts_with("include/");
    std::istringstream lines(f.text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      std::smatch match;
      if (!std::regex_search(line, match, kInclude)) continue;
      const std::string target = resolve(paths, f.path, match[1]);
      if (target.empty()) continue;
      const std::string there = folder_of(house, target);
      const bool is_public = target.starts_with("include/");
      const bool allowed = there == here || house.folders.at(here).below.contains(there) || (program && is_public);
      if (!allowed)
        found.push_back(f.path + ":" + std::to_string(number) + " includes " + target + ": " + here +
                        " may not look at " + (there.empty() ? "what is in no folder" : there));
    }
  }
  return found;
}

House the_house() {
  std::ifstream in(fs::path(LAMELLA_SOURCE) / "ARCHITECTURE.md");
  return read_house(in);
}

std::vector<File> the_files() {
  std::vector<File> files;
  for (const char* root : {"include", "src", "scenes", "apps", "viewer", "bench", "bindings"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LAMELLA_SOURCE) / root)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".cu") continue;
      std::ifstream in(entry.path());
      std::ostringstream text;
      text << in.rdbuf();
      files.push_back({entry.path().lexically_relative(LAMELLA_SOURCE).generic_string(), text.str()});
    }
  return files;
}

House small_house() {
  std::istringstream in("text\n```folders\ncore : : math\nscene : core : scene\nresponse : core : response\n```\n");
  return read_house(in);
}

TEST(Folders, AnIncludeThatLooksDownIsFine) {
  EXPECT_THAT(violations(small_house(), {{"src/core/a.hpp", ""},
                                         {"src/scene/b.cpp", "#include \"core/a.hpp\"\n#include \"lamella/math.hpp\""},
                                         {"include/lamella/math.hpp", "#include <vector>"}}),
              IsEmpty());
}

TEST(Folders, AnIncludeThatLooksUpIsFound) {
  const auto found =
      violations(small_house(), {{"src/core/a.cpp", "// why\n  #include \"scene/b.hpp\"\n"}, {"src/scene/b.hpp", ""}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr("src/core/a.cpp:2 includes src/scene/b.hpp: core may not look at scene"));
}

TEST(Folders, AnIncludeThatLooksSidewaysIsFound) {
  EXPECT_EQ(
      violations(small_house(), {{"src/response/a.cpp", "#include \"scene/b.hpp\""}, {"src/scene/b.hpp", ""}}).size(),
      1u);
}

TEST(Folders, APublicHeaderBelongsToItsFolder) {
  EXPECT_EQ(violations(small_house(),
                       {{"src/core/a.cpp", "#include \"lamella/scene.hpp\""}, {"include/lamella/scene.hpp", ""}})
                .size(),
            1u);
  EXPECT_EQ(violations(small_house(), {{"include/lamella/math.hpp", "#include \"lamella/scene.hpp\""},
                                       {"include/lamella/scene.hpp", ""}})
                .size(),
            1u);
}

TEST(Folders, AFileOutsideTheTableIsFound) {
  EXPECT_EQ(violations(small_house(), {{"src/attic/a.cpp", ""}}).size(), 1u);
  EXPECT_EQ(violations(small_house(), {{"include/lamella/attic.hpp", ""}}).size(), 1u);
}

TEST(Folders, ATableThatNamesAFolderBelowItselfIsWrong) {
  std::istringstream in("```folders\ncore : scene :\nscene : core :\n```\n");
  EXPECT_THAT(read_house(in).problems, testing::ElementsAre(HasSubstr("core names scene")));
}

TEST(Folders, TheTableOfArchitectureIsAnOrder) {
  const House house = the_house();
  EXPECT_GT(house.folders.size(), 10u) << "no ```folders block in ARCHITECTURE.md";
  EXPECT_THAT(house.problems, IsEmpty());
}

TEST(Folders, EveryIncludeLooksDown) {
  const std::vector<File> files = the_files();
  EXPECT_GT(files.size(), 300u);
  EXPECT_THAT(violations(the_house(), files), IsEmpty());
}

}  // namespace
