// How fast pyramids follow images that deform, and images against plain meshes.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "bench/engines.hpp"
#include "bench/gi/clock.hpp"
#include "bench/gi/images.hpp"
#include "bench/gi/queries.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"
#include "cli/progress.hpp"
#include "core/parallel.hpp"
#include "scenes/crowd.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::cli {
namespace {

struct RefitTimes {
  double refit_ms = 0, copy_ms = 0;  ///< medians
  double ratio = 0;                  ///< median of copy over refit, each beside the other
  std::uint64_t bytes = 0;           ///< that a refit reads and writes, and a copy too
};

RefitTimes time_refit(int n, unsigned threads, unsigned runs) {
  const GeometryImage image = image_of_sphere(n);
  SpherePyramid pyramid;
  pyramid.build(n, image.positions, threads);
  // One sphere for every quad and for every four of the level below.
  const std::uint64_t spheres = ((std::uint64_t{1} << (2 * n + 2)) - 1) / 3;
  RefitTimes times;
  times.bytes = image.positions.size() * sizeof(Vec3) + spheres * sizeof(Sphere);
  std::vector<char> from(times.bytes / 2, 1), to(times.bytes / 2, 2);
  Workers workers(threads);
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  std::vector<double> refit_ms, copy_ms, ratios;
  for (unsigned run = 0; refit_ms.size() < runs; ++run) {
    const std::uint64_t before = interruptions();
    const Stopwatch refitting;
    pyramid.build(n, image.positions, threads);
    const double refit = refitting.ms();
    const Stopwatch copying;
    workers.for_chunks(from.size(), threads == 1 ? from.size() : kChunk,
                       [&](std::size_t begin, std::size_t end, unsigned) {
                         std::memcpy(to.data() + begin, from.data() + begin, end - begin);
                       });
    const double copy = copying.ms();
    from[run % from.size()] = to[(run + 1) % to.size()];  // so that no copy can be left out
    if (run < 2 * runs && interruptions() != before) continue;
    refit_ms.push_back(refit);
    copy_ms.push_back(copy);
    ratios.push_back(copy / refit);
  }
  times.refit_ms = median(std::move(refit_ms));
  times.copy_ms = median(std::move(copy_ms));
  times.ratio = median(std::move(ratios));
  return times;
}

}  // namespace

GiTable bench_gi_refit(const GiBenchArgs& args) {
  GiTable table{.name = "refit",
                .title =
                    "A pyramid brought up to date with its image, and memcpy of as many bytes read and written, in one "
                    "loop",
                .text = {.columns = {{"image"},
                                     {"threads", true},
                                     {"MB", true},
                                     {"refit ms", true},
                                     {"memcpy ms", true},
                                     {"refit GB/s", true},
                                     {"memcpy GB/s", true},
                                     {"refit/memcpy", true}},
                         .rows = {}},
                .rows = {},
                .findings = ""};
  Progress progress("refit");
  const std::vector<unsigned> threads = core_count() == 1 ? std::vector{1u} : std::vector{1u, core_count()};
  for (const int n : args.quick ? std::vector{10} : std::vector{6, 8, 10, 12}) {
    for (const unsigned count : threads) {
      const RefitTimes t = time_refit(n, count, args.quick ? 15 : n == 12 ? 11 : 51);
      const auto speed = [&](double ms) { return static_cast<double>(t.bytes) * 1e-6 / ms; };
      table.add({gi_size_text(n), std::to_string(count), fmt::format("{:.2f}", static_cast<double>(t.bytes) * 1e-6),
                 fmt::format("{:.3f}", t.refit_ms), fmt::format("{:.3f}", t.copy_ms),
                 fmt::format("{:.1f}", speed(t.refit_ms)), fmt::format("{:.1f}", speed(t.copy_ms)),
                 fmt::format("{:.2f}", t.ratio)},
                {{"size", gi_side(n)},
                 {"threads", count},
                 {"bytes", t.bytes},
                 {"ms", {{"refit", rounded(t.refit_ms)}, {"memcpy", rounded(t.copy_ms)}}},
                 {"ratio", rounded(t.ratio)}});
    }
  }
  return table;
}

GiTable bench_gi_mesh(const GiBenchArgs& args) {
  const int levels = args.quick ? 6 : 8;
  GiTable table{
      .name = "mesh",
      .title = fmt::format("The rabbit's image, {} vertices, against the rabbit as a plain mesh, for which nothing "
                           "is prepared;\nfirst collision, one thread. They share, or miss each other by, a hundredth "
                           "of their radius",
                           gi_size_text(levels)),
      .text = {.columns = {{"mesh faces", true}, {"placed"}}, .rows = {}},
      .rows = {},
      .findings = ""};
  add_query_columns(table.text);
  Progress progress("image against mesh");
  const double radius = simulate::BunnyOptions{}.radius;
  const auto rabbit = simulate::make_bunny(levels, radius, 0);
  std::vector<PosePair> touching, apart;
  for (const Closeness& c : close_placements(*rabbit, args.quick ? 5 : 30, 0.01)) {
    touching.push_back({c.a, c.touching});
    apart.push_back({c.a, c.apart});
  }
  for (const std::size_t faces :
       args.quick ? std::vector<std::size_t>{10'000} : std::vector<std::size_t>{10'000, 100'000}) {
    const Mesh mesh = scenes::crowd_body("rabbit", faces, radius);
    for (const auto& [name, poses] : {std::pair{"touching", &touching}, std::pair{"apart", &apart}}) {
      const QueryFigures figures = time_queries(*rabbit, MeshView(mesh), *poses, args.quick ? 1 : 5);
      std::vector<std::string> cells{grouped(mesh.triangles.size()), name};
      nlohmann::ordered_json row{{"faces", mesh.triangles.size()}, {"size", gi_side(levels)}, {"placed", name}};
      add_query_cells(cells, figures);
      add_query_json(row, figures);
      table.add(std::move(cells), std::move(row));
    }
  }
  return table;
}

}  // namespace lamella::cli
