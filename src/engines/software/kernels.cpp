#include "engines/software/kernels.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <vector>

#include "engines/software/engines.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/software/kernels.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "engines/software/raster-inl.hpp"
#include "engines/software/rows-inl.hpp"
#include "engines/software/stream-inl.hpp"
#include "hwy/highway.h"

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(Encode);
HWY_EXPORT(CullByGathers);
HWY_EXPORT(CullByLoads);
HWY_EXPORT(Rasterize);
HWY_EXPORT(RasterizeRows);
HWY_EXPORT(RasterizeNearRows);
HWY_EXPORT(RasterizeFarRows);
HWY_EXPORT(CollectBoxes);
HWY_EXPORT(InstructionSet);

HWY_NOINLINE void collect_differences(std::span<const Triangle> triangles, const CellCode* codes,
                                      std::uint32_t* differ) {
  const auto at = [codes](std::uint64_t i) { return std::bit_cast<std::uint32_t>(codes[i]); };
  const auto low = [](std::uint64_t pair) { return pair & 0xffffffffu; };
  const auto load_pair = [&](std::size_t triangle, std::size_t n) {
    std::uint64_t pair;
    std::memcpy(&pair, reinterpret_cast<const char*>(&triangles[triangle]) + n * sizeof pair, sizeof pair);
    return pair;
  };
  std::size_t i = 0;
  for (; i + 2 <= triangles.size(); i += 2) {  // six indices in three loads
    const std::uint64_t ab = load_pair(i, 0), cd = load_pair(i, 1), ef = load_pair(i, 2);
    const std::uint32_t a = at(low(ab)), d = at(cd >> 32);
    differ[i] = (a ^ at(ab >> 32)) | (a ^ at(low(cd)));
    differ[i + 1] = (d ^ at(low(ef))) | (d ^ at(ef >> 32));
  }
  for (; i < triangles.size(); ++i) {
    const std::uint32_t a = at(triangles[i].a);
    differ[i] = (a ^ at(triangles[i].b)) | (a ^ at(triangles[i].c));
  }
}

namespace {

/// Measures both, in some tens of microseconds, on triangles like those of a scanned surface.
bool gathers_are_faster() {
  constexpr std::uint32_t kTriangles = 4096, kVertices = 2560;
  std::vector<CellCode> codes(kVertices);
  for (std::uint32_t i = 0; i < kVertices; ++i) codes[i] = {static_cast<std::uint16_t>(i / 5 % 100), 3};
  std::vector<Triangle> triangles(kTriangles);
  for (std::uint32_t i = 0; i < kTriangles; ++i) triangles[i] = {i / 2, i / 2 + 1, i / 2 + 512};
  std::vector<std::uint32_t> ids(kTriangles + kMaxLanes);
  const auto time = [&](auto cull_function) {
    auto best = std::chrono::steady_clock::duration::max();
    for (int run = 0; run < 5; ++run) {
      const auto start = std::chrono::steady_clock::now();
      (void)cull_function(triangles, codes, 0, ids.data());
      best = std::min(best, std::chrono::steady_clock::now() - start);
    }
    return best;
  };
  return time(cull_by_gathers) < time(cull_by_loads);
}

/// Copies 16 bytes where 12 would do, in one load and one store: the next copy overwrites the rest.
void copy_corner(std::span<const Vec3> positions, std::uint32_t index, Vec3* to) {
  if (index + std::size_t{1} < positions.size())
    std::memcpy(static_cast<void*>(to), &positions[index], 16);
  else
    *to = positions[index];
}

/// Of triangles that were sorted into tiles, neighbours are far apart in memory.
void fetch_ahead(const Survivors& survivors, std::size_t i) {
  constexpr std::size_t kAhead = 24;
  const std::span<const Vec3> positions = survivors.mesh.positions;
  const std::span<const Triangle> triangles = survivors.mesh.triangles;
  const std::size_t last = survivors.ids.size() - 1;
  __builtin_prefetch(&triangles[survivors.ids[std::min(i + 2 * kAhead, last)]]);
  const Triangle next = triangles[survivors.ids[std::min(i + kAhead, last)]];
  __builtin_prefetch(&positions[next.a]);
  __builtin_prefetch(&positions[next.b]);
  __builtin_prefetch(&positions[next.c]);
}

void fill_batch(const Survivors& survivors, Batch& batch) {
  const std::span<const Vec3> positions = survivors.mesh.positions;
  const std::span<const Triangle> triangles = survivors.mesh.triangles;
  for (std::size_t i = 0; i < survivors.ids.size(); ++i) {
    if (survivors.scattered) fetch_ahead(survivors, i);
    const Triangle t = triangles[survivors.ids[i]];
    copy_corner(positions, t.a, &batch.corner[0][i]);
    copy_corner(positions, t.b, &batch.corner[1][i]);
    copy_corner(positions, t.c, &batch.corner[2][i]);
    batch.id[i] = survivors.ids[i];
  }
}

}  // namespace

std::size_t encode(std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  return HWY_DYNAMIC_DISPATCH(Encode)(positions, target, codes);
}

std::size_t cull(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                 std::uint32_t* ids) {
  static const bool by_gathers = !HWY_ARCH_WASM && gathers_are_faster();  // WebAssembly has no gathers
  const auto way = by_gathers && codes.size() < kMaxGathered ? cull_by_gathers : cull_by_loads;
  return way(triangles, codes, first, ids);
}

std::size_t cull_by_gathers(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                            std::uint32_t* ids) {
  return HWY_DYNAMIC_DISPATCH(CullByGathers)(triangles, codes, first, ids);
}

std::size_t cull_by_loads(std::span<const Triangle> triangles, std::span<const CellCode> codes, std::uint32_t first,
                          std::uint32_t* ids) {
  return HWY_DYNAMIC_DISPATCH(CullByLoads)(triangles, codes, first, ids);
}

void collect_boxes(std::span<const std::uint32_t> ids, std::span<const Triangle> triangles, const CellCode* codes,
                   CellCode* low, CellCode* high) {
  HWY_DYNAMIC_DISPATCH(CollectBoxes)(ids, triangles, codes, low, high);
}

std::size_t rasterize(const Survivors& survivors, const RasterTarget& target, const RasterRegion& region,
                      Batch& scratch, SampleSink& sink, std::uint32_t* left) {
  fill_batch(survivors, scratch);
  return HWY_DYNAMIC_DISPATCH(Rasterize)(scratch, survivors.ids.size(), survivors.first_face, target, region, sink,
                                         left);
}

void rasterize_large(const LatticeVertex corners[3], std::uint32_t face, const RasterTarget& target, Layers& out) {
  if (!is_near(corners)) {
    RowTriangle<Wide> far;
    if (set_up_rows(corners, target.window, far)) HWY_DYNAMIC_DISPATCH(RasterizeFarRows)(far, face, target.depth, out);
    return;
  }
  RowTriangle<std::int64_t> near;
  if (!set_up_rows(corners, target.window, near)) return;
  const auto rasterize_rows =
      fits_doubles(corners) ? HWY_DYNAMIC_DISPATCH(RasterizeRows) : HWY_DYNAMIC_DISPATCH(RasterizeNearRows);
  rasterize_rows(near, face, target.depth, out);
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(InstructionSet)(); }

}  // namespace lamella::software
#endif  // HWY_ONCE
