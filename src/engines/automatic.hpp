#pragma once

#include <functional>
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
/// it pays. For tests `gpu` makes the engine to use there, which is then taken always.
using EngineFactory = std::function<std::unique_ptr<Engine>(const Options&)>;
[[nodiscard]] std::unique_ptr<Engine> make_automatic_engine(const Options& options, EngineFactory gpu = {});

}  // namespace lamella
