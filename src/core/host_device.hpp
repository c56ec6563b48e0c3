#pragma once

// Marks what CUDA kernels and the CPU share: the numerics, so that both get the same bits from the same lines.
#if defined(__CUDACC__)
#define LAMELLA_HOST_DEVICE __host__ __device__
/// Before a loop whose body nvcc must not copy: a kernel's code has to stay small.
#define LAMELLA_KEEP_ROLLED _Pragma("unroll 1")
/// Before a loop of a few steps that it must.
#define LAMELLA_UNROLLED _Pragma("unroll")
#else
#define LAMELLA_HOST_DEVICE
#define LAMELLA_KEEP_ROLLED
#define LAMELLA_UNROLLED
#endif
