#include "house/links.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace lamella::test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Lines outside of fenced blocks, with their numbers.
template <class Visit>
void for_each_line(const std::string& markdown, Visit visit) {
  std::istringstream lines(markdown);
  std::string line, fence;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t start = line.find_first_not_of(' ');
    const std::string mark = start == std::string::npos ? "" : line.substr(start, 3);
    if (fence.empty() && (mark == "```" || mark == "~~~")) {
      fence = mark;
    } else if (!fence.empty()) {
      if (mark == fence) fence.clear();
    } else {
      visit(line, number);
    }
  }
}

std::string without_code_spans(const std::string& line) {
  static const std::regex kSpan("`[^`]*`");
  return std::regex_replace(line, kSpan, "``");
}

/// As GitHub does: lower case, blanks to hyphens, other punctuation dropped.
std::string anchor_of(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || letter >= 0x80 || c == '_' || c == '-') out += static_cast<char>(std::tolower(letter));
    if (c == ' ') out += '-';
  }
  return out;
}

std::string decoded(const std::string& target) {
  std::string out;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] == '%' && i + 2 < target.size()) {
      out += static_cast<char>(std::stoi(target.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += target[i];
    }
  }
  return out;
}

/// Why the link leads nowhere; empty when it leads somewhere.
std::string trouble(const fs::path& root, const fs::path& page, const std::string& target) {
  static const std::regex kNetwork("^([a-z][a-z0-9+.-]*:|//).*");
  if (std::regex_match(target, kNetwork)) return "";
  const std::size_t hash = target.find('#');
  const std::string path = decoded(target.substr(0, hash));
  const fs::path file = path.empty() ? page : (page.parent_path() / path).lexically_normal();
  if (file.lexically_relative(root).string().starts_with("..")) return "leads out of the tree";
  if (!fs::exists(file)) return "no such file";
  if (hash == std::string::npos || file.extension() != ".md") return "";
  return anchors_in(content(file)).contains(target.substr(hash + 1)) ? "" : "no such heading";
}

bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "build" || name == "out" || name == "node_modules";
}

}  // namespace

std::vector<Link> links_in(const std::string& markdown) {
  static const std::regex kLink(
      R"re(\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)="([^"]+)"|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+))re");
  std::vector<Link> links;
  for_each_line(markdown, [&](const std::string& line, int number) {
    const std::string text = without_code_spans(line);
    for (std::sregex_iterator i(text.begin(), text.end(), kLink), end; i != end; ++i) {
      for (int group = 1; group <= 3; ++group) {
        if ((*i)[group].matched) links.push_back({(*i)[group], number});
      }
    }
  });
  return links;
}

std::set<std::string> anchors_in(const std::string& markdown) {
  static const std::regex kHeading("^#{1,6} +(.*?) *#*$"), kLinkText(R"(\[([^\]]*)\]\([^)]*\))"),
      kId(R"re((?:id|name)="([^"]+)")re");
  std::set<std::string> anchors;
  std::map<std::string, int> seen;
  for_each_line(markdown, [&](const std::string& line, int) {
    std::smatch match;
    if (std::regex_match(line, match, kHeading)) {
      const std::string anchor = anchor_of(std::regex_replace(match[1].str(), kLinkText, "$1"));
      const int earlier = seen[anchor]++;
      anchors.insert(earlier == 0 ? anchor : anchor + "-" + std::to_string(earlier));
    }
    for (std::sregex_iterator i(line.begin(), line.end(), kId), end; i != end; ++i) anchors.insert((*i)[1]);
  });
  return anchors;
}

std::vector<std::string> dead_links(const fs::path& root) {
  std::vector<std::string> dead;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && is_left_out(entry->path())) entry.disable_recursion_pending();
    if (!entry->is_regular_file() || entry->path().extension() != ".md") continue;
    for (const Link& link : links_in(content(entry->path()))) {
      const std::string why = trouble(root, entry->path(), link.target);
      if (why.empty()) continue;
      dead.push_back(entry->path().lexically_relative(root).string() + ":" + std::to_string(link.line) + ": " +
                     link.target + ": " + why);
    }
  }
  return dead;
}

}  // namespace lamella::test
