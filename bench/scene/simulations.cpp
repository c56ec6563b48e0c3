// Table 1 and figure 16 of Jang, Jeong, Han: bodies that push one another apart in a cube, and jointed figures among
// rigid bodies. They are the simulations of `lamella simulate`, so that every engine has its own course of events.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/measure.hpp"
#include "bench/scene/tables.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "simulate/simulation.hpp"

namespace lamella::bench {
namespace {

struct PaperRow {
  std::uint32_t objects;
  double test_ms, response_ms, fps;
};
constexpr PaperRow kTable1[] = {{50, 9, 1, 84}, {100, 20, 2, 40}};
constexpr double kRagdollTestMs = 10, kRagdollPhysicsMs = 10;
/// Until bodies have met.
constexpr std::uint32_t kWarmUpFrames = 60, kQuickWarmUpFrames = 20, kQuickFrames = 10;
constexpr std::size_t kLeastFrames = 3;
constexpr double kPatienceMs = 8000;

/// Those with contacts: without them nothing is pushed apart.
std::vector<SceneVariant> variants(const Runner& runner) {
  std::vector<SceneVariant> all{{"complete", "contacts"}};
  if (runner.engine->name == "gl-pairs") all.push_back({"jang", "contacts"});
  return all;
}

Row sample_of(const simulate::Figures& f, bool gpu) {
  const Timings& ms = f.ms;
  const double response = ms.contacts + ms.solve, total = ms.total();
  Row row{{"bodies", f.objects},    {"candidates", f.candidates},  {"pairs", f.pairs},        {"points", f.points},
          {"contacts", f.contacts}, {"ms.test", total - response}, {"ms.response", response}, {"ms.total", total}};
  if (gpu) {
    row.set({"gpu_ms", ms.gpu});
    row.set({"read_back_bytes", f.read_back_bytes});
    row.set({"passed_over", f.passed_over});
  }
  return row;
}

/// A typical frame: medians over the frames after bodies have met, as far as patience goes.
Row measure_simulation(const char* name, std::uint32_t objects, const ScenePlan& plan, const Runner& runner,
                       const SceneVariant& variant) {
  simulate::Options options;
  options.scene = scene_options(runner, 3);
  variant.set(options.scene);
  options.objects = objects;
  const auto simulation = simulate::make_simulation(name, options);
  const bool quick = plan.args.quick;
  repeat({1, quick ? kQuickWarmUpFrames : kWarmUpFrames, kPatienceMs, kPatienceMs},
         [&](std::size_t) { simulation->step(); });
  Samples samples(1);
  const std::size_t frames = quick ? std::min(plan.args.frames, kQuickFrames) : plan.args.frames;
  const std::size_t count =
      repeat({std::min(kLeastFrames, frames), frames, kPatienceMs, 2 * kPatienceMs}, [&](std::size_t) {
        simulation->step();
        samples.add(0, sample_of(simulation->figures(), runner.engine->gpu));
      });
  Row row = samples.typical();
  row.set({"frames", count});
  return row;
}

Row simulation_row(const char* name, std::uint32_t objects, const ScenePlan& plan, const Runner& runner,
                   const SceneVariant& variant) {
  Row row{{"paper", "JANG"}, {"objects", objects}, {"engine", runner.engine->name}, {"threads", runner.threads}};
  variant.set(row);
  SceneOptions options = scene_options(runner, 3);
  variant.set(options);
  row.set({"views", options.views});
  row.set(measure_simulation(name, objects, plan, runner, variant));
  row.set({"fps", 1000 / row.number("ms.total")});
  return row;
}

constexpr const char* kReading =
    "Test: boxes, sampling, pairs and points. Response: contacts and impulses; the paper counts normals with it. "
    "Frames "
    "per\nsecond: without drawing, which the paper's may include. Medians over frames after bodies have met. Method "
    "jang: "
    "as\npublished, contacts from collision points alone. Read KB: of a frame's last test.\n";

}  // namespace

Table table1_table(const ScenePlan& plan) {
  std::vector<PaperRow> rows(std::begin(kTable1), std::end(kTable1));
  if (plan.args.objects) {
    std::erase_if(rows, [&](const PaperRow& row) { return row.objects != *plan.args.objects; });
    if (rows.empty()) rows = {{*plan.args.objects, 0, 0, 0}};
  }
  Table table{.name = "JANG-table1",
              .title = "Jang, Jeong, Han, table 1: bodies of about 3,000 triangles that collide in a cube",
              .columns = columns("objects|engine|threads|method|views|candidates|pairs|points|contacts|"
                                 "test ms=ms.test|paper=paper_test_ms:plain|response ms=ms.response|"
                                 "paper=paper_response_ms:plain|fps|paper=paper_fps:plain|speed-up=speedup"),
              .reading = kReading};
  append(table.columns, columns("GPU ms=gpu_ms|read KB=read_back_bytes:kilo|passed over=passed_over"));
  cli::Progress progress(table.name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Runner& runner : plan.runners) {
      for (const SceneVariant& variant : variants(runner)) {
        progress.update(i, rows.size());
        Row row = simulation_row("cube", rows[i].objects, plan, runner, variant);
        if (rows[i].test_ms > 0) {
          row.set({"paper_test_ms", rows[i].test_ms});
          row.set({"paper_response_ms", rows[i].response_ms});
          row.set({"paper_fps", rows[i].fps});
          row.set({"speedup", rows[i].test_ms / row.number("ms.test")});
        }
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

Table fig16_table(const ScenePlan& plan) {
  Table table{.name = "JANG-fig16",
              .title = "Jang, Jeong, Han, figure 16: jointed figures that fall among concave rigid bodies",
              .columns = columns("bodies|engine|threads|method|views|candidates|pairs|points|contacts|"
                                 "test ms=ms.test|paper=paper_test_ms:plain|physics ms=ms.response|"
                                 "paper=paper_physics_ms:plain|fps"),
              .reading = kReading};
  append(table.columns, columns("GPU ms=gpu_ms|read KB=read_back_bytes:kilo|passed over=passed_over"));
  cli::Progress progress(table.name);
  try {
    for (const Runner& runner : plan.runners) {
      for (const SceneVariant& variant : variants(runner)) {
        progress.update(table.rows.size(), 2 * plan.runners.size());
        Row row = simulation_row("ragdoll", 0, plan, runner, variant);
        row.set({"objects", static_cast<std::uint32_t>(row.number("bodies"))});
        row.set({"paper_test_ms", kRagdollTestMs});
        row.set({"paper_physics_ms", kRagdollPhysicsMs});
        table.rows.push_back(std::move(row));
      }
    }
  } catch (const Error& error) {
    if (!table.rows.empty() || plan.args.table == table.name) throw;
    table.reading = fmt::format("Not measured: {}\n", error.what());  // for a build without Bullet
  }
  return table;
}

}  // namespace lamella::bench
