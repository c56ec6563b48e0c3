#include "simulate/simulation.hpp"

#include <algorithm>
#include <limits>

#include "lamella/error.hpp"

namespace lamella::simulate {
namespace {

constexpr int kLeastLevels = 4;  ///< of an image in which a rabbit is still one

struct Summary {
  std::string_view name, text;
};
constexpr Summary kSummaries[] = {
    {"cube", "Rigid bodies of about 3,000 faces, concave and convex, in a closed cube"},
    {"ragdoll", "Jointed figures that fall among concave bodies: joints of Bullet, our contacts"},
    {"particles", "Particles that rain on a figure which moves and deforms"},
    {"squeeze", "Two soft bodies pressed together"},
    {"surgery", "A tool pressed into a soft organ that collides with itself"},
    {"bunnies", "Rabbits that bounce off one another in a cube: geometry images"},
    {"helicopter", "A helicopter that flies low over fractal terrain: geometry images"},
};

}  // namespace

SceneOptions sampled_options(const Options& options, float own_cell) {
  SceneOptions scene = options.scene;
  if (options.sampling_given) return scene;
  scene.cell = own_cell;
  scene.screen.reset();
  return scene;
}

VolumeContactOptions contact_options(const Options& options, float own_cell, double friction) {
  const SceneOptions scene = sampled_options(options, own_cell);
  return {.resolution = scene.resolution,
          .cell = static_cast<double>(scene.cell),
          .threads = scene.threads,
          .friction = friction,
          .max_crossings = scene.max_crossings};
}

int image_levels(const Options& options, int own, int most) {
  return options.sampling_given ? levels_of_side(options.scene.resolution, most) : own;
}

int levels_of_side(std::uint32_t side, int most) {
  for (int n = kLeastLevels; n <= most; ++n) {
    if (side == (1u << n) + 1) return n;
  }
  throw Error("a geometry image has no " + std::to_string(side) + " vertices a side; choose 2^n + 1 from " +
              std::to_string((1u << kLeastLevels) + 1) + " to " + std::to_string((1u << most) + 1) +
              ", such as 65, 129 or 257");
}

void set_figures(Figures& figures, const ImageSceneResult& result) {
  const auto count = [](std::uint64_t n) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, std::numeric_limits<std::uint32_t>::max()));
  };
  figures.images = true;
  figures.candidates = count(result.candidates.size());
  figures.pairs = result.colliding_count;
  figures.points = count(result.triangle_pairs.size());
  figures.sphere_tests = count(result.sphere_test_count);
  figures.triangle_tests = count(result.triangle_test_count);
  figures.level = figures.cut_short = 0;
  for (const ImageScenePair& pair : result.candidates) {
    figures.level = std::max(figures.level, static_cast<std::uint32_t>(std::max(pair.level, 0)));
    if (!pair.complete) ++figures.cut_short;
  }
  figures.ms = result.ms;
}

std::vector<std::string> simulation_names() {
  std::vector<std::string> names;
  for (const Summary& summary : kSummaries) names.emplace_back(summary.name);
  return names;
}

bool is_built(std::string_view name) {
#ifndef LAMELLA_SIMULATE_RAGDOLL
  if (name == "ragdoll") return false;
#endif
  return !summary_of(name).empty();
}

std::string_view summary_of(std::string_view name) {
  for (const Summary& summary : kSummaries)
    if (summary.name == name) return summary.text;
  return {};
}

std::unique_ptr<Simulation> make_simulation(std::string_view name, const Options& options) {
  if (name == "cube") return make_cube(options);
  if (name == "particles") return make_particles(options);
  if (name == "squeeze") return make_squeeze(options);
  if (name == "surgery") return make_surgery(options);
  if (name == "bunnies") return make_bunnies(options);
  if (name == "helicopter") return make_helicopter(options);
  if (name == "ragdoll") {
#ifdef LAMELLA_SIMULATE_RAGDOLL
    return make_ragdoll(options);
#else
    throw Error(
        "the ragdoll's joints are Bullet's, and this program was built without it; install libbullet-dev and "
        "build again (CMake's option LAMELLA_BULLET must be ON)");
#endif
  }
  throw Error("there is no simulation '" + std::string(name) + "'");
}

}  // namespace lamella::simulate
