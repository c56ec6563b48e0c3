#pragma once

#include <string_view>

#include "cli/command.hpp"
#include "lamella/image_collide.hpp"

// Which variant of GI-COLLIDE `gi collide` runs: the published one beside the library's own.

namespace lamella::cli {

struct CollideMethod {
  SphereFit spheres = SphereFit::tight;
  bool compact = false;  ///< bodies of 16-bit codes
};

/// --spheres, --walk and --compact.
void add_method_options(const Command& command, CollideMethod& method, ImageCollideOptions& options);

[[nodiscard]] std::string_view name_of(SphereFit spheres);
[[nodiscard]] std::string_view name_of(ImageWalk walk);

}  // namespace lamella::cli
