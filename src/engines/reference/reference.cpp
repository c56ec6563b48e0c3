// The reference that other engines are tested against. It shares with them only the check of indices and the definition
// of the lattice (core/lattice.hpp). Coverage and depth are written here as plainly as possible, one sample and one
// triangle at a time, in integers wide enough for all coordinates.

#include "engines/reference/reference.hpp"

#include <algorithm>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"

namespace lamella {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
using Int = __int128;
#pragma GCC diagnostic pop

struct Point {
  Int u, v;
};

/// Twice the signed area of (p, q, s): positive when s lies to the left of p -> q.
Int orientation(Point p, Point q, Point s) { return (q.u - p.u) * (s.v - p.v) - (q.v - p.v) * (s.u - p.u); }

int sign(Int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Side of p -> q on which the sample lies once it is moved by (e, e^2) for an infinitely small e > 0: the sign of the
/// first non-zero of the orientation and its derivatives along u and v. Zero only for p == q.
int side(Point p, Point q, Point sample) {
  if (const int s = sign(orientation(p, q, sample)); s != 0) return s;
  if (const int s = sign(p.v - q.v); s != 0) return s;
  return sign(q.u - p.u);
}

/// +1 or -1 when the (moved) sample is inside the counter-clockwise or clockwise triangle, 0 when outside.
int covers(const Point t[3], Point sample) {
  const int s = side(t[0], t[1], sample);
  return s == side(t[1], t[2], sample) && s == side(t[2], t[0], sample) ? s : 0;
}

/// Depth of the triangle's plane over the sample, within the triangle's own range.
float interpolate(const Point t[3], const float depth[3], Point sample) {
  const auto weight = [&](int i, int j) { return static_cast<long double>(orientation(t[i], t[j], sample)); };
  const long double w0 = weight(1, 2), w1 = weight(2, 0), w2 = weight(0, 1);
  const long double z = (w0 * depth[0] + w1 * depth[1] + w2 * depth[2]) / (w0 + w1 + w2);
  const auto range = std::minmax({depth[0], depth[1], depth[2]});
  return std::clamp(static_cast<float>(z), range.first, range.second);
}

class ReferenceEngine final : public Engine {
 public:
  using Engine::Engine;

  [[nodiscard]] std::string_view name() const override { return "reference"; }

  [[nodiscard]] Aabb bounds(MeshRef mesh) override {
    check_owner(mesh);
    Aabb box;
    for (const Vec3 p : mesh.view.positions)
      if (usable(p)) box = extend(box, p);
    return box;
  }

  [[nodiscard]] bool samples_on_lattice() const override { return true; }
  void build(MeshRef ref, const Grid& grid, Ldi& out) override {
    check_owner(ref);
    const MeshView mesh = ref.view;
    check_indices(mesh);
    columns_.assign(grid.column_count(), {});
    out.grid = grid;
    out.outside = End::both;
    out.skipped_triangles = 0;
    out.dropped_crossings = 0;
    out.alternating = false;
    for (const Triangle& t : mesh.triangles)
      if (!sample_triangle(mesh, t, grid)) ++out.skipped_triangles;

    out.offsets.assign(1, 0);
    out.crossings.clear();
    for (auto& column : columns_) {
      std::sort(column.begin(), column.end());
      out.crossings.insert(out.crossings.end(), column.begin(), column.end());
      out.offsets.push_back(static_cast<std::uint32_t>(out.crossings.size()));
    }
  }

 private:
  bool sample_triangle(MeshView mesh, const Triangle& triangle, const Grid& grid) {
    const Lattice lattice = make_lattice(grid);
    Point t[3];
    float depth[3];
    for (int k = 0; k < 3; ++k) {
      LatticeVertex vertex;
      if (!place(mesh.positions[triangle[k]], grid, lattice, vertex)) return false;
      t[k] = {vertex.u, vertex.v};
      depth[k] = vertex.depth;
    }
    const auto u = std::minmax({t[0].u, t[1].u, t[2].u}), v = std::minmax({t[0].v, t[1].v, t[2].v});
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
      const Int sample_v = static_cast<Int>(row + 1) * kSubStep;
      if (sample_v < v.first || sample_v > v.second) continue;
      for (std::uint32_t column = 0; column < grid.columns; ++column) {
        const Int sample_u = static_cast<Int>(column + 1) * kSubStep;
        if (sample_u < u.first || sample_u > u.second) continue;
        const Point sample{sample_u, sample_v};
        const int turn = covers(t, sample);
        if (turn == 0) continue;
        const float z = std::clamp(interpolate(t, depth, sample), 0.0f, grid.depth());
        // Counter-clockwise along the ray means that the outward normal points along it: the ray leaves.
        columns_[std::size_t{row} * grid.columns + column].push_back(Crossing::make(z + 0.0f, turn < 0));
      }
    }
    return true;
  }

  std::vector<std::vector<Crossing>> columns_;
};

}  // namespace

std::unique_ptr<Engine> make_reference_engine(const EngineOptions& options) {
  return std::make_unique<ReferenceEngine>(options.threads);
}

}  // namespace lamella
