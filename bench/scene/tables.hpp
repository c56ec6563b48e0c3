#pragma once

#include <string>
#include <vector>

#include "bench/commands.hpp"
#include "bench/engines.hpp"
#include "bench/scene/measure.hpp"
#include "bench/table.hpp"

// The tables of `lamella bench scene`, each measured with all runners, with a bar on a terminal.

namespace lamella::bench {

/// What the tables are measured with.
struct ScenePlan {
  const SceneArgs& args;
  std::vector<Runner> runners;
};

[[nodiscard]] Table table1_table(const ScenePlan& plan);   ///< JANG-table1
[[nodiscard]] Table fig13_table(const ScenePlan& plan);    ///< JANG-fig13
[[nodiscard]] Table fig14_table(const ScenePlan& plan);    ///< JANG-fig14
[[nodiscard]] Table fig16_table(const ScenePlan& plan);    ///< JANG-fig16
[[nodiscard]] Table crowd_table(const ScenePlan& plan);    ///< crowd
[[nodiscard]] Table scaling_table(const ScenePlan& plan);  ///< scaling
[[nodiscard]] Table rigid_table(const ScenePlan& plan);    ///< rigid
[[nodiscard]] Table screen_table(const ScenePlan& plan);   ///< screen

/// What a runner is asked for: gl-pairs is also measured as published, and as far as it reads little back.
struct SceneVariant {
  const char* method;  ///< "complete" or "jang"
  const char* answer;  ///< "contacts" or "points": with contacts, or with collision points alone

  void set(SceneOptions& options) const;
  void set(Row& row) const;
};
/// With contacts and without: gl-pairs reads spans for the former alone.
[[nodiscard]] std::vector<SceneVariant> pair_variants(const Runner& runner);

/// Options for a runner; sampling is the table's own.
[[nodiscard]] SceneOptions scene_options(const Runner& runner, unsigned views);
/// The start of every row.
[[nodiscard]] Row scene_row(const Runner& runner, std::size_t objects, std::size_t faces, const char* motion,
                            unsigned views);
/// What a GPU adds to a row.
inline constexpr const char* kGpuColumns = "GPU ms=gpu_ms|rounds|read KB=read_back_bytes:kilo";
/// The rows of each runner and variant, in order.
[[nodiscard]] std::vector<std::vector<Row>> by_runner(const std::vector<Row>& rows);
/// "software, 2 threads".
[[nodiscard]] std::string runner_text(const Row& row);

}  // namespace lamella::bench
