#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lamella/query.hpp"

namespace lamella::cli {

/// An engine to be timed.
struct BenchEngine {
  std::string name;  ///< a real one, never "automatic"
  std::string summary;
  bool gpu = false;
  std::optional<unsigned> device;  ///< none for an engine on the CPU among several: the others' device is not its own
  std::string device_line;         ///< of the GPU asked for, or of the first; empty without

  [[nodiscard]] Options options(std::uint32_t resolution, unsigned threads) const {
    return {.engine = name, .resolution = resolution, .threads = threads, .device = device};
  }
};

/// Those meant by `name`: itself; "automatic": the one it picks for meshes that are not kept; "all": every available
/// one but the reference. Throws Error like make_engine.
[[nodiscard]] std::vector<BenchEngine> bench_engines(const std::string& name, const std::optional<unsigned>& device);

[[nodiscard]] bool any_gpu(const std::vector<BenchEngine>& engines);

/// The GPU that they run on; empty when none does.
[[nodiscard]] std::string device_line(const std::vector<BenchEngine>& engines);

/// Cores that this process may use.
[[nodiscard]] unsigned core_count();

/// What a benchmark of these ran on, as lines for people.
[[nodiscard]] std::string describe_machine(const std::vector<BenchEngine>& engines);

}  // namespace lamella::cli
