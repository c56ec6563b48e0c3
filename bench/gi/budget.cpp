// "GI-COLLIDE", section 5.5: an answer in so much time, however large the images are.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/gi/clock.hpp"
#include "bench/gi/images.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"
#include "cli/progress.hpp"

namespace lamella::cli {
namespace {

constexpr int kLevels = 11;  ///< of the one that all others are tested against
/// The inner sphere's radius: no triangle of the two meets another, at any size, but nearly all spheres overlap.
constexpr float kInner = 0.997f;
constexpr double kBudgetsMs[] = {1, 5, 15};
constexpr double kLatePercent = 5;

const char* verdict_text(Verdict verdict) {
  return verdict == Verdict::separate ? "separate" : verdict == Verdict::colliding ? "colliding" : "undecided";
}

/// What a budget gave. Runs that another program interrupted say nothing of us: they are made again, within reason.
struct BudgetFigures {
  ImageCollision found;    ///< by the last run
  std::vector<double> ms;  ///< of runs that were not interrupted
  unsigned interrupted = 0;
};

BudgetFigures time_budget(const ImageBody& outer, const ImageBody& inner, double budget_ms, unsigned runs) {
  // Turned, so that the two grids do not fall on each other.
  const Transform turned{{}, rotation_about({0.3, 1, 0.2}, 0.7)};
  const ImageCollideOptions options{.budget = std::chrono::nanoseconds(std::llround(budget_ms * 1e6))};
  ImageCollider collider;
  BudgetFigures figures;
  while (figures.ms.size() < runs && figures.interrupted < 2 * runs) {
    const std::uint64_t before = interruptions();
    const Stopwatch watch;
    const ImageCollision& found = collider.collide(outer, {}, inner, turned, options);
    const double ms = watch.ms();
    if (interruptions() != before) {
      ++figures.interrupted;
    } else {
      figures.ms.push_back(ms);
    }
    figures.found = found;
  }
  return figures;
}

void add_row(GiTable& table, int n, double budget_ms, const BudgetFigures& figures) {
  const ImageCollision& found = figures.found;
  nlohmann::ordered_json row{{"size", gi_side(n)},
                             {"budget_ms", budget_ms},
                             {"runs", figures.ms.size()},
                             {"interrupted", figures.interrupted},
                             {"verdict", verdict_text(found.verdict)},
                             {"level", found.level},
                             {"within", std::isfinite(found.within) ? nlohmann::ordered_json(found.within) : nullptr},
                             {"sphere_tests", found.sphere_tests},
                             {"triangle_tests", found.triangle_tests}};
  std::vector<std::string> cells{gi_size_text(n), fmt::format("{:g}", budget_ms)};
  if (figures.ms.empty()) {
    cells.insert(cells.end(), {"-", "-", "-", "-"});
  } else {
    const double worst = *std::max_element(figures.ms.begin(), figures.ms.end()), middle = median(figures.ms);
    const auto over = [&](double taken) { return 100 * (taken - budget_ms) / budget_ms; };
    cells.insert(cells.end(), {fmt::format("{:.3f}", middle), fmt::format("{:.3f}", worst),
                               fmt::format("{:+.2f} %", over(middle)), fmt::format("{:+.2f} %", over(worst))});
    row["ms"] = {{"median", rounded(middle)}, {"worst", rounded(worst)}};
    row["late"] = std::count_if(figures.ms.begin(), figures.ms.end(), [&](double t) { return over(t) > kLatePercent; });
    row["overshoot_percent"] = {{"median", rounded(over(middle))}, {"worst", rounded(over(worst))}};
  }
  cells.insert(cells.end(),
               {std::to_string(figures.interrupted), verdict_text(found.verdict), std::to_string(found.level),
                fmt::format("{:.4f}", found.within), grouped(found.sphere_tests), grouped(found.triangle_tests)});
  table.add(std::move(cells), std::move(row));
}

std::string findings(const GiTable& table) {
  double worst = 0;
  std::size_t runs = 0, late = 0;
  for (const auto& row : table.rows) {
    if (!row.contains("overshoot_percent")) continue;
    worst = std::max(worst, row["overshoot_percent"]["worst"].get<double>());
    runs += row["runs"].get<std::size_t>();
    late += row["late"].get<std::size_t>();
  }
  return fmt::format(
      "Of {} {} came later than its budget by more than {:g} %, the latest by {:.2f} %; those that other "
      "programs\ninterrupted are left out.\n",
      counted(runs, "answer"), late == 0 ? "none" : std::to_string(late), kLatePercent, worst);
}

}  // namespace

GiTable bench_gi_budget(const GiBenchArgs& args) {
  const int levels = args.quick ? 9 : kLevels;
  GiTable table{
      .name = "budget",
      .title = fmt::format("A sphere of {} vertices about another, 0.3 % smaller, by budget; figure 13 (15 ms). "
                           "The last answer's level\nand `within`, in units of the radius",
                           gi_size_text(levels)),
      .text = {.columns = {{"inner"},
                           {"budget ms", true},
                           {"median ms", true},
                           {"worst ms", true},
                           {"median over", true},
                           {"worst over", true},
                           {"interrupted", true},
                           {"verdict"},
                           {"level", true},
                           {"within", true},
                           {"sphere tests", true},
                           {"triangle tests", true}},
               .rows = {}},
      .rows = {},
      .findings = ""};
  Progress progress("budgets");
  const ImageBody outer = make_body({image_of_sphere(levels)});
  const std::vector<int> sizes = args.quick ? std::vector{6, 8, 9} : std::vector{6, 7, 8, 9, 10, 11, 12, 13};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    progress.update(i, sizes.size());
    if (!memory_allows(body_bytes(sizes[i]) * 3 / 2)) {
      table.findings += gi_left_out_text(sizes[i], body_bytes(sizes[i]));
      continue;
    }
    const ImageBody inner = make_body({image_of_sphere(sizes[i], {}, kInner)});
    for (const double budget_ms : kBudgetsMs)
      add_row(table, sizes[i], budget_ms, time_budget(outer, inner, budget_ms, args.quick ? 5 : 20));
  }
  table.findings += findings(table);
  return table;
}

}  // namespace lamella::cli
