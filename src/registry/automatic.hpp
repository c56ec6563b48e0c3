#pragma once

#include <functional>
#include <memory>

#include "engines/batch_engine.hpp"
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
/// The same for a batch of pairs, with the triangles and columns of all of them together.
[[nodiscard]] bool gpu_pays_for_batch(std::size_t pairs, const QueryCost& cost);

/// Chooses for every query: meshes given as views go to the software engine; kept ones to a GPU where there is one and
/// it pays: to cuda where that is available, else to gl-lists. For tests `gpu` makes the engine to use there, which is
/// then taken always.
using EngineFactory = std::function<std::unique_ptr<Engine>(const EngineOptions&)>;
[[nodiscard]] std::unique_ptr<Engine> make_automatic_engine(const EngineOptions& options, EngineFactory gpu = {});

/// Chooses for every batch: software, or cuda where it is available and pays.
[[nodiscard]] std::unique_ptr<BatchEngine> make_automatic_batch(const EngineOptions& engine, const QueryOptions& query);

}  // namespace lamella
