#include "bench/engines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "cli/common.hpp"
#include "cli/engines/engine_list.hpp"
#include "lamella/engine.hpp"

namespace lamella::cli {
namespace {

BenchEngine to_bench_engine(const EngineInfo& info, const std::optional<unsigned>& device) {
  const std::size_t number = device.value_or(0);
  return {.name = info.name,
          .summary = info.summary,
          .gpu = info.gpu,
          .device = device,
          .device_line = number < info.devices.size() ? info.devices[number] : ""};
}

std::vector<BenchEngine> all_engines(const std::vector<EngineInfo>& known, const std::optional<unsigned>& device) {
  std::vector<BenchEngine> chosen;
  for (const EngineInfo& info : known) {
    if (!info.available || info.name == "reference") continue;
    chosen.push_back(to_bench_engine(info, info.gpu ? device : std::nullopt));
  }
  return chosen;
}

/// A name that the library does not know goes on to it, for its own words.
BenchEngine named_engine(const std::string& name, const std::vector<EngineInfo>& known,
                         const std::optional<unsigned>& device) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const EngineInfo& e) { return e.name == name; });
  if (found != known.end()) return to_bench_engine(*found, device);
  return {.name = name, .summary = "", .gpu = false, .device = device, .device_line = ""};
}

/// Throws what keeps the engine from working. An engine may reach for its device only when it is first needed: asking
/// for the box of nothing makes it do so now, before a benchmark has made its meshes.
void try_out(const BenchEngine& engine) { (void)make_engine(engine.options(1, 1))->bounds(MeshView{}); }

std::string real_name(const std::string& name, const std::vector<EngineInfo>& known) {
  const EngineInfo* usual = automatic_engine(known);
  return name == "automatic" && usual != nullptr ? usual->name : name;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

}  // namespace

std::vector<BenchEngine> bench_engines(const std::string& name, const std::optional<unsigned>& device) {
  const std::vector<EngineInfo> known = engines();
  std::vector<BenchEngine> chosen =
      name == "all" ? all_engines(known, device) : std::vector{named_engine(real_name(name, known), known, device)};
  for (const BenchEngine& engine : chosen) try_out(engine);
  return chosen;
}

bool any_gpu(const std::vector<BenchEngine>& engines) {
  return std::any_of(engines.begin(), engines.end(), [](const BenchEngine& e) { return e.gpu; });
}

std::string device_line(const std::vector<BenchEngine>& engines) {
  const auto gpu = std::find_if(engines.begin(), engines.end(), [](const BenchEngine& e) { return e.gpu; });
  return gpu == engines.end() ? "" : gpu->device_line;
}

unsigned core_count() { return std::max(1u, std::thread::hardware_concurrency()); }

std::string describe_machine(const std::vector<BenchEngine>& engines) {
  std::string text = fmt::format("{}, {}\n", cpu_model(), counted(core_count(), "core"));
  if (const std::string gpu = device_line(engines); !gpu.empty()) text += fmt::format("GPU: {}\n", gpu);
  for (const BenchEngine& engine : engines) text += fmt::format("{}: {}\n", engine.name, engine.summary);
  return text;
}

}  // namespace lamella::cli
