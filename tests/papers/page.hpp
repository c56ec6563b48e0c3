#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lamella::test {

/// A row of docs/papers.md.
struct PaperItem {
  std::string id, published, here, state;
  std::vector<std::string> commands;  ///< `lamella ...`
  std::vector<std::string> tests;     ///< `Suite.Name`
  std::vector<std::string> files;     ///< of the project
  std::string unknown;                ///< what is none of these, or a row that does not have its five cells
  int line = 0;
};

/// Rows of the tables whose first column is "item", in order.
[[nodiscard]] std::vector<PaperItem> paper_items(const std::string& markdown);

/// The names of tests, "Suite.Name", in the .cpp files of a folder and in those below it.
[[nodiscard]] std::set<std::string> test_names(const std::filesystem::path& folder);

/// A command's words. It has no quotes.
[[nodiscard]] std::vector<std::string> words(const std::string& command);

}  // namespace lamella::test
