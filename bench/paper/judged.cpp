#include "bench/paper/judged.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "bench/paper/claims.hpp"
#include "bench/paper/conclusion.hpp"

namespace lamella::bench {
namespace {

constexpr const char* kUnorderedClaim = "Unordered is about three times as fast as Ordered";
constexpr const char* kSoftwareClaim = "software is faster on small scenes, the GPU on large ones";

using Engine = std::function<bool(const Row&)>;

Engine named(std::string name) {
  return [name](const Row& row) { return row.text("engine") == name; };
}
bool on_gpu(const Row& row) { return row.has("gpu_ms"); }

/// The fastest of these on the case `name`; nullptr without.
const Row* fastest(const Table& table, std::string_view name, const Engine& which) {
  const Row* best = nullptr;
  for (const Row& row : table.rows) {
    if (row.text("row") != name || !which(row)) continue;
    if (best == nullptr || row.number("ms.total") < best->number("ms.total")) best = &row;
  }
  return best;
}

/// Of the rows that both have.
std::vector<Match> matches(const PublishedTable& published, const Table& table, const Engine& first,
                           const Engine& second) {
  std::vector<Match> all;
  for (const PublishedRow& row : published.rows) {
    const Row *a = fastest(table, row.name, first), *b = fastest(table, row.name, second);
    if (a != nullptr && b != nullptr)
      all.push_back({std::string(row.name), a->number("ms.total"), b->number("ms.total")});
  }
  return all;
}

std::vector<Match> published_matches(const PublishedTable& published, const char* first, const char* second) {
  std::vector<Match> all;
  for (const PublishedRow& row : published.rows)
    all.push_back({std::string(row.name), row.figures.number(first), row.figures.number(second)});
  return all;
}

Row to_row(const char* claim, const std::string& engines, const Verdict& verdict) {
  Row row{{"paper", "wscg"}, {"row", "claim"}, {"claim", claim}, {"engine", engines}, {"holds", nullptr}};
  if (verdict.holds) row.set({"holds", *verdict.holds});
  row.set(verdict.figures);
  row.set({"verdict", verdict.text});
  return row;
}

/// Why a GPU cannot be compared with; empty where one can.
std::string no_gpu(const std::vector<BenchEngine>& engines) {
  if (!any_gpu(engines)) return "no engine on a GPU was measured";
  const auto real = std::find_if(engines.begin(), engines.end(), [](const BenchEngine& e) { return e.hardware; });
  if (real != engines.end()) return "";
  const std::string line = device_line(engines);
  return fmt::format("there is no GPU; OpenGL is drawn by the CPU ({})", line.substr(0, line.find(';')));
}

bool measured(const std::vector<BenchEngine>& engines, const char* name) {
  return std::any_of(engines.begin(), engines.end(), [&](const BenchEngine& e) { return e.name == name; });
}

/// Of the paper's two methods, and of the project's fastest.
std::vector<Row> judge_software_rows(const PublishedTable& published, const Table& table,
                                     const std::vector<BenchEngine>& engines) {
  if (const std::string why = no_gpu(engines); !why.empty())
    return {to_row(kSoftwareClaim, "all", cannot_be_judged(why))};
  const std::vector<Match> paper = published_matches(published, "paper_software_ms", "paper_unordered_ms");
  std::vector<Row> rows;
  const auto add = [&](const char* software, const char* gpu, const Engine& second) {
    const std::vector<Match> ours = matches(published, table, named(software), second);
    if (!ours.empty())
      rows.push_back(
          to_row(kSoftwareClaim, fmt::format("{}, {}", software, gpu), judge_software(ours, paper, software, gpu)));
  };
  if (measured(engines, "software-wscg")) add("software-wscg", "gl-unordered", named("gl-unordered"));
  add("software", "the fastest GPU engine", on_gpu);
  if (rows.empty())
    rows.push_back(to_row(kSoftwareClaim, "all", cannot_be_judged("no engine on the CPU was measured")));
  return rows;
}

std::vector<Contest> contests(const std::vector<Table>& tables, const std::vector<unsigned>& threads) {
  std::vector<Contest> all;
  for (const unsigned n : threads) {
    Contest contest{n, {}};
    for (const Table& table : tables) {
      for (const Row& row : table.rows) {
        if (row.text("engine") != "software" || row.number("threads") != n) continue;
        const Row* gpu = fastest(table, row.text("row"), on_gpu);
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

}  // namespace

std::vector<Row> judge(const PublishedTable& published, const Table& measured,
                       const std::vector<BenchEngine>& engines) {
  Verdict unordered = judge_unordered(matches(published, measured, named("gl-ordered"), named("gl-unordered")),
                                      published_matches(published, "paper_ordered_ms", "paper_unordered_ms"));
  if (any_gpu(engines) && !no_gpu(engines).empty() && unordered.holds) unordered.text += "; OpenGL is drawn by the CPU";
  std::vector<Row> rows{to_row(kUnorderedClaim, "gl-ordered, gl-unordered", unordered)};
  for (Row& row : judge_software_rows(published, measured, engines)) rows.push_back(std::move(row));
  return rows;
}

std::string conclude(const std::vector<Table>& tables, const std::vector<BenchEngine>& engines,
                     const std::vector<unsigned>& threads) {
  const std::vector<Contest> all = contests(tables, threads);
  std::string why = no_gpu(engines);
  if (why.empty() && all.empty()) why = "software was not measured";
  if (!why.empty()) return conclusion_untold(why);
  const std::string line = device_line(engines);
  const std::string gpu = line.substr(0, line.find(';'));  // the renderer; versions and limits are above the tables
  return gpu.empty() ? conclusion(all) : fmt::format("{} GPU: {}", conclusion(all), gpu);
}

}  // namespace lamella::bench
