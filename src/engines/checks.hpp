#pragma once

// Checks before and after every query.

#include <string_view>

#include "lamella/error.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Throw Error for options out of range.
void check_resolution(std::uint32_t resolution, const char* name = "resolution");
void check_min_thickness(float min_thickness);
void check_tolerance(const Tolerance& tolerance);
void check_options(const QueryOptions& options);
/// The Error of an engine that does not know which triangles end a span (Options::ends).
[[noreturn]] void refuse_ends(std::string_view engine);

/// The Error of a build that found more of `what` than `limit`, which follows from max_crossings. The message speaks to
/// callers and to users of the command line.
[[nodiscard]] Error too_many_crossings(std::uint64_t limit, std::string_view what = "crossings");

/// Throws Error when `strict` and the health is not ok.
void require_health(const Health& health, bool strict);
/// The same, and when the verdict is undecided.
void require_answer(const Overlap& overlap, bool strict);

}  // namespace lamella
