// The tables of WSCG 2004 and TR 395 (see cases.cpp) measured here.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "bench/commands.hpp"
#include "bench/paper/cases.hpp"
#include "bench/paper/conclusion.hpp"
#include "bench/report.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

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

/// The paper's figures, and how the row compares with the one to beat: of WSCG 2004 the engine's own column (Ordered
/// for gl-ordered, Unordered for the other engines on a GPU, Software for those on the CPU); otherwise the stages' sum
/// for every engine.
void set_paper(Row& row, const Row& paper, const BenchEngine& engine) {
  row.set({"paper_ms", nullptr});
  if (paper.fields().empty()) return;
  const std::string column = engine.name == "gl-ordered" ? "ordered" : engine.gpu ? "unordered" : "software";
  double to_beat = paper.number("paper_" + column + "_ms");
  if (to_beat == 0) to_beat = paper.number("paper_stage12_ms") + paper.number("paper_stage3_ms");
  row.set(paper);
  if (to_beat == 0) return;  // the paper has no figure of the same contents
  row.set({"paper_ms", to_beat});
  const std::string max = "paper_" + column + "_max_ms";
  if (paper.has(max)) row.set({"paper_max_ms", paper.number(max)});
  row.set({"speedup", to_beat / row.number("ms.total")});
}

Samples time_case(const PaperCase& what, const Workload& workload, const Runner& runner, Supply supply) {
  TimedDetector detector(runner.engine->options(what.resolution, runner.threads), supply);
  return measure(workload, detector);
}

Row run(const PaperCase& what, const Workload& workload, const Runner& runner) {
  const BenchEngine& engine = *runner.engine;
  const Samples samples = time_case(what, workload, runner, engine.gpu ? Supply::uploaded : Supply::view);
  const Row typical = samples.typical();
  const double total = typical.number("ms.total");
  Row row{{"row", what.row},
          {"faces", what.faces},
          {"points", what.points},
          {"resolution", what.resolution},
          {"engine", engine.name},
          {"threads", runner.threads},
          {"ms.ldi", typical.number("ms.ldi")},
          {"ms.query", typical.number("ms.query")},
          {"ms.total", total}};
  set_paper(row, what.paper, engine);
  row.set({"min_ms", samples.least("ms.total")});
  row.set({"max_ms", samples.largest("ms.total")});
  if (what.paper.has("paper_loop_fps")) {
    row.set({"motion_ms", typical.number("motion_ms")});
    row.set({"motion_and_query_fps", 1000 / (typical.number("motion_ms") + total)});
  }
  if (engine.gpu) {
    for (const char* key : {"upload_ms", "gpu_ms", "read_back_bytes"}) row.set({key, typical.number(key)});
    if (workload.stands_still())
      row.set({"still_ms", time_case(what, workload, runner, Supply::resident).typical().number("ms.total")});
  }
  row.set({"models", what.models});
  row.set({"actual_faces", workload.faces});
  row.set({"runs", samples.runs()});
  row.set({what.points > 0 ? "inside" : "volume", samples.largest("answer")});
  return row;
}

// Text.

/// "2.8 - 4.1" of two values, or the one that there is.
Column range(const char* heading, const std::string& min, const std::string& max) {
  return {heading, [=](const Row& row) -> std::string {
            if (!row.has_number(min)) return "";
            return row.has(max) ? fmt::format("{:.3g} - {:.3g}", row.number(min), row.number(max))
                                : fmt::format("{:g}", row.number(min));
          }};
}

/// The paper's own columns where only engines on the CPU were measured, otherwise each engine's figure in one column.
std::vector<Column> paper_columns(const Row& paper, bool gpu) {
  std::vector<Column> all = columns("row|our models=models|faces|points");
  if (paper.has("paper_software_ms") && !gpu) {
    all.push_back(range("Ordered", "paper_ordered_ms", "paper_ordered_max_ms"));
    all.push_back(range("Unordered", "paper_unordered_ms", "paper_unordered_max_ms"));
    all.push_back(range("Software", "paper_software_ms", "paper_software_max_ms"));
  } else if (paper.has("paper_stage3_ms") && !gpu) {
    append(all, columns("stage 1+2=paper_stage12_ms|stage 3=paper_stage3_ms"));
  } else if (paper.has("paper_loop_fps")) {
    append(all, columns("paper, whole loop fps=paper_loop_fps"));
  } else {
    all.push_back(range("paper", "paper_ms", "paper_max_ms"));
  }
  append(all, columns("engine|threads|ms=ms.total"));
  if (paper.has("paper_software_max_ms")) all.push_back(range("min - max", "min_ms", "max_ms"));
  append(all,
         columns("motion + query "
                 "fps=motion_and_query_fps|speed-up=speedup|LDIs=ms.ldi|query=ms.query|upload=upload_ms|GPU=gpu_ms|"
                 "read KB=read_back_bytes:kilo|still=still_ms"));
  return all;
}

std::string introduction(const std::vector<BenchEngine>& engines) {
  const std::string gpu =
      "Paper: of WSCG 2004 the column of the engine's own method, Ordered for gl-ordered, Unordered for other engines\n"
      "on a GPU, Software for software; of TR 395 the sum of the stages. Engines on a GPU keep the meshes there, and\n"
      "every run uploads all positions again, moved or not: upload, in the total. Still: the total without, where\n"
      "nothing moves. GPU: by its own timer. Read KB: fetched from it.\n";
  return fmt::format(
      "{}\nMilliseconds: medians of at least 15 runs after warm-up; of a sequence the mean over its frames. Nothing is "
      "kept\nbetween runs but memory. LDIs: stages 1 and 2 (bounds, volume of interest, LDIs); query: stage 3. The "
      "papers'\nmachines: a Pentium 4 at 3 GHz with a GeForce FX 5800 Ultra (WSCG 2004), at 2.8 GHz with a GeForce 4 "
      "Ti 4600\n(TR 395). Speed-up is over the Software column, by its minimum where a range is given, or over the sum "
      "of the\nstages.\n{}Stand-ins for the papers' models: {}.\n",
      describe_machine(engines), any_gpu(engines) ? gpu : "", stand_ins());
}

Table run(const PaperTable& what, const std::vector<BenchEngine>& engines, const std::vector<Runner>& runners) {
  Table table{
      .name = what.name, .title = what.title, .columns = paper_columns(what.cases.front().paper, any_gpu(engines))};
  cli::Progress progress(table.name);
  for (const PaperCase& paper_case : what.cases) {
    const Workload workload = paper_case.make();
    for (const Runner& runner : runners) {
      progress.update(table.rows.size(), what.cases.size() * runners.size());
      if (workload.self_overlap && !runner.engine->self_overlap) continue;
      table.rows.push_back(run(paper_case, workload, runner));
    }
  }
  if (what.cases.front().paper.has("paper_loop_fps")) {
    table.findings =
        "Not to be compared: the paper's frames also contain dynamics, response and rendering; ours only the motion "
        "and\n"
        "the detection.\n";
  }
  return table;
}

// Does what WSCG 2004 found still hold?

bool of_wscg(const PaperTable& table) { return table.name.starts_with("WSCG-"); }

/// The row of the fastest engine on a GPU for the case of row `software`; nullptr without.
const Row* fastest_gpu(const Table& table, const Row& software) {
  const Row* fastest = nullptr;
  for (const Row& row : table.rows) {
    if (!row.has("gpu_ms") || row.text("row") != software.text("row")) continue;
    if (fastest == nullptr || row.number("ms.total") < fastest->number("ms.total")) fastest = &row;
  }
  return fastest;
}

/// Empty unless both software and an engine on a GPU were measured.
std::vector<Contest> contests(const std::vector<Table>& tables, const std::vector<unsigned>& threads) {
  std::vector<Contest> all;
  for (const unsigned n : threads) {
    Contest contest{n, {}};
    for (const Table& table : tables) {
      for (const Row& row : table.rows) {
        if (row.text("engine") != "software" || row.number("threads") != n) continue;
        const Row* gpu = fastest_gpu(table, row);
        if (gpu == nullptr) continue;
        contest.duels.push_back({static_cast<std::size_t>(row.number("faces")), row.number("ms.total"),
                                 gpu->number("ms.total"), gpu->text("engine"),
                                 fmt::format("{} {}", table.name, row.text("row"))});
      }
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

}  // namespace

void run_paper(const PaperArgs& args) {
  const std::vector<BenchEngine> engines = bench_engines(Use::queries, args.engine, args.device);
  const std::vector<PaperTable> tables = chosen_tables(args);
  const std::vector<unsigned> threads = thread_counts(args.threads);
  const Report report("paper", args.json);
  report.say(introduction(engines));
  std::vector<Table> wscg;
  for (const PaperTable& what : tables) {
    Table table = run(what, engines, make_runners(engines, threads));
    report.print(table);
    if (of_wscg(what)) wscg.push_back(std::move(table));
  }
  const std::vector<Contest> all = contests(wscg, threads);
  if (all.empty() || wscg.size() < 3) return;
  const std::string text = conclude(all, engines);
  report.print(Row{{"engine", "all"}, {"conclusion", text}});
  report.say(fmt::format("\n{}\n", text));
}

}  // namespace lamella::bench
