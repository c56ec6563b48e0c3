#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lamella::cli {

struct PaperArgs {
  std::string engine = "automatic";  ///< or "all"
  std::optional<unsigned> device;    ///< of the engines on a GPU
  std::optional<unsigned> threads;   ///< both 1 and all cores when not given
  std::string table;                 ///< only this one, or a paper's ("WSCG", "TR"); all when empty
  std::filesystem::path mesh;        ///< in place of the papers' models, when not empty
  bool json = false;
};

/// Prints the papers' tables with our figures beside theirs.
void bench_paper(const PaperArgs& args);

}  // namespace lamella::cli
