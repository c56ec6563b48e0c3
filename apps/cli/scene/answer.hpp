#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/scene.hpp"
#include "cli/scene/file.hpp"
#include "lamella/scene.hpp"

namespace lamella::cli {

/// What a scene's answer is told with.
struct SceneSubjects {
  const SceneFile& file;
  SceneOptions options;  ///< what was asked for
  double load_ms = 0;
};

using answer::SceneJsonEnds;

/// As answer::write_scene_json().
void write_scene_json(const SceneResult& result, const SceneSubjects& subjects, const SceneJsonEnds& ends,
                      const std::function<void(std::string_view)>& sink);

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
  std::uint64_t passed_over = 0;  ///< as in SceneResult
  std::size_t undecided = 0;      ///< pairs
  bool ok = true;
  Timings ms;
};
[[nodiscard]] FrameRow frame_row(std::uint32_t frame, const SceneResult& result, const SceneSubjects& subjects);
void print_frames(const std::vector<FrameRow>& rows, const SceneResult& last, const SceneSubjects& subjects);

/// "engine, 1.20 ms (broad phase 0.10, ...)".
[[nodiscard]] std::string describe(const Timings& ms);

}  // namespace lamella::cli
