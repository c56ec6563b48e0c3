// Every published table of the four papers (published.cpp), measured here.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "bench/commands.hpp"
#include "bench/paper/judged.hpp"
#include "bench/paper/others.hpp"
#include "bench/paper/queries.hpp"
#include "bench/report.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/scene.hpp"

namespace lamella::bench {
namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::vector<PublishedTable> chosen_tables(const PaperArgs& args) {
  std::vector<PublishedTable> chosen;
  std::vector<std::string_view> names, papers;
  for (const Publication& paper : publications()) papers.push_back(paper.key);
  if (!args.paper.empty() && std::find(papers.begin(), papers.end(), args.paper) == papers.end()) {
    throw Error(fmt::format("--paper: there is no paper '{}'; type one of: {}", args.paper, fmt::join(papers, ", ")));
  }
  for (const PublishedTable& table : published_tables()) {
    names.push_back(table.id);
    const bool of_paper = table.id.starts_with(args.table + "-");
    const bool asked = args.table.empty() || upper(table.id) == upper(args.table) || of_paper;
    if (asked && (args.paper.empty() || table.paper == args.paper)) chosen.push_back(table);
  }
  if (!chosen.empty()) return chosen;
  const bool exists = std::find(names.begin(), names.end(), args.table) != names.end();
  throw Error(exists ? fmt::format("--table: {} is not of the paper {}; leave out --paper", args.table, args.paper)
                     : fmt::format("--table: there is no table '{}'; type one of: {}, WSCG, TR, JANG, GI", args.table,
                                   fmt::join(names, ", ")));
}

/// One line for each table: for people aligned, or JSON.
void list_tables(const std::vector<PublishedTable>& tables, const Report& report) {
  for (const PublishedTable& table : tables) {
    report.say(fmt::format("{:<10}  {:<5}  {}\n", table.id, table.paper, table.title));
    report.print(
        Row{{"paper", std::string(table.paper)}, {"title", std::string(table.title)}, {"rows", table.rows.size()}},
        std::string(table.id));
  }
}

// Engines.

const Publication& publication(std::string_view key) {
  const std::vector<Publication>& all = publications();
  return *std::find_if(all.begin(), all.end(), [&](const Publication& p) { return p.key == key; });
}

/// The project's own, and those that work as the paper says; `missing` gets a line for each that is not there.
std::vector<BenchEngine> published_engines(Use use, std::string_view paper, const PaperArgs& args,
                                           std::string& missing) {
  std::vector<BenchEngine> chosen = bench_engines(use, "automatic");
  const std::vector<EngineInfo> known = use == Use::queries ? engines() : scene_engines();
  for (const std::string& name : publication(paper).engines) {
    const auto info = std::find_if(known.begin(), known.end(), [&](const EngineInfo& e) { return e.name == name; });
    if (info != known.end() && info->available) {
      chosen.push_back(bench_engines(use, name, info->gpu ? args.device : std::nullopt).front());
    } else {
      missing += fmt::format("Not measured: {}: {}.\n", name, info == known.end() ? "not in this program" : info->why);
    }
  }
  return chosen;
}

bool known_engine(const std::vector<EngineInfo>& known, const std::string& name) {
  return std::any_of(known.begin(), known.end(), [&](const EngineInfo& e) { return e.name == name; });
}

/// What the tables of each paper run on, tried out before the first is measured.
class Engines {
 public:
  Engines(const PaperArgs& args, const std::vector<PublishedTable>& tables) : args_(args) {
    for (const PublishedTable& table : tables) add(table.paper);
  }

  /// Empty where the engine that was asked for cannot do what the paper asks.
  [[nodiscard]] const std::vector<BenchEngine>& of(std::string_view paper) const {
    return by_paper_.find(paper)->second;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void add(std::string_view paper) {
    if (by_paper_.find(paper) != by_paper_.end()) return;
    std::vector<BenchEngine>& chosen = by_paper_[std::string(paper)];
    if (paper == "gi") return;
    const Use use = paper == "jang" ? Use::scenes : Use::queries;
    if (args_.engine == "published") {
      chosen = published_engines(use, paper, args_, missing_);
      return;
    }
    const bool elsewhere = known_engine(engines(), args_.engine) || known_engine(scene_engines(), args_.engine);
    if (elsewhere && !known_engine(use == Use::scenes ? scene_engines() : engines(), args_.engine)) {
      missing_ +=
          fmt::format("Not measured: the tables of {}, which {} cannot do.\n", publication(paper).name, args_.engine);
      return;
    }
    chosen = bench_engines(use, args_.engine, args_.device);
  }

  const PaperArgs& args_;
  std::map<std::string, std::vector<BenchEngine>, std::less<>> by_paper_;
  std::string missing_;
};

// Text above a paper's tables.

std::string introduction(std::string_view paper, const PaperArgs& args, const std::vector<BenchEngine>& engines) {
  if (paper == "gi") return "\nThe figures of GI-COLLIDE are of 2005, from a machine that it does not name.\n";
  if (paper == "jang") {
    return fmt::format(
        "\nJang, Jeong, Han: milliseconds a frame, the mean over the frames of each one's median over {}. Their "
        "machine:\na Pentium 4 at 3.2 GHz with a GeForce 7800 GTX.\n",
        args.quick ? "a single pass" : "at least three passes");
  }
  return query_introduction({engines, thread_counts(args.threads), args.quick});
}

Table run(const PublishedTable& what, const PaperArgs& args, const std::vector<BenchEngine>& engines) {
  if (what.paper == "gi") return gi_table(what, args);
  if (what.paper == "jang") return jang_table(what, args, engines);
  return query_table(what, {engines, thread_counts(args.threads), args.quick});
}

/// Every line names its paper, and how to tell it from the others of its table.
void name_rows(Table& table, std::string_view paper) {
  for (Row& row : table.rows) {
    Row named{{"paper", std::string(paper)}, {"row", row.text("row")}};
    named.set(row);
    named.set({"paper", std::string(paper)});
    row = std::move(named);
  }
}

void run_mesh(const PaperArgs& args, const Report& report) {
  const std::vector<BenchEngine> engines = bench_engines(Use::queries, args.engine, args.device);
  const QueryPlan plan{engines, thread_counts(args.threads), args.quick};
  report.say(query_introduction(plan));
  report.print(mesh_table(args.mesh, plan));
}

}  // namespace

void run_paper(const PaperArgs& args) {
  const Report report("paper", args.json);
  if (!args.mesh.empty()) return run_mesh(args, report);
  const std::vector<PublishedTable> tables = chosen_tables(args);
  if (args.list) return list_tables(tables, report);
  const Engines engines(args, tables);
  if (std::all_of(tables.begin(), tables.end(),
                  [&](const auto& t) { return t.paper != "gi" && engines.of(t.paper).empty(); }))
    throw Error(fmt::format("--engine: {} measures none of these tables; type --engine published", args.engine));
  std::vector<std::string_view> introduced;
  std::vector<Table> wscg;
  for (const PublishedTable& what : tables) {
    const std::vector<BenchEngine>& chosen = engines.of(what.paper);
    if (chosen.empty() && what.paper != "gi") continue;
    const bool queries = what.paper == "wscg" || what.paper == "tr395";
    const std::string_view group = queries ? "queries" : what.paper;
    if (std::find(introduced.begin(), introduced.end(), group) == introduced.end()) {
      report.say(introduction(what.paper, args, chosen));
      introduced.push_back(group);
    }
    Table table = run(what, args, chosen);
    name_rows(table, what.paper);
    std::vector<Row> claims;
    if (what.paper == "wscg" && chosen.size() > 1) claims = judge(what, table, chosen);
    report.print(table);
    for (const Row& claim : claims) {
      report.say(fmt::format("The claim that {} {}.\n", claim.text("claim"), claim.text("verdict")));
      report.print(claim, table.name);
    }
    if (what.paper == "wscg") wscg.push_back(std::move(table));
  }
  report.say(engines.missing().empty() ? "" : "\n" + engines.missing());
  if (wscg.size() < 3) return;
  const std::vector<BenchEngine>& chosen = engines.of("wscg");
  if (chosen.size() == 1) {
    report.say("\nThe claims of WSCG 2004 compare engines: type --engine published, or all, to try them here.\n");
    return;
  }
  const std::string text = conclude(wscg, chosen, thread_counts(args.threads));
  report.print(Row{{"paper", "wscg"}, {"row", "conclusion"}, {"engine", "all"}, {"conclusion", text}}, "WSCG");
  report.say(fmt::format("\n{}\n", text));
}

}  // namespace lamella::bench
