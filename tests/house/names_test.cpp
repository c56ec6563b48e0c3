// Two classes of one name in one namespace compile in files of their own, and then the linker takes one's functions for
// both: the answers are wrong, or the program crashes, far from the cause.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lamella {
namespace {

/// A file without comments and without what is between quotes.
std::string code_of(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size() - 1) + 1;
      continue;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      for (const char quote = text[i++]; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    if (i < text.size()) out += text[i];
  }
  return out;
}

std::vector<std::string> words_of(const std::string& code) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < code.size();) {
    const auto is_name = [&](std::size_t k) {
      return k < code.size() && (std::isalnum(static_cast<unsigned char>(code[k])) != 0 || code[k] == '_');
    };
    std::size_t end = i;
    while (is_name(end)) ++end;
    if (end == i) {
      end = code.compare(i, 2, "::") == 0 ? i + 2 : i + 1;
      if (std::isspace(static_cast<unsigned char>(code[i])) != 0) {
        i = end;
        continue;
      }
    }
    words.push_back(code.substr(i, end - i));
    i = end;
  }
  return words;
}

/// Full names of the classes that a file defines outside of functions, classes and nameless namespaces.
std::set<std::string> classes_of(const std::string& text) {
  const std::vector<std::string> words = words_of(code_of(text));
  std::set<std::string> found;
  std::vector<std::string> scopes;  // of open braces: a namespace, or "" for all else
  std::string next;                 // of the next brace
  bool is_namespace = false;
  const auto in_namespaces = [&] {
    for (const std::string& scope : scopes)
      if (scope.empty()) return false;
    return true;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "namespace") {
      next.clear();
      for (++i; i < words.size() && words[i] != "{" && words[i] != ";" && words[i] != "="; ++i) next += words[i];
      is_namespace = i < words.size() && words[i] == "{" && !next.empty();
      --i;
    } else if ((word == "class" || word == "struct") && in_namespaces() &&
               (i == 0 || (words[i - 1] != "enum" && words[i - 1] != "<" && words[i - 1] != ","))) {
      // The name is the last word before what it derives from, or its members; "State" of "Batch::State" is a member.
      std::string name;
      std::size_t k = i + 1;
      for (; k < words.size() && words[k] != "{" && words[k] != ":" && words[k] != ";" && words[k] != "(" &&
             words[k] != "<" && words[k] != ">" && words[k] != "=";
           ++k)
        if (words[k] != "final" && words[k].rfind("LAMELLA_", 0) != 0)
          name = words[k] == "::" || name.ends_with("::") ? name + words[k] : words[k];
      const bool defined = k < words.size() && (words[k] == "{" || words[k] == ":");
      if (defined && !name.empty() && name.find("::") == std::string::npos) {
        std::string full;
        for (const std::string& scope : scopes) full += scope + "::";
        found.insert(full + name);
      }
    }
    if (word == "{") {
      scopes.push_back(is_namespace ? next : "");
      is_namespace = false;
    } else if (word == "}" && !scopes.empty()) {
      scopes.pop_back();
    }
  }
  return found;
}

TEST(Names, OfClassesAreFoundWithTheirNamespaces) {
  EXPECT_EQ(classes_of("namespace a::b { class C; struct LAMELLA_API D final : E { struct F {}; }; }  // struct G {"),
            std::set<std::string>{"a::b::D"});
  EXPECT_EQ(classes_of("namespace a { namespace { struct B {}; } struct C { int x; }; void f() { struct D {}; } }"),
            std::set<std::string>{"a::C"});
  EXPECT_EQ(classes_of("namespace a { struct B::State { }; template <class T> void f(T x) { } enum class K { k }; }"),
            std::set<std::string>{});
}

TEST(Names, NoTwoClassesHaveOne) {
  const std::filesystem::path root(LAMELLA_SOURCE);
  // Alternatives, of which a build has one.
  const std::set<std::string> alternatives{"lamella::Arena"};
  std::map<std::string, std::vector<std::string>> places;
  for (const char* top : {"include", "src", "scenes", "apps", "viewer/session"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".cu") continue;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      for (const std::string& name : classes_of(text.str()))
        places[name].push_back(std::filesystem::relative(entry.path(), root).string());
    }
  EXPECT_GT(places.size(), 500u);
  for (const auto& [name, files] : places)
    if (alternatives.count(name) == 0) {
      EXPECT_EQ(files.size(), 1u) << name << " is in " << files[0] << " and " << files.back();
    }
}

}  // namespace
}  // namespace lamella
