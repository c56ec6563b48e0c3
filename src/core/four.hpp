#pragma once

// Four floats in one register, with the vector extensions of GCC and Clang. Every 64-bit processor has registers of
// this size in its baseline, so there is no dispatch at run time.

#include <cstring>

namespace lamella {

using Four = float __attribute__((vector_size(16)));

inline Four load(const float* from) {
  Four v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline Four all(float value) { return Four{value, value, value, value}; }

/// Bit i: lane i is 0 or more; never set for NaN.
inline unsigned not_negative(Four v) {
  const auto yes = v >= all(0);
#if defined(__SSE__)
  return static_cast<unsigned>(__builtin_ia32_movmskps((Four)yes));
#else
  return (yes[0] & 1) | (yes[1] & 2) | (yes[2] & 4) | (yes[3] & 8);
#endif
}

/// Transposes in place.
inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5), ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Four bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5), bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5);
  b = __builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7);
  c = __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5);
  d = __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7);
}

}  // namespace lamella
