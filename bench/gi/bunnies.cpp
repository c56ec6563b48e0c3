// Figures 8 to 11 of "GI-COLLIDE": many of one body, in sections 5.1 to 5.3.

#include <fmt/core.h>

#include <algorithm>

#include "bench/gi/images.hpp"
#include "bench/gi/tables.hpp"
#include "bench/gi/turns.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::bench {
namespace {

constexpr int kMostMadeLevels = 8;  ///< larger images are the same surface cut finer
constexpr std::uint32_t kFrames = 3000, kQuickFrames = 60;
constexpr std::uint32_t kTreeObjects = 32, kTreeFrames = 600;
// Of the paper, on a machine of 2005.
constexpr double kPaperMs[2] = {0.29, 0.94}, kPaperICollideMs[2] = {9.5, 11.5};
constexpr double kPaperPointers = 1.19, kPaperRapidMs = 0.148;

double per(double ms, std::uint64_t count) { return count == 0 ? 0 : ms / static_cast<double>(count); }

void add_rows(Table& table, int n, const PairLoad& load, const std::vector<PairRunner>& runners) {
  const PairRunner& images = runners.front();
  for (const PairRunner& r : runners) {
    Row row{{"paper", "gi"},
            {"vertices", image_side(n)},
            {"objects", load.objects},
            {"frames", load.frames},
            {"tested", load.pairs == Pairs::all ? "all pairs" : "active pairs"},
            {"method", r.name},
            {"pairs", r.pairs},
            {"collisions", r.collisions},
            {"ms", r.ms},
            {"us_per_pair", 1e3 * per(r.ms, r.pairs)},
            {"us_per_collision", 1e3 * per(r.ms, r.collisions)},
            {"ratio", r.images_ms > 0 ? r.ms / r.images_ms : 0},
            {"differ", r.differ},
            {"every", r.slow ? load.slow_every : 1},
            {"build_ms", r.method->build_ms()},
            {"volume_bytes", r.method->bytes()},
            {"sweep_ms", load.sweep_ms}};
    if (r.method->volume_tests() > 0) row.set({"sphere_tests", r.method->volume_tests() - r.warm_up_tests});
    if (r.name == "pointer tree") row.set({"ratio_to_index", r.ms / table.rows.back().number("ms")});
    if (&r != &images) {
      row.set({"less_us_per_collision", 1e3 * (per(r.images_ms, r.collisions) - per(r.ms, r.collisions))});
    }
    table.rows.push_back(std::move(row));
  }
}

/// The range of a method's figure over the rows, as "2.11 to 3.05", or as the one that there is.
std::string range_text(const Table& table, const std::string& method, const char* figure) {
  double low = 0, high = 0;
  for (const Row& row : table.rows) {
    const double value = row.number(figure);
    if (row.text("method") != method || value <= 0) continue;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  return low == high ? fmt::format("{:.2f}", low) : fmt::format("{:.2f} to {:.2f}", low, high);
}

std::uint64_t sum_of(const Table& table, const std::string& method, const char* figure) {
  double sum = 0;
  for (const Row& row : table.rows) sum += row.text("method") == method ? row.number(figure) : 0;
  return static_cast<std::uint64_t>(sum);
}

/// All numbers of objects, by these methods; `pairs` one after another.
void run_all(Table& table, const GiPlan& plan, const Methods& methods, const std::vector<Pairs>& pairs) {
  const GiArgs& args = plan.args;
  std::vector<std::uint32_t> objects = args.objects;
  if (objects.empty()) objects = {2, 4, 8, 16, 32, 64, 128, 256};
  if (args.objects.empty() && args.quick) objects = {2, 16, 64};
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kFrames);
  auto body = bench_body(args, std::min(args.levels, kMostMadeLevels), simulate::BunnyOptions{}.radius);
  if (args.levels > kMostMadeLevels) body = std::make_shared<const ImageBody>(resized(*body, args.levels));
  table.title = fmt::format("{} ({} in a cube, first collision, {} frames, one thread)", table.title, model_text(args),
                            whole(frames));
  for (const std::uint32_t count : objects) {
    for (const Pairs which : pairs) {
      std::vector<PairRunner> runners = make_pair_runners(*body, methods, plan.others);
      const PairLoad load = run_pairs(count, frames, body, which, runners);
      add_rows(table, args.levels, load, runners);
    }
  }
}

bool has_other(const GiPlan& plan, bool convex) {
  return std::any_of(plan.others.begin(), plan.others.end(), [&](const auto& o) { return o.convex == convex; });
}

std::string without_fcl(const char* what) {
  return fmt::format("{} are left out: the program lamella-bench-fcl, which is built where FCL is found, has them.\n",
                     what);
}

/// Section 5.1: GI-COLLIDE and closest features of convex hulls, on the pairs of one broad phase.
Table active_pairs(const GiPlan& plan, Table table) {
  run_all(table, plan, {.published = true, .hulls = true}, {Pairs::active});
  for (Row& row : table.rows) {
    const std::string method = row.text("method");
    const double* paper = method.starts_with("FCL") ? kPaperICollideMs : kPaperMs;
    row.set({"paper_least_ms", paper[0]});
    row.set({"paper_most_ms", paper[1]});
  }
  table.findings += fmt::format(
      "Per collision: images {} us, as published {} us; the paper's GI-COLLIDE {:.0f} to {:.0f} us, I-COLLIDE {:.0f} "
      "to "
      "{:.0f} us.\nPublished spheres as written miss {} of {} collisions; enlarged where they do not enclose, {}.\n",
      range_text(table, "images", "us_per_collision"), range_text(table, "published, enclosing", "us_per_collision"),
      1e3 * kPaperMs[0], 1e3 * kPaperMs[1], 1e3 * kPaperICollideMs[0], 1e3 * kPaperICollideMs[1],
      sum_of(table, "published", "differ"), sum_of(table, "images", "collisions"),
      sum_of(table, "published, enclosing", "differ"));
  for (const OtherMethod& other : plan.others) {
    if (!other.convex) continue;
    table.findings += fmt::format(
        "{} takes {} times as long as images; its verdict is that of the convex hulls, wrong for {} of {} "
        "pairs.\n",
        other.name, range_text(table, other.name, "ratio"), sum_of(table, other.name, "differ"),
        sum_of(table, other.name, "pairs"));
  }
  if (!has_other(plan, true)) table.findings += without_fcl("Closest features of convex hulls (FCL's GJK)");
  return table;
}

constexpr const char* kReading =
    "CPU time of all frames; ratio: to images on the same pairs; differ: verdicts that are not those of images.\n";

}  // namespace

Table fig8_table(const GiPlan& plan) {
  return active_pairs(plan, {.name = "GI-fig8",
                             .title = "Time for all frames, active pairs of sweep and prune",
                             .columns = columns("objects|method|pairs|collisions|ms|ratio|differ|1 pair in=every|"
                                                "build ms=build_ms|sweep ms=sweep_ms"),
                             .reading = kReading});
}

Table fig9_table(const GiPlan& plan) {
  return active_pairs(plan,
                      {.name = "GI-fig9",
                       .title = "Time per collision, active pairs of sweep and prune",
                       .columns = columns("objects|method|collisions|us/collision=us_per_collision|us/pair=us_per_pair|"
                                          "sphere tests=sphere_tests|differ|paper ms from=paper_least_ms:plain|"
                                          "to=paper_most_ms:plain"),
                       .reading = kReading});
}

Table fig10_table(const GiPlan& plan) {
  Table table{
      .name = "GI-fig10",
      .title = "The same spheres by index and by pointer, every pair, then active pairs",
      .columns = columns("objects|tested|method|pairs|collisions|ms|us/pair=us_per_pair|"
                         "us/collision=us_per_collision|to index=ratio_to_index|paper at most=paper_ratio:plain|"
                         "differ|volumes KB=volume_bytes:kilo"),
      .reading = kReading};
  run_all(table, plan, {.trees = true}, {Pairs::all, Pairs::active});
  for (Row& row : table.rows) {
    if (row.text("method") == "pointer tree") row.set({"paper_ratio", kPaperPointers});
  }
  table.findings = fmt::format(
      "The pointer tree takes {} times as long as the same search by index; in the paper up to "
      "{}.\n",
      range_text(table, "pointer tree", "ratio_to_index"), kPaperPointers);
  return table;
}

Table fig11_table(const GiPlan& plan) {
  Table table{.name = "GI-fig11",
              .title = "Trees of oriented boxes beside images, every pair, then active pairs",
              .columns = columns("objects|tested|method|pairs|collisions|ms|us/pair=us_per_pair|"
                                 "us/collision=us_per_collision|ratio|less us=less_us_per_collision|"
                                 "paper less ms=paper_less_ms:plain|differ|1 pair in=every|build ms=build_ms|"
                                 "volumes KB=volume_bytes:kilo"),
              .reading = kReading};
  run_all(table, plan, {.published = true, .boxes = true}, {Pairs::all, Pairs::active});
  for (Row& row : table.rows) {
    if (row.text("method").starts_with("FCL")) row.set({"paper_less_ms", kPaperRapidMs});
  }
  for (const OtherMethod& other : plan.others) {
    if (other.convex) continue;
    table.findings += fmt::format(
        "{} takes {} times as long as images; to build it takes {} ms, images {} ms (tight), {} ms (published).\n",
        other.name, range_text(table, other.name, "ratio"), range_text(table, other.name, "build_ms"),
        range_text(table, "images", "build_ms"), range_text(table, "published", "build_ms"));
  }
  if (!has_other(plan, false)) table.findings += without_fcl("Trees of oriented boxes (FCL's OBB and OBBRSS)");
  table.findings += "In the paper RAPID's trees of boxes were faster than images, by 148 us a collision.\n";
  return table;
}

Table bunny_table(const GiPlan& plan) { return fig9_table(plan); }

Table tree_table(const GiPlan& plan) {
  const GiArgs& args = plan.args;
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kTreeFrames);
  Table table{
      .name = "trees",
      .title =
          fmt::format("The same spheres by index and by pointer, {} objects ({}), {} frames, active pairs, by size",
                      kTreeObjects, model_text(args), whole(frames)),
      .columns = columns("vertices:square|objects|method|pairs|collisions|ms|us/pair=us_per_pair|"
                         "us/collision=us_per_collision|ratio|to index=ratio_to_index|differ|"
                         "volumes KB=volume_bytes:kilo"),
      .findings =
          "In the paper the pointer tree takes up to 1.19 times as long at 65 x 65; its caches were smaller.\n"};
  const auto made = bench_body(args, args.quick ? 6 : kMostMadeLevels, simulate::BunnyOptions{}.radius);
  for (const int n : args.quick ? std::vector{6, 8} : std::vector{6, 7, 8, 9, 10}) {
    const auto body = std::make_shared<const ImageBody>(resized(*made, n));
    std::vector<PairRunner> runners = make_pair_runners(*body, {.trees = true}, {});
    const PairLoad load = run_pairs(kTreeObjects, frames, body, Pairs::active, runners);
    add_rows(table, n, load, runners);
  }
  return table;
}

}  // namespace lamella::bench
