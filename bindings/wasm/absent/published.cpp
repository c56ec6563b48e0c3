// In place of the library's own, for lamella-engine: spheres as GI-COLLIDE has them, to compare with.

#include "geometry_image/sphere_pyramid_kernels.hpp"
#include "lamella/error.hpp"

namespace lamella::pyramid {

std::uint64_t build_published(const Vec3*, const Places&, bool, Workers&) {
  throw Error("published spheres are not in the smaller module: load all of the library with load({ parts: 'all' })");
}

}  // namespace lamella::pyramid
