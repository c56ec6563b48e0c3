// The tables of WSCG 2004 and TR 395 (see cases.cpp) measured here.

#include "bench/paper/queries.hpp"

#include <fmt/core.h>

#include "bench/paper/cases.hpp"
#include "bench/paper/form.hpp"
#include "bench/paper/loop.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

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

Samples time_case(const PaperCase& what, const Workload& workload, const Runner& runner, Supply supply, bool quick) {
  TimedDetector detector(runner.engine->options(what.resolution, runner.threads), supply);
  return measure(workload, detector, quick);
}

Row measure_case(const PaperCase& what, const Workload& workload, const Runner& runner, bool quick) {
  const BenchEngine& engine = *runner.engine;
  const Samples samples = time_case(what, workload, runner, engine.gpu ? Supply::uploaded : Supply::view, quick);
  const Row typical = samples.typical();
  Row row{{"row", what.row},
          {"faces", what.faces},
          {"points", what.points},
          {"resolution", what.resolution},
          {"engine", engine.name},
          {"threads", runner.threads},
          {"ms.ldi", typical.number("ms.ldi")},
          {"ms.query", typical.number("ms.query")},
          {"ms.total", typical.number("ms.total")}};
  set_paper(row, what.paper, engine);
  row.set({"min_ms", samples.least("ms.total")});
  row.set({"max_ms", samples.largest("ms.total")});
  if (typical.has("motion_ms")) row.set({"motion_ms", typical.number("motion_ms")});
  if (engine.gpu) {
    for (const char* key : {"upload_ms", "gpu_ms", "read_back_bytes"}) row.set({key, typical.number(key)});
    if (workload.stands_still())
      row.set({"still_ms", time_case(what, workload, runner, Supply::resident, quick).typical().number("ms.total")});
  }
  row.set({"models", what.models});
  row.set({"actual_faces", workload.faces});
  row.set({"runs", samples.runs()});
  if (typical.has("once_ms")) row.set({"once_ms", typical.number("once_ms")});
  const double answer = samples.largest("answer");
  if (std::string_view(what.answer) == "volume")
    row.set({what.answer, answer});
  else
    row.set({what.answer, static_cast<std::size_t>(answer)});
  return row;
}

// Text.

/// "2.8 - 4.1" of two values, or the one that there is.
Column range(const char* heading, const std::string& min, const std::string& max, const char* between = " - ") {
  return {heading, [=](const Row& row) -> std::string {
            if (!row.has_number(min)) return "";
            return row.has(max) ? fmt::format("{:.3g}{}{:.3g}", row.number(min), between, row.number(max))
                                : fmt::format("{:.4g}", row.number(min));
          }};
}

/// In the order of the paper's columns: objects, faces, depth complexity, stages.
std::vector<Column> stage_columns() {
  std::vector<Column> all = columns("row|our models=models|faces|points");
  all.push_back(range("layers, paper", "paper_layers_a", "paper_layers_b", " / "));
  all.push_back(range("ours", "layers_a", "layers_b", " / "));
  all.push_back(range("mean", "mean_layers_a", "mean_layers_b", " / "));
  append(
      all,
      columns("stage 1+2, paper=paper_stage12_ms|stage 3, paper=paper_stage3_ms|engine|threads|"
              "stage 1+2=ms.ldi|stage 3=ms.query|ms=ms.total|once=once_ms|speed-up=speedup|upload=upload_ms|GPU=gpu_ms|"
              "read KB=read_back_bytes:kilo|still=still_ms"));
  return all;
}

std::vector<Column> generator_columns() {
  std::vector<Column> all = columns("row|our models=models|faces|points");
  all.push_back(range("paper", "paper_ms", "paper_max_ms"));
  append(all, columns("engine|threads|ms=ms.total|speed-up=speedup|LDIs=ms.ldi|query=ms.query|upload=upload_ms|"
                      "GPU=gpu_ms|read KB=read_back_bytes:kilo|still=still_ms"));
  return all;
}

std::vector<Column> loop_columns() {
  return columns(
      "row|our models=models|faces|points|paper, fps=paper_loop_fps|engine|threads|fps=loop_fps|ms=ms.total|"
      "deform=ms.deform|dynamics=ms.dynamics|sampling=ms.sampling|detection + response=ms.response|"
      "drawing=ms.drawing|LDIs=ms.ldi|query=ms.query|upload=upload_ms|GPU=gpu_ms");
}

constexpr const char* kRigidText =
    "Rigid: stages 1 and 2 are done once, in the object's own frame; each run has a new pose and only looks points up: "
    "of\na pair the vertices of either in the other. Once: what stages 1 and 2 took.\n";

/// Rows of all cases. An engine among several that cannot do a case is left out there, and the findings say why.
void add_rows(Table& table, const std::vector<PaperCase>& cases, const QueryPlan& plan) {
  const std::vector<Runner> runners = make_runners(plan.engines, plan.threads);
  cli::Progress progress(table.name);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Workload workload = cases[i].make();
    const Row layers = workload.layers ? workload.layers(cases[i].resolution) : Row{};
    for (std::size_t k = 0; k < runners.size(); ++k) {
      progress.update(i * runners.size() + k, cases.size() * runners.size());
      try {
        table.rows.push_back(measure_case(cases[i], workload, runners[k], plan.quick));
        table.rows.back().set(layers);
      } catch (const Error& error) {
        if (plan.engines.size() == 1) throw;
        table.findings +=
            fmt::format("Not measured: {} with {}: {}.\n", cases[i].row, runners[k].engine->name, error.what());
      }
    }
  }
}

/// The whole loop of figure 12, which runs on the software engine, once for each number of threads.
void add_loop_rows(Table& table, const QueryPlan& plan) {
  for (const unsigned threads : plan.threads) {
    Row row = measure_loop(threads, plan.quick);
    row.set(published_figures("TR-fig12", "whole loop"));
    row.set({"speedup", row.number("loop_fps") / row.number("paper_loop_fps")});
    table.rows.push_back(std::move(row));
  }
  table.reading =
      "Whole loop: each frame deforms the figure, moves the particles, finds those inside, pushes them out and draws "
      "a\n"
      "picture of 640 x 480, one sample a pixel, with the program's own renderer on the CPU; the paper's draws on a\n"
      "GPU. Sampling: stages 1 and 2, of three views at 128 cells along the longest side. Query alone: one view of 128 "
      "x 128, without "
      "dynamics,\n"
      "response and drawing; no published figure has the same contents.\n";
}

}  // namespace

Table query_table(const PublishedTable& published, const QueryPlan& plan) {
  Table table{.name = std::string(published.id), .title = std::string(published.title)};
  const bool loop = published.id == "TR-fig12", generators = published.paper == "wscg";
  table.columns = loop ? loop_columns() : generators ? generator_columns() : stage_columns();
  if (loop) add_loop_rows(table, plan);
  add_rows(table, paper_cases(published.id), plan);
  if (!generators && !loop) table.reading = kRigidText;
  if (generators) table.reading = paper_form(published, table.rows) + "\n";
  return table;
}

Table mesh_table(const std::filesystem::path& path, const QueryPlan& plan) {
  Table table{.name = "mesh",
              .title = fmt::format("{}: 100,000 points in it, and its self-overlap", cli::file_name(path)),
              .columns = generator_columns()};
  add_rows(table, mesh_cases(path), plan);
  return table;
}

std::string query_introduction(const QueryPlan& plan) {
  const std::string gpu =
      "Paper: of WSCG 2004 the column of the engine's own method, Ordered for gl-ordered, Unordered for other engines\n"
      "on a GPU, Software for those on the CPU. Engines on a GPU keep the meshes there, and every run uploads all\n"
      "positions again, moved or not: upload, in the total. Still: the total without, where nothing moves. GPU: by "
      "its\n"
      "own timer. Read KB: fetched from it.\n";
  return fmt::format(
      "{}\nMilliseconds: {}; of a sequence the mean over its frames. Nothing is kept\nbetween runs but memory. LDIs: "
      "stages 1 and 2 (bounds, volume of interest, LDIs); query: stage 3. Layers: surfaces\nthat one ray crosses in "
      "the "
      "volume of interest, at most; mean: over the rays that cross any. The papers'\nmachines: a Pentium 4 at 3 GHz "
      "with "
      "a GeForce FX 5800 Ultra (WSCG 2004), at 2.8 GHz with a GeForce 4 Ti 4600\n(TR 395). Speed-up is over the "
      "Software "
      "column, by its minimum where a range is given, or over the sum of the\nstages.\n{}Stand-ins for the papers' "
      "models: {}.\n",
      describe_machine(plan.engines),
      plan.quick ? "medians of 3 runs, to look at, not to compare" : "medians of at least 15 runs after warm-up",
      any_gpu(plan.engines) ? gpu : "", stand_in_text());
}

}  // namespace lamella::bench
