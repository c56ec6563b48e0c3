#include "scenes/grids.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::scenes {
namespace {

struct Cells {
  std::int64_t x = 1, y = 1, z = 1;
};

double cube_faces(double x, double y, double z) { return 4 * (x * y + y * z + z * x); }

/// The best of the whole-number cells around the ideal, up to 2 % and a cell off.
Cells choose_cells(std::size_t faces, Vec3d sides) {
  if (faces <= 12) return {};
  const double scale = std::sqrt(static_cast<double>(faces) / cube_faces(sides.x, sides.y, sides.z));
  const auto ideal_cells = [&](double side) { return side * scale; };
  // A cell more or less is nothing among many, but would stretch a coarse grid out of shape.
  const auto slack = [&](double side) { return 0.02 * ideal_cells(side) + (ideal_cells(side) < 6 ? 0.5 : 1.1); };
  const auto at_least_one = [](double cells) { return std::max<std::int64_t>(1, std::llround(cells)); };
  const auto low = [&](double side) { return at_least_one(ideal_cells(side) - slack(side)); };
  const auto high = [&](double side) { return at_least_one(ideal_cells(side) + slack(side)); };
  Cells best;
  double best_error = 1e300;
  for (std::int64_t x = low(sides.x); x <= high(sides.x); ++x) {
    for (std::int64_t y = low(sides.y); y <= high(sides.y); ++y) {
      // Given two sides the third follows; its neighbours cannot be better.
      const double ideal = (static_cast<double>(faces) / 4 - static_cast<double>(x * y)) / static_cast<double>(x + y);
      const std::int64_t z = std::clamp<std::int64_t>(std::llround(ideal), low(sides.z), high(sides.z));
      const double error = std::abs(cube_faces(double(x), double(y), double(z)) - static_cast<double>(faces));
      if (error < best_error) {
        best_error = error;
        best = {x, y, z};
      }
    }
  }
  return best;
}

/// Numbers the lattice points on a box's surface: bottom layer, the rings between, top layer.
struct SurfaceIndex {
  Cells n;

  std::int64_t layer() const { return (n.x + 1) * (n.y + 1); }
  std::int64_t ring() const { return 2 * (n.x + n.y); }
  std::int64_t ring_index(std::int64_t i, std::int64_t j) const {
    if (j == 0) return i;
    if (i == n.x) return n.x + j;
    if (j == n.y) return n.x + n.y + (n.x - i);
    return 2 * n.x + n.y + (n.y - j);
  }
  std::uint32_t operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t flat = j * (n.x + 1) + i;
    if (k == 0) return static_cast<std::uint32_t>(flat);
    if (k == n.z) return static_cast<std::uint32_t>(layer() + (n.z - 1) * ring() + flat);
    return static_cast<std::uint32_t>(layer() + (k - 1) * ring() + ring_index(i, j));
  }
  std::size_t size() const { return static_cast<std::size_t>(2 * layer() + (n.z - 1) * ring()); }
};

/// Adds the two sides across one axis. `at(i, j, end)` numbers the points; (i, j, axis) must be right-handed.
template <class At>
void add_sides(std::int64_t columns, std::int64_t rows, std::int64_t far, At at, QuadGrid& grid) {
  // One side after the other: neighbours in the list are neighbours on the surface, as in meshes from elsewhere.
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t i = 0; i < columns; ++i) {
      grid.quads.push_back({at(i, j, far), at(i + 1, j, far), at(i + 1, j + 1, far), at(i, j + 1, far)});
    }
  }
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t i = 0; i < columns; ++i) {
      grid.quads.push_back({at(i, j, 0), at(i, j + 1, 0), at(i + 1, j + 1, 0), at(i + 1, j, 0)});
    }
  }
}

}  // namespace

QuadGrid cube_grid(std::size_t faces, Vec3d sides) {
  const Cells n = choose_cells(faces, sides);
  const SurfaceIndex index{n};
  QuadGrid grid;
  grid.points.resize(index.size());
  const auto place = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::uint32_t id = index(i, j, k);
    grid.points[id] = {2.0 * double(i) / double(n.x) - 1, 2.0 * double(j) / double(n.y) - 1,
                       2.0 * double(k) / double(n.z) - 1};
    return id;
  };
  add_sides(
      n.y, n.z, n.x, [&](auto j, auto k, auto i) { return place(i, j, k); }, grid);
  add_sides(
      n.z, n.x, n.y, [&](auto k, auto i, auto j) { return place(i, j, k); }, grid);
  add_sides(
      n.x, n.y, n.z, [&](auto i, auto j, auto k) { return place(i, j, k); }, grid);
  return grid;
}

TorusCells torus_cells(std::size_t faces, double u_per_v, std::size_t min_u) {
  const double half = static_cast<double>(faces) / 2;
  const double ideal = std::sqrt(half / u_per_v);
  std::size_t best_u = min_u, best_v = 3;
  double best_error = 1e300;
  const auto low = static_cast<std::size_t>(std::max(3.0, std::floor(ideal * 0.95)));
  const auto high = static_cast<std::size_t>(std::max(3.0, std::ceil(ideal * 1.05)));
  for (std::size_t v = low; v <= high; ++v) {
    const auto u = std::max(min_u, static_cast<std::size_t>(std::llround(half / double(v))));
    const double error = std::abs(double(u * v) - half);
    if (error < best_error) {
      best_error = error;
      best_u = u;
      best_v = v;
    }
  }
  return {best_u, best_v};
}

Mesh triangulate(const QuadGrid& grid) {
  Mesh mesh;
  mesh.positions.reserve(grid.points.size());
  for (const Vec3d p : grid.points) mesh.positions.push_back(to_float(p));
  mesh.triangles.reserve(2 * grid.quads.size());
  for (const auto& [a, b, c, d] : grid.quads) {
    if (first_diagonal_is_shorter(grid.points[a], grid.points[b], grid.points[c], grid.points[d])) {
      mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
    } else {
      mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  }
  return mesh;
}

}  // namespace lamella::scenes
