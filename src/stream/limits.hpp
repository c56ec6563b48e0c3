#pragma once

// How a budget of memory is shared out. Tests set the numbers by themselves, so that small meshes need many passes.

#include <cstddef>
#include <cstdint>

namespace lamella::stream {

struct Limits {
  std::uint64_t fixed_bytes = 0;     ///< what workers need whatever the mesh
  std::uint64_t bytes = 0;           ///< for all that follows
  std::uint64_t vertex_bytes = 0;    ///< of these, the most for meshes whose vertices are kept
  std::size_t part_triangles = 0;    ///< of a mesh whose vertices are not kept
  std::uint64_t point_bytes = 0;     ///< for points, and what looking them up takes
  std::uint64_t span_bytes = 0;      ///< for spans of the answer
  std::uint64_t crossing_bytes = 0;  ///< for columns of very many crossings
  std::size_t tile_columns = 0;      ///< the most of a tile
  std::uint64_t tile_crossings = 0;  ///< the most of a tile, beyond the first 32 of each column
  std::size_t chunk_triangles = 0;   ///< that a worker takes at a time
  std::size_t block_triangles = 0;   ///< in which triangles that are kept are allocated
};

// Bytes, as the limits count them.
inline constexpr std::uint64_t kPerVertex = 16;        ///< position and code
inline constexpr std::uint64_t kPerPartTriangle = 84;  ///< indices, its corners in order, positions and codes of these
inline constexpr std::uint64_t kPerPoint = 64;         ///< in doubles and floats, sorted into tiles, flag

/// How many of the workers that there could be are worth their memory: a quarter of it, at most.
[[nodiscard]] unsigned workers_for(std::uint64_t memory, unsigned available);

/// `taken`: of the memory, by meshes in memory. Throws Error, which says how many are needed, when there is too little
/// for `workers`.
[[nodiscard]] Limits limits_for(std::uint64_t memory, unsigned workers, std::uint64_t taken = 0);

}  // namespace lamella::stream
