// The search for the nearest point of a surface, against all triangles and all rays one by one.
#include "response/particles_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "response/closest.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::response {
namespace {

using scenes::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3d point_in(Random& random, const Aabb& box) {
  Vec3d p;
  for (int i = 0; i < 3; ++i) p[i] = random.uniform(double{box.min[i]}, double{box.max[i]});
  return p;
}

/// A surface that was sampled, and what the rays cross, found triangle by triangle.
struct Sampled {
  struct Crossing {
    Vec3d position;
    std::uint32_t face;
    int sign;
    bool outer;  ///< between inside and outside
  };
  struct View {
    Grid grid;
    std::vector<std::vector<Crossing>> columns;  ///< ascending by depth
  };

  Mesh mesh;
  Aabb box;
  software::Sampler<FaceCrossing> sampler{1, 1 << 20};
  ParticleSurface surface;
  View views[3];
  double cell = 0;

  Sampled(const Mesh& m, std::uint32_t resolution)
      : mesh(m), box(bounds(m)), surface(mesh.triangles, mesh.positions.size()) {
    surface.sample(mesh.positions, box, resolution, sampler);
    const Vec3 size = extent(box);
    cell = double{std::max({size.x, size.y, size.z})} / resolution;
    const auto cells = [&](int axis) {
      std::uint32_t n = 1;
      while (n * cell < double{size[axis]} && n < resolution) ++n;
      return n;
    };
    for (int w = 0; w < 3; ++w) {
      views[w].grid = {box, static_cast<Axis>(w), cells((w + 1) % 3), cells((w + 2) % 3)};
      for (std::size_t i = 0; i < views[w].grid.column_count(); ++i) views[w].columns.push_back(crossings(w, i));
    }
  }

  std::vector<Crossing> crossings(int w, std::size_t column) const {
    const Vec3d ray = sample_position(views[w].grid, column, 0);
    Vec3d along;
    along[w] = 1;
    std::vector<Crossing> found;
    for (std::uint32_t f = 0; f < mesh.triangles.size(); ++f) {
      const Triangle t = mesh.triangles[f];
      const Vec3d a = to_double(mesh.positions[t.a]) - ray, b = to_double(mesh.positions[t.b]) - ray,
                  c = to_double(mesh.positions[t.c]) - ray;
      const double wa = dot(along, cross(b, c)), wb = dot(along, cross(c, a)), wc = dot(along, cross(a, b));
      if (!((wa > 0 && wb > 0 && wc > 0) || (wa < 0 && wb < 0 && wc < 0))) continue;
      const double depth = (a[w] * wa + b[w] * wb + c[w] * wc) / (wa + wb + wc);
      // The normal points along the ray where the ray leaves.
      found.push_back({ray + along * depth, f, wa > 0 ? -1 : 1, false});
    }
    std::sort(found.begin(), found.end(),
              [&](const Crossing& x, const Crossing& y) { return x.position[w] < y.position[w]; });
    int winding = 0;
    for (Crossing& c : found) {
      const int before = winding;
      winding += c.sign;
      c.outer = (before > 0) != (winding > 0);
    }
    return found;
  }

  /// The column that a point of the box lies in.
  static std::size_t column_of(const View& view, Vec3d p) {
    const Grid& g = view.grid;
    std::size_t u = 0, v = 0;
    while (u + 1 < g.columns && p[g.u()] >= g.box.min[g.u()] + static_cast<double>(u + 1) * g.cell_u()) ++u;
    while (v + 1 < g.rows && p[g.v()] >= g.box.min[g.v()] + static_cast<double>(v + 1) * g.cell_v()) ++v;
    return v * g.columns + u;
  }

  template <class Visit>
  void for_crossings(const Visit& visit) const {
    for (const View& view : views)
      for (const auto& column : view.columns)
        for (const Crossing& c : column) visit(c);
  }
};

/// Two boxes that share a corner region, so that the surface has parts inside the solid.
Mesh crossed_boxes() {
  Mesh mesh = test::box_mesh({-1, -0.8f, -0.9f}, {0.4f, 0.5f, 0.3f});
  test::append(mesh, test::box_mesh({-0.3f, -0.2f, -0.33f}, {1.1f, 0.7f, 0.8f}));
  return mesh;
}

/// Turned, so that no ray goes through an edge.
std::vector<Mesh> bodies() {
  std::vector<Mesh> meshes{scenes::sphere(200), scenes::torus(300), scenes::blob(300), crossed_boxes(),
                           test::box_mesh({0, 0, 0}, {1, 0.37f, 2})};
  for (Mesh& mesh : meshes) mesh = transformed(mesh, {{}, rotation_about({1, 2, 3}, 0.6)});
  return meshes;
}

bool share_a_vertex(const Triangle& s, const Triangle& t) {
  for (int i = 0; i < 3; ++i)
    if (s[i] == t.a || s[i] == t.b || s[i] == t.c) return true;
  return false;
}

TEST(ParticleSurface, FindsTheNearestPointOfATriangle) {
  Random random(31);
  software::Sampler<FaceCrossing> sampler(1, 1000);
  int corners = 0, edges = 0, middles = 0;
  for (int n = 0; n < 4000; ++n) {
    Mesh mesh;
    for (int i = 0; i < 3; ++i) mesh.positions.push_back(to_float(random.direction() * random.uniform(0.1, 2)));
    if (n % 10 == 0) mesh.positions[2] = (mesh.positions[0] + mesh.positions[1]) * 0.5f;  // no area
    if (n % 50 == 0) mesh.positions[1] = mesh.positions[2] = mesh.positions[0];
    mesh.triangles = {{0, 1, 2}};
    const Vec3d p = random.direction() * random.uniform(0, 4);
    ParticleSurface surface(mesh.triangles, 3);
    surface.sample(mesh.positions, {{-2, -2, -2}, {2, 2, 2}}, 1, sampler);
    const SurfaceHit hit = surface.closest_on(p, 0);
    EXPECT_EQ(hit.face, 0u);
    EXPECT_NEAR(hit.weights[0] + hit.weights[1] + hit.weights[2], 1, 1e-12);
    for (const double weight : hit.weights) EXPECT_GE(weight, 0);
    EXPECT_LT(length(surface.at(hit, mesh.positions) - hit.position), 1e-12);
    EXPECT_NEAR(hit.distance2, dot(hit.position - p, hit.position - p), 1e-12);
    const double nearest = test::triangle_distance(p, to_double(mesh.positions[0]), to_double(mesh.positions[1]),
                                                   to_double(mesh.positions[2]));
    EXPECT_NEAR(std::sqrt(hit.distance2), nearest, n % 10 == 0 ? 1e-6 : 1e-10) << "case " << n;
    const int zeros = (hit.weights[0] == 0) + (hit.weights[1] == 0) + (hit.weights[2] == 0);
    corners += zeros == 2;
    edges += zeros == 1;
    middles += zeros == 0;
  }
  EXPECT_GT(std::min({corners, edges, middles}), 300);
}

TEST(ParticleSurface, TheNormalOfATrianglePointsOutwardsAndIsZeroWithoutArea) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Vec3> p{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {1, 0, 0}, {0, 0, nan}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 2, 1}, {0, 3, 1}, {0, 1, 4}};
  const ParticleSurface surface(triangles, p.size());
  EXPECT_EQ(surface.normal(0, p), (Vec3d{0, 0, 1}));
  EXPECT_EQ(surface.normal(1, p), (Vec3d{0, 0, -1}));
  EXPECT_EQ(surface.normal(2, p), Vec3d{});
  EXPECT_EQ(surface.normal(3, p), Vec3d{});
}

TEST(ParticleSurface, TellsOfAPointWhatTheThreeRaysNextToItTell) {
  Random random(32);
  int inside = 0, near = 0, clear = 0;
  for (const Mesh& mesh : bodies()) {
    const Sampled s(mesh, 12);
    EXPECT_NEAR(s.surface.cell(), s.cell, 1e-7);
    const double doubt = 0.01 * s.cell;  // vertices move to a lattice
    for (int n = 0; n < 400; ++n) {
      const Vec3 point = to_float(point_in(random, s.box));
      const Vec3d p = to_double(point);
      bool is_inside = false, is_near = false, sure = true;
      double nearest = kInfinity;
      for (int w = 0; w < 3; ++w) {
        int winding = 0;
        for (const Sampled::Crossing& c : s.views[w].columns[Sampled::column_of(s.views[w], p)]) {
          const double along = c.position[w] - p[w];
          if (along < 0) winding += c.sign;
          is_near = is_near || std::abs(along) < s.cell;
          sure = sure && std::abs(along) > doubt && std::abs(std::abs(along) - s.cell) > doubt;
          if (c.outer) nearest = std::min(nearest, length(c.position - p));
        }
        is_inside = is_inside || winding > 0;
      }
      const PointPlace place = s.surface.locate(point);
      EXPECT_FALSE(place.open);
      if (!sure) continue;
      EXPECT_EQ(place.inside, is_inside);
      EXPECT_EQ(place.near, is_near);
      ASSERT_EQ(place.face != SurfaceHit::kNone, nearest < kInfinity);
      inside += is_inside;
      near += is_near && !is_inside;
      clear += !is_near && !is_inside;
      if (nearest == kInfinity) continue;
      double of_face = kInfinity;  // or of its neighbour, where the lattice moved the edge between them over the ray
      for (int w = 0; w < 3; ++w)
        for (const Sampled::Crossing& c : s.views[w].columns[Sampled::column_of(s.views[w], p)])
          if (c.outer && share_a_vertex(mesh.triangles[c.face], mesh.triangles[place.face]))
            of_face = std::min(of_face, length(c.position - p));
      EXPECT_LE(of_face, nearest + doubt);
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(near, 100);
  EXPECT_GT(clear, 20);
}

TEST(ParticleSurface, KnowsNothingOfPointsOutsideTheBoxAndAllOfThoseOnIt) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const Sampled s(box, 4);
  const PointPlace corner = s.surface.locate({1, 1, 1}), side = s.surface.locate({0, 0.5f, 0.6f});
  EXPECT_TRUE(corner.near && side.near);
  EXPECT_NE(corner.face, SurfaceHit::kNone);
  // A cell is a quarter.
  EXPECT_TRUE(s.surface.locate({0.5f, 0.5f, 0.24f}).near);
  EXPECT_FALSE(s.surface.locate({0.5f, 0.5f, 0.25f}).near);
  EXPECT_TRUE(s.surface.locate({0.5f, 0.5f, 0.25f}).inside);
  for (int axis = 0; axis < 3; ++axis)
    for (const float beyond : {-0.001f, 1.001f, std::numeric_limits<float>::quiet_NaN()}) {
      Vec3 p{0.5f, 0.5f, 0.5f};
      p[axis] = beyond;
      const PointPlace place = s.surface.locate(p);
      EXPECT_FALSE(place.inside || place.near || place.open);
      EXPECT_EQ(place.face, SurfaceHit::kNone);
    }
}

TEST(ParticleSurface, FindsNothingFurtherAwayThanAnyRayCrossesTheSurface) {
  Random random(33);
  for (const Mesh& mesh : bodies()) {
    const Sampled s(mesh, 12);
    for (int n = 0; n < 150; ++n) {
      const Aabb around{s.box.min - extent(s.box) * 0.2f, s.box.max + extent(s.box) * 0.2f};
      const Vec3d p = point_in(random, n % 3 == 0 ? around : s.box);
      double nearest = kInfinity, nearest_above = kInfinity;
      const auto above = [](const SurfaceHit& hit) { return hit.position.z > 0.1; };
      s.for_crossings([&](const Sampled::Crossing& c) {
        if (!c.outer) return;
        nearest = std::min(nearest, length(c.position - p));
        if (above(s.surface.closest_on(p, c.face))) nearest_above = std::min(nearest_above, length(c.position - p));
      });
      SurfaceHit any, upper;
      s.surface.find_nearest(
          p, [](const SurfaceHit&) { return true; }, any);
      ASSERT_TRUE(any.found());
      EXPECT_LE(std::sqrt(any.distance2), nearest + 0.01 * s.cell);
      EXPECT_NEAR(length(any.position - p), std::sqrt(any.distance2), 1e-9);
      s.surface.find_nearest(p, above, upper);
      ASSERT_TRUE(upper.found());
      EXPECT_TRUE(above(upper));
      EXPECT_LE(std::sqrt(upper.distance2), nearest_above + 0.01 * s.cell);
      // What is given is kept unless there is something nearer.
      SurfaceHit kept = any;
      s.surface.find_nearest(
          p, [](const SurfaceHit&) { return true; }, kept);
      EXPECT_EQ(kept.face, any.face);
      SurfaceHit limited;
      limited.distance2 = any.distance2 * 0.5;
      s.surface.find_nearest(
          p, [](const SurfaceHit&) { return true; }, limited);
      if (limited.found()) {
        EXPECT_LT(limited.distance2, any.distance2 * 0.5);
      }
    }
  }
}

/// Whether the two faces share a corner that the hit on the first has a weight of.
bool meet_at(const SurfaceHit& hit, const Triangle& t, const Triangle& other) {
  for (int i = 0; i < 3; ++i) {
    if (!(hit.weights[i] > 0)) continue;
    if (t[i] != other.a && t[i] != other.b && t[i] != other.c) return false;
  }
  return true;
}

TEST(ParticleSurface, GoesOnToNearerNeighboursUntilThereIsNone) {
  Random random(34);
  int ended_on_edges = 0;
  for (const Mesh& mesh : bodies()) {
    const Sampled s(mesh, 12);
    for (int n = 0; n < 200; ++n) {
      const Vec3d p = point_in(random, s.box);
      const auto start = static_cast<std::uint32_t>(random.next() % mesh.triangles.size());
      const SurfaceHit hit = s.surface.nearest_from(p, start);
      EXPECT_LE(hit.distance2, s.surface.closest_on(p, start).distance2 * (1 + 1e-9));
      EXPECT_LT(length(hit.normal - s.surface.normal(hit.face, mesh.positions)), 1e-15);
      const double facing = std::abs(dot(p - hit.position, hit.normal));
      bool on_edge = false;
      for (std::uint32_t f = 0; f < mesh.triangles.size(); ++f) {
        if (!meet_at(hit, mesh.triangles[hit.face], mesh.triangles[f]) || f == hit.face) continue;
        on_edge = true;
        const SurfaceHit other = s.surface.closest_on(p, f);
        EXPECT_GE(other.distance2, hit.distance2 * (1 - 1e-8));
        // Of those as near, it is the face that looks at the point most.
        if (other.distance2 <= hit.distance2 * (1 + 1e-12)) {
          EXPECT_GE(facing, std::abs(dot(p - hit.position, s.surface.normal(f, mesh.positions))) - 1e-9);
        }
      }
      ended_on_edges += on_edge;
    }
  }
  EXPECT_GT(ended_on_edges, 50);
}

}  // namespace
}  // namespace lamella::response
