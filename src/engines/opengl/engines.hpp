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

/// `depth_bits` 24 is for showing what it costs.
[[nodiscard]] std::unique_ptr<Engine> make_ordered_engine(const Options& options, int depth_bits = 32);
[[nodiscard]] std::unique_ptr<Engine> make_unordered_engine(const Options& options);
[[nodiscard]] std::unique_ptr<Engine> make_lists_engine(const Options& options);

/// gl-pairs. `options`: device, threads, max_crossings (here: records of one round).
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(const SceneOptions& options);

}  // namespace lamella::opengl
