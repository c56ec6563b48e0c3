#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/row.hpp"

// What WSCG 2004 concluded from its tables, tried on this machine's.

namespace lamella::bench {

/// Two engines on the same row, in milliseconds.
struct Match {
  std::string row;
  double first_ms = 0, second_ms = 0;
};

/// Whether a claim holds on a table, and why, as a sentence without its beginning.
struct Verdict {
  std::optional<bool> holds;  ///< none: it cannot be told here
  std::string text;
  Row figures;
};

/// "Unordered is about three times as fast as Ordered": the first of a match is Ordered, the second Unordered. From 2
/// to 4 times counts as about three. The table's ratio is the geometric mean over its rows.
[[nodiscard]] Verdict judge_unordered(const std::vector<Match>& measured, const std::vector<Match>& published);

/// "Software is faster on small scenes, the GPU on large ones": the first of a match is on the CPU, the second on a
/// GPU. A table holds where the same side wins as in the paper, on every row; equal times go to the CPU, which needs no
/// GPU.
[[nodiscard]] Verdict judge_software(const std::vector<Match>& measured, const std::vector<Match>& published,
                                     std::string_view software, std::string_view gpu);

/// The same without anything measured; `why` is a reason without its full stop.
[[nodiscard]] Verdict cannot_be_judged(std::string_view why);

}  // namespace lamella::bench
