#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/engines.hpp"
#include "bench/scene/measure.hpp"

namespace lamella::cli {

/// What the tables are measured with.
struct ScenePlan {
  /// An engine with a number of threads.
  struct Runner {
    const BenchEngine* engine = nullptr;
    unsigned threads = 1;
  };
  std::vector<Runner> runners;           ///< on the CPU one for each number of threads
  std::optional<std::uint32_t> objects;  ///< only crowds of this many
  std::uint32_t frames = 60;
  Effort effort = Effort::usual;
  std::optional<std::uint32_t> resolution;    ///< only this one of JANG-fig14
  std::vector<std::filesystem::path> meshes;  ///< two in place of the models of JANG-fig14, or none
};

/// A line of a table: one scene with one runner. What a table has no use for is 0 or empty.
struct SceneRow {
  ScenePlan::Runner runner;
  unsigned views = 1;
  std::size_t objects = 0, faces = 0;  ///< faces of all objects
  double side = 0;                     ///< of the cube, in metres
  double cell = 0;                     ///< asked for, in metres
  std::string motion;                  ///< rigid or deforming
  double paper_ms = 0;
  std::string models, overlap;  ///< a pair of large meshes: names; light or heavy
  std::uint32_t resolution = 0;
  double stream_ms = 0;                   ///< reading all arrays once
  double sweep_ms = 0, all_pairs_ms = 0;  ///< two ways to find the boxes that overlap
  double distance = 0;                    ///< of the eye from the cube's middle, in sides of the cube
  SceneMeasured measured;

  [[nodiscard]] const SceneSample& ms() const { return measured.typical; }
};

struct SceneTable {
  std::string name;  ///< for --table and JSON
  std::string title;
  std::vector<SceneRow> rows;
};

/// The names in order.
[[nodiscard]] std::vector<std::string> scene_table_names();
/// Measures a table, with a bar on a terminal.
[[nodiscard]] SceneTable make_scene_table(const std::string& name, const ScenePlan& plan);

// Each of them.
[[nodiscard]] SceneTable crowd_table(const ScenePlan& plan);    ///< JANG-1
[[nodiscard]] SceneTable pair_table(const ScenePlan& plan);     ///< JANG-fig14
[[nodiscard]] SceneTable scaling_table(const ScenePlan& plan);  ///< scaling
[[nodiscard]] SceneTable screen_table(const ScenePlan& plan);   ///< screen

/// Options for a runner; sampling is the table's own.
[[nodiscard]] SceneOptions scene_options(const ScenePlan::Runner& runner, unsigned views);

[[nodiscard]] std::string to_text(const SceneTable& table);
/// One object of the JSON lines.
[[nodiscard]] nlohmann::ordered_json to_json(const SceneTable& table, const SceneRow& row);

}  // namespace lamella::cli
