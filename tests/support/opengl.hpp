#pragma once

// What the tests of the OpenGL engines share. They skip where there is no OpenGL.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella::test {

inline const auto kOpenGlEngines = testing::Values("gl-ordered", "gl-unordered", "gl-lists");

/// Test names have no hyphens.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// One engine that draws with OpenGL, and its queries as functions.
class OpenGlTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (const EngineInfo& info : engines())
      if (info.name == GetParam() && !info.available) GTEST_SKIP() << info.name << " is not available: " << info.why;
    engine_ = make({});
  }

  [[nodiscard]] std::unique_ptr<Engine> make(Options options) const {
    options.engine = GetParam();
    options.threads = 2;
    return make_engine(options);
  }
  [[nodiscard]] bool lists() const { return GetParam() == "gl-lists"; }

  Overlap intersect(MeshRef a, MeshRef b, const QueryOptions& options = {}) {
    Overlap out;
    engine_->intersect(a, b, options, out);
    return out;
  }
  SelfOverlap self_intersect(MeshRef mesh, const QueryOptions& options = {}) {
    SelfOverlap out;
    engine_->self_intersect(mesh, options, out);
    return out;
  }
  Containment contains(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options = {}) {
    Containment out;
    engine_->contains(mesh, points, options, out);
    return out;
  }
  Ldi build(MeshRef mesh, const Grid& grid) {
    Ldi out;
    engine_->build(mesh, grid, out);
    return out;
  }

  std::unique_ptr<Engine> engine_;
};

inline constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};

/// Plates of thickness 1 and gaps of 1 along z, `count` of them from z = 1 up, over the unit square. Their triangles
/// come in a seeded order, so that no engine finds its crossings sorted.
inline Mesh stacked_plates(std::uint32_t count, float thickness = 1) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const float z = static_cast<float>(2 * i + 1) * thickness;
    append(mesh, box_mesh({0, 0, z}, {1, 1, z + thickness}));
  }
  Random random(count);
  for (std::size_t i = mesh.triangles.size(); i > 1; --i)
    std::swap(mesh.triangles[i - 1], mesh.triangles[random.below(static_cast<std::uint32_t>(i))]);
  return mesh;
}

/// Spheres one within another, all facing outwards: the winding grows towards the middle.
inline Mesh nested_spheres(int count, int rings = 12) {
  Mesh mesh;
  for (int i = 1; i <= count; ++i)
    append(mesh, round_sphere(rings, 2 * rings, static_cast<float>(i) / static_cast<float>(count)));
  return mesh;
}

inline Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
  return mesh;
}

}  // namespace lamella::test
