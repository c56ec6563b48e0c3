// What a Scene costs: see bench_scene_tables.cpp and bench_scene_pairs.cpp.

#include "bench/scene/scene.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/scene/tables.hpp"
#include "cli/common.hpp"
#include "cli/engines/engine_list.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

BenchEngine software_engine() { return bench_engines("software", std::nullopt).front(); }

/// Engines for scenes that need a GPU.
constexpr std::pair<const char*, const char*> kGpuEngines[] = {
    {"cuda", "one layered depth image for a group, on an NVIDIA GPU (CUDA)"},
    {"gl-pairs", "inconsistent pairs peeled on the GPU, as published (OpenGL)"}};

/// Throws Error when it is not available here.
BenchEngine gpu_engine(const std::pair<const char*, const char*>& named, const std::optional<unsigned>& device) {
  const std::string name = named.first;
  // A scene of two bodies that overlap makes the engine reach for its device now, before meshes are made.
  Scene scene({.engine = name, .resolution = 8, .device = device});
  const Mesh body{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  scene.add(body);
  scene.add(body, {{0.1, 0.1, 0.1}, {}});
  (void)scene.collide();
  BenchEngine engine{.name = name, .summary = named.second, .gpu = true, .device = device, .device_line = ""};
  for (const EngineInfo& info : engines()) {
    const std::size_t number = device.value_or(0);
    const bool same_devices = (info.name == "cuda") == (name == "cuda");
    if (info.gpu && same_devices && number < info.devices.size()) engine.device_line = info.devices[number];
  }
  return engine;
}

std::vector<BenchEngine> chosen_engines(const SceneBenchArgs& args) {
  if (args.engine == "automatic" || args.engine == "software") return {software_engine()};
  for (const auto& named : kGpuEngines)
    if (args.engine == named.first) return {gpu_engine(named, args.device)};
  if (args.engine != "all")
    throw Error(
        fmt::format("--engine: no engine for scenes has the name '{}'; type one of: automatic, software, cuda, "
                    "gl-pairs, all",
                    args.engine));
  std::vector<BenchEngine> all{software_engine()};
  std::exception_ptr refused;
  for (const auto& named : kGpuEngines) try {
      all.push_back(gpu_engine(named, args.device));
    } catch (const Error& e) {
      if (e.kind() != Error::Kind::device && !args.device) throw;
      refused = std::current_exception();
      if (!args.json) fmt::print("{} is left out: {}\n", named.first, e.what());
    }
  if (args.device && all.size() == 1) std::rethrow_exception(refused);  // nobody has the GPU that was asked for
  return all;
}

std::vector<unsigned> thread_counts(const std::optional<unsigned>& asked) {
  if (asked) return {*asked == 0 ? core_count() : *asked};
  return core_count() == 1 ? std::vector<unsigned>{1} : std::vector<unsigned>{1, core_count()};
}

std::vector<ScenePlan::Runner> make_runners(const std::vector<BenchEngine>& engines,
                                            const std::vector<unsigned>& threads) {
  std::vector<ScenePlan::Runner> runners;
  for (const BenchEngine& engine : engines) {
    if (engine.gpu) {
      runners.push_back({&engine, threads.back()});
    } else {
      for (const unsigned n : threads) runners.push_back({&engine, n});
    }
  }
  return runners;
}

std::vector<std::string> chosen_tables(const SceneBenchArgs& args) {
  if (args.meshes.size() == 2) return {"JANG-fig14"};
  if (!args.meshes.empty()) throw Error("--mesh: a pair is two meshes; type --mesh A --mesh B");
  const std::vector<std::string> names = scene_table_names();
  if (args.table.empty()) return names;
  if (std::find(names.begin(), names.end(), args.table) != names.end()) return {args.table};
  throw Error(fmt::format("--table: there is no table '{}'; type one of: {}", args.table, fmt::join(names, ", ")));
}

}  // namespace

void bench_scene(const SceneBenchArgs& args) {
  const std::vector<std::string> tables = chosen_tables(args);
  const std::vector<BenchEngine> engines = chosen_engines(args);
  const ScenePlan plan{.runners = make_runners(engines, thread_counts(args.threads)),
                       .objects = args.objects,
                       .frames = args.frames,
                       .effort = args.quick ? Effort::quick : Effort::usual,
                       .resolution = args.resolution,
                       .meshes = args.meshes};
  if (!args.json) {
    fmt::print(
        "{}\nMilliseconds a frame: the mean over the frames of each one's median over {}, after warm-up;\n"
        "counts are means too. The paper's machine: a Pentium 4 at 3.2 GHz with a GeForce 7800 GTX.\n",
        describe_machine(engines), args.quick ? "a single pass" : "at least three passes");
  }
  for (const std::string& name : tables) {
    const SceneTable table = make_scene_table(name, plan);
    if (!args.json) fmt::print("{}", to_text(table));
    for (const SceneRow& row : table.rows) {
      if (args.json) print_json(to_json(table, row));
    }
    std::fflush(stdout);
  }
}

}  // namespace lamella::cli
