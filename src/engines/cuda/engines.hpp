#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "lamella/cuda.hpp"
#include "lamella/engine.hpp"

// What the rest of the library knows of this folder, without CUDA's headers. `unavailable()` is in lamella/cuda.hpp.

namespace lamella::cuda {

/// One line per device, in the order of Options::device.
[[nodiscard]] std::vector<std::string> device_lines();

/// Throws Error (device) when there is no device of this number.
void require_device(unsigned number);

/// The engine "cuda". `options`: device, max_crossings.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Options& options);

/// The same for scenes. `options`: device, threads, max_crossings.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const SceneOptions& options);

/// The same for batches. `options`: all but engine and threads.
[[nodiscard]] std::unique_ptr<BatchEngine> make_batch_engine(const Options& options);

}  // namespace lamella::cuda
