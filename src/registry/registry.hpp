#pragma once

#include <memory>
#include <string_view>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "lamella/engine.hpp"

// Which engines there are. make_engine() and the lists are public (lamella/engine.hpp); scenes and batches come here.
// All throw Error for a name that is not known or cannot do it (input), or is not available here (device).

namespace lamella {

/// For scenes; "automatic" is software.
[[nodiscard]] std::unique_ptr<PairFinder> make_pair_finder(std::string_view engine, const EngineOptions& options);

[[nodiscard]] std::unique_ptr<BatchEngine> make_batch_engine(const Options& options);

}  // namespace lamella
