// Frames on an NVIDIA GPU from vertices that are there to an answer, beside what reading the inputs takes: the works
// that the CUDA engine was built to be fast at.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bench/cuda/work.hpp"
#include "bench/engines.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kFewMeshes = 200, kManyMeshes = 20'000;

std::vector<CudaCase> chosen_cases(const CudaArgs& args) {
  std::vector<CudaCase> all{serpent_case(args),
                            scans_case(args),
                            hand_case(args),
                            large_case(args),
                            pairs_case(args, "pairs", kFewMeshes),
                            pairs_case(args, "distinct", kManyMeshes),
                            pairs_case(args, "gradients", kManyMeshes, true),
                            bodies_case(args),
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

// Text.

Column spread(const std::string& key) {
  return {key, [key](const Row& row) {
            return fmt::format("{} us (p10 {}, p90 {}; {} frames)", decimal(row.number(key + ".median_us")),
                               decimal(row.number(key + ".p10_us")), decimal(row.number(key + ".p90_us")),
                               row.number(key + ".frames"));
          }};
}

std::string answers_text(const Row& row) {
  if (row.has("differences")) return "DIFFER from software's: " + row.text("differences");
  return fmt::format("as by software, on all {:.0f} sets of vertices: {}", row.number("vertex_sets"),
                     row.text("answer"));
}

/// One work in full, as lines.
std::string describe(const Row& row) {
  const double units = row.number("units");
  std::vector<Column> lines{spread("device"), spread("latency"), spread("cold"), {"answers", answers_text}};
  append(lines, columns("floor us=floor_us|MB=bytes:mega|/ floor=over_floor|target us=target_us|late=late_frames"));
  return fmt::format("\n{}: {}{}\n{}", row.text("work"), row.text("description"),
                     units == 1 ? "" : fmt::format("; for each of {}", whole(units)), to_lines(lines, row));
}

Table device_table(const std::vector<Row>& rows) {
  Table table{.title =
                  "Microseconds; of the pairs for each. Floor: all inputs read once at the speed of a copy. "
                  "Device: by its own clock,\naround the launch. Latency: by the host's, until the answer is there. "
                  "Cold: as device, when caches hold the new\nvertices alone. Late: frames that were not wholly on "
                  "the stream when it went on.",
              .columns = columns("work|floor=floor_us|device=device.median_us|p10=device.p10_us|p90=device.p90_us|"
                                 "/ floor=over_floor|target=target_us|latency=latency.median_us|cold=cold.median_us|"
                                 "late=late_frames"),
              .rows = rows};
  table.columns.push_back(
      {"met", [](const Row& row) { return row.number("device.median_us") <= row.number("target_us") ? "yes" : "no"; }});
  table.columns.push_back({"answers", [](const Row& row) { return row.has("differences") ? "DIFFER" : "agree"; }});
  return table;
}

Table others_table(const std::vector<Row>& rows) {
  std::string all = fmt::format(
      "work|cuda=latency.median_us|software, 1 thread=software_1_thread.median_us|"
      "{}=software_all_threads.median_us",
      cli::counted(core_count(), "thread"));
  for (const char* engine : {"gl-lists", "gl-pairs"}) all += fmt::format("|{0}={0}.median_us", engine);
  for (const char* engine : {"software_1_thread", "software_all_threads", "gl-lists", "gl-pairs"})
    all += fmt::format("|{0} / cuda={0}.median_us/latency.median_us", engine);
  return {.title =
              "The same works by other engines, microseconds by the host's clock; those that draw (OpenGL) with the "
              "upload of all\nvertices, cuda with them on the device.",
          .columns = columns(all),
          .rows = rows};
}

}  // namespace

bool run_cuda(const CudaArgs& args) {
  if (args.a.empty() != args.b.empty()) throw Error("--a, --b: a pair is two meshes; give both");
  const std::vector<CudaCase> cases = chosen_cases(args);
  // Throws what keeps the GPU from being used, before any mesh is made.
  const BenchEngine gpu = bench_engines(Use::queries, "cuda", args.device).front();
  const double bandwidth = CudaDevice(args.device).copy_bandwidth();
  const Report report("cuda", args.json);
  report.say(fmt::format(
      "{}A copy of 1 GiB reads and writes {:.0f} GB/s.\n"
      "Medians over {} after warm-up; other engines over 5 or fewer. Vertices are on the device, and others in every "
      "frame:\ncopied there from one of several sets in its memory before the clock starts.\n",
      describe_machine({bench_engines(Use::queries, "software").front(), gpu}), bandwidth / 1e9,
      cli::counted(args.frames, "frame")));
  std::vector<Row> rows;
  bool good = true;
  for (const CudaCase& c : cases) {
    cli::Progress progress(c.name);
    progress.update(rows.size(), cases.size());
    // What one work cannot have, memory above all, another may not need.
    try {
      Row& row = rows.emplace_back(measure_cuda(c, args, bandwidth));
      row.set({"device_name", gpu.device_line});
      row.set({"copy_gb_per_s", bandwidth / 1e9});
      report.print(row);
      report.say(describe(row));
    } catch (const Error& error) {
      cli::complain(fmt::format("{} was not measured: {}", c.name, error.what()));
      good = false;
    }
  }
  if (!args.json && !rows.empty()) {
    report.print(device_table(rows));
    if (!args.alone) report.print(others_table(rows));
  }
  for (const Row& row : rows) {
    if (!row.has("differences")) continue;
    cli::complain(
        fmt::format("{}: the GPU's answers DIFFER from the CPU's: {}", row.text("work"), row.text("differences")));
    good = false;
  }
  return good;
}

}  // namespace lamella::bench
