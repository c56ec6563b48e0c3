// Frames on an NVIDIA GPU from vertices that are there to an answer, beside what reading the inputs takes: the works
// that the CUDA engine was built to be fast at.

#include "bench/cuda/cuda.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/cuda/measure.hpp"
#include "bench/cuda/text.hpp"
#include "bench/engines.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "engines/cuda/engines.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kFewMeshes = 200, kManyMeshes = 20'000;

std::vector<CudaCase> chosen_cases(const CudaBenchArgs& args) {
  std::vector<CudaCase> all{serpent_case(args),
                            scans_case(args),
                            hand_case(args),
                            large_case(args),
                            pairs_case(args, "pairs", kFewMeshes),
                            pairs_case(args, "distinct", kManyMeshes),
                            scene_case(args)};
  if (args.work.empty()) return all;
  std::vector<std::string> names;
  for (const CudaCase& c : all) names.push_back(c.name);
  std::erase_if(all, [&](const CudaCase& c) { return c.name != args.work; });
  if (all.empty()) {
    throw Error(fmt::format("--work: there is no '{}'; type one of: {}", args.work, fmt::join(names, ", ")));
  }
  return all;
}

/// Throws what keeps the GPU from being used, before any mesh is made.
std::string device_line_of(const std::optional<unsigned>& device) {
  if (const std::string why = cuda::unavailable(); !why.empty()) {
    throw Error("cuda is not available here: " + why, Error::Kind::device);
  }
  if (device) cuda::require_device(*device);
  const std::vector<std::string> lines = cuda::device_lines();
  const std::size_t number = device.value_or(0);
  return number < lines.size() ? lines[number] : cuda::BenchDevice(device).name();
}

}  // namespace

bool bench_cuda(const CudaBenchArgs& args) {
  if (args.a.empty() != args.b.empty()) throw Error("--a, --b: a pair is two meshes; give both");
  const std::vector<CudaCase> cases = chosen_cases(args);
  const std::string gpu = device_line_of(args.device);
  const double bandwidth = cuda::BenchDevice(args.device).copy_bandwidth();
  if (!args.json) {
    fmt::print("{}GPU: {}\nA copy of 1 GiB reads and writes {:.0f} GB/s.\n",
               describe_machine({bench_engines("software", std::nullopt).front()}), gpu, bandwidth / 1e9);
    fmt::print(
        "Medians over {} after warm-up; other engines over 5 or fewer. Vertices are on the device, and others in every "
        "frame:\ncopied there from one of several sets in its memory before the clock starts.\n",
        counted(args.frames, "frame"));
  }
  std::vector<CudaFigures> all;
  bool complete = true;
  for (const CudaCase& c : cases) {
    Progress progress(c.name);
    progress.update(all.size(), cases.size());
    // What one work cannot have, memory above all, another may not need.
    try {
      all.push_back(measure_cuda(c, args, bandwidth));
    } catch (const Error& error) {
      complain(fmt::format("{} was not measured: {}", c.name, error.what()));
      complete = false;
      continue;
    }
    if (args.json) {
      auto row = to_json(all.back());
      row["device_name"] = gpu;
      row["copy_gb_per_s"] = bandwidth / 1e9;
      print_json(row);
    } else {
      fmt::print("{}", to_text(all.back()));
    }
    std::fflush(stdout);
  }
  if (!args.json && all.size() > 1) fmt::print("{}", to_text(all));
  const auto agrees = [](const CudaFigures& f) { return f.differences.empty(); };
  for (const CudaFigures& f : all) {
    if (!agrees(f)) complain(fmt::format("{}: the GPU's answers DIFFER from the CPU's: {}", f.name, f.differences));
  }
  return complete && std::all_of(all.begin(), all.end(), agrees);
}

}  // namespace lamella::cli
