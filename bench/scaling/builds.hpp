#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/engines.hpp"
#include "bench/row.hpp"
#include "lamella/mesh.hpp"

namespace lamella::bench {

/// Milliseconds to read the mesh's arrays once with one thread: the least that any answer about all of it can cost.
[[nodiscard]] double time_stream(MeshView mesh);

/// A row for each number of threads: medians of building the LDI of the whole mesh ("ms.ldi": upload where there is a
/// GPU, bounds, grid, rasterise, sort) and of reading its arrays once ("stream_ms"), both in milliseconds.
/// Times the engine with each number of threads, in turns of a few builds, so that all see the same neighbours on
/// the machine. Each repetition streams, then builds: both see the same caches. An engine on a GPU keeps the
/// mesh, and its positions are uploaded in every build. Throws Error for a flat mesh.
[[nodiscard]] std::vector<Row> time_builds(MeshView mesh, std::uint32_t resolution, const BenchEngine& engine,
                                           const std::vector<unsigned>& threads);

}  // namespace lamella::bench
