// A helicopter over fractal terrain, and two equal objects, by their sizes: "GI-COLLIDE", section 5.4.

#include <fmt/core.h>

#include <algorithm>

#include "bench/gi/images.hpp"
#include "bench/gi/queries.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"
#include "cli/progress.hpp"
#include "simulate/bunnies.hpp"
#include "simulate/helicopter.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kSeed = 1;
/// Poses are so many frames apart: the flight of 50 seconds.
constexpr std::uint64_t kPoses = 300, kQuickPoses = 40, kFramesApart = 10;
constexpr unsigned kPasses = 5, kQuickPasses = 1;
/// The helicopter and the rabbit are made at this size; larger images are the same surface, cut finer.
constexpr int kMadeLevels = 8, kQuickMadeLevels = 6;
constexpr int kLevels1025 = 10, kLevels4097 = 12;
constexpr double kPaper1025Ms = 4, kPaper4097Ms = 60;

std::vector<int> ground_levels(bool quick) { return quick ? std::vector{9, 10} : std::vector{9, 10, 11, 12, 13}; }

/// The paper's times are of two objects of one size; "non-extreme" at 1025 x 1025, the worst at 4097 x 4097.
void add_paper(std::vector<std::string>& cells, nlohmann::ordered_json& row, int n, const QueryFigures& figures) {
  const double paper = n == kLevels1025 ? kPaper1025Ms : n == kLevels4097 ? kPaper4097Ms : 0;
  if (paper == 0) {
    cells.insert(cells.end(), {"-", "-"});
    return;
  }
  const double speedup = paper / (n == kLevels4097 ? figures.worst_ms : figures.median_ms);
  cells.push_back(n == kLevels4097 ? fmt::format("{:g} ms worst", paper) : fmt::format("{:g} ms typical", paper));
  cells.push_back(fmt::format("{:.0f} x", speedup));
  row["paper_ms"] = paper;
  row["paper_is"] = n == kLevels4097 ? "worst" : "typical";
  row["speedup"] = rounded(speedup);
}

std::string memory_text(int n) {
  const double vertices = static_cast<double>(gi_side(n)) * gi_side(n);
  const double normals = sizeof(Vec3), rest = static_cast<double>(body_bytes(n)) / vertices;
  return fmt::format(
      "Memory at {}: {:.2f} bytes a vertex, {:.3f} s: positions {} (the paper's s), normals {}, pyramid {:.2f}; the "
      "paper\nhas 4 s.\n",
      gi_size_text(n), rest + normals, (rest + normals) / sizeof(Vec3), sizeof(Vec3), normals, rest - sizeof(Vec3));
}

std::vector<PosePair> flight_poses(bool quick) {
  const simulate::HelicopterFlight flight(kSeed);
  std::vector<PosePair> poses;
  for (std::uint64_t i = 0; i < (quick ? kQuickPoses : kPoses); ++i)
    poses.push_back({{}, flight.pose(i * kFramesApart)});
  return poses;
}

}  // namespace

GiTable bench_gi_terrain(const GiBenchArgs& args) {
  GiTable table{.name = "terrain",
                .title =
                    "A helicopter over terrain, first collision, one thread; figure 12. Tests: mean and worst over "
                    "the poses of a flight;\ntimes: median and worst over the poses, each the median of its passes",
                .text = {.columns = {{"terrain"}, {"helicopter"}}, .rows = {}},
                .rows = {},
                .findings = ""};
  add_query_columns(table.text);
  table.text.columns.insert(table.text.columns.end(), {{"paper", true}, {"speed-up", true}});
  Progress progress("terrain");
  const int made = args.quick ? kQuickMadeLevels : kMadeLevels;
  const auto helicopter = simulate::make_helicopter_body(made, 0);
  const std::vector<PosePair> poses = flight_poses(args.quick);
  const std::vector<int> grounds = ground_levels(args.quick);
  for (std::size_t i = 0; i < grounds.size(); ++i) {
    const int n = grounds[i];
    progress.update(i, grounds.size());
    // While it is made its heights are there too.
    const std::uint64_t needed = body_bytes(n) + (std::uint64_t{gi_side(n)} * gi_side(n)) * sizeof(float);
    if (!memory_allows(needed + needed / 8)) {
      table.findings += gi_left_out_text(n, needed);
      continue;
    }
    const auto ground = simulate::make_terrain(n, kSeed);
    for (const int body_levels : {6, 8, 9, n}) {
      if (body_levels == 9 && n == 9) continue;  // is the last
      if (body_levels == n && !memory_allows(body_bytes(n) + body_bytes(n) / 2)) {
        table.findings += gi_left_out_text(n, 2 * body_bytes(n));
        continue;
      }
      const ImageBody body = resized(*helicopter, body_levels);
      const QueryFigures figures = time_queries(*ground, body, poses, args.quick ? kQuickPasses : kPasses);
      std::vector<std::string> cells{gi_size_text(n), gi_size_text(body_levels)};
      nlohmann::ordered_json row{{"terrain", gi_side(n)}, {"helicopter", gi_side(body_levels)}};
      add_query_cells(cells, figures);
      add_query_json(row, figures);
      add_paper(cells, row, n, figures);
      table.add(std::move(cells), std::move(row));
    }
  }
  table.findings += fmt::format("The helicopter is made at {}; larger images are the same surface cut finer.\n{}",
                                gi_size_text(made), memory_text(kLevels4097));
  return table;
}

GiTable bench_gi_equal(const GiBenchArgs& args) {
  GiTable table{
      .name = "equal",
      .title = fmt::format("Two equal objects ({}), first collision, one thread; figure 12. Touching: they share a "
                           "hundredth of\ntheir radius; apart: they miss each other by a thousandth",
                           gi_model_text(args)),
      .text = {.columns = {{"both"}, {"placed"}}, .rows = {}},
      .rows = {},
      .findings = ""};
  add_query_columns(table.text);
  table.text.columns.insert(table.text.columns.end(), {{"paper", true}, {"speed-up", true}});
  Progress progress("equal objects");
  const auto rabbit = gi_bench_body(args, args.quick ? kQuickMadeLevels : kMadeLevels, simulate::BunnyOptions{}.radius);
  std::vector<PosePair> touching, apart;
  for (const Closeness& c : close_placements(*rabbit, args.quick ? 10 : 50, 0.001)) {
    touching.push_back({c.a, c.touching});
    apart.push_back({c.a, c.apart});
  }
  const std::vector<int> sizes = ground_levels(args.quick);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int n = sizes[i];
    progress.update(i, sizes.size());
    if (const std::uint64_t needed = body_bytes(n) * rabbit->images.size(); !memory_allows(needed + needed / 2)) {
      table.findings += gi_left_out_text(n, needed);
      continue;
    }
    const ImageBody body = resized(*rabbit, n);
    for (const auto& [name, poses] : {std::pair{"touching", &touching}, std::pair{"apart", &apart}}) {
      const QueryFigures figures = time_queries(body, body, *poses, args.quick ? kQuickPasses : kPasses);
      std::vector<std::string> cells{gi_size_text(n), name};
      nlohmann::ordered_json row{{"size", gi_side(n)}, {"placed", name}};
      add_query_cells(cells, figures);
      add_query_json(row, figures);
      add_paper(cells, row, n, figures);
      table.add(std::move(cells), std::move(row));
    }
  }
  return table;
}

}  // namespace lamella::cli
