#pragma once

// The interface of this folder to the rest of the library.

#include <memory>
#include <optional>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/engine.hpp"

namespace lamella::software {

/// Name of the instruction set in use, e.g. "AVX3_DL".
[[nodiscard]] const char* instruction_set();

/// Can sample pairs in a box of the caller's choice: in a part of what both have in common.
class BoxedEngine : public Engine {
 public:
  using Engine::Engine;

  /// Of later overlaps and gradients of pairs, relative to the origin that both meshes must have. Unset: the box that
  /// both share.
  virtual void set_box(const std::optional<Aabb>& box) = 0;
};
[[nodiscard]] std::unique_ptr<BoxedEngine> make_boxed_engine(const EngineOptions& options);
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
