#pragma once

// The interface of this folder to the rest of the library.

#include <memory>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/engine.hpp"

namespace lamella::software {

/// Name of the instruction set in use, e.g. "AVX3_DL".
[[nodiscard]] const char* instruction_set();

[[nodiscard]] std::unique_ptr<Engine> make_engine(const EngineOptions& options);
/// Samples all of a group's objects into one layered depth image. With `threads` 1 no other thread is started.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options);

/// Directions are distributed over the threads.
[[nodiscard]] std::unique_ptr<ShiftFinder> make_shift_finder(const EngineOptions& options);

class CpuBatch : public BatchEngine {
 public:
  /// The engine's copy of a mesh.
  [[nodiscard]] virtual MeshView view(std::uint32_t mesh) const = 0;
};
[[nodiscard]] std::unique_ptr<CpuBatch> make_batch_engine(const EngineOptions& engine, const QueryOptions& query);

}  // namespace lamella::software
