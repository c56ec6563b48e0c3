#pragma once

#include <functional>

#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// The most columns and rows that a tolerance leads to.
inline constexpr std::uint32_t kMostForTolerance = 4096;

/// Samples until `out.volume_error` is within `options.tolerance`, or says that it is not: out.tolerance_met. `ask`
/// answers into `out` with the resolution and axis that it is given.
void sample_to_tolerance(const QueryOptions& options, const std::function<void(const QueryOptions&)>& ask,
                         Overlap& out);

}  // namespace lamella
