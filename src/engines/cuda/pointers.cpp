#include "engines/cuda/pointers.hpp"

#include <fmt/format.h>

#include "lamella/error.hpp"

namespace lamella::cuda {

void check_pointer(const void* pointer, std::size_t count, const DeviceFacts& device, const std::string& what,
                   const char* on_host) {
  if (count == 0) return;
  if (pointer == nullptr) throw Error(fmt::format("{}: the count is {}, but there is no array", what, count));
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, pointer), "look at a pointer");
  if (attributes.type == cudaMemoryTypeUnregistered)
    throw Error(fmt::format("{} are not in the GPU's memory: for arrays in main memory use a {}", what, on_host));
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != device.number)
    throw Error(fmt::format("{} are on CUDA's GPU {}, but GPU {} has to read them: set `device` in the options", what,
                            attributes.device, device.number));
}

void check_pointers(const DeviceMesh& mesh, const DeviceFacts& device, const std::string& name, const char* on_host) {
  check_pointer(mesh.positions, mesh.vertex_count, device, fmt::format("the positions of {}", name), on_host);
  check_pointer(mesh.triangles, mesh.triangle_count, device, fmt::format("the triangles of {}", name), on_host);
}

}  // namespace lamella::cuda
