#include "lamella/ldi.hpp"

#include <algorithm>

namespace lamella {
namespace {

std::string find_problem(const Ldi& ldi) {
  const std::size_t n = ldi.grid.column_count();
  if (ldi.offsets.size() != n + 1) return "offsets: expected one per column and one more";
  if (ldi.offsets.front() != 0 || ldi.offsets.back() != ldi.crossings.size())
    return "offsets do not span the crossings";
  if (!std::is_sorted(ldi.offsets.begin(), ldi.offsets.end())) return "offsets do not ascend";
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = ldi.column(i);
    if (!std::is_sorted(column.begin(), column.end())) return "column " + std::to_string(i) + " is not sorted";
    // Sorted, and never negative by construction: only the last depth can lie beyond the box (or be NaN).
    if (!column.empty() && !(column.back().depth() <= ldi.grid.depth()))
      return "column " + std::to_string(i) + " has a depth beyond the box";
  }
  return {};
}

}  // namespace

LdiReport validate(const Ldi& ldi) {
  LdiReport report;
  report.problem = find_problem(ldi);
  report.well_formed = report.problem.empty();
  if (!report.well_formed) return report;
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    const auto column = ldi.column(i);
    report.open_columns += closes(ldi, column) ? 0 : 1;
    report.occupied_columns += column.empty() ? 0 : 1;
    report.max_layers = std::max(report.max_layers, static_cast<std::uint32_t>(column.size()));
  }
  return report;
}

std::vector<DepthLayer> depth_layers(const Ldi& ldi) {
  const std::size_t columns = ldi.grid.column_count();
  std::vector<DepthLayer> layers;
  for (const bool entry : {true, false}) {
    const std::size_t first = layers.size();
    for (std::size_t i = 0; i < columns; ++i) {
      std::size_t next = first;
      for (const Crossing c : ldi.column(i)) {
        if (c.entry() != entry) continue;
        if (next == layers.size()) layers.push_back({entry, std::vector<float>(columns, -1.0f)});
        layers[next++].depth[i] = c.depth();
      }
    }
  }
  return layers;
}

}  // namespace lamella
