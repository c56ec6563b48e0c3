#pragma once

// How the tests compare answers of the CUDA engine with the software engine's: everything to the bit, but for sums,
// whose order differs.

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>
#include <string>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/cuda.hpp"
#include "support/errors.hpp"

namespace lamella::test {

inline std::string words(const Health& h) {
  std::ostringstream out;
  out.precision(10);
  out << h.open_columns << " open of " << h.occupied_columns << ", " << h.inside_out_columns << " inside out, "
      << h.skipped_triangles << " skipped, " << h.dropped_crossings << " dropped, untrusted " << h.untrusted_volume
      << " and " << h.untrusted_points << " points";
  return out.str();
}

inline void expect_same_health(const Health& got, const Health& want) {
  EXPECT_EQ(got.open_columns, want.open_columns);
  EXPECT_EQ(got.occupied_columns, want.occupied_columns);
  EXPECT_EQ(got.inside_out_columns, want.inside_out_columns);
  EXPECT_EQ(got.skipped_triangles, want.skipped_triangles);
  EXPECT_EQ(got.dropped_crossings, want.dropped_crossings);
  EXPECT_EQ(got.untrusted_volume, want.untrusted_volume);
  EXPECT_EQ(got.untrusted_points, want.untrusted_points);
}

inline void expect_same_volume(double volume, Vec3d centroid, const Overlap& expected) {
  EXPECT_NEAR(volume, expected.volume, 1e-12 * expected.volume);
  if (expected.volume == 0) {
    EXPECT_EQ(centroid, Vec3d{});
    return;
  }
  const Vec3d size = to_double(extent(expected.grid.box));
  for (int k = 0; k < 3; ++k) {
    const double largest = std::max(std::abs(expected.centroid[k]), size[k]);
    EXPECT_NEAR(centroid[k], expected.centroid[k], 1e-12 * largest);
  }
}

inline void expect_same(const Overlap& o, const Overlap& expected) {
  EXPECT_EQ(o.grid, expected.grid);
  EXPECT_EQ(words(o.health), words(expected.health));
  EXPECT_TRUE(o.spans == expected.spans) << o.spans.size() << " spans, expected " << expected.spans.size();
  EXPECT_EQ(o.bounds, expected.bounds);
  expect_same_volume(o.volume, o.centroid, expected);
  EXPECT_NEAR(o.volume_error, expected.volume_error, 1e-12 * expected.volume_error);
}

inline void expect_same(const SelfOverlap& o, const SelfOverlap& expected) {
  expect_same(static_cast<const Overlap&>(o), static_cast<const Overlap&>(expected));
  EXPECT_TRUE(o.inside_out == expected.inside_out)
      << o.inside_out.size() << " spans, expected " << expected.inside_out.size();
  EXPECT_NEAR(o.inside_out_volume, expected.inside_out_volume, 1e-12 * expected.inside_out_volume);
}

inline void expect_same(const Containment& c, const Containment& expected) {
  EXPECT_EQ(c.grid, expected.grid);
  EXPECT_EQ(c.inside_count, expected.inside_count);
  EXPECT_TRUE(c.inside == expected.inside);
  EXPECT_EQ(words(c.health), words(expected.health));
}

inline void expect_same(const Ldi& ldi, const Ldi& expected) {
  EXPECT_EQ(ldi.grid, expected.grid);
  EXPECT_EQ(ldi.outside, expected.outside);
  ASSERT_TRUE(ldi.offsets == expected.offsets);
  EXPECT_TRUE(ldi.crossings == expected.crossings);
  EXPECT_EQ(ldi.skipped_triangles, expected.skipped_triangles);
}

inline Overlap intersect(Engine& engine, MeshRef a, MeshRef b, const QueryOptions& options = {}) {
  Overlap out;
  engine.intersect(a, b, options, out);
  return out;
}
inline SelfOverlap self_intersect(Engine& engine, MeshRef mesh, const QueryOptions& options = {}) {
  SelfOverlap out;
  engine.self_intersect(mesh, options, out);
  return out;
}
inline Containment contains(Engine& engine, MeshRef mesh, std::span<const Vec3> points,
                            const QueryOptions& options = {}) {
  Containment out;
  engine.contains(mesh, points, options, out);
  return out;
}
inline Ldi build(Engine& engine, MeshRef mesh, const Grid& grid) {
  Ldi out;
  engine.build(mesh, grid, out);
  return out;
}

/// Plates of thickness 1 and gaps of 1 along z over the unit square, their triangles in a seeded order.
inline Mesh stacked_plates(std::uint32_t count) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto z = static_cast<float>(2 * i + 1);
    append(mesh, box_mesh({0, 0, z}, {1, 1, z + 1}));
  }
  Random random(count);
  for (std::size_t i = mesh.triangles.size(); i > 1; --i)
    std::swap(mesh.triangles[i - 1], mesh.triangles[random.below(static_cast<std::uint32_t>(i))]);
  return mesh;
}

/// Spheres one within another, all facing outwards: the winding grows towards the middle.
inline Mesh nested_spheres(int count, int rings) {
  Mesh mesh;
  for (int i = 1; i <= count; ++i)
    append(mesh, round_sphere(rings, 2 * rings, static_cast<float>(i) / static_cast<float>(count)));
  return mesh;
}

inline Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

inline Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
  return mesh;
}

/// Within the box of the mesh, beyond it, on its corners, and where no number is.
inline std::vector<Vec3> points_around(MeshView mesh, std::size_t count) {
  const Aabb box = bounds(mesh);
  Random random(static_cast<std::uint32_t>(count));
  const Vec3 margin = extent(box) * 0.1f;
  std::vector<Vec3> points = {box.min, box.max, center(box), {NAN, 0, 0}, {0, 0, INFINITY}, {1e30f, -1e30f, 0}};
  while (points.size() < count) points.push_back(random.in({box.min - margin, box.max + margin}));
  return points;
}

/// Memory that is all but used up as long as this lives.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::size_t left) {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
#if defined(LAMELLA_CUDA_EMULATION)
    cuda_emulation::set_memory_limit(total - free + left);
#else
    // What is free may be in pieces: take what there is until no more than `left` remains.
    for (std::size_t piece = free; piece >= left / 8 && free > left; piece /= 2) {
      void* data = nullptr;
      while (free > left && cudaMalloc(&data, std::min(piece, free - left)) == cudaSuccess) {
        taken_.push_back(data);
        (void)cudaMemGetInfo(&free, &total);
      }
      (void)cudaGetLastError();
    }
#endif
  }
  ~ScarceMemory() {
#if defined(LAMELLA_CUDA_EMULATION)
    cuda_emulation::set_memory_limit(cuda_emulation::kDeviceMemory);
#else
    for (void* data : taken_) (void)cudaFree(data);
#endif
  }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;

 private:
  std::vector<void*> taken_;
};

}  // namespace lamella::test
