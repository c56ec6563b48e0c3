#pragma once

// The samples of a box's row that a triangle covers, found directly instead of sample by sample.

#include "engines/cuda/triangle.hpp"

namespace lamella::cuda {

/// Samples [first, last] of a row; empty if last < first.
struct RowStretch {
  std::int32_t first, last;
};

/// For stretch_of_row(): inverse of an edge function's change per sample. Need not be exact.
LAMELLA_HOST_DEVICE inline float inverse_of_step(std::int32_t step_u) {
  constexpr float kFlat = 2 * (kMaxSmallExtent + 1);  // half of one times this is beyond every box
  const auto change = static_cast<float>(step_u < 0 ? -step_u : step_u);
#if defined(__CUDA_ARCH__)
  return step_u == 0 ? kFlat : __fdividef(1.0f, change);
#else
  return step_u == 0 ? kFlat : 1.0f / change;
#endif
}

/// The samples of `within` that lie inside all three edges, whose functions are `value`, less the bias, at the row's
/// sample 0.
///
/// An edge function that falls along the row ends the stretch, one that rises begins it: at its value divided by its
/// change per sample, rounded down. A rounded quotient gives the nearest sample; the exact function then decides
/// whether that sample is inside. Values have up to 31 bits and floats 24, but where the quotient is within the box its
/// error is far below a half, and elsewhere only its sign matters. The added half has an effect only where the function
/// is constant along the row: there the value zero, which is inside, must not give a quotient of zero.
LAMELLA_HOST_DEVICE inline RowStretch stretch_of_row(const std::int32_t (&value)[3], const std::int32_t (&step_u)[3],
                                                     const float (&inverse)[3], RowStretch within) {
  constexpr float kReach = kMaxSmallExtent + 1;  // beyond every box, on either side
  for (int k = 0; k < 3; ++k) {
    const float quotient = (static_cast<float>(value[k]) + 0.5f) * inverse[k];
    std::int32_t sample = round_to_int(::fminf(::fmaxf(quotient, -kReach), kReach));
    const std::int32_t change = step_u[k] < 0 ? -step_u[k] : step_u[k];
    sample += (value[k] - sample * change) >> 31;
    if (step_u[k] < 0)
      within.first = within.first > -sample ? within.first : -sample;
    else
      within.last = within.last < sample ? within.last : sample;
  }
  return within;
}

}  // namespace lamella::cuda
