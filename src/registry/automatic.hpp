#pragma once

#include <functional>
#include <memory>

#include "engines/batch_engine.hpp"
#include "lamella/engine.hpp"

namespace lamella {

/// Size of a query, for the choice of an engine.
struct QueryCost {
  std::uint64_t triangles = 0, columns = 0;
};

/// Time of a query on a GPU, in nanoseconds, including the upload of positions; and what can be asked there.
struct GpuSpeed {
  double query = 0;     ///< fixed cost of any query
  double triangle = 0;  ///< per triangle, with the upload of its share of the vertices
  double column = 0;    ///< per column
  bool ends = true;     ///< the engine knows the ends of spans, and gradients
};

// Fitted to `lamella bench automatic` on a Xeon of 16 cores with an H200 (bench/results/).
inline constexpr GpuSpeed kListsSpeed{.query = 160'000, .triangle = 0.6, .column = 1, .ends = false};
inline constexpr GpuSpeed kCudaSpeed{.query = 45'000, .triangle = 0.42, .column = 0.06};

/// Whether a GPU is expected to be faster than `threads` threads.
[[nodiscard]] bool gpu_pays(const GpuSpeed& gpu, const QueryCost& cost, unsigned threads);
/// The same for a batch of pairs, with the triangles and columns of all of them together.
[[nodiscard]] bool gpu_pays_for_batch(std::size_t pairs, const QueryCost& cost);

/// Chooses an engine for every query. Meshes given as views go to the software engine. Kept meshes go to a GPU if there
/// is one and it is expected to be faster: to cuda if available, else to gl-lists. For tests, `gpu` makes the engine to
/// use instead, of the given speed: by default it is always chosen.
using EngineFactory = std::function<std::unique_ptr<Engine>(const EngineOptions&)>;
[[nodiscard]] std::unique_ptr<Engine> make_automatic_engine(const EngineOptions& options, EngineFactory gpu = {},
                                                            const GpuSpeed& speed = {});

/// Chooses an engine for every batch: software, or cuda if it is available and expected to be faster. For tests, `gpu`
/// makes the engine to use instead of cuda.
using BatchFactory = std::function<std::unique_ptr<BatchEngine>(const EngineOptions&, const QueryOptions&)>;
[[nodiscard]] std::unique_ptr<BatchEngine> make_automatic_batch(const EngineOptions& engine, const QueryOptions& query,
                                                                BatchFactory gpu = {});

}  // namespace lamella
