// What a clash report costs: by the number of parts, with what it finds.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>

#include "bench/commands.hpp"
#include "bench/engines.hpp"
#include "bench/report.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/clash.hpp"
#include "scenes/crowded_assembly.hpp"
#include "scenes/sample_assembly.hpp"

namespace lamella::bench {
namespace {

/// The most memory that this process has had so far.
double peak_megabytes() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<double>(usage.ru_maxrss) / 1024 : 0;
}

struct Work {
  std::string name;
  Assembly assembly;
  ClashOptions options;
  double made_ms = 0;
};

Work gearbox_work() {
  const cli::Stopwatch watch;
  scenes::SampleAssembly sample = scenes::gearbox();
  ClashOptions options = scenes::clash_options(sample);
  return {"gearbox", std::move(sample.assembly), std::move(options), watch.ms()};
}

Work crowd_work(std::uint64_t parts) {
  const cli::Stopwatch watch;
  const auto meshes = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, parts / 10));
  Assembly assembly = scenes::crowded_assembly({.parts = parts, .meshes = meshes});
  ClashOptions options;
  options.clearance = 0.05;
  return {"crowd", std::move(assembly), std::move(options), watch.ms()};
}

Row measure(Work work, const ClashArgs& args) {
  ClashOptions& options = work.options;
  options.engine = args.engine;
  options.device = args.device;
  options.threads = args.threads;
  if (args.verdicts) options.way_out = WayOut::none;
  cli::Progress progress(work.name);
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  const std::clock_t start = std::clock();
  const ClashReport report = find_clashes(work.assembly, options);
  const double processor_ms = static_cast<double>(std::clock() - start) * (1e3 / CLOCKS_PER_SEC);
  return {{"assembly", work.name},
          {"parts", report.part_count},
          {"meshes", report.mesh_count},
          {"triangles", report.triangle_count},
          {"candidates", report.candidate_count},
          {"pairs", report.pairs.size()},
          {"findings", report.findings.size()},
          {"undecided", report.undecided_count()},
          {"ms.made", work.made_ms},
          {"ms.broad", report.broad_ms},
          {"ms.pairs", report.pairs_ms},
          {"ms.total", report.total_ms},
          {"ms.processor", processor_ms},
          {"memory_mb", peak_megabytes()},
          {"engine", report.engine},
          {"threads", args.threads}};
}

}  // namespace

void run_clash(const ClashArgs& args) {
  std::vector<std::uint32_t> sizes = args.parts;
  if (sizes.empty())
    sizes = args.quick ? std::vector<std::uint32_t>{1'000} : std::vector<std::uint32_t>{1'000, 10'000, 100'000};
  const Report report("clash", args.json);
  report.say(fmt::format(
      "{}\nClash reports by find_clashes(): classes, volumes, distances{}. gearbox: 236 parts with their rules.\n"
      "crowd: a mesh of 1,000 triangles for every ten parts; a third of the parts is close to another; clearance "
      "0.05.\n"
      "broad: boxes and candidates. pairs: all else. processor: of all threads. Memory: the most of this process so "
      "far, with the assembly.\n",
      describe_machine(bench_engines(Use::queries, "software", args.device)), args.verdicts ? "" : " and ways out"));
  Table table{.title = "Clash reports",
              .columns = columns("assembly|parts|meshes|triangles|candidates|less than clear=pairs|findings|undecided|"
                                 "broad ms=ms.broad|pairs ms=ms.pairs|total ms=ms.total|processor "
                                 "ms=ms.processor|processor ms/candidate=ms.processor/candidates|"
                                 "memory MB=memory_mb|engine")};
  if (args.parts.empty()) table.rows.push_back(measure(gearbox_work(), args));
  for (const std::uint32_t parts : sizes) table.rows.push_back(measure(crowd_work(parts), args));
  report.print(table);
}

}  // namespace lamella::bench
