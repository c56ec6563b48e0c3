#include "query/witness.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

/// One span in the middle of a grid of 16 x 16 columns over the unit square.
struct Middle {
  Grid grid = square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 16);
  Span span{8 * 16 + 8, 0.2f, 0.8f};
};

TEST(Witness, ARayInsideTwoBoxesIsCertain) {
  const Middle m;
  const Mesh a = scenes::box(12, {2, 2, 0.7f}), b = moved(scenes::box(12, {2, 2, 0.7f}), {0, 0, 0.9f});
  EXPECT_EQ(check_spans(a, b, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
  EXPECT_EQ(check_spans(b, a, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
}

TEST(Witness, ARayBetweenTwoBoxesIsRefuted) {
  const Middle m;
  const Mesh a = scenes::box(12, {2, 2, 0.2f}), b = moved(scenes::box(12, {2, 2, 0.2f}), {0, 0, 0.9f});
  const SpanCheck check = check_spans(a, b, m.grid, {&m.span, 1});
  EXPECT_EQ(check.refuted, 1u);
  EXPECT_EQ(check.verdict(), Verdict::clear);
}

TEST(Witness, FacesAtOneDepthAreUncertainUpToTheirRounding) {
  const Middle m;
  const Mesh a = scenes::box(12, {2, 2, 0.3f});
  for (const float gap : {-1e-8f, 0.0f, 1e-8f}) {
    const Mesh b = moved(scenes::box(12, {2, 2, 0.3f}), {0, 0, 0.6f + gap});
    EXPECT_EQ(check_spans(a, b, m.grid, {&m.span, 1}).verdict(), Verdict::undecided) << gap;
  }
  const Mesh deep = moved(scenes::box(12, {2, 2, 0.3f}), {0, 0, 0.6f - 1e-4f});
  EXPECT_EQ(check_spans(a, deep, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
  const Mesh apart = moved(scenes::box(12, {2, 2, 0.3f}), {0, 0, 0.6f + 1e-4f});
  EXPECT_EQ(check_spans(a, apart, m.grid, {&m.span, 1}).verdict(), Verdict::clear);
}

TEST(Witness, SlopesAddToTheError) {
  // Faces tilted by 89.9 degrees that touch: a rounding across the ray is 573 times as long along it.
  const Middle m;
  const double angle = 89.9 * 3.14159265358979 / 180;
  const Transform turn{{0.53125, 0.53125, 0.5}, {std::sin(angle / 2), 0, 0, std::cos(angle / 2)}};
  const Mesh a = transformed(moved(scenes::box(12, {3, 3, 1}), {0, 0, 1}), turn);
  const Mesh b = transformed(moved(scenes::box(12, {3, 3, 1}), {0, 0, -1}), turn);
  EXPECT_NE(check_spans(a, b, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
  const Mesh deeper = transformed(moved(scenes::box(12, {3, 3, 1}), {0, 0, 0.99f}), turn);
  EXPECT_EQ(check_spans(deeper, b, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
}

TEST(Witness, ARayThroughAnEdgeIsTriedBesideIt) {
  // The sample lies exactly on the diagonals of both boxes' faces.
  const Middle m;
  const Vec3 at = to_float(sample_position(m.grid, m.span.column, 0.5));
  const Mesh a = moved(scenes::box(12, {1, 1, 0.3f}), at),
             b = moved(scenes::box(12, {1, 1, 0.3f}), at + Vec3{0, 0, 0.1f});
  EXPECT_EQ(check_spans(a, b, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
}

TEST(Witness, AMeshThatCoversItselfTwiceIsCertain) {
  const Middle m;
  Mesh two = scenes::box(12, {2, 2, 0.7f});
  const Mesh other = moved(two, {0, 0, 0.9f});
  EXPECT_EQ(check_spans(two, m.grid, {&m.span, 1}).verdict(), Verdict::clear);
  for (const Triangle& t : other.triangles) two.triangles.push_back({t.a + 8, t.b + 8, t.c + 8});
  two.positions.insert(two.positions.end(), other.positions.begin(), other.positions.end());
  EXPECT_EQ(check_spans(two, m.grid, {&m.span, 1}).verdict(), Verdict::colliding);
}

TEST(Witness, AnOpenMeshProvesNothing) {
  const Middle m;
  Mesh open = scenes::box(12, {2, 2, 0.7f});
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return open.positions[t.a].z > 0 && open.positions[t.b].z > 0 && open.positions[t.c].z > 0;
  });
  EXPECT_EQ(check_spans(open, scenes::box(12, {2, 2, 2}), m.grid, {&m.span, 1}).verdict(), Verdict::undecided);
}

TEST(Witness, SumsOfAWideOverlapSuffice) {
  const Grid grid = square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 16);
  std::vector<Span> wide, wall, film;
  for (std::uint32_t v = 0; v < 16; ++v)
    for (std::uint32_t u = 0; u < 16; ++u) {
      wide.push_back({v * 16 + u, 0.2f, 0.8f});
      if (u == 7) wall.push_back({v * 16 + u, 0, 1});
      film.push_back({v * 16 + u, 0.5f, 0.501f});
    }
  EXPECT_TRUE(spans_suffice(grid, wide));
  EXPECT_FALSE(spans_suffice(grid, wall)) << "walls that touch along a row of rays look like this";
  EXPECT_FALSE(spans_suffice(grid, film)) << "slopes that touch look like this";
  EXPECT_FALSE(spans_suffice(grid, {}));
}

TEST(Witness, ATriangleIsCrossedForCertainOnlyAwayFromItsEdges) {
  const Mesh t{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5f}}, {{0, 1, 2}}};
  const Grid grid = square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 4);
  double error = 0;
  EXPECT_TRUE(crosses_for_certain(t, 0, grid, 0, error));
  const double step = 0.25 / 1024;
  EXPECT_GT(error, 0.5 * step / 2) << "the slope along v";
  EXPECT_LT(error, 10 * step);
  EXPECT_FALSE(crosses_for_certain(t, 0, grid, 15, error)) << "outside";
  EXPECT_FALSE(crosses_for_certain(t, 0, grid, 3, error)) << "on the long edge";
}

}  // namespace
}  // namespace lamella
