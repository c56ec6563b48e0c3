#pragma once

#include "engines/software/kernels.hpp"

namespace lamella::software {

/// Rasterises a triangle of any size into the part of the target's window that is in the tile of `out`.
void rasterize_large(const LatticeVertex corners[3], std::uint32_t face, const RasterTarget& target, Layers& out);

}  // namespace lamella::software
