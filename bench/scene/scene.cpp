// What a Scene costs: see crowds.cpp and pairs.cpp.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "bench/report.hpp"
#include "bench/scene/tables.hpp"
#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

using MakeTable = Table (*)(const ScenePlan&);
constexpr std::pair<const char*, MakeTable> kTables[] = {
    {"JANG-1", crowd_table}, {"JANG-fig14", pair_table}, {"scaling", scaling_table}, {"screen", screen_table}};

std::vector<MakeTable> chosen_tables(const SceneArgs& args) {
  if (args.meshes.size() == 2) return {pair_table};
  if (!args.meshes.empty()) throw Error("--mesh: a pair is two meshes; type --mesh A --mesh B");
  std::vector<MakeTable> chosen;
  std::vector<std::string> names;
  for (const auto& [name, make] : kTables) {
    if (args.table.empty() || args.table == name) chosen.push_back(make);
    names.emplace_back(name);
  }
  if (!chosen.empty()) return chosen;
  throw Error(fmt::format("--table: there is no table '{}'; type one of: {}", args.table, fmt::join(names, ", ")));
}

bool same_runner(const Row& a, const Row& b) {
  return a.text("engine") == b.text("engine") && a.number("threads") == b.number("threads");
}

}  // namespace

SceneOptions scene_options(const Runner& runner, unsigned views) {
  SceneOptions options;
  options.engine = runner.engine->name;
  options.device = runner.engine->device;
  options.threads = runner.threads;
  options.views = views;
  return options;
}

Row scene_row(const Runner& runner, std::size_t objects, std::size_t faces, const char* motion, unsigned views) {
  return {{"objects", objects},
          {"faces", faces},
          {"motion", motion},
          {"views", views},
          {"engine", runner.engine->name},
          {"threads", runner.threads}};
}

std::vector<std::vector<Row>> by_runner(const std::vector<Row>& rows) {
  std::vector<std::vector<Row>> parts;
  for (const Row& row : rows) {
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return same_runner(p[0], row); });
    (part == parts.end() ? parts.emplace_back() : *part).push_back(row);
  }
  return parts;
}

std::string runner_text(const Row& row) {
  if (row.has("gpu_ms")) return row.text("engine");
  return fmt::format("{}, {}", row.text("engine"),
                     cli::counted(static_cast<std::uint64_t>(row.number("threads")), "thread"));
}

void run_scene(const SceneArgs& args) {
  const std::vector<MakeTable> tables = chosen_tables(args);
  const std::vector<BenchEngine> engines = bench_engines(Use::scenes, args.engine, args.device);
  const ScenePlan plan{args, make_runners(engines, thread_counts(args.threads))};
  const Report report("scene", args.json);
  report.say(
      fmt::format("{}\nMilliseconds a frame: the mean over the frames of each one's median over {}, after warm-up;\n"
                  "counts are means too. The paper's machine: a Pentium 4 at 3.2 GHz with a GeForce 7800 GTX.\n",
                  describe_machine(engines), args.quick ? "a single pass" : "at least three passes"));
  for (const MakeTable make : tables) report.print(make(plan));
}

}  // namespace lamella::bench
