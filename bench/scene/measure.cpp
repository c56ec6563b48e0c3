#include "bench/scene/measure.hpp"

#include <algorithm>

#include "bench/measure.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kWarmUps = 2, kMinPasses = 3, kMaxPasses = 41, kMinRuns = 15;
constexpr double kBudgetMs = 800, kPatienceMs = 10'000;
constexpr double kLongPassMs = 2000;  ///< beyond which a pass has no more frames

Row run_frame(const SceneMotion& motion, Scene& scene, std::size_t frame, bool gpu, Row& cells) {
  const cli::Stopwatch watch;
  motion.move(scene, frame);
  const double update = watch.ms();
  const SceneResult& result = scene.collide();
  const double total = watch.ms();
  double columns = 0;
  for (const SceneGroup& g : result.groups) {
    const double cell = std::max(g.grid.cell_u(), g.grid.cell_v());
    columns += static_cast<double>(g.grid.column_count());
    cells.set({"min_cell", cells.has("min_cell") ? std::min(cells.number("min_cell"), cell) : cell});
    cells.set({"max_cell", std::max(cells.number("max_cell"), cell)});
  }
  Row sample{{"candidates", result.candidate_count},
             {"pairs", result.pairs.size()},
             {"points", result.points.size()},
             {"contacts", result.contacts.size()},
             {"ms.update", update},
             {"ms.broad", result.ms.broad},
             {"ms.place", result.ms.voi},
             {"ms.ldi", result.ms.ldi},
             {"ms.pairs", result.ms.query},
             {"ms.points", result.ms.points},
             {"ms.contacts", result.ms.contacts},
             {"ms.test", total - result.ms.contacts},
             {"ms.total", total}};
  if (gpu) {
    sample.set({"gpu_ms", result.ms.gpu});
    sample.set({"rounds", result.round_count});
    sample.set({"read_back_bytes", result.read_back_bytes});
  }
  sample.set({"groups", result.groups.size()});
  sample.set({"columns", columns});
  return sample;
}

}  // namespace

Row measure_scene(const SceneMotion& motion, const SceneOptions& options, bool gpu, bool quick) {
  Scene scene(options);
  motion.add(scene);
  Samples samples(motion.frames);
  Row cells;
  std::size_t passes = 0;
  const auto play = [&](std::size_t) {
    const cli::Stopwatch watch;
    for (std::size_t i = 0; i < samples.frames(); ++i) {
      const std::size_t frame = passes % 2 == 0 ? i : samples.frames() - 1 - i;
      samples.add(frame, run_frame(motion, scene, frame, gpu, cells));
      if (passes == 0 && watch.ms() > kLongPassMs) samples.cut(i + 1);
    }
    ++passes;
  };
  const std::size_t no_end = static_cast<std::size_t>(-1);
  repeat(quick ? Repeat{} : Repeat{kWarmUps, no_end, gpu ? kGpuWarmUpMs : 0, kPatienceMs}, play);
  samples.clear();
  const std::size_t least = std::max(kMinPasses, (kMinRuns + samples.frames() - 1) / samples.frames());
  repeat(quick ? Repeat{} : Repeat{least, kMaxPasses, kBudgetMs, kPatienceMs}, play);
  Row row = samples.typical();
  row.set(cells);
  row.set({"worst_frame_ms", samples.largest("ms.total")});
  row.set({"frames", samples.frames()});
  row.set({"runs", samples.runs()});
  return row;
}

}  // namespace lamella::bench
