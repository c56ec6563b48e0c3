// How fast pyramids follow images that deform.

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>

#include "bench/engines.hpp"
#include "bench/gi/tables.hpp"
#include "bench/measure.hpp"
#include "cli/progress.hpp"

namespace lamella::bench {
namespace {

/// memcpy, by several threads where the arena has them.
void copy(tbb::task_arena& arena, const std::vector<char>& from, std::vector<char>& to) {
  if (arena.max_concurrency() == 1) {
    std::memcpy(to.data(), from.data(), from.size());
    return;
  }
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, (from.size() + kChunk - 1) / kChunk, [&](std::size_t i) {
      const std::size_t begin = i * kChunk, bytes = std::min(kChunk, from.size() - begin);
      std::memcpy(to.data() + begin, from.data() + begin, bytes);
    });
  });
}

Row time_refit(int n, unsigned threads, unsigned runs) {
  const GeometryImage image = image_of_sphere(n);
  SpherePyramid pyramid;
  pyramid.build(n, image.positions, threads);
  // One sphere for every quad and for every four of the level below.
  const std::uint64_t spheres = ((std::uint64_t{1} << (2 * n + 2)) - 1) / 3;
  const std::uint64_t bytes = image.positions.size() * sizeof(Vec3) + spheres * sizeof(Sphere);
  std::vector<char> from(bytes / 2, 1), to(bytes / 2, 2);
  tbb::task_arena arena(static_cast<int>(threads));
  std::vector<double> refits, copies, ratios;
  for (unsigned run = 0; refits.size() < runs; ++run) {
    const std::uint64_t before = interruptions();
    const cli::Stopwatch refitting;
    pyramid.build(n, image.positions, threads);
    const double refit_ms = refitting.ms();
    const cli::Stopwatch copying;
    copy(arena, from, to);
    const double copy_ms = copying.ms();
    from[run % from.size()] = to[(run + 1) % to.size()];  // so that no copy can be left out
    if (run < 2 * runs && interruptions() != before) continue;
    refits.push_back(refit_ms);
    copies.push_back(copy_ms);
    ratios.push_back(copy_ms / refit_ms);
  }
  return {{"size", image_side(n)},
          {"threads", threads},
          {"bytes", bytes},
          {"ms.refit", median(std::move(refits))},
          {"ms.memcpy", median(std::move(copies))},
          {"ratio", median(std::move(ratios))}};
}

}  // namespace

Table refit_table(const GiPlan& plan) {
  const bool quick = plan.args.quick;
  Table table{.name = "refit",
              .title =
                  "A pyramid brought up to date with its image, and memcpy of as many bytes read and written, in "
                  "one loop",
              .columns = columns("image=size:square|threads|MB=bytes:mega|refit ms=ms.refit|memcpy ms=ms.memcpy|"
                                 "refit GB/s=bytes/ms.refit:mega|memcpy GB/s=bytes/ms.memcpy:mega|refit/memcpy=ratio")};
  cli::Progress progress("refit");
  for (const int n : quick ? std::vector{10} : std::vector{6, 8, 10, 12}) {
    for (const unsigned threads : thread_counts())
      table.rows.push_back(time_refit(n, threads, quick ? 15 : n == 12 ? 11 : 51));
  }
  return table;
}

}  // namespace lamella::bench
