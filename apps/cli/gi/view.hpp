#pragma once

#include "cli/command.hpp"
#include "lamella/grid.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// Scanned models mostly stand along y, and so do ours for geometry images.
inline constexpr Axis kDefaultUp = Axis::y;

/// --up x|y|z; the target must live until the parse is over.
void add_up_option(const Command& command, Axis& up);

/// The renderer's usual view, which has z up, turned so that `up` is; or from the other side.
void look(picture::Picture& picture, Axis up, bool behind = false);

}  // namespace lamella::cli
