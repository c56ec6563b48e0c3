#pragma once

// The interface of this folder to the rest of the library, without CUDA's headers. `unavailable()` is in
// lamella/cuda.hpp.

#include <memory>
#include <string>
#include <vector>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/cuda.hpp"
#include "lamella/engine.hpp"

namespace lamella::cuda {

/// One line per device, in the order of Options::device.
[[nodiscard]] std::vector<std::string> device_lines();

/// Throws Error (device) when there is no device of this number.
void require_device(unsigned number);

[[nodiscard]] std::unique_ptr<Engine> make_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<ShiftFinder> make_shift_finder(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<BatchEngine> make_batch_engine(const EngineOptions& engine, const QueryOptions& query);

}  // namespace lamella::cuda
