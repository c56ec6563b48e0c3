#pragma once

#include "bench/row.hpp"

namespace lamella::bench {

/// Levels of images of 1025 x 1025 and of 4097 x 4097 vertices.
inline constexpr int kLevels1025 = 10, kLevels4097 = 12;

/// The paper's times are of two objects of one size: "non-extreme" at 1025 x 1025, the worst at 4097 x 4097. Sets them
/// beside a row for images of 2^n + 1; other sizes have none. `typical` is the row's figure for the former.
inline void set_paper_times(Row& row, int n, const char* typical) {
  constexpr double kPaper1025Ms = 4, kPaper4097Ms = 60;
  if (n != kLevels1025 && n != kLevels4097) return;
  const bool worst = n == kLevels4097;
  const double paper_ms = worst ? kPaper4097Ms : kPaper1025Ms;
  row.set({"paper_ms", paper_ms});
  row.set({"paper_is", worst ? "worst" : "typical"});
  row.set({"speedup", paper_ms / row.number(worst ? "ms.worst" : typical)});
}

}  // namespace lamella::bench
