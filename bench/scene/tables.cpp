// The tables of `lamella bench scene` that are about crowds: table 1 of Jang, Jeong, Han, "GPU-based Image-space
// Approach to Collision Detection among Closed Objects", the same crowd growing, and the same crowd from afar. Their
// bodies push one another apart; ours fly through one another, so that every engine sees the same frames.

#include "bench/scene/tables.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "bench/scene/crowd.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr double kCellsAcross = 32;  ///< of a body's ball
constexpr double kBusy = 0.3;        ///< density of 100 bodies where most touch another: about 40 pairs
constexpr double kSparse = 0.07;     ///< density where a body has a fifth of a candidate pair
constexpr std::pair<std::uint32_t, double> kPaper[] = {{50, 9}, {100, 20}};
constexpr std::uint32_t kGrowing[] = {10, 30, 100, 300, 1000};
constexpr double kDistances[] = {1, 2, 4, 8, 16};
/// A screen of 1,000 pixels that takes 60 degrees.
const double kPixelAngle = 2 * std::tan(std::numbers::pi / 6) / 1000;

std::shared_ptr<const scenes::Crowd> make_crowd(std::uint32_t objects, double density) {
  return std::make_shared<const scenes::Crowd>(scenes::CrowdOptions{.objects = objects, .density = density});
}

double cell_of(const scenes::Crowd& crowd) { return 2 * crowd.radius() / kCellsAcross; }

SceneRow crowd_row(const ScenePlan::Runner& runner, const scenes::Crowd& crowd, unsigned views) {
  SceneRow row;
  row.runner = runner;
  row.views = views;
  row.objects = crowd.size();
  row.faces = crowd.face_count();
  row.side = crowd.side();
  row.motion = "rigid";
  return row;
}

SceneMeasured measure_crowd(const ScenePlan& plan, const SceneMotion& motion, SceneRow& row, double cell) {
  SceneOptions options = scene_options(row.runner, row.views);
  options.cell = static_cast<float>(cell);
  row.cell = cell;
  return measure_scene(motion, options, row.runner.engine->gpu, plan.effort);
}

/// A small crowd has few pairs, and they vary more: it is watched for longer.
std::size_t frames_of(const ScenePlan& plan, std::uint32_t objects) {
  constexpr std::uint32_t kMany = 500;
  if (plan.effort == Effort::quick) return plan.frames;
  return std::size_t{plan.frames} * std::max(kMany / objects, 1u);
}

}  // namespace

SceneOptions scene_options(const ScenePlan::Runner& runner, unsigned views) {
  SceneOptions options;
  options.engine = runner.engine->name;
  options.device = runner.engine->device;
  options.threads = runner.threads;
  options.views = views;
  return options;
}

SceneTable crowd_table(const ScenePlan& plan) {
  std::vector<std::pair<std::uint32_t, double>> sizes(std::begin(kPaper), std::end(kPaper));
  if (plan.objects) {
    const auto known =
        std::find_if(sizes.begin(), sizes.end(), [&](const auto& s) { return s.first == *plan.objects; });
    sizes = {{*plan.objects, known == sizes.end() ? 0 : known->second}};
  }
  SceneTable table{"JANG-1", "Jang, Jeong, Han, table 1: bodies of about 3,000 triangles in a cube", {}};
  Progress progress(table.name);
  const std::size_t rows = sizes.size() * 2 * 2 * plan.runners.size();
  for (const auto& [objects, paper_ms] : sizes) {
    const auto crowd = make_crowd(objects, kBusy * objects / 100);
    for (const bool deforming : {false, true}) {
      const SceneMotion motion = crowd_motion(crowd, plan.frames, deforming);
      for (const unsigned views : {1u, 3u}) {
        for (const ScenePlan::Runner& runner : plan.runners) {
          progress.update(table.rows.size(), rows);
          SceneRow row = crowd_row(runner, *crowd, views);
          row.motion = deforming ? "deforming" : "rigid";
          row.paper_ms = paper_ms;
          row.measured = measure_crowd(plan, motion, row, cell_of(*crowd));
          table.rows.push_back(std::move(row));
        }
      }
    }
  }
  return table;
}

SceneTable scaling_table(const ScenePlan& plan) {
  std::vector<std::uint32_t> sizes(std::begin(kGrowing), std::end(kGrowing));
  if (plan.objects) sizes = {*plan.objects};
  SceneTable table{"scaling", "A sparse crowd of bodies of about 3,000 triangles, by their number at one density", {}};
  Progress progress(table.name);
  for (const std::uint32_t objects : sizes) {
    const auto crowd = make_crowd(objects, kSparse);
    const std::size_t frames = frames_of(plan, objects);
    const SceneMotion motion = crowd_motion(crowd, frames, false);
    const BroadTimes broad = time_broad_phase(*crowd, frames);
    for (const ScenePlan::Runner& runner : plan.runners) {
      progress.update(table.rows.size(), sizes.size() * plan.runners.size());
      SceneRow row = crowd_row(runner, *crowd, 1);
      row.sweep_ms = broad.sweep;
      row.all_pairs_ms = broad.all_pairs;
      row.measured = measure_crowd(plan, motion, row, cell_of(*crowd));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

SceneTable screen_table(const ScenePlan& plan) {
  SceneTable table{"screen", "Cells as small as a viewer's pixels: the same crowd from near and far", {}};
  const auto crowd = make_crowd(plan.objects.value_or(100), kBusy);
  const SceneMotion motion = crowd_motion(crowd, plan.frames, false);
  Progress progress(table.name);
  for (const double distance : kDistances) {
    for (const ScenePlan::Runner& runner : plan.runners) {
      progress.update(table.rows.size(), std::size(kDistances) * plan.runners.size());
      SceneRow row = crowd_row(runner, *crowd, 1);
      row.distance = distance;
      SceneOptions options = scene_options(runner, 1);
      options.screen = Screen{{0, -distance * crowd->side(), 0}, kPixelAngle};
      row.measured = measure_scene(motion, options, runner.engine->gpu, plan.effort);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::vector<std::string> scene_table_names() { return {"JANG-1", "JANG-fig14", "scaling", "screen"}; }

SceneTable make_scene_table(const std::string& name, const ScenePlan& plan) {
  if (name == "JANG-1") return crowd_table(plan);
  if (name == "JANG-fig14") return pair_table(plan);
  if (name == "scaling") return scaling_table(plan);
  return screen_table(plan);
}

}  // namespace lamella::cli
