// Figures 13 and 14 of Jang, Jeong, Han: pairs of large meshes that intersect a little or much, by resolution. Their
// models are a dragon (902k triangles), a Goldman (their caption says 512k, their sums 521k), a Buddha (106k) and a
// dinosaur (108k); procedural ones of the same sizes stand in for them. The figures are curves without numbers.

#include <fmt/core.h>

#include <array>
#include <utility>

#include "bench/measure.hpp"
#include "bench/scaling/builds.hpp"
#include "bench/scene/tables.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {
namespace {

struct Model {
  const char* name;
  std::size_t faces;
};
constexpr Model kDragon{"serpent", 902'000}, kGoldman{"torus_knot", 521'000}, kBuddha{"blob", 106'000},
    kDinosaur{"serpent", 108'000};
constexpr std::pair<Model, Model> kPairs[] = {
    {kDragon, kGoldman}, {kDragon, kDinosaur}, {kGoldman, kBuddha}, {kDinosaur, kBuddha}};
constexpr std::uint32_t kResolutions[] = {256, 512, 1024};
constexpr std::size_t kFrames = 4;
constexpr double kHair = 1e-4;  ///< of the pair's size, that each mesh moves in a frame
constexpr std::size_t kStreams = 15;

/// A pair as a user or a paper names it, not placed yet.
struct NamedPair {
  std::string models;
  Mesh a, b;
};

std::vector<std::function<NamedPair()>> chosen_pairs(const ScenePlan& plan) {
  std::vector<std::function<NamedPair()>> pairs;
  if (plan.meshes.size() == 2) {
    pairs.push_back([&plan] {
      return NamedPair{fmt::format("{} + {}", file_name(plan.meshes[0]), file_name(plan.meshes[1])),
                       load_mesh(plan.meshes[0]), load_mesh(plan.meshes[1])};
    });
    return pairs;
  }
  for (const auto& pair : kPairs) {
    pairs.push_back([&pair] {
      const auto& [a, b] = pair;
      return NamedPair{fmt::format("{} + {}", a.name, b.name), scenes::make_model(a.name, a.faces),
                       scenes::make_model(b.name, b.faces, 2)};
    });
  }
  return pairs;
}

/// Both meshes move a little in every frame, towards one another and back: enough that nothing can be kept.
SceneMotion hair_motion(std::shared_ptr<const scenes::Pair> pair) {
  const Aabb box = unite(bounds(pair->a), bounds(pair->b));
  const double hair = kHair * static_cast<double>(length(extent(box)));
  const auto pose = [hair](double sign, std::size_t frame) {
    const double shift = sign * hair * static_cast<double>(frame + 1);
    return Transform{{shift, shift, shift}, {}};
  };
  const auto add = [pair, pose](Scene& scene) {
    scene.add(pair->a, pose(1, 0));
    scene.add(pair->b, pose(-1, 0));
  };
  const auto move = [pose](Scene& scene, std::size_t frame) {
    scene.move({0}, pose(1, frame));
    scene.move({1}, pose(-1, frame));
  };
  return {kFrames, add, move};
}

double stream_ms(const scenes::Pair& pair) {
  std::vector<double> ms;
  for (std::size_t i = 0; i < kStreams; ++i) ms.push_back(time_stream(pair.a) + time_stream(pair.b));
  return median(std::move(ms));
}

void add_rows(SceneTable& table, const ScenePlan& plan, const std::string& models,
              const std::shared_ptr<const scenes::Pair>& pair, bool heavy) {
  const SceneMotion motion = hair_motion(pair);
  SceneRow row;
  row.models = models;
  row.overlap = heavy ? "heavy" : "light";
  row.objects = 2;
  row.faces = pair->a.triangles.size() + pair->b.triangles.size();
  row.motion = "rigid";
  row.stream_ms = stream_ms(*pair);
  std::vector<std::uint32_t> resolutions(std::begin(kResolutions), std::end(kResolutions));
  if (plan.resolution) resolutions = {*plan.resolution};
  for (const ScenePlan::Runner& runner : plan.runners) {
    row.runner = runner;
    for (const std::uint32_t resolution : resolutions) {
      row.resolution = resolution;
      SceneOptions options = scene_options(runner, 1);
      options.resolution = resolution;
      row.measured = measure_scene(motion, options, runner.engine->gpu, plan.effort);
      table.rows.push_back(row);
    }
  }
}

}  // namespace

SceneTable pair_table(const ScenePlan& plan) {
  SceneTable table{
      "JANG-fig14", "Jang, Jeong, Han, figures 13 and 14: two large meshes, by triangles and resolution", {}};
  Progress progress(table.name);
  const auto pairs = chosen_pairs(plan);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const NamedPair named = pairs[i]();
    for (const bool heavy : {false, true}) {
      progress.update(2 * i + (heavy ? 1 : 0), 2 * pairs.size());
      const auto pair = std::make_shared<const scenes::Pair>(scenes::overlapping(named.a, named.b, heavy));
      add_rows(table, plan, named.models, pair, heavy);
    }
  }
  return table;
}

}  // namespace lamella::cli
