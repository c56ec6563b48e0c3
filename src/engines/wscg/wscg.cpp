// The software generator of Heidelberger, Teschner, Gross: "Detection of Collisions and Self-collisions Using
// Image-space Techniques", WSCG 2004, section 3.4, to be read and compared: triangles are culled against the volume of
// interest, clipped against its six planes, projected along the rays and scan-converted one after another. Every
// fragment is stored in its column with its depth and its facing, and each column is sorted. One thread, no vectors.
// engines/software is the fast one.
//
// Where it departs from the paper:
// - Coverage: corners, also those that clipping makes, are moved to the lattice of the other CPU engines
//   (core/lattice.hpp), and samples are found in whole numbers. So neighbouring triangles neither overlap nor leave
//   gaps. The paper does not say how it samples.
// - A piece's facing is its own, not that of the triangle it was cut from. They differ only for slivers that turn over
//   on the lattice; columns close because of it.
// - A single mesh is not clipped along the rays where the grid's box cuts it (in the paper the box is the mesh's own);
//   crossings beyond the box are moved onto its faces, as in the other engines.

#include "engines/wscg/wscg.hpp"

#include <algorithm>
#include <optional>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/positions.hpp"
#include "core/rows.hpp"
#include "engines/checks.hpp"
#include "engines/wscg/clip.hpp"

namespace lamella::wscg {
namespace {

/// The sides of the volume of interest: four around the rays, then the near and the far one.
std::array<Plane, 6> sides_of(const Grid& grid) {
  const auto side = [&](int axis, bool low) { return Plane{axis, low ? grid.box.min[axis] : grid.box.max[axis], low}; };
  return {side(grid.u(), true),  side(grid.u(), false), side(grid.v(), true),
          side(grid.v(), false), side(grid.w(), true),  side(grid.w(), false)};
}

class WscgEngine final : public Engine {
 public:
  explicit WscgEngine(const EngineOptions& options) : Engine(1), max_crossings_(options.max_crossings) {}

  [[nodiscard]] std::string_view name() const override { return "software-wscg"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override {
    check_owner(mesh);
    return inspect_positions(mesh.view.positions).box;
  }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override { sample(mesh, grid, std::nullopt, out); }
  void build_cut(MeshRef mesh, const Grid& grid, End outside, Ldi& out) override { sample(mesh, grid, outside, out); }

 protected:
  [[nodiscard]] bool samples_whole_columns() const override { return false; }

 private:
  void sample(MeshRef mesh, const Grid& grid, std::optional<End> outside, Ldi& out);
  void scan_convert(Vec3 a, Vec3 b, Vec3 c, const Grid& grid);
  void store(std::size_t column, Crossing crossing);
  void sort_columns(Ldi& out);

  std::uint64_t max_crossings_, stored_ = 0;
  std::vector<std::vector<Crossing>> columns_;
};

void WscgEngine::sample(MeshRef ref, const Grid& grid, std::optional<End> outside, Ldi& out) {
  check_owner(ref);
  const MeshView mesh = ref.view;
  check_indices(mesh);
  stored_ = 0;
  columns_.resize(grid.column_count());
  for (auto& column : columns_) column.clear();
  const Lattice lattice = make_lattice(grid);
  const std::array<Plane, 6> all = sides_of(grid);
  const std::span<const Plane> sides = std::span(all).first(outside ? 6 : 4), ends = std::span(all).last(2);
  bool cut = false;
  out.skipped_triangles = 0;
  for (const Triangle& t : mesh.triangles) {
    Polygon polygon;
    for (int k = 0; k < 3; ++k) polygon.add(mesh.positions[t[k]]);
    const auto corners = polygon.points();
    LatticeVertex placed;
    if (!std::all_of(corners.begin(), corners.end(), [&](Vec3 p) { return place(p, grid, lattice, placed); })) {
      ++out.skipped_triangles;
      continue;
    }
    for (const Vec3 p : corners) cut = cut || !ends[0].keeps(p) || !ends[1].keeps(p);
    if (is_beyond(corners, sides)) continue;
    const Polygon piece = clip(polygon, sides);
    for (std::size_t i = 2; i < piece.count; ++i)
      scan_convert(piece.corners[0], piece.corners[i - 1], piece.corners[i], grid);
  }
  out.grid = grid;
  // A mesh that ends within the box was not cut: its columns are whole.
  out.outside = outside && cut ? *outside : End::both;
  out.dropped_crossings = 0;
  out.alternating = false;
  sort_columns(out);
}

/// Row by row, between the edges.
void WscgEngine::scan_convert(Vec3 a, Vec3 b, Vec3 c, const Grid& grid) {
  const Lattice lattice = make_lattice(grid);
  LatticeVertex corners[3];
  if (!place(a, grid, lattice, corners[0]) || !place(b, grid, lattice, corners[1]) ||
      !place(c, grid, lattice, corners[2]))
    return;
  RowTriangle<std::int64_t> triangle;  // after clipping, 64 bits are enough
  if (!set_up_rows(corners, whole(grid), triangle)) return;
  const TriangleDepth& z = triangle.depth;
  RowSpan span;
  for (std::int64_t row = triangle.first_row; row < triangle.last_row; ++row) {
    if (!triangle.row(row, grid.columns, span)) continue;
    for (std::uint32_t i = 0; i < span.count; ++i) {
      const auto step = static_cast<float>(i);
      const float plane = z.z0 + (span.b1 + span.b1_step * step) * z.dz1 + (span.b2 + span.b2_step * step) * z.dz2;
      const float depth = std::clamp(std::clamp(plane, z.low, z.high), 0.0f, grid.depth());
      store(span.first_column + i, Crossing::make(depth + 0.0f, z.entry));
    }
  }
}

/// Fragments of one column do not overwrite each other: every one is another layer.
void WscgEngine::store(std::size_t column, Crossing crossing) {
  if (++stored_ > max_crossings_) throw too_many_crossings(max_crossings_);
  columns_[column].push_back(crossing);
}

void WscgEngine::sort_columns(Ldi& out) {
  out.offsets.assign(1, 0);
  out.crossings.clear();
  for (auto& column : columns_) {
    std::sort(column.begin(), column.end());
    out.crossings.insert(out.crossings.end(), column.begin(), column.end());
    out.offsets.push_back(static_cast<std::uint32_t>(out.crossings.size()));
  }
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return std::make_unique<WscgEngine>(options); }

}  // namespace lamella::wscg
