// Figures that are simulations: TR 395's figure 12, figures 15 and 16 of Jang, Jeong, Han.

#include <fmt/core.h>

#include <algorithm>

#include "cli/figure/figures.hpp"
#include "cli/simulate/picture.hpp"
#include "simulate/simulation.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kEvery = 3;  ///< simulated frames from one that is drawn to the next

void draw_simulation_of(const FigureTask& task, const std::string& name, std::uint32_t objects,
                        const std::string& title) {
  simulate::Options options;
  options.scene.engine = task.options.engine;
  options.scene.device = task.options.device;
  options.scene.threads = task.options.threads;
  options.scene.resolution = task.options.resolution;
  options.sampling_given = task.resolution_given;
  options.objects = objects;
  const auto simulation = simulate::make_simulation(name, options);
  simulate::Drawing drawing;
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    for (std::uint32_t step = 0; step < kEvery; ++step) {
      simulation->step();
      task.measured(simulation->figures().ms.total());
    }
    simulation->draw(drawing);
    const simulate::Figures figures = simulation->figures();
    const auto counts = fmt::format("pairs {:<5} points {:<7}", figures.pairs, figures.points);
    picture::Picture out;
    out.width = task.size.width;
    out.height = task.size.height;
    out.captions = {title, counts};
    if (!task.add(draw_simulation(drawing, std::move(out), task.options.threads))) return;
  }
}

}  // namespace

void draw_tr395_12(const FigureTask& task) {
  const std::uint32_t particles = task.quick ? 2'000 : 20'000;
  draw_simulation_of(task, "particles", particles, fmt::format("{} particles; red: contact", particles));
}

void draw_jang_15(const FigureTask& task) {
  const std::uint32_t bodies = task.quick ? 12 : 100;
  draw_simulation_of(task, "cube", bodies, fmt::format("{} bodies in a cube", bodies));
}

void draw_jang_16(const FigureTask& task) {
  const std::uint32_t ragdolls = task.quick ? 1 : 4;
  draw_simulation_of(task, "ragdoll", ragdolls, fmt::format("ragdolls: {}", ragdolls));
}

}  // namespace lamella::cli
