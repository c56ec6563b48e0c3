// Dual contouring (Ju, Losasso, Schaefer, Warren, "Dual Contouring of Hermite Data", 2002), with a vertex for each
// sheet so that the surface is manifold (cell_sheets.hpp). The crossings and their normals are those of three views of
// spans, whose rays pass along the lattice's edges.

#include "solid/surface.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "solid/cell_sheets.hpp"
#include "solid/edge_crossings.hpp"
#include "solid/sheet_vertex.hpp"

namespace lamella::solid {
namespace {

/// Faces of one mesh whose normals differ by less than 40 degrees in a cell look like one surface there.
constexpr float kSmooth = 0.766f;
/// Planes meet in a point that is not further away from them than this, in steps.
constexpr double kMeets = 0.05;
/// How far the vertex of a sharp edge may leave its cell, in steps.
constexpr double kSlack = 0.25;

struct Cell {
  std::uint32_t x = 0, y = 0, z = 0;

  [[nodiscard]] Cell next(int axis) const {
    return {x + (axis == 0 ? 1u : 0u), y + (axis == 1 ? 1u : 0u), z + (axis == 2 ? 1u : 0u)};
  }
};

/// Faces of one mesh in a sheet that look about the same way.
struct Facing {
  std::uint8_t mesh = 0;
  Vec3 first;     ///< the normal that others are compared with
  Vec3d sum;      ///< of normals
  Vec3d places;   ///< on their planes, next to the crossings: the sum, in steps from the lattice's first point
  int count = 0;  ///< of crossings
  Vec3 normal;    ///< their mean

  [[nodiscard]] bool is_like(std::uint8_t other, Vec3 direction) const {
    return mesh == other && dot(first, direction) >= kSmooth;
  }
};

/// A plane that a vertex does not know of, but a neighbour does.
struct Borrowed {
  std::uint32_t vertex = 0;
  std::uint32_t facing = 0;
  friend constexpr auto operator<=>(const Borrowed&, const Borrowed&) = default;
};

/// What the cells of one plane of x have.
struct Plane {
  std::uint32_t vertex_count = 0, first_vertex = 0;
  std::vector<Cell> cells;                  ///< of each vertex
  std::vector<std::uint32_t> first_facing;  ///< likewise
  std::vector<Facing> facings;
  std::vector<std::array<std::uint32_t, 4>> doubled;  ///< cells with a doubled face towards the next, and the axis
};

class Surface {
 public:
  Surface(const Meshes& meshes, const std::array<SpanView, 3>& views, const PointLattice& lattice,
          const PointBits& bits, Vec3d origin, Workers& workers)
      : bits_(bits),
        workers_(workers),
        step_(lattice.step()),
        first_(to_double(lattice.box.min) + step_ * 0.5 - origin),
        numbers_{EdgeNumbers(bits, 0, workers), EdgeNumbers(bits, 1, workers), EdgeNumbers(bits, 2, workers)},
        planes_(bits.points(0) - 1) {
    for (int axis = 0; axis < 3; ++axis)
      crossings_[axis] = cross_edges(meshes, views[axis], bits, numbers_[axis], lattice, workers);
  }

  void make(OverlapSolid& out) {
    turn_faces();
    count_vertices();
    out.mesh.positions.resize(planes_.back().first_vertex + planes_.back().vertex_count);
    for_each_plane([&](std::uint32_t x) { place_vertices(x, out.mesh.positions); });
    gather_facings();
    sharpen(out.mesh.positions);
    make_triangles(out);
  }

 private:
  template <class Body>
  void for_each_plane(const Body& body) {
    workers_.for_chunks(planes_.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t x = begin; x < end; ++x) body(static_cast<std::uint32_t>(x));
    });
  }
  /// Calls body(cell, sheets) for each cell that the surface passes.
  template <class Body>
  void for_each_cell(std::uint32_t x, const Body& body) const {
    for (std::uint32_t y = 0; y + 1 < bits_.points(1); ++y)
      for (std::uint32_t w = 0; w < bits_.words(); ++w)
        for_each_bit(bits_.cells(x, y, w), [&](std::uint32_t bit) {
          const Cell cell{x, y, w * 64 + bit};
          body(cell, sheets(cell));
        });
  }

  [[nodiscard]] std::uint64_t key(const Cell& c) const {
    return (std::uint64_t{c.x} * bits_.points(1) + c.y) * bits_.points(2) + c.z;
  }
  [[nodiscard]] CellSheets sheets(const Cell& cell) const {
    const unsigned corners = bits_.corners(cell.x, cell.y, cell.z);
    const CellSheets& usual = sheets_of(corners);
    if (usual.alternating == 0 || turned_.empty()) return usual;
    const auto turned = turned_.find(key(cell));
    return turned == turned_.end() ? usual : find_sheets(corners, turned->second);
  }
  [[nodiscard]] bool is_doubled(const Cell& cell, const CellSheets& here, int axis) const {
    const unsigned face = static_cast<unsigned>(axis) * 2 + 1;
    return ((here.alternating >> face) & 1u) != 0 && is_one_sheet(here, axis, 1) &&
           is_one_sheet(sheets(cell.next(axis)), axis, 0);
  }

  /// Where two sheets would have two edges in common (cell_sheets.hpp).
  void turn_faces() {
    for_each_plane([&](std::uint32_t x) {
      for_each_cell(x, [&](const Cell& cell, const CellSheets& here) {
        if (here.alternating == 0) return;
        for (int axis = 0; axis < 3; ++axis)
          if (is_doubled(cell, here, axis))
            planes_[x].doubled.push_back({cell.x, cell.y, cell.z, static_cast<std::uint32_t>(axis)});
      });
    });
    for (const Plane& plane : planes_)
      for (const auto& [x, y, z, a] : plane.doubled) {
        const Cell cell{x, y, z};
        const int axis = static_cast<int>(a);
        if (!is_doubled(cell, sheets(cell), axis)) continue;  // an earlier one has split its sheet
        turned_[key(cell)] |= 1u << (a * 2 + 1);
        turned_[key(cell.next(axis))] |= 1u << (a * 2);
      }
  }

  void count_vertices() {
    for_each_plane([&](std::uint32_t x) {
      for_each_cell(x, [&](const Cell&, const CellSheets& cell) { planes_[x].vertex_count += cell.count; });
    });
    std::uint32_t at = 0;
    for (Plane& plane : planes_) {
      plane.first_vertex = at;
      at += plane.vertex_count;
    }
  }

  /// The crossing at a cell's edge, and where it is in the cell.
  EdgeCrossing& crossing(const Cell& cell, unsigned edge, Vec3d& place) {
    const unsigned corner = edge_corners(edge)[0];
    const std::uint32_t x = corner & 1u, y = (corner >> 1) & 1u, z = corner >> 2;
    const unsigned axis = edge / 4;
    EdgeCrossing& c = crossings_[axis][numbers_[axis].of(cell.x + x, cell.y + y, cell.z + z)];
    place = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    place[static_cast<int>(axis)] = c.at;
    return c;
  }

  void place_vertices(std::uint32_t x, std::vector<Vec3>& positions) {
    Plane& plane = planes_[x];
    std::uint32_t vertex = plane.first_vertex;
    for_each_cell(x, [&](const Cell& cell, const CellSheets& sheets) {
      for (unsigned sheet = 0; sheet < sheets.count; ++sheet, ++vertex)
        positions[vertex] = place_vertex(cell, sheets, sheet, vertex, plane);
    });
  }

  Vec3 place_vertex(const Cell& cell, const CellSheets& sheets, unsigned sheet, std::uint32_t vertex, Plane& plane) {
    SheetVertex solver;
    plane.cells.push_back(cell);
    plane.first_facing.push_back(static_cast<std::uint32_t>(plane.facings.size()));
    for (unsigned edge = 0; edge < kCellEdges; ++edge) {
      if (sheets.of_edge[edge] != sheet) continue;
      Vec3d place;
      EdgeCrossing& c = crossing(cell, edge, place);
      c.quad[edge % 4] = vertex;
      solver.add_place(place);
      if (!c.has_plane) continue;
      const Vec3d normal = to_double(c.step_normal);
      solver.add_plane(normal, dot(normal, place) + c.to_plane);
      add_facing(c, corner_of(cell) + place + normal * c.to_plane, plane);
    }
    for (std::size_t i = plane.first_facing.back(); i < plane.facings.size(); ++i) {
      Facing& f = plane.facings[i];
      f.normal = to_float(f.sum * (1 / length(f.sum)));
    }
    Vec3d at = solver.best();
    const bool sharp = plane.facings.size() > plane.first_facing.back() + 1;
    if (!may_be_at(cell, at, sharp ? kSlack : 0)) at = solver.best_in_cell(at);
    return position(corner_of(cell) + at);
  }
  [[nodiscard]] static Vec3d corner_of(const Cell& c) {
    return {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)};
  }
  /// A unit normal where a step is 1 along each axis.
  [[nodiscard]] Vec3d in_steps(Vec3 n) const {
    const Vec3d scaled{n.x * step_.x, n.y * step_.y, n.z * step_.z};
    return scaled * (1 / length(scaled));
  }
  /// Of a place in steps from the lattice's first point.
  [[nodiscard]] Vec3 position(Vec3d at) const {
    return to_float({first_.x + at.x * step_.x, first_.y + at.y * step_.y, first_.z + at.z * step_.z});
  }

  /// Whether a place relative to a cell is in it, give or take `slack`, or in cells next to it that the surface does
  /// not pass.
  [[nodiscard]] bool may_be_at(const Cell& cell, Vec3d at, double slack) const {
    const std::array<std::uint32_t, 3> own{cell.x, cell.y, cell.z};
    std::array<std::uint32_t, 3> low = own, high = own;
    for (int i = 0; i < 3; ++i) {
      if (at[i] >= -slack && at[i] <= 1 + slack) continue;
      if (!(at[i] >= -1 && at[i] <= 2)) return false;
      if (at[i] < 0 ? own[i] == 0 : own[i] + 2 >= bits_.points(i)) return false;
      if (at[i] < 0)
        --low[i];
      else
        ++high[i];
    }
    for (std::uint32_t x = low[0]; x <= high[0]; ++x)
      for (std::uint32_t y = low[1]; y <= high[1]; ++y)
        for (std::uint32_t z = low[2]; z <= high[2]; ++z) {
          const unsigned corners = bits_.corners(x, y, z);
          if (corners != 0 && corners != 0xff && std::array{x, y, z} != own) return false;
        }
    return true;
  }

  static void add_facing(const EdgeCrossing& c, Vec3d place, Plane& plane) {
    for (std::size_t i = plane.first_facing.back(); i < plane.facings.size(); ++i) {
      Facing& f = plane.facings[i];
      if (!f.is_like(c.mesh, c.normal)) continue;
      f.sum += to_double(c.normal);
      f.places += place;
      ++f.count;
      return;
    }
    plane.facings.push_back({c.mesh, c.normal, to_double(c.normal), place, 1, {}});
  }

  void gather_facings() {
    for (Plane& plane : planes_) {
      const auto before = static_cast<std::uint32_t>(facings_.size());
      for (const std::uint32_t first : plane.first_facing) first_facing_.push_back(before + first);
      cells_.insert(cells_.end(), plane.cells.begin(), plane.cells.end());
      facings_.insert(facings_.end(), plane.facings.begin(), plane.facings.end());
      plane = {};
    }
    first_facing_.push_back(static_cast<std::uint32_t>(facings_.size()));
  }
  [[nodiscard]] std::span<const Facing> facings(std::uint32_t vertex) const {
    return std::span(facings_).subspan(first_facing_[vertex], first_facing_[vertex + 1] - first_facing_[vertex]);
  }

  /// Where an edge of the surface passes through a cell without crossing the cell's own edges, the cell knows one side
  /// of it alone. Its vertex goes to where that meets what the neighbours know, if that is in the cell.
  void sharpen(std::vector<Vec3>& positions) const {
    std::vector<Borrowed> borrowed;
    for (const auto& along : crossings_)
      for (const EdgeCrossing& c : along) borrow(c, borrowed);
    std::sort(borrowed.begin(), borrowed.end());
    for (std::size_t begin = 0, end = 0; begin < borrowed.size(); begin = end) {
      const std::uint32_t vertex = borrowed[begin].vertex;
      while (end < borrowed.size() && borrowed[end].vertex == vertex) ++end;
      const auto at = place_with(vertex, std::span(borrowed).subspan(begin, end - begin));
      if (at) positions[vertex] = position(*at);
    }
  }

  [[nodiscard]] bool knows(std::uint32_t vertex, const Facing& facing) const {
    const auto own = facings(vertex);
    return std::any_of(own.begin(), own.end(), [&](const Facing& f) { return f.is_like(facing.mesh, facing.first); });
  }
  /// What the vertices of a quad do not know of each other.
  void borrow(const EdgeCrossing& c, std::vector<Borrowed>& out) const {
    for (const std::uint32_t from : c.quad)
      for (std::uint32_t f = first_facing_[from]; f < first_facing_[from + 1]; ++f)
        for (const std::uint32_t to : c.quad)
          if (to != from && first_facing_[to] < first_facing_[to + 1] && !knows(to, facings_[f]))
            out.push_back({to, f});
  }

  [[nodiscard]] std::optional<Vec3d> place_with(std::uint32_t vertex, std::span<const Borrowed> borrowed) const {
    const Vec3d corner = corner_of(cells_[vertex]);
    SheetVertex solver;
    std::vector<std::pair<Vec3d, double>> planes;
    const auto add = [&](const Facing& f, double weight) {
      const Vec3d normal = in_steps(f.normal), place = f.places * (1.0 / f.count) - corner;
      planes.emplace_back(normal, dot(normal, place));
      solver.add_plane(normal, planes.back().second, weight);
      return place;
    };
    for (const Facing& f : facings(vertex)) solver.add_place(add(f, f.count), f.count);
    for (std::size_t i = 0; i < borrowed.size(); ++i)
      if (i == 0 || borrowed[i].facing != borrowed[i - 1].facing) (void)add(facings_[borrowed[i].facing], 1);
    const Vec3d at = solver.best();
    for (int i = 0; i < 3; ++i)
      if (!(at[i] >= 0 && at[i] <= 1)) return std::nullopt;
    for (const auto& [normal, offset] : planes)
      if (std::abs(dot(normal, at) - offset) > kMeets) return std::nullopt;
    return corner + at;
  }

  /// The mesh whose surface a quad is.
  [[nodiscard]] std::uint8_t mesh_of(const EdgeCrossing& c) const {
    if (c.mesh != kNoMesh) return c.mesh;
    for (const std::uint32_t vertex : c.quad)
      if (const auto near = facings(vertex); !near.empty()) return near[0].mesh;
    return 0;
  }
  [[nodiscard]] Vec3 normal_at(std::uint32_t vertex, std::uint8_t mesh, Vec3 wanted) const {
    Vec3 best = wanted;
    float most = -2;
    for (const Facing& f : facings(vertex)) {
      const float match = dot(f.normal, wanted);
      if (f.mesh != mesh || match <= most) continue;
      most = match;
      best = f.normal;
    }
    return best;
  }

  void make_triangles(OverlapSolid& out) {
    std::size_t quads = 0;
    for (const auto& along : crossings_) quads += along.size();
    out.mesh.triangles.resize(quads * 2);
    out.normals.resize(quads * 6);
    out.side.resize(quads * 2);
    std::size_t before = 0;
    for (const auto& along : crossings_) {
      workers_.for_each(along.size(), [&](std::size_t i) { make_quad(along[i], (before + i) * 2, out); });
      before += along.size();
    }
  }

  void make_quad(const EdgeCrossing& c, std::size_t first, OverlapSolid& out) const {
    // Around the edge; counter-clockwise seen from its upper end.
    std::array<std::uint32_t, 4> q{c.quad[3], c.quad[2], c.quad[0], c.quad[1]};
    if (!c.upwards) std::swap(q[1], q[3]);
    const std::array<Vec3d, 4> p{to_double(out.mesh.positions[q[0]]), to_double(out.mesh.positions[q[1]]),
                                 to_double(out.mesh.positions[q[2]]), to_double(out.mesh.positions[q[3]])};
    const unsigned turn = splits_better_at_1(p, to_double(c.normal)) ? 1 : 0;
    const std::uint8_t mesh = mesh_of(c);
    std::array<Vec3, 4> n;
    for (unsigned i = 0; i < 4; ++i) n[i] = normal_at(q[i], mesh, c.normal);
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned i = turn + half * 2, j = (i + 1) % 4, k = (i + 2) % 4;
      out.mesh.triangles[first + half] = {q[i], q[j], q[k]};
      out.side[first + half] = mesh;
      Vec3* normals = &out.normals[(first + half) * 3];
      normals[0] = n[i];
      normals[1] = n[j];
      normals[2] = n[k];
    }
  }

  /// Whether the diagonal from corner 1 to 3 bends the quad less away from its normal than that from 0 to 2; of two
  /// that are as good, the shorter one.
  static bool splits_better_at_1(const std::array<Vec3d, 4>& p, Vec3d normal) {
    const auto facing = [&](int i, int j, int k) {
      const Vec3d n = cross(p[j] - p[i], p[k] - p[i]);
      const double size = length(n);
      return size > 0 ? dot(n, normal) / size : -1.0;
    };
    const double at_0 = std::min(facing(0, 1, 2), facing(2, 3, 0)), at_1 = std::min(facing(1, 2, 3), facing(3, 0, 1));
    constexpr double kAsGood = 1e-3;
    if (at_1 > at_0 + kAsGood || at_0 > at_1 + kAsGood) return at_1 > at_0;
    const Vec3d d0 = p[2] - p[0], d1 = p[3] - p[1];
    return dot(d1, d1) < dot(d0, d0);
  }

  const PointBits& bits_;
  Workers& workers_;
  Vec3d step_, first_;
  std::array<EdgeNumbers, 3> numbers_;
  std::array<std::vector<EdgeCrossing>, 3> crossings_;
  std::vector<Plane> planes_;
  std::unordered_map<std::uint64_t, unsigned> turned_;  ///< faces of cells
  std::vector<Cell> cells_;                             ///< of each vertex
  std::vector<std::uint32_t> first_facing_;             ///< likewise, and the end
  std::vector<Facing> facings_;
};

}  // namespace

void make_surface(const Meshes& meshes, const std::array<SpanView, 3>& views, const PointLattice& lattice,
                  const PointBits& bits, Vec3d origin, Workers& workers, OverlapSolid& out) {
  Surface(meshes, views, lattice, bits, origin, workers).make(out);
}

}  // namespace lamella::solid
