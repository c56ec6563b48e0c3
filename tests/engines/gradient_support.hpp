#pragma once

// What the tests of gradients and of ends of spans share.

#include <gtest/gtest.h>

#include "lamella/options.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

/// Meshes are sampled as they are, by the software engine.
inline Options software(std::uint32_t resolution, unsigned threads = 1) {
  Options options{.engine = "software", .resolution = resolution, .threads = threads};
  options.close_holes = false;
  return options;
}

inline void expect_near(Vec3d found, Vec3d expected, double most, const char* what) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], most) << what << " along " << k;
}

inline Vec3d sum(const std::vector<Vec3>& vectors) {
  Vec3d total;
  for (const Vec3& v : vectors) total += to_double(v);
  return total;
}

inline Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

}  // namespace lamella::test
