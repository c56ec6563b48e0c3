// The tables of WSCG 2004 and TR 395 (see bench_cases.cpp) measured here.

#include "bench_paper.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench_cases.hpp"
#include "common.hpp"
#include "lamella/error.hpp"
#include "progress.hpp"

namespace lamella::cli {
namespace {

/// What one engine made of one case, for each number of threads.
struct Result {
  const PaperCase* paper_case = nullptr;
  std::string engine;
  std::size_t faces = 0;           ///< that the models really have
  std::vector<Measured> measured;  ///< parallel to the list of threads
};

std::vector<unsigned> thread_counts(const std::optional<unsigned>& asked) {
  if (asked) return {*asked == 0 ? core_count() : *asked};
  return core_count() == 1 ? std::vector<unsigned>{1} : std::vector<unsigned>{1, core_count()};
}

std::vector<PaperTable> chosen_tables(const PaperArgs& args) {
  if (!args.mesh.empty()) return {mesh_table(args.mesh)};
  std::vector<PaperTable> tables = paper_tables();
  if (args.table.empty()) return tables;
  std::vector<std::string> names;
  for (const PaperTable& table : tables) {
    if (table.name == args.table) return {table};
    names.push_back(table.name);
  }
  throw Error(fmt::format("--table: there is no table '{}'; type one of: {}", args.table, fmt::join(names, ", ")));
}

std::vector<Result> run(const PaperTable& table, const std::vector<std::string>& engines,
                        const std::vector<unsigned>& threads) {
  Progress progress(table.name);
  const std::size_t steps = table.cases.size() * engines.size() * threads.size();
  std::size_t done = 0;
  std::vector<Result> results;
  for (const PaperCase& paper_case : table.cases) {
    const Workload workload = paper_case.make();
    for (const std::string& engine : engines) {
      Result& result = results.emplace_back(Result{&paper_case, engine, workload.faces, {}});
      for (const unsigned n : threads) {
        progress.update(done++, steps);
        Detector detector({.engine = engine, .resolution = paper_case.resolution, .threads = n});
        result.measured.push_back(measure(workload, detector));
      }
    }
  }
  return results;
}

double speed_up(const PaperFigures& paper, const Measured& ours) { return paper.ms() / ours.total; }
double fps(const Measured& ours) { return 1000 / (ours.motion + ours.total); }

void add_paper_json(nlohmann::ordered_json& out, const PaperFigures& paper) {
  if (paper.ms() <= 0) return;
  if (paper.software > 0) {
    out["paper_ordered_ms"] = paper.ordered;
    out["paper_unordered_ms"] = paper.unordered;
  }
  if (paper.software_max > 0) {
    out["paper_ordered_max_ms"] = paper.ordered_max;
    out["paper_unordered_max_ms"] = paper.unordered_max;
    out["paper_max_ms"] = paper.software_max;
  }
  if (paper.stage3 > 0) {
    out["paper_stage12_ms"] = paper.stage12;
    out["paper_stage3_ms"] = paper.stage3;
  }
  if (paper.fps > 0) out["paper_fps"] = paper.fps;
}

nlohmann::ordered_json to_json(const Result& result, unsigned threads, const Measured& ours) {
  const PaperCase& c = *result.paper_case;
  nlohmann::ordered_json out{
      {"bench", "paper"},
      {"table", c.table},
      {"row", c.row},
      {"faces", c.faces},
      {"points", c.points},
      {"resolution", c.resolution},
      {"engine", result.engine},
      {"threads", threads},
      {"ms", {{"ldi", rounded(ours.ldi)}, {"query", rounded(ours.query)}, {"total", rounded(ours.total)}}},
      {"paper_ms", nullptr}};
  if (c.paper.ms() > 0) out["paper_ms"] = rounded(c.paper.ms());
  add_paper_json(out, c.paper);
  if (c.paper.ms() > 0) out["speedup"] = rounded(speed_up(c.paper, ours));
  out["min_ms"] = rounded(ours.min);
  out["max_ms"] = rounded(ours.max);
  if (c.paper.fps > 0) {
    out["motion_ms"] = rounded(ours.motion);
    out["fps"] = rounded(fps(ours));
  }
  out["models"] = c.models;
  out["actual_faces"] = result.faces;
  out["runs"] = ours.runs;
  out[c.points > 0 ? "inside" : "volume"] = ours.answer;
  return out;
}

// Text.

std::string ms_text(double ms) { return ms >= 100 ? fmt::format("{:.0f}", ms) : fmt::format("{:.3g}", ms); }
std::string range_text(double min, double max) {
  return max > 0 ? fmt::format("{} - {}", ms_text(min), ms_text(max)) : ms_text(min);
}

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
  if (p.ms() > 0) return {{"paper"}, {p.fps > 0 ? fmt::format("{:.0f} fps", p.fps) : ms_text(p.ms())}};
  return {};
}

std::string threads_text(unsigned n) { return n == 1 ? "1 thread" : fmt::format("{} threads", n); }

/// Our total and how it compares, for one number of threads.
void add_total(std::vector<std::string>& row, const PaperCase& c, const Measured& ours) {
  row.push_back(c.paper.software_max > 0 ? fmt::format("{} ({})", ms_text(ours.total), range_text(ours.min, ours.max))
                                         : ms_text(ours.total));
  if (c.paper.fps > 0) row.push_back(fmt::format("{:.0f} fps", fps(ours)));
  if (c.paper.ms() > 0) row.push_back(fmt::format("{:.0f} x", speed_up(c.paper, ours)));
}

Table to_table(const PaperTable& paper, const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  const PaperFigures& figures = paper.cases.front().paper;
  Table table{.columns = {{"row"}, {"our models"}, {"faces", true}, {"points", true}}, .rows = {}};
  for (const std::string& heading : paper_columns(figures).headings) table.columns.push_back({heading, true});
  table.columns.insert(table.columns.end(), {{"engine"}, {"LDIs", true}, {"query", true}});
  for (const unsigned n : threads) {
    table.columns.push_back({threads_text(n), true});
    if (figures.fps > 0) table.columns.push_back({"with motion", true});
    if (figures.ms() > 0) table.columns.push_back({"speed-up", true});
  }
  for (const Result& result : results) {
    const PaperCase& c = *result.paper_case;
    std::vector<std::string> row{c.row, c.models, grouped(c.faces), c.points > 0 ? grouped(c.points) : "-"};
    for (const std::string& cell : paper_columns(c.paper).cells) row.push_back(cell);
    row.push_back(result.engine);
    row.push_back(ms_text(result.measured.front().ldi));
    row.push_back(ms_text(result.measured.front().query));
    for (const Measured& ours : result.measured) add_total(row, c, ours);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void print_introduction(const std::vector<unsigned>& threads) {
  fmt::print("{}\n", describe_machine());
  fmt::print(
      "Milliseconds: medians of at least 15 runs after warm-up, nothing kept between runs but memory. LDIs (stages 1\n"
      "and 2: bounds, volume of interest, LDIs) and query (stage 3) are with {}. The papers' machines: a Pentium 4\n"
      "at 3 GHz with a GeForce FX 5800 Ultra (WSCG 2004), at 2.8 GHz with a GeForce 4 Ti 4600 (TR 395). Speed-up is\n"
      "over the Software column, by its minimum where a range is given, or over the sum of the stages.\n"
      "Stand-ins for the papers' models: {}.\n",
      threads_text(threads.front()), stand_ins());
}

void print_text(const PaperTable& table, const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  fmt::print("\n{} [{}]\n{}", table.title, table.name, to_text(to_table(table, results, threads)));
  if (table.cases.front().paper.fps > 0) {
    fmt::print(
        "The paper's frames also contain dynamics, response and rendering; ours the motion and the detection.\n");
  }
}

void print_json_lines(const std::vector<Result>& results, const std::vector<unsigned>& threads) {
  for (const Result& result : results) {
    for (std::size_t i = 0; i < threads.size(); ++i) print_json(to_json(result, threads[i], result.measured[i]));
  }
}

}  // namespace

void bench_paper(const PaperArgs& args) {
  const std::vector<std::string> engines = engine_names(args.engine);
  const std::vector<PaperTable> tables = chosen_tables(args);
  const std::vector<unsigned> threads = thread_counts(args.threads);
  if (!args.json) print_introduction(threads);
  for (const PaperTable& table : tables) {
    const std::vector<Result> results = run(table, engines, threads);
    args.json ? print_json_lines(results, threads) : print_text(table, results, threads);
    std::fflush(stdout);
  }
}

}  // namespace lamella::cli
