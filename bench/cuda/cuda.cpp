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

constexpr const char* kOpenGlEngines[] = {"gl-lists", "gl-pairs"};

/// Of the engine that drew the same with OpenGL; empty without.
std::string opengl_engine(const Row& row) {
  for (const std::string name : kOpenGlEngines)
    if (row.has(name + ".median_us")) return name;
  return "";
}

Column spread(std::string heading, std::string key) {
  return {std::move(heading), [key](const Row& row) {
            return fmt::format("{} us (p10 {}, p90 {}; {})", us(row.number(key + ".median_us")),
                               us(row.number(key + ".p10_us")), us(row.number(key + ".p90_us")),
                               cli::counted(static_cast<std::uint64_t>(row.number(key + ".frames")), "frame"));
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
  const std::vector<Column> lines{
      spread("device", "device"),
      {"floor",
       [](const Row& r) {
         return fmt::format("{} us for {:.4g} MB; the device takes {:.1f} times that", us(r.number("floor_us")),
                            r.number("bytes") / 1e6, r.number("over_floor"));
       }},
      {"target us", "target_us", us},
      spread("latency", "latency"),
      spread("cold", "cold"),
      {"late",
       [](const Row& r) {
         const auto late = static_cast<std::uint64_t>(r.number("late_frames"));
         return late == 0 ? "" : cli::counted(late, "frame") + " not wholly on the stream when it went on";
       }},
      {"answers", answers_text}};
  return fmt::format("\n{}: {}{}\n{}", row.text("work"), row.text("description"),
                     units == 1 ? "" : fmt::format("; for each of {}", whole(units)), to_lines(lines, row));
}

Table device_table(const std::vector<Row>& rows) {
  return {
      .title =
          "Microseconds; of the pairs for each. Floor: all inputs read once at the speed of a copy. Device: by "
          "its own clock,\naround the launch. Latency: by the host's, until the answer is there. Cold: as "
          "device, when caches hold the new\nvertices alone.",
      .columns = {{"work", "work"},
                  {"floor", "floor_us", us},
                  {"device", "device.median_us", us},
                  {"p10", "device.p10_us", us},
                  {"p90", "device.p90_us", us},
                  {"/ floor", "over_floor", fixed1},
                  {"target", "target_us", us},
                  {"met",
                   [](const Row& r) { return r.number("device.median_us") <= r.number("target_us") ? "yes" : "no"; }},
                  {"latency", "latency.median_us", us},
                  {"cold", "cold.median_us", us},
                  {"answers", [](const Row& r) { return r.has("differences") ? "DIFFER" : "agree"; }}},
      .rows = rows};
}

/// Beside cuda's latency.
Column ratio(std::string heading, std::function<std::string(const Row&)> engine) {
  return {std::move(heading), [engine](const Row& row) {
            const double other = row.number(engine(row) + ".median_us");
            return other == 0 ? "" : fmt::format("{:.3g}", other / row.number("latency.median_us"));
          }};
}

Table others_table(const std::vector<Row>& rows) {
  const auto one = [](const Row&) { return std::string("software_1_thread"); };
  const auto all = [](const Row&) { return std::string("software_all_threads"); };
  const auto opengl = [](const Row& row) {
    const double median = row.number(opengl_engine(row) + ".median_us");
    return median == 0 ? "" : us(median);
  };
  return {.title =
              "The same works by other engines, microseconds by the host's clock; OpenGL with the upload of all "
              "vertices, cuda with\nthem on the device.",
          .columns = {{"work", "work"},
                      {"cuda", "latency.median_us", us},
                      {"software, 1 thread", "software_1_thread.median_us", us},
                      {cli::counted(core_count(), "thread"), "software_all_threads.median_us", us},
                      {"OpenGL", opengl},
                      ratio("1 thread / cuda", one),
                      ratio("all / cuda", all),
                      ratio("OpenGL / cuda", opengl_engine)},
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
