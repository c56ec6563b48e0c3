#pragma once

#include <memory>

#include "engines/pair_finder.hpp"

namespace lamella {

/// Throw Error for an option that is out of range.
void check(const Screen& screen);
void check(const SceneOptions& options);

/// The engine that the options name. Throws Error when there is no such one (input) or it is not available (device).
[[nodiscard]] std::unique_ptr<PairFinder> make_finder(const SceneOptions& options, unsigned threads);

}  // namespace lamella
