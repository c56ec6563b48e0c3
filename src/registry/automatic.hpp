#pragma once

#include <functional>
#include <memory>

#include "lamella/engine.hpp"

namespace lamella {

/// What a query costs, as far as the choice of an engine goes.
struct QueryCost {
  std::uint64_t triangles = 0, columns = 0;
};

/// What a query takes on a GPU, in nanoseconds, positions uploaded anew.
struct GpuSpeed {
  double query = 0;     ///< whatever it is
  double triangle = 0;  ///< each, with the upload of its share of the vertices
  double column = 0;    ///< each
};

// Fitted to `lamella bench automatic` on a Xeon of 16 cores with an H200 (bench/results/).
inline constexpr GpuSpeed kListsSpeed{.query = 160'000, .triangle = 0.6, .column = 1};
inline constexpr GpuSpeed kCudaSpeed{.query = 45'000, .triangle = 0.42, .column = 0.06};

/// Whether a GPU is expected to answer sooner than `threads` threads.
[[nodiscard]] bool gpu_pays(const GpuSpeed& gpu, const QueryCost& cost, unsigned threads);

/// Chooses for every query: meshes given as views go to the software engine; kept ones to a GPU where there is one and
/// it pays: to cuda where that is available, else to gl-lists. For tests `gpu` makes the engine to use there, which is
/// then taken always.
using EngineFactory = std::function<std::unique_ptr<Engine>(const Options&)>;
[[nodiscard]] std::unique_ptr<Engine> make_automatic_engine(const Options& options, EngineFactory gpu = {});

}  // namespace lamella
