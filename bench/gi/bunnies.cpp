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

double per(double ms, std::uint64_t count) { return count == 0 ? 0 : ms / static_cast<double>(count); }

void add_rows(Table& table, int n, const PairLoad& load, const std::vector<PairRunner>& runners) {
  for (const PairRunner& r : runners) {
    Row row{{"vertices", image_side(n)},
            {"objects", load.objects},
            {"frames", load.frames},
            {"method", r.name},
            {"pairs", r.pairs},
            {"collisions", r.collisions},
            {"ms", r.ms},
            {"us_per_pair", 1e3 * per(r.ms, r.pairs)},
            {"us_per_collision", 1e3 * per(r.ms, r.collisions)},
            {"ratio", r.images_ms > 0 ? r.ms / r.images_ms : 0},
            {"differ", r.differ},
            {"every", r.slow ? load.slow_every : 1},
            {"volume_bytes", r.method->bytes()},
            {"sweep_ms", load.sweep_ms}};
    if (r.method->volume_tests() > 0) row.set({"sphere_tests", r.method->volume_tests() - r.warm_up_tests});
    if (r.name == "pointer tree") row.set({"ratio_to_index", r.ms / table.rows.back().number("ms")});
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

constexpr const char* kColumns =
    "vertices:square|objects|method|pairs|collisions|ms|us/pair=us_per_pair|us/collision=us_per_collision|ratio|"
    "to index=ratio_to_index|differ|1 pair in=every|volumes KB=volume_bytes:kilo|sweep ms=sweep_ms";

std::string findings(const Table& table, const std::vector<OtherMethod>& others) {
  std::string text = fmt::format(
      "Per collision: images {} us; the paper's GI-COLLIDE {:.0f} to {:.0f} us, I-COLLIDE {:.0f} to {:.0f} us.\n"
      "The pointer tree takes {} times as long as the same search by index; in the paper up to 1.19.\n",
      range_text(table, "images", "us_per_collision"), 1e3 * kPaperMs[0], 1e3 * kPaperMs[1], 1e3 * kPaperICollideMs[0],
      1e3 * kPaperICollideMs[1], range_text(table, "pointer tree", "ratio_to_index"));
  if (others.empty()) {
    return text +
           "FCL's trees are left out: the program lamella-bench-fcl, which is built where FCL is found, has them."
           "\n";
  }
  for (const OtherMethod& other : others)
    text += fmt::format("{} takes {} times as long as images.\n", other.name, range_text(table, other.name, "ratio"));
  return text + "In the paper RAPID's trees of boxes were faster than images, by 148 us a collision.\n";
}

}  // namespace

Table bunny_table(const GiPlan& plan) {
  const GiArgs& args = plan.args;
  std::vector<std::uint32_t> objects = args.objects;
  if (objects.empty()) objects = {2, 4, 8, 16, 32, 64, 128, 256};
  if (args.objects.empty() && args.quick) objects = {2, 16, 64};
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kFrames);
  auto body = bench_body(args, std::min(args.levels, kMostMadeLevels), simulate::BunnyOptions{}.radius);
  if (args.levels > kMostMadeLevels) body = std::make_shared<const ImageBody>(resized(*body, args.levels));
  Table table{.name = "bunnies",
              .title = fmt::format("Many of one ({}) in a cube, first collision, {} frames, one thread; figures 8 to "
                                   "11. CPU time of all frames;\nratio: to images on the same pairs; differ: verdicts "
                                   "that are not those of images",
                                   model_text(args), whole(frames)),
              .columns = columns(kColumns)};
  for (const std::uint32_t count : objects) {
    std::vector<PairRunner> runners = make_pair_runners(*body, plan.others);
    const PairLoad load = run_pairs(count, frames, body, runners);
    add_rows(table, args.levels, load, runners);
  }
  table.findings = findings(table, plan.others);
  return table;
}

Table tree_table(const GiPlan& plan) {
  const GiArgs& args = plan.args;
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kTreeFrames);
  Table table{
      .name = "trees",
      .title = fmt::format("The same spheres by index and by pointer, {} objects ({}), {} frames, by size; "
                           "figure 10. Else as above",
                           kTreeObjects, model_text(args), whole(frames)),
      .columns = columns(kColumns),
      .findings =
          "In the paper the pointer tree takes up to 1.19 times as long at 65 x 65; its caches were smaller.\n"};
  const auto made = bench_body(args, args.quick ? 6 : kMostMadeLevels, simulate::BunnyOptions{}.radius);
  for (const int n : args.quick ? std::vector{6, 8} : std::vector{6, 7, 8, 9, 10}) {
    const auto body = std::make_shared<const ImageBody>(resized(*made, n));
    std::vector<PairRunner> runners = make_pair_runners(*body, {});
    const PairLoad load = run_pairs(kTreeObjects, frames, body, runners);
    add_rows(table, n, load, runners);
  }
  return table;
}

}  // namespace lamella::bench
