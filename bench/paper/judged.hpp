#pragma once

#include <string>
#include <vector>

#include "bench/engines.hpp"
#include "bench/paper/published.hpp"
#include "bench/table.hpp"

// Does what WSCG 2004 concluded hold on what was measured? See claims.hpp and conclusion.hpp.

namespace lamella::bench {

/// A line for each claim: "claim" and "verdict" as texts, "holds" (null where it cannot be told), and its figures.
[[nodiscard]] std::vector<Row> judge(const PublishedTable& published, const Table& measured,
                                     const std::vector<BenchEngine>& engines);

/// One line on all three tables.
[[nodiscard]] std::string conclude(const std::vector<Table>& tables, const std::vector<BenchEngine>& engines,
                                   const std::vector<unsigned>& threads);

}  // namespace lamella::bench
