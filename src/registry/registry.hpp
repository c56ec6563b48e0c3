#pragma once

// The list of engines. make_engine() and the lists are public (lamella/engine.hpp); scenes and batches use these
// functions. All throw Error for a name that is unknown or does not support the task (input), or is not available here
// (device).

#include <memory>
#include <string_view>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/engine.hpp"

namespace lamella {

/// For scenes; "automatic" is software.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(std::string_view engine, const EngineOptions& options);

/// For separations; "automatic" is software.
[[nodiscard]] std::unique_ptr<ShiftFinder> make_shift_finder(std::string_view engine, const EngineOptions& options);

[[nodiscard]] std::unique_ptr<BatchEngine> make_batch_engine(const Options& options);

/// Where every batch is to have the same engine, however few pairs it has: cuda if it is available, else software.
[[nodiscard]] std::string_view engine_for_large_batches();

}  // namespace lamella
