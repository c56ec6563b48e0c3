#include "stream/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lamella/error.hpp"

namespace lamella::stream {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Below this there is no room for a useful part of a mesh.
constexpr std::uint64_t kLeast = 16 * kMiB;
/// Of a worker: its triangles as they are read, its scratch for sampling.
constexpr std::uint64_t kPerWorker = 2 * kMiB;
/// A column of a tile: layers of both meshes, and spans until a row of tiles is finished.
constexpr std::uint64_t kPerColumn = 2 * 129 + 64;
/// A crossing beyond a column's layers, in a list that may be copied as it grows; and how many a column should be able
/// to have, on average.
constexpr std::uint64_t kPerDeepCrossing = 24, kCrossings = 256, kSides = 2;
/// Corners of a part have 32-bit numbers.
constexpr std::uint64_t kMostInPart = std::uint64_t{1} << 30;
constexpr std::size_t kMostColumns = 16384, kFewestColumns = 1024;

}  // namespace

unsigned workers_for(std::uint64_t memory, unsigned available) {
  const std::uint64_t room = std::min(memory / 4, memory - std::min(memory, kLeast));
  const std::uint64_t most = room / (kPerWorker + kFewestColumns * kPerColumn);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(most, 1, available));
}

Limits limits_for(std::uint64_t memory, unsigned workers, std::uint64_t taken) {
  const std::uint64_t least = taken + kLeast + workers * (kPerWorker + kFewestColumns * kPerColumn);
  if (memory < least)
    throw Error(fmt::format("a memory of {} bytes is too little for {} thread{}: allow {} bytes ({}M) or more", memory,
                            workers, workers == 1 ? "" : "s", least, (least + kMiB - 1) / kMiB));
  // Shares, of which vertices, parts of meshes, one of points and spans, and crossings leave a sixth for triangles that
  // cover samples; those get what the others do not need.
  Limits limits;
  limits.chunk_triangles = 32768;
  limits.block_triangles = 4096;
  limits.tile_columns = kMostColumns;
  const auto crossings_in = [&](std::uint64_t bytes) { return bytes / (kPerDeepCrossing * workers * kSides); };
  const auto too_many = [&](std::size_t columns) {
    const std::uint64_t all = memory - taken;
    return workers * columns * kPerColumn > all / 8 || columns * kCrossings > crossings_in(all / 16);
  };
  while (limits.tile_columns > kFewestColumns && too_many(limits.tile_columns)) limits.tile_columns /= 2;
  limits.fixed_bytes = workers * (kPerWorker + limits.tile_columns * kPerColumn) + kMiB;
  limits.bytes = memory - taken - limits.fixed_bytes;
  limits.vertex_bytes = limits.bytes / 2;
  limits.crossing_bytes = limits.bytes / 16;
  limits.tile_crossings = crossings_in(limits.crossing_bytes);
  limits.part_triangles = static_cast<std::size_t>(std::min(limits.bytes / 6 / kPerPartTriangle, kMostInPart));
  limits.point_bytes = limits.bytes / 8;
  limits.span_bytes = limits.bytes / 8;
  return limits;
}

}  // namespace lamella::stream
