#include "bench/scene/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lamella::cli {

std::string scene_ms(double ms) { return ms >= 100 ? fmt::format("{:.0f}", ms) : fmt::format("{:.3f}", ms); }
std::string scene_count(double n) {
  return n < 100 ? fmt::format("{:.1f}", n) : grouped(static_cast<std::uint64_t>(std::lround(n)));
}
std::string scene_times(double times) {
  return times < 10 ? fmt::format("{:.2f}", times) : fmt::format("{:.1f}", times);
}

std::string to_text(const ScenePlan::Runner& runner) {
  const std::string& name = runner.engine->name;
  return runner.engine->gpu ? name : fmt::format("{}, {}", name, counted(runner.threads, "thread"));
}

std::string given(bool is, const std::string& text) { return is ? text : "-"; }

bool same_runner(const SceneRow& a, const SceneRow& b) {
  return a.runner.engine == b.runner.engine && a.runner.threads == b.runner.threads;
}

std::vector<SceneRows> by_runner(const SceneRows& rows) {
  std::vector<SceneRows> parts;
  for (const SceneRow& row : rows) {
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const SceneRows& p) { return same_runner(p[0], row); });
    (part == parts.end() ? parts.emplace_back() : *part).push_back(row);
  }
  return parts;
}

void add_gpu_columns(Table& table) {
  table.columns.insert(table.columns.end(), {{"GPU ms", true}, {"rounds", true}, {"read KB", true}});
}

void add_gpu_cells(std::vector<std::string>& cells, const SceneRow& row) {
  const bool gpu = row.runner.engine->gpu;
  cells.push_back(given(gpu, scene_ms(row.ms().gpu)));
  cells.push_back(given(gpu, scene_count(row.ms().rounds)));
  cells.push_back(given(gpu, fmt::format("{:.1f}", row.ms().read_back / 1000)));
}

std::string without_empty_columns(Table table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (!std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[c] == "-"; })) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return to_text(table);
}

std::string to_text(const SceneTable& table) {
  const auto body = [&] {
    if (table.name == "JANG-1") return crowd_text(table.rows);
    if (table.name == "JANG-fig14") return pair_text(table.rows);
    return table.name == "scaling" ? scaling_text(table.rows) : screen_text(table.rows);
  };
  return fmt::format("\n{} [{}]\n{}", table.title, table.name, body());
}

}  // namespace lamella::cli
