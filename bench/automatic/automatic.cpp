// Where does a GPU pay? The rule of the engine "automatic" was read off this table.

#include <fmt/core.h>

#include "bench/commands.hpp"
#include "bench/engines.hpp"
#include "bench/report.hpp"
#include "bench/workloads.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "scenes/models.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kFaces[] = {5'000, 20'000, 50'000, 150'000, 500'000, 1'000'000};
constexpr std::uint32_t kResolutions[] = {64, 128, 256, 512, 1024};

/// Milliseconds of one query, every vertex having moved.
double time_query(const Workload& workload, const BenchEngine& engine, std::uint32_t resolution, unsigned threads) {
  TimedDetector detector(engine.options(resolution, threads), engine.gpu ? Supply::uploaded : Supply::view);
  return measure(workload, detector).typical().number("ms.total");
}

}  // namespace

void run_automatic(const AutomaticArgs& args) {
  const BenchEngine software = bench_engines(Use::queries, "software").front();
  const BenchEngine gpu = bench_engines(Use::queries, args.engine, args.device).front();
  const Report report("automatic", args.json);
  report.say(describe_machine({software, gpu}));
  Table table{.title =
                  "Self-overlap of the serpent, milliseconds; on the GPU all positions are uploaded before each "
                  "query.",
              .columns = columns(fmt::format(
                  "faces|resolution|software, 1 thread=software_1_thread_ms|{}=software_all_threads_ms|{}=gpu_ms|"
                  "1 thread / GPU=software_1_thread_ms/gpu_ms|all / GPU=software_all_threads_ms/gpu_ms",
                  cli::counted(core_count(), "thread"), gpu.name))};
  cli::Progress progress("automatic");
  for (const std::size_t faces : kFaces) {
    const Workload workload = self_overlap(scenes::serpent(faces));
    for (const std::uint32_t resolution : kResolutions) {
      progress.update(table.rows.size(), std::size(kFaces) * std::size(kResolutions));
      table.rows.push_back({{"faces", workload.faces},
                            {"resolution", resolution},
                            {"threads", core_count()},
                            {"engine", gpu.name},
                            {"software_1_thread_ms", time_query(workload, software, resolution, 1)},
                            {"software_all_threads_ms", time_query(workload, software, resolution, 0)},
                            {"gpu_ms", time_query(workload, gpu, resolution, 0)}});
    }
  }
  report.print(table);
}

}  // namespace lamella::bench
