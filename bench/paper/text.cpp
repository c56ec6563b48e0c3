#include <fmt/core.h>

#include <algorithm>

#include "bench/paper/result.hpp"
#include "cli/common.hpp"

namespace lamella::cli {
namespace {

std::string ms_text(double ms) { return ms >= 100 ? fmt::format("{:.0f}", ms) : fmt::format("{:.3g}", ms); }
std::string range_text(double min, double max) {
  return max > 0 ? fmt::format("{} - {}", ms_text(min), ms_text(max)) : ms_text(min);
}
std::string threads_text(unsigned n) { return n == 1 ? "1 thread" : fmt::format("{} threads", n); }
std::string fps_text(double fps) { return fmt::format("{:.0f} fps", fps); }
/// An engine on a GPU can be slower than the paper's, by a factor that is to be seen.
std::string times_text(double times) {
  return times < 10 ? fmt::format("{:.2g} x", times) : fmt::format("{:.0f} x", times);
}

std::vector<std::string> case_cells(const PaperCase& c) {
  return {c.row, c.models, grouped(c.faces), c.points > 0 ? grouped(c.points) : "-"};
}

// Engines on the CPU alone: the paper's columns beside a column for each number of threads.

/// Headings and cells of the paper's own columns, which differ between the papers.
struct PaperColumns {
  std::vector<std::string> headings, cells;
};

PaperColumns paper_columns(const PaperFigures& p) {
  if (p.software > 0) {
    return {{"Ordered", "Unordered", "Software"},
            {range_text(p.ordered, p.ordered_max), range_text(p.unordered, p.unordered_max),
             range_text(p.software, p.software_max)}};
  }
  if (p.stage3 > 0) return {{"stage 1+2", "stage 3"}, {ms_text(p.stage12), ms_text(p.stage3)}};
  if (p.fps > 0) return {{"paper"}, {fps_text(p.fps)}};
  if (p.stage12 > 0) return {{"paper"}, {ms_text(p.stage12)}};
  return {};
}

/// Our total and how it compares, for one number of threads.
void add_total(std::vector<std::string>& row, const Result& result, const Measured& ours) {
  const PaperFigures& paper = result.paper_case->paper;
  row.push_back(paper.software_max > 0 ? fmt::format("{} ({})", ms_text(ours.total), range_text(ours.min, ours.max))
                                       : ms_text(ours.total));
  if (paper.fps > 0) row.push_back(fps_text(fps(ours)));
  if (result.to_beat().ms > 0) row.push_back(fmt::format("{:.0f} x", result.speed_up(ours)));
}

Table cpu_table(const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  const PaperFigures& figures = results.front().paper_case->paper;
  Table table{.columns = {{"row"}, {"our models"}, {"faces", true}, {"points", true}}, .rows = {}};
  for (const std::string& heading : paper_columns(figures).headings) table.columns.push_back({heading, true});
  table.columns.insert(table.columns.end(), {{"engine"}, {"LDIs", true}, {"query", true}});
  for (const unsigned n : threads) {
    table.columns.push_back({threads_text(n), true});
    if (figures.fps > 0) table.columns.push_back({"with motion", true});
    if (results.front().to_beat().ms > 0) table.columns.push_back({"speed-up", true});
  }
  for (const Result& result : results) {
    std::vector<std::string> row = case_cells(*result.paper_case);
    for (const std::string& cell : paper_columns(result.paper_case->paper).cells) row.push_back(cell);
    const Measured& first = result.timings.front().ms;
    row.insert(row.end(), {result.engine->name, ms_text(first.ldi), ms_text(first.query)});
    for (const Result::Timing& timing : result.timings) add_total(row, result, timing.ms);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// With engines on a GPU: a line for each engine and number of threads, beside the engine's own figure.

/// No finer than a microsecond: uploads can be next to nothing, and their digits would make the table too wide.
std::string short_text(double ms) { return ms < 0.1 ? fmt::format("{:.3f}", ms) : ms_text(ms); }

const std::vector<Table::Column> kGpuColumns{{"row"},
                                             {"our models"},
                                             {"faces", true},
                                             {"points", true},
                                             {"engine"},
                                             {"threads", true},
                                             {"paper", true},
                                             {"ms", true},
                                             {"min - max", true},
                                             {"with motion", true},
                                             {"speed-up", true},
                                             {"LDIs", true},
                                             {"query", true},
                                             {"upload", true},
                                             {"GPU", true},
                                             {"read KB", true},
                                             {"still", true}};

std::vector<std::string> gpu_row(const Result& result, const Result::Timing& timing) {
  const PaperFigures& paper = result.paper_case->paper;
  const PaperFigures::Figure figure = result.to_beat();
  const Measured& ours = timing.ms;
  const bool gpu = result.engine->gpu;
  const auto given = [](bool is, const std::string& text) { return is ? text : "-"; };
  std::vector<std::string> row = case_cells(*result.paper_case);
  row.insert(row.end(),
             {result.engine->name, std::to_string(timing.threads),
              given(figure.ms > 0, paper.fps > 0 ? fps_text(paper.fps) : range_text(figure.ms, figure.max)),
              short_text(ours.total),
              given(figure.max > 0, fmt::format("{} - {}", short_text(ours.min), short_text(ours.max))),
              given(paper.fps > 0, fps_text(fps(ours))), given(figure.ms > 0, times_text(result.speed_up(ours))),
              short_text(ours.ldi), short_text(ours.query), given(gpu, short_text(ours.upload)),
              given(gpu, short_text(ours.gpu)), given(gpu, short_text(static_cast<double>(ours.read_back) / 1000)),
              given(result.still.has_value(), result.still ? short_text(result.still->total) : "")});
  return row;
}

/// Columns in which no row has anything would only take up width.
void drop_empty_columns(Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (!std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[c] == "-"; })) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

Table gpu_table(const std::vector<Result>& results) {
  Table table{.columns = kGpuColumns, .rows = {}};
  for (const Result& result : results) {
    for (const Result::Timing& timing : result.timings) table.rows.push_back(gpu_row(result, timing));
  }
  drop_empty_columns(table);
  return table;
}

/// How to read the figures: what differs between the two layouts.
std::string reading(bool gpu, unsigned threads) {
  if (!gpu) {
    return fmt::format(
        "LDIs (stages 1\n"
        "and 2: bounds, volume of interest, LDIs) and query (stage 3) are with {}. The papers' machines: a Pentium 4\n"
        "at 3 GHz with a GeForce FX 5800 Ultra (WSCG 2004), at 2.8 GHz with a GeForce 4 Ti 4600 (TR 395). Speed-up is\n"
        "over the Software column, by its minimum where a range is given, or over the sum of the stages.\n",
        threads_text(threads));
  }
  return "LDIs: stages 1\n"
         "and 2 (bounds, volume of interest, LDIs); query: stage 3. The papers' machines: a Pentium 4 at 3 GHz with a\n"
         "GeForce FX 5800 Ultra (WSCG 2004), at 2.8 GHz with a GeForce 4 Ti 4600 (TR 395). Paper: of WSCG 2004 the "
         "column\n"
         "of the engine's own method, Ordered for gl-ordered, Unordered for gl-unordered and for gl-lists, its "
         "successor,\n"
         "Software for software; of TR 395 the sum of the stages. Speed-up is over that, by its minimum where a range "
         "is\n"
         "given. Engines on a GPU keep the meshes there, and every run uploads all positions again, moved or not: "
         "upload,\n"
         "in the total. Still: the total without, where nothing moves. GPU: by its own timer. Read KB: fetched from "
         "it.\n";
}

}  // namespace

std::string introduction(const std::vector<BenchEngine>& engines, const std::vector<unsigned>& threads) {
  return fmt::format(
      "{}\nMilliseconds: medians of at least 15 runs after warm-up, nothing kept between runs but memory. {}"
      "Stand-ins for the papers' models: {}.\n",
      describe_machine(engines), reading(any_gpu(engines), threads.front()), stand_ins());
}

std::string to_text(const PaperTable& table, const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  const bool gpu = std::any_of(results.begin(), results.end(), [](const Result& r) { return r.engine->gpu; });
  const Table figures = gpu ? gpu_table(results) : cpu_table(results, threads);
  const bool frames = table.cases.front().paper.fps > 0;
  return fmt::format(
      "\n{} [{}]\n{}{}", table.title, table.name, to_text(figures),
      frames ? "The paper's frames also contain dynamics, response and rendering; ours the motion and the detection.\n"
             : "");
}

}  // namespace lamella::cli
