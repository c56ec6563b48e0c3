#include "bench/paper/loop.hpp"

#include <fmt/core.h>

#include "bench/measure.hpp"
#include "cli/simulate/picture.hpp"
#include "simulate/simulation.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kFaces = 10'000;
constexpr std::uint32_t kParticles = 20'000, kCells = 128;
constexpr picture::Size kPicture{640, 480};
constexpr std::size_t kWarmUps = 40;  ///< until the first particles have reached the figure
constexpr std::size_t kFrames = 120, kQuickFrames = 12;

}  // namespace

/// As quick to draw as the renderer can: as the paper's, without soft edges and shadows.
picture::Picture plain_picture() {
  picture::Picture out;
  out.width = kPicture.width;
  out.height = kPicture.height;
  out.samples = 1;
  out.shadows = false;
  return out;
}

Row measure_loop(unsigned threads, bool quick) {
  simulate::Options options;
  options.scene.threads = threads;
  options.scene.resolution = kCells;
  options.scene.cell = 0;
  options.sampling_given = true;
  options.objects = kParticles;
  const auto simulation = simulate::make_particles(options);
  for (std::size_t i = 0; i < kWarmUps; ++i) simulation->step();
  simulate::Drawing drawing;
  Samples samples(1);
  double touched = 0;
  const std::size_t frames = quick ? kQuickFrames : kFrames;
  for (std::size_t i = 0; i < frames; ++i) {
    const cli::Stopwatch watch;
    simulation->step();
    const double stepped = watch.ms();
    simulation->draw(drawing);
    const picture::Image image = cli::draw_simulation(drawing, plain_picture(), threads);
    const double total = watch.ms();
    const simulate::Figures figures = simulation->figures();
    touched += figures.points;
    samples.add(0, {{"ms.deform", figures.deform_ms},
                    {"ms.dynamics", figures.ms.solve - figures.deform_ms},
                    {"ms.sampling", figures.ms.voi + figures.ms.ldi},
                    {"ms.response", figures.ms.query},
                    {"ms.drawing", total - stepped},
                    {"ms.total", total}});
  }
  Row row{{"row", "whole loop"},  {"faces", kFaces},
          {"points", kParticles}, {"resolution", kCells},
          {"engine", "software"}, {"threads", threads},
          {"frames", frames},     {"picture", fmt::format("{} x {}", kPicture.width, kPicture.height)}};
  row.set(samples.typical());
  row.set({"loop_fps", 1000 / row.number("ms.total")});
  row.set({"pushed_out", touched / static_cast<double>(frames)});
  row.set({"models", "seated_figure"});
  return row;
}

}  // namespace lamella::bench
