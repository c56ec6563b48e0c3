#pragma once

#include "engines/cuda/frame.hpp"

namespace lamella::cuda {

/// Flags of all points, and the health of all columns; with no points the health alone.
void launch_contains(const Frame& frame, CudaStream stream);

}  // namespace lamella::cuda
