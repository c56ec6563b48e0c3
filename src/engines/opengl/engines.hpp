#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/pair_finder.hpp"
#include "lamella/engine.hpp"

namespace lamella::opengl {

/// Empty when the engines below are available here, otherwise the reason why not. Tests the devices on first use.
[[nodiscard]] std::string unavailable();
/// One line per device, in the order of Options::device.
[[nodiscard]] std::vector<std::string> device_lines();
/// Whether device `number` (the first when not given) is a real GPU, not a software renderer on the CPU.
[[nodiscard]] bool is_hardware(std::optional<unsigned> number);

/// Throws Error (device) when there is no device of this number.
void require_device(unsigned number);

[[nodiscard]] std::unique_ptr<Engine> make_ordered_engine(const EngineOptions& options);
/// With 24 bits of depth instead of 32, to show the effect.
[[nodiscard]] std::unique_ptr<Engine> make_coarse_ordered_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<Engine> make_unordered_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<Engine> make_tr395_engine(const EngineOptions& options);
[[nodiscard]] std::unique_ptr<Engine> make_lists_engine(const EngineOptions& options);

/// gl-pairs. `options.max_crossings` limits the records of one round.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options);

}  // namespace lamella::opengl
