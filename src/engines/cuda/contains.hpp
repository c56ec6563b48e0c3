#pragma once

#include "engines/cuda/frame.hpp"

namespace lamella::cuda {

/// Writes the flags of all points and the health of all columns; without points, only the health.
void launch_contains(const Frame& frame, CudaStream stream);

}  // namespace lamella::cuda
