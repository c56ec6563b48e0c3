// Figures 8 to 11 of "GI-COLLIDE": many of one body, in sections 5.1 to 5.3.

#include <fmt/core.h>

#include <algorithm>

#include "bench/gi/images.hpp"
#include "bench/gi/tables.hpp"
#include "bench/gi/turns.hpp"
#include "bench/measure.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::cli {
namespace {

constexpr int kMostMadeLevels = 8;  ///< larger images are the same surface cut finer
constexpr std::uint32_t kFrames = 3000, kQuickFrames = 60;
constexpr std::uint32_t kTreeObjects = 32, kTreeFrames = 600;
// Of the paper, on a machine of 2005.
constexpr double kPaperMs[2] = {0.29, 0.94}, kPaperICollideMs[2] = {9.5, 11.5};

double per(double ms, std::uint64_t count) { return count == 0 ? 0 : ms / static_cast<double>(count); }

void add_rows(GiTable& table, int n, const PairLoad& load, const std::vector<PairRunner>& runners) {
  for (const PairRunner& r : runners) {
    const double ratio = r.images_ms > 0 ? r.ms / r.images_ms : 0;
    nlohmann::ordered_json json{{"vertices", gi_side(n)},
                                {"objects", load.objects},
                                {"frames", load.frames},
                                {"method", r.name},
                                {"pairs", r.pairs},
                                {"collisions", r.collisions},
                                {"ms", rounded(r.ms)},
                                {"us_per_pair", rounded(1e3 * per(r.ms, r.pairs))},
                                {"us_per_collision", rounded(1e3 * per(r.ms, r.collisions))},
                                {"ratio", rounded(ratio)},
                                {"differ", r.differ},
                                {"every", r.fcl ? load.fcl_every : 1},
                                {"volume_bytes", r.method->bytes()},
                                {"sweep_ms", rounded(load.sweep_ms)}};
    if (r.method->volume_tests() > 0) json["sphere_tests"] = r.method->volume_tests() - r.warm_up_tests;
    table.add({gi_size_text(n), std::to_string(load.objects), r.name, grouped(r.pairs), grouped(r.collisions),
               fmt::format("{:.1f}", r.ms), fmt::format("{:.2f}", 1e3 * per(r.ms, r.pairs)),
               fmt::format("{:.2f}", 1e3 * per(r.ms, r.collisions)), fmt::format("{:.2f}", ratio),
               std::to_string(r.differ), r.fcl && load.fcl_every > 1 ? fmt::format("1 in {}", load.fcl_every) : "all",
               grouped((r.method->bytes() + 500) / 1000), fmt::format("{:.1f}", load.sweep_ms)},
              std::move(json));
  }
}

/// The range of a method's figure over the rows, as "2.11 to 3.05", or as the one that there is.
std::string range_text(const GiTable& table, const std::string& method, const char* figure) {
  double low = 0, high = 0;
  for (const auto& row : table.rows) {
    const double value = row[figure].get<double>();
    if (row["method"] != method || value <= 0) continue;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  return low == high ? fmt::format("{:.2f}", low) : fmt::format("{:.2f} to {:.2f}", low, high);
}

std::vector<Table::Column> pair_columns() {
  return {{"vertices"},         {"objects", true}, {"method"},        {"pairs", true},
          {"collisions", true}, {"ms", true},      {"us/pair", true}, {"us/collision", true},
          {"ratio", true},      {"differ", true},  {"pairs taken"},   {"volumes KB", true},
          {"sweep ms", true}};
}

std::string findings(const GiTable& table) {
  std::string text = fmt::format(
      "Per collision: images {} us; the paper's GI-COLLIDE {:.0f} to {:.0f} us, I-COLLIDE {:.0f} to {:.0f} us.\n"
      "The pointer tree takes {} times as long as the images; in the paper up to 1.19.\n",
      range_text(table, "images", "us_per_collision"), 1e3 * kPaperMs[0], 1e3 * kPaperMs[1], 1e3 * kPaperICollideMs[0],
      1e3 * kPaperICollideMs[1], range_text(table, "pointer tree", "ratio"));
  if (!fcl_unavailable().empty()) return text + fmt::format("FCL is left out: {}.\n", fcl_unavailable());
  return text +
         fmt::format(
             "FCL's trees of OBBs take {} (OBB) and {} (OBBRSS) times as long; in the paper RAPID's were faster than "
             "images,\nby 148 us a collision.\n",
             range_text(table, "FCL OBB", "ratio"), range_text(table, "FCL OBBRSS", "ratio"));
}

}  // namespace

GiTable bench_gi_bunnies(const GiBenchArgs& args) {
  std::vector<std::uint32_t> objects = args.objects;
  if (objects.empty()) {
    objects =
        args.quick ? std::vector<std::uint32_t>{2, 16, 64} : std::vector<std::uint32_t>{2, 4, 8, 16, 32, 64, 128, 256};
  }
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kFrames);
  auto body = gi_bench_body(args, std::min(args.levels, kMostMadeLevels), simulate::BunnyOptions{}.radius);
  if (args.levels > kMostMadeLevels) body = std::make_shared<const ImageBody>(resized(*body, args.levels));
  GiTable table{
      .name = "bunnies",
      .title = fmt::format(
          "Many of one ({}) in a cube, first collision, {} frames, one thread; figures 8 to 11. CPU time of all "
          "frames;\nratio: to images on the same pairs; differ: verdicts that are not those of images",
          gi_model_text(args), grouped(frames)),
      .text = {.columns = pair_columns(), .rows = {}},
      .rows = {},
      .findings = ""};
  for (const std::uint32_t count : objects) {
    std::vector<PairRunner> runners = make_pair_runners(*body, true);
    const PairLoad load = run_pairs(count, frames, body, runners);
    add_rows(table, args.levels, load, runners);
  }
  table.findings = findings(table);
  return table;
}

GiTable bench_gi_trees(const GiBenchArgs& args) {
  const std::uint32_t frames = args.frames.value_or(args.quick ? kQuickFrames : kTreeFrames);
  GiTable table{
      .name = "trees",
      .title = fmt::format("The same spheres by index and by pointer, {} objects ({}), {} frames, by size; "
                           "figure 10. Else as above",
                           kTreeObjects, gi_model_text(args), grouped(frames)),
      .text = {.columns = pair_columns(), .rows = {}},
      .rows = {},
      .findings =
          "In the paper the pointer tree takes up to 1.19 times as long at 65 x 65; its caches were smaller.\n"};
  const auto made = gi_bench_body(args, args.quick ? 6 : kMostMadeLevels, simulate::BunnyOptions{}.radius);
  for (const int n : args.quick ? std::vector{6, 8} : std::vector{6, 7, 8, 9, 10}) {
    const auto body = std::make_shared<const ImageBody>(resized(*made, n));
    std::vector<PairRunner> runners = make_pair_runners(*body, false);
    const PairLoad load = run_pairs(kTreeObjects, frames, body, runners);
    add_rows(table, n, load, runners);
  }
  return table;
}

}  // namespace lamella::cli
