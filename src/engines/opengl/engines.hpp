#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/pair_finder.hpp"
#include "lamella/engine.hpp"

namespace lamella::opengl {

/// Empty when the engines below can be made here, otherwise why not. Tries the devices on first use.
[[nodiscard]] std::string unavailable();
/// One line per device, in the order of Options::device.
[[nodiscard]] std::vector<std::string> device_lines();
/// Whether device `number` (the first when not given) is a GPU, not a CPU that draws.
[[nodiscard]] bool is_hardware(std::optional<unsigned> number);

/// Throws Error (device) when there is no device of this number.
void require_device(unsigned number);

[[nodiscard]] std::unique_ptr<Engine> make_ordered_engine(const EngineOptions& options);
/// With 24 bits of depth instead of 32, to show what it costs.
[[nodiscard]] std::unique_ptr<Engine> make_coarse_ordered_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<Engine> make_unordered_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<Engine> make_lists_engine(const EngineOptions& options);

/// gl-pairs. Of `options`, max_crossings limits the records of one round.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options);

}  // namespace lamella::opengl
