// Ends of spans of the software engine: they lie where the spans end, on surfaces that look the right way.

#include <gtest/gtest.h>

#include <cmath>

#include "gradient_support.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::moved;
using test::round_sphere;
using test::software;

/// Where a span's end lies according to its triangle and weights.
Vec3d place_of(const SpanEnd& end, const Mesh& mesh) {
  const Triangle t = mesh.triangles[end.triangle];
  const double b = end.weight_b, c = end.weight_c;
  return to_double(mesh.positions[t.a]) * (1 - b - c) + to_double(mesh.positions[t.b]) * b +
         to_double(mesh.positions[t.c]) * c;
}

void expect_ends(const Overlap& o, const Mesh& a, const Mesh& b) {
  ASSERT_EQ(o.ends.size(), o.spans.size());
  const double cell = std::max(o.grid.cell_u(), o.grid.cell_v()), most = 2e-3 * cell + 1e-5 * o.grid.depth();
  for (std::size_t i = 0; i < o.spans.size(); ++i)
    for (const bool at_end : {false, true}) {
      const SpanEnd& end = at_end ? o.ends[i].end : o.ends[i].begin;
      ASSERT_LT(end.mesh, 2u);
      const Mesh& mesh = end.mesh == 0 ? a : b;
      ASSERT_LT(end.triangle, mesh.triangles.size());
      const Vec3d place = place_of(end, mesh);
      const Vec3d sample = sample_position(o.grid, o.spans[i].column, at_end ? o.spans[i].end : o.spans[i].begin);
      EXPECT_NEAR(place[o.grid.u()], sample[o.grid.u()], most);
      EXPECT_NEAR(place[o.grid.v()], sample[o.grid.v()], most);
      const Triangle t = mesh.triangles[end.triangle];
      const Vec3d p = to_double(mesh.positions[t.a]), q = to_double(mesh.positions[t.b]);
      const Vec3d n = cross(q - p, to_double(mesh.positions[t.c]) - p);
      EXPECT_EQ(n[o.grid.w()] > 0, at_end);  // a ray leaves a solid where its face looks along the ray
      const double slope = 1 + length(n) / (std::abs(n[o.grid.w()]) + 1e-30);
      EXPECT_NEAR(place[o.grid.w()], sample[o.grid.w()], most * std::min(slope, 1e4));
    }
}

TEST(SpanEnds, LieOnTheirTrianglesAndSpansStayTheSame) {
  const Mesh a = scenes::torus_knot(6000), b = moved(scenes::blob(4000), {0.4f, 0.7f, 0.1f});
  for (const unsigned threads : {1u, 3u})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      Options options = software(200, threads);
      options.axis = axis;
      const Overlap plain = intersect(a, b, options);
      options.ends = true;
      const Overlap o = intersect(a, b, options);
      EXPECT_EQ(o.spans, plain.spans);
      EXPECT_EQ(o.volume, plain.volume);
      EXPECT_TRUE(plain.ends.empty());
      expect_ends(o, a, b);
    }
}

TEST(SpanEnds, OfAMeshWithItself) {
  const Mesh knot = scenes::torus_knot(6000, 0.6f);
  Options options = software(150);
  const SelfOverlap plain = self_intersect(knot, options);
  options.ends = true;
  const SelfOverlap o = self_intersect(knot, options);
  EXPECT_EQ(o.spans, plain.spans);
  ASSERT_GT(o.spans.size(), 100u);
  expect_ends(o, knot, knot);
}

TEST(SpanEnds, OfColumnsBeyondTheLayers) {
  // 40 shells around each other: more crossings in a column than a tile's layers have.
  Mesh shells;
  for (int i = 0; i < 40; ++i) test::append(shells, round_sphere(8, 10, 1.0f + 0.02f * static_cast<float>(i)));
  const Mesh b = box_mesh({-3, -0.5f, -0.5f}, {3, 0.25f, 0.5f});
  Options options = software(24);
  options.axis = Axis::x;
  options.ends = true;
  expect_ends(intersect(shells, b, options), shells, b);
  expect_ends(self_intersect(shells, options), shells, shells);
}

TEST(SpanEnds, OfBoxesThatReachBeyondTheBoxAreTheTrueFaces) {
  // Along x, b's low face lies in the box, a's is moved onto it: b begins the spans.
  const Mesh a = box_mesh({-5, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0.25f, 0.25f}, {5, 0.75f, 0.75f});
  Options options = software(8);
  options.axis = Axis::x;
  options.ends = true;
  for (const SpanEnds& ends : intersect(a, b, options).ends) {
    EXPECT_EQ(ends.begin.mesh, 1u);
    EXPECT_EQ(ends.end.mesh, 0u);
  }
  for (const SpanEnds& ends : intersect(b, a, options).ends) {
    EXPECT_EQ(ends.begin.mesh, 0u);
    EXPECT_EQ(ends.end.mesh, 1u);
  }
}

TEST(SpanEnds, AreRefusedWhereTheyCannotBeGiven) {
  const Mesh a = round_sphere(8, 10), b = round_sphere(8, 10, 1, {0.5f, 0, 0});
  Options options = software(16);
  options.ends = true;
  options.keep_spans = false;
  EXPECT_NE(std::string(test::error_of([&] { (void)intersect(a, b, options); }).what()).find("keep_spans"),
            std::string::npos);
  options.keep_spans = true;
  for (const char* name : {"reference", "software-wscg"}) {
    options.engine = name;
    EXPECT_NE(std::string(test::error_of([&] { (void)intersect(a, b, options); }).what())
                  .find("use software or cuda, or leave out ends"),
              std::string::npos);
    EXPECT_THROW((void)self_intersect(a, options), Error);
    options.ends = false;
    EXPECT_NE(
        std::string(test::error_of([&] { (void)volume_gradient(a, b, options); }).what()).find("software or cuda"),
        std::string::npos);
    EXPECT_THROW((void)self_gradient(a, options), Error);
    options.ends = true;
  }
}

}  // namespace
}  // namespace lamella
