#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/json.hpp"
#include "lamella/clash.hpp"

namespace lamella::answer {

/// What a clash report is told with.
struct ClashAsked {
  const Assembly& assembly;
  const ClashOptions& options;
  std::string title{};
  std::string unit{};  ///< of lengths; empty: not known
  /// By the number of a pair: what it means for the run ("fails", …), and since the earlier report ("new", …).
  std::function<std::uint32_t(std::uint32_t)> part_number{};  ///< of a part of `assembly`, among all; empty: the same
  std::function<std::string_view(std::uint32_t)> result{};
  std::function<std::string_view(std::uint32_t)> change{};  ///< empty: there is no earlier report
  Json head = Json::object();                               ///< members after "complete"
  Json tail = Json::object();                               ///< members at the end
  double load_ms = 0;
};

/// The report as one JSON object, piece by piece: docs/clash-report.schema.json describes it.
void write_clash_json(const ClashReport& report, const ClashAsked& asked,
                      const std::function<void(std::string_view)>& sink);

/// One of its "pairs".
[[nodiscard]] Json clash_pair_json(const ClashReport& report, std::uint32_t pair, const ClashAsked& asked);

}  // namespace lamella::answer
