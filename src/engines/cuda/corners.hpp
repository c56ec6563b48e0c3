#pragma once

#include "engines/cuda/platform.hpp"
#include "lamella/cuda.hpp"

namespace lamella::cuda {

struct Corners {
  Vec3 at[3];
};

__device__ inline Corners load_corners(const DeviceMesh& mesh, const Triangle& t) {
  return {{mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]}};
}
__device__ inline Corners load_corners(const DeviceMesh& mesh, std::uint32_t triangle) {
  return load_corners(mesh, mesh.triangles[triangle]);
}

}  // namespace lamella::cuda
