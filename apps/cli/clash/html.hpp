#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/clash/answer.hpp"
#include "cli/html/report.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// What of a clash report goes into a page, so that it opens in seconds and stays small. Notes say what was left out.
struct ClashPageLimits {
  std::size_t findings = 5000, pairs = 20'000;  ///< the worst
  std::size_t pictures = 300;                   ///< of the worst findings
  std::size_t parts = 1000;                     ///< to turn around: those of the worst pairs
  std::size_t all_parts = 300;                  ///< with no more, the others are there too
  std::uint32_t faces = 600'000;                ///< of all parts
  picture::Size picture{320, 240};
};

/// What write_clash_html() puts into the page. `meshes` keeps what the report's views look at.
[[nodiscard]] Report clash_page(const ClashAnswer& answer, std::vector<Mesh>& meshes,
                                const ClashPageLimits& limits = {});

}  // namespace lamella::cli
