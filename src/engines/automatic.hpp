#pragma once

#include <memory>

#include "lamella/engine.hpp"

namespace lamella {

/// What a query costs, as far as the choice of an engine goes.
struct QueryCost {
  std::uint64_t triangles = 0, columns = 0;
};

/// Whether a GPU is expected to answer sooner than `threads` threads, positions uploaded anew.
[[nodiscard]] bool gpu_pays(const QueryCost& cost, unsigned threads);

/// Chooses for every query: meshes given as views go to the software engine; kept ones to a GPU where there is one and
/// it pays. `any_gpu` also takes a device that is a CPU in disguise, and never asks whether it pays: for tests.
[[nodiscard]] std::unique_ptr<Engine> make_automatic_engine(const Options& options, bool any_gpu = false);

}  // namespace lamella
