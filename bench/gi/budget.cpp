// "GI-COLLIDE", section 5.5: an answer in so much time, however large the images are.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/gi/images.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"

namespace lamella::bench {
namespace {

constexpr int kLevels = 11;  ///< of the one that all others are tested against
/// The inner sphere's radius: no triangle of the two meets another, at any size, but nearly all spheres overlap.
constexpr float kInner = 0.997f;
constexpr double kBudgetsMs[] = {1, 5, 15};
/// The paper tests 513 x 513 to 8193 x 8193 so.
constexpr double kPaperBudgetMs = 15;
constexpr int kPaperLeastLevels = 9;
constexpr double kLatePercent = 5;

/// What a budget gives. Runs that another program interrupted say nothing of us: they are made again, within reason.
Row time_budget(const ImageBody& outer, const ImageBody& inner, double budget_ms, unsigned runs) {
  // Turned, so that the two grids do not fall on each other.
  const Transform turned{{}, rotation_about({0.3, 1, 0.2}, 0.7)};
  const ImageCollideOptions options{.budget = std::chrono::nanoseconds(std::llround(budget_ms * 1e6))};
  ImageCollider collider;
  std::vector<double> taken;
  unsigned interrupted = 0;
  ImageCollision found;
  while (taken.size() < runs && interrupted < 2 * runs) {
    const std::uint64_t before = interruptions();
    const cli::Stopwatch watch;
    const ImageCollision& result = collider.collide(outer, {}, inner, turned, options);
    const double taken_ms = watch.ms();
    found = result;
    if (interruptions() != before) {
      ++interrupted;
    } else {
      taken.push_back(taken_ms);
    }
  }
  Row row{{"paper", "gi"},
          {"budget_ms", budget_ms},
          {"runs", taken.size()},
          {"interrupted", interrupted},
          {"verdict", to_string(found.verdict)},
          {"level", found.level},
          {"within", nullptr},
          {"sphere_tests", found.sphere_test_count},
          {"triangle_tests", found.triangle_test_count}};
  if (std::isfinite(found.within)) row.set({"within", found.within});
  if (taken.empty()) return row;
  const double worst = percentile(taken, 1), middle = median(taken);
  const auto over = [&](double ms) { return 100 * (ms - budget_ms) / budget_ms; };
  row.set({"ms.median", middle});
  row.set({"ms.worst", worst});
  row.set({"late", std::count_if(taken.begin(), taken.end(), [&](double t) { return over(t) > kLatePercent; })});
  row.set({"overshoot_percent.median", over(middle)});
  row.set({"overshoot_percent.worst", over(worst)});
  return row;
}

std::string findings(const Table& table) {
  double worst = 0, runs = 0, late = 0;
  for (const Row& row : table.rows) {
    worst = std::max(worst, row.number("overshoot_percent.worst"));
    runs += row.number("runs");
    late += row.number("late");
  }
  return fmt::format(
      "Of {} {} came later than its budget by more than {:g} %, the latest by {:.2f} %; those that other "
      "programs\ninterrupted are left out.\n",
      cli::counted(static_cast<std::uint64_t>(runs), "answer"), late == 0 ? "none" : whole(late), kLatePercent, worst);
}

}  // namespace

Table budget_table(const GiPlan& plan) {
  const bool quick = plan.args.quick;
  const int levels = quick ? 9 : kLevels;
  Table table{
      .name = "GI-fig13",
      .title = fmt::format("A sphere of {} vertices about another, 0.3 % smaller, by budget; figure 13 "
                           "(15 ms, up to\n8193 x 8193). The last answer's level and `within`, in units of the radius",
                           image_size(levels)),
      .columns = columns(
          "inner=size:square|M triangles=mega_triangles|budget ms=budget_ms|median ms=ms.median|worst ms=ms.worst|"
          "median over, %=overshoot_percent.median|worst over, %=overshoot_percent.worst|"
          "interrupted|verdict|level|within|sphere tests=sphere_tests|"
          "triangle tests=triangle_tests")};
  cli::Progress progress("budgets");
  const ImageBody outer = make_body({image_of_sphere(levels)});
  const std::vector<int> sizes = quick ? std::vector{6, 8, 9} : std::vector{6, 7, 8, 9, 10, 11, 12, 13};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    progress.update(i, sizes.size());
    if (!memory_allows(body_bytes(sizes[i]) * 3 / 2)) {
      table.findings += left_out_text(sizes[i], body_bytes(sizes[i]));
      continue;
    }
    const ImageBody inner = make_body({image_of_sphere(sizes[i], {}, kInner)});
    for (const double budget_ms : kBudgetsMs) {
      Row row{{"size", image_side(sizes[i])}, {"mega_triangles", std::ldexp(2.0, 2 * sizes[i]) * 1e-6}};
      row.set(time_budget(outer, inner, budget_ms, quick ? 5 : 20));
      if (budget_ms == kPaperBudgetMs && sizes[i] >= kPaperLeastLevels) row.set({"paper_budget_ms", kPaperBudgetMs});
      table.rows.push_back(std::move(row));
    }
  }
  table.findings += findings(table);
  return table;
}

}  // namespace lamella::bench
