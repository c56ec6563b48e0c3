#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lamella/geometry_image.hpp"

// The link between cutting (topology) and mapping (geometry): a surface that was cut open to a disc.

namespace lamella::gi {

struct Vec2d {
  double x = 0, y = 0;
};

/// A surface with one boundary loop, topologically a disc. Vertices on the cut appear once for every side of it.
struct Disc {
  std::vector<Vec3d> positions;
  std::vector<Triangle> triangles;      ///< counter-clockwise seen from outside, and in the map
  std::vector<std::uint32_t> boundary;  ///< the loop, counter-clockwise in the map
  std::vector<Vec2d> map;               ///< one per position; given for boundary vertices
};

/// Stretch of a map (Sander, Snyder, Gortler, Hoppe: "Texture Mapping Progressive Meshes", 2001).
struct Stretch {
  double total = 0;               ///< L2 over the surface, normalised by the areas: 1 is best
  std::vector<double> triangles;  ///< L2 of each, the same normalisation; infinite where the map has no area
};

struct MapOptions {
  /// Most steps that lower the stretch, each one solution; ends earlier when they stop helping. 0: the plain map. After
  /// them, vertices are moved one by one, 12 to 36 sweeps for each step asked for.
  int relax_steps = 0;
  /// Called with the part of the work that is done, 0 to 1, ascending. May be empty.
  std::function<void(double part)> progress{};
};

/// Computes `map` of all interior vertices, given that of the boundary on a convex polygon, so that no triangle is
/// turned over: every interior vertex is a positive mean of its neighbours (Tutte 1963, Floater 1997), with mean value
/// weights (Floater 2003). The relaxation divides weights by the stretch at the neighbour (Yoshizawa, Belyaev, Seidel:
/// "A fast and simple stretch-minimizing mesh parameterization", 2004), which keeps them positive; the best step is
/// kept. No interior edge may join two boundary vertices on the same straight side of the polygon. Throws Error when a
/// part has no path to the boundary.
void solve_map(Disc& disc, const MapOptions& options);

[[nodiscard]] Stretch stretch_of(const Disc& disc);

/// Triangles whose area in the map is not above 0, decided exactly for the double coordinates.
[[nodiscard]] std::vector<std::uint32_t> flipped_triangles(const Disc& disc);

/// Samples the surface on the grid: vertex (x, y) of the image is the surface's point whose map is (x, y) / 2^n, for a
/// disc mapped onto the unit square. Every grid point gets a value, even where rounding leaves it in no triangle. The
/// caller overwrites those on the border, so that both sides of the cut have the same bits.
void sample(const Disc& disc, int n, std::vector<Vec3>& positions);

/// The largest distance between disc and image at the same point of the map: over all vertices of the disc, and over
/// the middles of all quads of the image.
[[nodiscard]] double map_distance(const Disc& disc, int n, const std::vector<Vec3>& positions);

}  // namespace lamella::gi
