// The tables of WSCG 2004 and TR 395 (see bench_cases.cpp) measured here.

#include "bench/paper/paper.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/paper/conclusion.hpp"
#include "bench/paper/result.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

std::vector<unsigned> thread_counts(const std::optional<unsigned>& asked) {
  if (asked) return {*asked == 0 ? core_count() : *asked};
  return core_count() == 1 ? std::vector<unsigned>{1} : std::vector<unsigned>{1, core_count()};
}

std::vector<PaperTable> chosen_tables(const PaperArgs& args) {
  if (!args.mesh.empty()) return {mesh_table(args.mesh)};
  const std::vector<PaperTable> all = paper_tables();
  std::vector<PaperTable> chosen;
  std::vector<std::string> names;
  for (const PaperTable& table : all) {
    names.push_back(table.name);
    const bool of_paper = table.name.starts_with(args.table + "-");
    if (args.table.empty() || table.name == args.table || of_paper) chosen.push_back(table);
  }
  if (!chosen.empty()) return chosen;
  throw Error(
      fmt::format("--table: there is no table '{}'; type one of: {}, WSCG, TR", args.table, fmt::join(names, ", ")));
}

Measured time_case(const PaperCase& paper_case, const Workload& workload, const BenchEngine& engine, unsigned threads,
                   Supply supply) {
  TimedDetector detector(engine.options(paper_case.resolution, threads), supply);
  return measure(workload, detector);
}

Result run(const PaperCase& paper_case, const Workload& workload, const BenchEngine& engine,
           const std::vector<unsigned>& threads) {
  Result result{.paper_case = &paper_case, .engine = &engine, .faces = workload.faces, .timings = {}};
  if (!engine.gpu) {
    for (const unsigned n : threads) {
      result.timings.push_back({n, time_case(paper_case, workload, engine, n, Supply::view)});
    }
    return result;
  }
  const unsigned most = threads.back();
  result.timings.push_back({most, time_case(paper_case, workload, engine, most, Supply::uploaded)});
  if (workload.stands_still()) result.still = time_case(paper_case, workload, engine, most, Supply::resident);
  return result;
}

std::vector<Result> run(const PaperTable& table, const std::vector<BenchEngine>& engines,
                        const std::vector<unsigned>& threads) {
  Progress progress(table.name);
  std::vector<Result> results;
  for (const PaperCase& paper_case : table.cases) {
    const Workload workload = paper_case.make();
    for (const BenchEngine& engine : engines) {
      progress.update(results.size(), table.cases.size() * engines.size());
      results.push_back(run(paper_case, workload, engine, threads));
    }
  }
  return results;
}

bool of_wscg(const PaperTable& table) { return table.name.starts_with("WSCG-"); }

/// The fastest engine on a GPU in the case of `software`, or nullptr.
const Result* fastest_gpu(const std::vector<Result>& results, const Result& software) {
  const Result* fastest = nullptr;
  for (const Result& r : results) {
    if (!r.engine->gpu || r.paper_case != software.paper_case) continue;
    if (fastest == nullptr || r.timings.front().ms.total < fastest->timings.front().ms.total) fastest = &r;
  }
  return fastest;
}

/// Empty unless both software and an engine on a GPU were measured.
std::vector<Contest> contests(const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  std::vector<Contest> all;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    Contest contest{threads[i], {}};
    for (const Result& software : results) {
      const Result* gpu = software.engine->name == "software" ? fastest_gpu(results, software) : nullptr;
      if (gpu == nullptr) continue;
      contest.duels.push_back({software.paper_case->faces, software.timings[i].ms.total, gpu->timings.front().ms.total,
                               gpu->engine->name,
                               fmt::format("{} {}", software.paper_case->table, software.paper_case->row)});
    }
    if (!contest.duels.empty()) all.push_back(std::move(contest));
  }
  return all;
}

/// With the GPU, since the finding is of the machine as much as of the methods.
std::string conclude(const std::vector<Contest>& all, const std::vector<BenchEngine>& engines) {
  const std::string line = device_line(engines);
  const std::string gpu = line.substr(0, line.find(';'));  // the renderer; versions and limits are above the tables
  return gpu.empty() ? conclusion(all) : fmt::format("{} GPU: {}", conclusion(all), gpu);
}

void print(const PaperArgs& args, const PaperTable& table, const std::vector<Result>& results,
           const std::vector<unsigned>& threads) {
  if (!args.json) fmt::print("{}", to_text(table, results, threads));
  for (const Result& result : results) {
    if (!args.json) break;
    for (const Result::Timing& timing : result.timings) print_json(to_json(result, timing));
  }
  std::fflush(stdout);
}

}  // namespace

void bench_paper(const PaperArgs& args) {
  const std::vector<BenchEngine> engines = bench_engines(args.engine, args.device);
  const std::vector<PaperTable> tables = chosen_tables(args);
  const std::vector<unsigned> threads = thread_counts(args.threads);
  if (!args.json) fmt::print("{}", introduction(engines, threads));
  std::vector<Result> wscg;
  for (const PaperTable& table : tables) {
    const std::vector<Result> results = run(table, engines, threads);
    print(args, table, results, threads);
    if (of_wscg(table)) wscg.insert(wscg.end(), results.begin(), results.end());
  }
  const std::vector<Contest> all = contests(wscg, threads);
  if (all.empty() || std::count_if(tables.begin(), tables.end(), of_wscg) < 3) return;
  const std::string text = conclude(all, engines);
  args.json ? print_json({{"bench", "paper"}, {"conclusion", text}}) : fmt::print("\n{}\n", text);
}

}  // namespace lamella::cli
