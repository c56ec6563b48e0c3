#pragma once

// Checks of the caller's pointers. A kernel that reads a pointer to main memory would cost the process its access to
// the GPU, so pointers are checked before.

#include <cstddef>
#include <string>

#include "engines/cuda/runtime.hpp"
#include "lamella/cuda.hpp"

namespace lamella::cuda {

/// Throws Error when kernels on this device cannot use the caller's array of `count` elements. For the message: `what`
/// names the elements, in the plural; `on_host` is the class to use for arrays in main memory.
void check_pointer(const void* pointer, std::size_t count, const DeviceFacts& device, const std::string& what,
                   const char* on_host);

/// The same for both arrays of a mesh, called `name`.
void check_pointers(const DeviceMesh& mesh, const DeviceFacts& device, const std::string& name, const char* on_host);

}  // namespace lamella::cuda
