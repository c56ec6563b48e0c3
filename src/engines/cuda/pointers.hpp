#pragma once

#include <cstddef>
#include <string>

#include "engines/cuda/runtime.hpp"
#include "lamella/cuda.hpp"

// The caller's pointers. One to main memory in a kernel would cost the process its access to the GPU, so they are
// looked at before.

namespace lamella::cuda {

/// Throws Error when kernels on this device cannot use an array of `count` of the caller's. `what` is in it, in the
/// plural; `on_host` is what to use for arrays in main memory.
void check_pointer(const void* pointer, std::size_t count, const DeviceFacts& device, const std::string& what,
                   const char* on_host);

/// The same for both arrays of a mesh, called `name`.
void check_pointers(const DeviceMesh& mesh, const DeviceFacts& device, const std::string& name, const char* on_host);

}  // namespace lamella::cuda
