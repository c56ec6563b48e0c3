#pragma once

// Nearest points of a triangle and a point, and of two triangles, in doubles. Triangles may be degenerate: lines or
// points.

#include "lamella/math.hpp"

namespace lamella::measure {

struct NearestOnTriangle {
  double square = 0;  ///< of the distance
  Vec3d at;
  Vec3d weights;  ///< of the corners; exactly 0 for a corner that has no part in it
};

/// `at` is a point of the triangle, to rounding, and no other is nearer by more than some roundings of the largest
/// coordinate. About 20 ns.
[[nodiscard]] NearestOnTriangle nearest_on_triangle(Vec3d p, const Vec3d triangle[3]);

struct NearestPair {
  double square = 0;  ///< of the distance
  Vec3d on_a, on_b;
};

/// For triangles that do not cross: then one of both points is on an edge or at a corner. For those that do cross it
/// gives the nearest of such points. About 0.3 microseconds.
[[nodiscard]] NearestPair nearest_of_triangles(const Vec3d a[3], const Vec3d b[3]);

/// Pairs of triangles that are measured together.
struct TrianglePairs {
  static constexpr std::size_t kMost = 16;
  /// Coordinate k of corner c of the triangles: 3 * c + k.
  double a[9][kMost] = {}, b[9][kMost] = {};
};
/// The squares of the distances of all kMost pairs, as nearest_of_triangles() gives them, to rounding. About 40 ns for
/// each pair; the same bits on every instruction set.
void squares_between(const TrianglePairs& pairs, double* squares);

/// A point that two triangles share, or nearly so: where an edge of one passes through the other, else the middle of
/// the nearest points.
[[nodiscard]] Vec3d shared_point(const Vec3d a[3], const Vec3d b[3]);

}  // namespace lamella::measure
