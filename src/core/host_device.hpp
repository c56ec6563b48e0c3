#pragma once

// Marks what CUDA kernels and the CPU share: the numerics, so that both get the same bits from the same lines.
#if defined(__CUDACC__)
#define LAMELLA_HOST_DEVICE __host__ __device__
#else
#define LAMELLA_HOST_DEVICE
#endif
