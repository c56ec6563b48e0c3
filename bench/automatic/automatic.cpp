// Where does a GPU pay? The rule of the engine "automatic" (src/engines/automatic.cpp) was read off this table.

#include "bench/automatic/automatic.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "bench/engines.hpp"
#include "bench/measure.hpp"
#include "bench/workloads.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kFaces[] = {5'000, 20'000, 50'000, 150'000, 500'000, 1'000'000};
constexpr std::uint32_t kResolutions[] = {64, 128, 256, 512, 1024};

/// Milliseconds of one query, every vertex having moved.
struct Row {
  std::size_t faces = 0;
  std::uint32_t resolution = 0;
  double one_thread = 0, all_threads = 0, gpu = 0;
};

double time_query(const Workload& workload, const BenchEngine& engine, std::uint32_t resolution, unsigned threads) {
  TimedDetector detector(engine.options(resolution, threads), engine.gpu ? Supply::uploaded : Supply::view);
  return measure(workload, detector).total;
}

nlohmann::ordered_json to_json(const Row& row, const BenchEngine& gpu) {
  return {{"bench", "automatic"},
          {"faces", row.faces},
          {"resolution", row.resolution},
          {"threads", core_count()},
          {"engine", gpu.name},
          {"software_1_thread_ms", rounded(row.one_thread)},
          {"software_all_threads_ms", rounded(row.all_threads)},
          {"gpu_ms", rounded(row.gpu)}};
}

std::string ratio(double software, double gpu) { return fmt::format("{:.2f}", software / gpu); }

std::string to_text(const std::vector<Row>& rows, const BenchEngine& gpu) {
  Table table{.columns = {{"faces", true},
                          {"resolution", true},
                          {"software, 1 thread", true},
                          {counted(core_count(), "thread"), true},
                          {gpu.name, true},
                          {"1 thread / GPU", true},
                          {"all / GPU", true}},
              .rows = {}};
  const auto ms = [](double value) { return fmt::format("{:.3f}", value); };
  for (const Row& row : rows) {
    table.rows.push_back({grouped(row.faces), std::to_string(row.resolution), ms(row.one_thread), ms(row.all_threads),
                          ms(row.gpu), ratio(row.one_thread, row.gpu), ratio(row.all_threads, row.gpu)});
  }
  return cli::to_text(table);
}

}  // namespace

void bench_automatic(const AutomaticArgs& args) {
  const BenchEngine software = bench_engines("software", std::nullopt).front();
  const BenchEngine gpu = bench_engines(args.engine, args.device).front();
  if (!args.json) {
    fmt::print("{}\n", describe_machine({software, gpu}));
    fmt::print(
        "Self-overlap of the serpent, milliseconds; on the GPU all positions are uploaded before each query.\n\n");
  }
  std::vector<Row> rows;
  {
    Progress progress("automatic");
    for (const std::size_t faces : kFaces) {
      const Workload workload = self_overlap(scenes::serpent(faces));
      for (const std::uint32_t resolution : kResolutions) {
        progress.update(rows.size(), std::size(kFaces) * std::size(kResolutions));
        rows.push_back({workload.faces, resolution, time_query(workload, software, resolution, 1),
                        time_query(workload, software, resolution, 0), time_query(workload, gpu, resolution, 0)});
        if (args.json) print_json(to_json(rows.back(), gpu));
      }
    }
  }
  if (!args.json) fmt::print("{}", to_text(rows, gpu));
}

}  // namespace lamella::cli
