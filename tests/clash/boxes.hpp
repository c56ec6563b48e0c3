#pragma once

#include <gtest/gtest.h>

#include <string>

#include "lamella/clash.hpp"

namespace lamella::test {

/// A box with outward faces.
inline Mesh box_mesh(Vec3 low, Vec3 high) {
  Mesh m;
  for (int i = 0; i < 8; ++i)
    m.positions.push_back(
        {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
  const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    m.triangles.push_back({f[0], f[1], f[2]});
    m.triangles.push_back({f[0], f[2], f[3]});
  }
  return m;
}

inline Mesh cube(float half) { return box_mesh({-half, -half, -half}, {half, half, half}); }

/// Two parts, "a" where it is and "b" at `pose`.
inline Assembly two_parts(Mesh a, Mesh b, const Transform& pose = {}, Vec3d both = {}) {
  Assembly assembly;
  assembly.meshes = {std::move(a), std::move(b)};
  Transform moved = pose;
  moved.translation = moved.translation + both;
  assembly.parts = {{.name = "a", .mesh = 0, .pose = {both, {}}}, {.name = "b", .mesh = 1, .pose = moved}};
  return assembly;
}

/// The only pair of an assembly, listed even if it is clear.
inline ClashPair only_pair(const Assembly& assembly, ClashOptions options = {}) {
  options.keep_clear = true;
  const ClashReport report = find_clashes(assembly, options);
  EXPECT_EQ(report.pairs.size(), 1u);
  return report.pairs.empty() ? ClashPair{} : report.pairs.front();
}

}  // namespace lamella::test
