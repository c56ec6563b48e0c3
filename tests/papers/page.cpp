#include "papers/page.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace lamella::test {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Cells of "| a | b |"; none of another line.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return out;
  std::stringstream in(line.substr(1, line.size() - 2));
  for (std::string cell; std::getline(in, cell, '|');) out.push_back(trimmed(cell));
  return out;
}

/// Sorts what stands in code marks into commands, tests and files.
void take_shown_by(const std::string& cell, PaperItem& item) {
  static const std::regex code("`([^`]+)`"), test("[A-Z]\\w*\\.[A-Z]\\w*"), file("[\\w./-]+\\.(md|hpp|cpp)");
  const std::string left = std::regex_replace(cell, code, "");
  if (left.find_first_not_of(" ,") != std::string::npos) item.unknown = left;
  for (auto at = std::sregex_iterator(cell.begin(), cell.end(), code); at != std::sregex_iterator(); ++at) {
    const std::string text = (*at)[1];
    if (text.rfind("lamella ", 0) == 0) {
      item.commands.push_back(text);
    } else if (std::regex_match(text, test)) {
      item.tests.push_back(text);
    } else if (std::regex_match(text, file)) {
      item.files.push_back(text);
    } else {
      item.unknown = text;
    }
  }
}

}  // namespace

std::vector<PaperItem> paper_items(const std::string& markdown) {
  std::vector<PaperItem> items;
  std::stringstream in(markdown);
  bool within = false;
  int line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    const std::vector<std::string> row = cells(text);
    if (row.empty()) {
      within = false;
    } else if (row[0] == "item") {
      within = true;
    } else if (within && row[0] != "---") {
      PaperItem item;
      item.id = row[0];
      item.line = line;
      if (row.size() == 5) {
        item.published = row[1];
        item.here = row[2];
        item.state = row[3];
        take_shown_by(row[4], item);
      } else {
        item.unknown = "a row of " + std::to_string(row.size()) + " cells";
      }
      items.push_back(item);
    }
  }
  return items;
}

std::set<std::string> test_names(const std::filesystem::path& folder) {
  static const std::regex definition("\n(?:TYPED_)?TEST(?:_F|_P)?\\(\\s*(\\w+),\\s*(\\w+)\\)");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (auto at = std::sregex_iterator(text.begin(), text.end(), definition); at != std::sregex_iterator(); ++at)
      names.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  return names;
}

std::vector<std::string> words(const std::string& command) {
  std::stringstream in(command);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace lamella::test
