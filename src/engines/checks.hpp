#pragma once

// Checks before and after every query.

#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Throw Error for options out of range.
void check_resolution(std::uint32_t resolution, const char* name = "resolution");
void check_min_thickness(float min_thickness);
void check_options(const QueryOptions& options);

/// Throws Error when `strict` and the health is not ok.
void require_health(const Health& health, bool strict);

}  // namespace lamella
