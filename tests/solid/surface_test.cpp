#include "solid/surface.hpp"

#include <gtest/gtest.h>

#include "support/closed_meshes.hpp"

namespace lamella::solid {
namespace {

/// The spans of one column: half a step around its points. All end at face 0.
void add_spans(const PointBits& bits, int axis, std::array<std::uint32_t, 3> point, SpanView& view) {
  const std::uint32_t n = bits.points(axis);
  bool open = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    point[axis] = i;
    const bool inside = bits.at(point[0], point[1], point[2]);
    if (inside && !open) view.spans.push_back({static_cast<float>(i), 0, 0, 0});
    if (!inside && open) view.spans.back().end = static_cast<float>(i);
    open = inside;
  }
}

/// The surface around points alone: the face of all crossings has no area, so that they have no planes.
OverlapSolid surface_of(const PointBits& bits) {
  const std::uint32_t n = bits.points(0);
  const PointLattice lattice{{{0, 0, 0}, {static_cast<float>(n), static_cast<float>(n), static_cast<float>(n)}}, n};
  std::array<SpanView, 3> views;
  for (int axis = 0; axis < 3; ++axis) {
    views[axis].grid = lattice.grid(axis);
    for (std::uint32_t v = 0; v < n; ++v)
      for (std::uint32_t u = 0; u < n; ++u) {
        views[axis].first.push_back(static_cast<std::uint32_t>(views[axis].spans.size()));
        std::array<std::uint32_t, 3> point{};
        point[(axis + 1) % 3] = u;
        point[(axis + 2) % 3] = v;
        add_spans(bits, axis, point, views[axis]);
      }
    views[axis].first.push_back(static_cast<std::uint32_t>(views[axis].spans.size()));
  }
  const Mesh dot{{{}}, {{0, 0, 0}}};
  const Meshes meshes(dot, nullptr);
  Workers workers(1);
  const PointBits found = points_inside(views, lattice, workers);
  for (std::uint32_t x = 0; x < n; ++x)
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t z = 0; z < n; ++z) EXPECT_EQ(found.at(x, y, z), bits.at(x, y, z));
  OverlapSolid out;
  make_surface(meshes, views, lattice, bits, {}, workers, out);
  return out;
}

TEST(Surface, AroundOnePointIsAClosedOctahedronsDual) {
  PointBits bits({3, 3, 3});
  bits.toggle(1, 1, 1);
  const OverlapSolid out = surface_of(bits);
  EXPECT_EQ(out.mesh.positions.size(), 8u);
  EXPECT_EQ(out.mesh.triangles.size(), 12u);
  EXPECT_TRUE(inspect(out.mesh).closed);
  EXPECT_GT(signed_volume(out.mesh), 0);
}

TEST(Surface, IsManifoldAroundAnyPoints) {
  test::Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t n = 4 + random.below(9), tenths = 1 + random.below(9);
    PointBits bits({n, n, n});
    for (std::uint32_t x = 1; x + 1 < n; ++x)
      for (std::uint32_t y = 1; y + 1 < n; ++y)
        for (std::uint32_t z = 1; z + 1 < n; ++z)
          if (random.below(10) < tenths) bits.toggle(x, y, z);
    const OverlapSolid out = surface_of(bits);
    if (out.empty()) continue;
    const MeshReport report = inspect(out.mesh);
    ASSERT_TRUE(report.closed) << "round " << round << ": " << report.nonmanifold_edges << " non-manifold edges, "
                               << report.boundary_edges << " open ones";
    ASSERT_GT(signed_volume(out.mesh), 0);
  }
}

TEST(Surface, OfColumnsOfMoreThanOneWordIsClosed) {
  for (const std::uint32_t n : {63u, 64u, 65u, 66u, 130u}) {
    PointBits bits({n, n, n});
    for (std::uint32_t z = 1; z + 1 < n; ++z) bits.toggle(2, 2, z);
    const OverlapSolid out = surface_of(bits);
    EXPECT_TRUE(inspect(out.mesh).closed) << n;
    EXPECT_EQ(inspect(out.mesh).components, 1u);
    EXPECT_EQ(out.mesh.triangles.size(), 2 * (4 * (n - 2) + 2)) << "a quad for each edge";
  }
}

}  // namespace
}  // namespace lamella::solid
