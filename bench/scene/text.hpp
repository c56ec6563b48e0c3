#pragma once

#include <string>
#include <vector>

#include "bench/scene/tables.hpp"
#include "cli/common.hpp"

// What the tables of `lamella bench scene` for people have in common.

namespace lamella::cli {

using SceneRows = std::vector<SceneRow>;

[[nodiscard]] std::string scene_ms(double ms);
/// A mean count: one decimal where it is small.
[[nodiscard]] std::string scene_count(double n);
[[nodiscard]] std::string scene_times(double times);
/// "software, 1 thread".
[[nodiscard]] std::string to_text(const ScenePlan::Runner& runner);
/// `text`, or a dash that means nothing.
[[nodiscard]] std::string given(bool is, const std::string& text);

[[nodiscard]] bool same_runner(const SceneRow& a, const SceneRow& b);
/// The rows of each runner, in order.
[[nodiscard]] std::vector<SceneRows> by_runner(const SceneRows& rows);

/// What a GPU adds to a row, with headings.
void add_gpu_columns(Table& table);
void add_gpu_cells(std::vector<std::string>& cells, const SceneRow& row);

/// Columns in which no row has anything would only take up width.
[[nodiscard]] std::string without_empty_columns(Table table);

// The tables below their titles, with findings.
[[nodiscard]] std::string crowd_text(const SceneRows& rows);
[[nodiscard]] std::string pair_text(const SceneRows& rows);
[[nodiscard]] std::string scaling_text(const SceneRows& rows);
[[nodiscard]] std::string screen_text(const SceneRows& rows);

}  // namespace lamella::cli
