#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/scene/file.hpp"
#include "lamella/scene.hpp"

namespace lamella::cli {

/// What a scene's answer is told with.
struct SceneSubjects {
  const SceneFile& file;
  SceneOptions options;  ///< what was asked for
  double load_ms = 0;
};

/// The object of the contract.
[[nodiscard]] nlohmann::ordered_json scene_json(const SceneResult& result, const SceneSubjects& subjects);

/// A table for people, on stdout.
void print_scene(const SceneResult& result, const SceneSubjects& subjects);

/// One frame of many, as a line of a table.
struct FrameRow {
  std::uint32_t frame = 0, candidates = 0;
  std::size_t pairs = 0, points = 0, contacts = 0;
  double volume = 0;
  float deepest = 0;
  std::size_t coarse = 0;         ///< grids whose cells are larger than asked for
  std::size_t more_contacts = 0;  ///< pairs with more contacts than are reported
  bool ok = true;
  Timings ms;
};
[[nodiscard]] FrameRow frame_row(std::uint32_t frame, const SceneResult& result, const SceneSubjects& subjects);
void print_frames(const std::vector<FrameRow>& rows, const SceneResult& last, const SceneSubjects& subjects);

/// "engine, 1.20 ms (broad phase 0.10, ...)".
[[nodiscard]] std::string describe(const Timings& ms);

}  // namespace lamella::cli
