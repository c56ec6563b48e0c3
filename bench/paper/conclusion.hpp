#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lamella::bench {

/// One row of the papers' tables: software against the fastest engine on a GPU, in milliseconds.
struct Duel {
  std::size_t faces = 0;
  double software_ms = 0, gpu_ms = 0;
  std::string gpu_engine;
  std::string row;  ///< its name
};

/// All rows, for one number of the software engine's threads.
struct Contest {
  unsigned threads = 1;
  std::vector<Duel> duels;  ///< in any order, not empty
};

/// One line: whether what WSCG 2004 found, that software is faster on small scenes and the GPU on large ones, still
/// holds, and where the one overtakes the other. Numbers of threads with the same outcome are told together.
[[nodiscard]] std::string conclusion(const std::vector<Contest>& contests);
/// The same line where nothing can be compared; `why` is a reason without its full stop.
[[nodiscard]] std::string conclusion_untold(const std::string& why);

}  // namespace lamella::bench
