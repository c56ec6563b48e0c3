#include "bench/engines.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/engines/engine_list.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/scene.hpp"

namespace lamella::bench {
namespace {

BenchEngine to_bench_engine(const EngineInfo& info, const std::optional<unsigned>& device) {
  const std::size_t number = device.value_or(0);
  return {.name = info.name,
          .summary = info.summary,
          .gpu = info.gpu,
          .self_overlap = info.self_overlap,
          .one_thread = info.name == "software-wscg",
          .device = device,
          .device_line = number < info.devices.size() ? info.devices[number] : ""};
}

/// Throws what keeps the engine from working. An engine may reach for its device only when it is first needed: a small
/// question makes it do so now, before a benchmark has made its meshes.
void try_out(Use use, const BenchEngine& engine) {
  if (use == Use::queries) {
    (void)make_engine(engine.options(1, 1))->bounds(MeshView{});
    return;
  }
  Scene scene({.engine = engine.name, .resolution = 8, .device = engine.device});
  const Mesh body{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  scene.add(body);
  scene.add(body, {{0.1, 0.1, 0.1}, {}});
  (void)scene.collide();
}

BenchEngine named_engine(Use use, const std::string& name, const std::vector<EngineInfo>& known,
                         const std::optional<unsigned>& device) {
  std::vector<std::string> names;
  for (const EngineInfo& info : known) {
    if (info.name == name) return to_bench_engine(info, device);
    names.push_back(info.name);
  }
  throw Error(fmt::format("--engine: no engine{} has the name '{}'; type one of: automatic, {}, all",
                          use == Use::scenes ? " for scenes" : "", name, fmt::join(names, ", ")));
}

std::string real_name(const std::string& name, const std::vector<EngineInfo>& known) {
  const EngineInfo* usual = cli::automatic_engine(known);
  return name == "automatic" && usual != nullptr ? usual->name : name;
}

}  // namespace

std::vector<BenchEngine> bench_engines(Use use, const std::string& name, const std::optional<unsigned>& device) {
  const std::vector<EngineInfo> known = use == Use::queries ? engines() : scene_engines();
  std::vector<BenchEngine> chosen;
  if (name != "all") {
    chosen.push_back(named_engine(use, real_name(name, known), known, device));
  } else {
    for (const EngineInfo& info : known) {
      if (!info.available || info.name == "reference") continue;
      chosen.push_back(to_bench_engine(info, info.gpu ? device : std::nullopt));
    }
  }
  for (const BenchEngine& engine : chosen) try_out(use, engine);
  return chosen;
}

bool any_gpu(const std::vector<BenchEngine>& engines) {
  return std::any_of(engines.begin(), engines.end(), [](const BenchEngine& e) { return e.gpu; });
}

std::string device_line(const std::vector<BenchEngine>& engines) {
  const auto gpu = std::find_if(engines.begin(), engines.end(), [](const BenchEngine& e) { return e.gpu; });
  return gpu == engines.end() ? "" : gpu->device_line;
}

std::vector<Runner> make_runners(const std::vector<BenchEngine>& engines, const std::vector<unsigned>& threads) {
  std::vector<Runner> runners;
  for (const BenchEngine& engine : engines) {
    const std::vector<unsigned> counts = engine.one_thread ? std::vector{1u}
                                         : engine.gpu      ? std::vector{threads.back()}
                                                           : threads;
    for (const unsigned n : counts) runners.push_back({&engine, n});
  }
  return runners;
}

std::vector<unsigned> thread_counts(const std::optional<unsigned>& asked) {
  if (asked) return {*asked == 0 ? core_count() : *asked};
  return core_count() == 1 ? std::vector{1u} : std::vector{1u, core_count()};
}

std::string describe_machine(const std::vector<BenchEngine>& engines) {
  std::string text = cli::machine_text() + "\n";
  if (const std::string gpu = device_line(engines); !gpu.empty()) text += fmt::format("GPU: {}\n", gpu);
  for (const BenchEngine& engine : engines) text += fmt::format("{}: {}\n", engine.name, engine.summary);
  return text;
}

}  // namespace lamella::bench
