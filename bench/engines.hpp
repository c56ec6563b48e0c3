#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/machine.hpp"
#include "lamella/query.hpp"

// What benchmarks run on.

namespace lamella::bench {

using cli::core_count;

/// An engine to be timed.
struct BenchEngine {
  std::string name;  ///< a real one, never "automatic"
  std::string summary{};
  bool gpu = false;
  bool hardware = false;             ///< a real GPU, not OpenGL drawn by the CPU
  std::optional<unsigned> device{};  ///< none for an engine on the CPU among several: the others' device is not its own
  std::string device_line{};         ///< of the GPU asked for, or of the first; empty without

  /// As its paper has it.
  [[nodiscard]] bool one_thread() const { return name == "software-wscg"; }
  [[nodiscard]] Options options(std::uint32_t resolution, unsigned threads) const {
    return {.engine = name, .resolution = resolution, .threads = threads, .device = device};
  }
};

enum class Use { queries, scenes };

/// Those meant by `name`: itself; "automatic": the one it picks for meshes that are not kept; "all": every available
/// one but the reference. Each was tried out: throws Error like make_engine.
[[nodiscard]] std::vector<BenchEngine> bench_engines(Use use, const std::string& name,
                                                     const std::optional<unsigned>& device = std::nullopt);

[[nodiscard]] bool any_gpu(const std::vector<BenchEngine>& engines);

/// The GPU that they run on; empty when none does.
[[nodiscard]] std::string device_line(const std::vector<BenchEngine>& engines);

/// An engine with a number of threads.
struct Runner {
  const BenchEngine* engine = nullptr;
  unsigned threads = 1;
};
/// On the CPU one for each number of threads, on a GPU one with the most. An engine of one thread gets one.
[[nodiscard]] std::vector<Runner> make_runners(const std::vector<BenchEngine>& engines,
                                               const std::vector<unsigned>& threads);

/// What was asked for, 0 meaning all cores; by default 1 and all cores.
[[nodiscard]] std::vector<unsigned> thread_counts(const std::optional<unsigned>& asked = std::nullopt);

/// What a benchmark of these ran on, as lines for people.
[[nodiscard]] std::string describe_machine(const std::vector<BenchEngine>& engines);

}  // namespace lamella::bench
