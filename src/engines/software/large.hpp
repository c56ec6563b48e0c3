#pragma once

#include "engines/software/kernels.hpp"

namespace lamella::software {

/// Rasterises one triangle of any size and position, row by row, with exact integer bounds for each row.
void rasterize_large(const LatticeVertex corners[3], std::uint32_t id, const RasterTarget& target, FragmentBuffer& out);

}  // namespace lamella::software
