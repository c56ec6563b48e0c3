#pragma once

// Macros for the numerics that CUDA kernels and the CPU share: the same lines give both the same bits.
#if defined(__CUDACC__)
#define LAMELLA_HOST_DEVICE __host__ __device__
/// Before a loop that nvcc must not unroll: a kernel's code has to stay small.
#define LAMELLA_KEEP_ROLLED _Pragma("unroll 1")
/// Before a short loop that nvcc must unroll.
#define LAMELLA_UNROLLED _Pragma("unroll")
#else
#define LAMELLA_HOST_DEVICE
#define LAMELLA_KEEP_ROLLED
#define LAMELLA_UNROLLED
#endif

namespace lamella {

// Minimum and maximum of two numbers that are not NaN, and absolute value: one instruction each on a GPU.

LAMELLA_HOST_DEVICE inline float min_of(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return b < a ? b : a;
#endif
}
LAMELLA_HOST_DEVICE inline float max_of(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a < b ? b : a;
#endif
}
LAMELLA_HOST_DEVICE inline float abs_of(float a) {
#if defined(__CUDA_ARCH__)
  return fabsf(a);
#else
  return a < 0 ? -a : a;
#endif
}

}  // namespace lamella
