#pragma once

// A stand-in for CUDA's own header, so that the very files of src/engines/cuda compile with a plain C++ compiler and
// run on a CPU, for tests. Compile them with -DLAMELLA_CUDA_EMULATION and this folder first among the include folders,
// and link the .cpp files of this folder:
//
//   g++ -std=c++20 -ffp-contract=off -DLAMELLA_CUDA_EMULATION -I tests/support/cuda_emulation -I include -I src
//       -x c++ src/engines/cuda/*.cu src/engines/cuda/*.cpp my_test.cpp tests/support/cuda_emulation/*.cpp ...
//
// What it is: the threads of a block are fibers on one thread of the system, the blocks of a grid run one after
// another. A fiber runs until a barrier, a warp intrinsic or its end (now and then an atomic lets others go first), and
// who goes next is drawn by a seeded generator: set_schedule() of emulation.hpp gives other orders, which is how a
// missing barrier shows. A barrier that can never be complete ends the program with a message that says who waits
// where. Device memory is filled with 0xAB when it is made and ends at a page that cannot be touched.
//
// What it is not: fast, or a model of time. Streams and graphs run at once unless set_deferred() is on, kernels never
// overlap, and pointers to host memory work in kernels. Sanitizers work; AddressSanitizer sees more of shared arrays.
//
// It knows what the engine uses and no more: a missing name is a compile error.

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device.hpp"
#include "emulation.hpp"
#include "host.hpp"
#include "types.hpp"
