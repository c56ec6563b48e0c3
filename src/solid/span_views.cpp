#include "solid/span_views.hpp"

#include <algorithm>

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/positions.hpp"
#include "core/voi_choice.hpp"
#include "core/window.hpp"
#include "query/column_walk.hpp"

namespace lamella::solid {
namespace {

/// As Options::min_thickness: of the box's depth.
constexpr float kThinnest = 0x1p-20f;

/// The spans of one row, and what was seen on the way.
struct Row {
  std::vector<FacedSpan> spans;
  std::vector<std::uint32_t> counts;  ///< by column
  std::uint32_t open = 0, occupied = 0, inside_out = 0;
};

/// Walks along a column, a depth after the other: several crossings can have one.
class ColumnWalk {
 public:
  ColumnWalk(std::uint32_t first_of_b, bool pair, float thinnest, std::vector<FacedSpan>& out)
      : first_of_b_(first_of_b), pair_(pair), thinnest_(thinnest), out_(out), first_span_(out.size()) {}

  void walk(std::span<const FaceCrossing> crossings, Row& row) {
    float from = 0;
    for (std::size_t i = 0; i < crossings.size();) {
      std::size_t end = i + 1;
      while (end < crossings.size() && crossings[end].depth() == crossings[i].depth()) ++end;
      const float at = crossings[i].depth();
      below_zero_ = below_zero_ || ((winding_[0] < 0 || winding_[1] < 0) && is_thick(from, at, thinnest_));
      pass(crossings.subspan(i, end - i));
      from = at;
      i = end;
    }
    if (!crossings.empty()) ++row.occupied;
    if (winding_[0] != 0 || winding_[1] != 0) {
      ++row.open;
      out_.resize(first_span_);
    } else if (below_zero_) {
      ++row.inside_out;
    }
  }

 private:
  [[nodiscard]] std::array<bool, 2> inside() const {
    return {pair_ ? is_inside(winding_[0]) : is_covered_twice(winding_[0]), !pair_ || is_inside(winding_[1])};
  }

  /// All crossings of one depth. The surface there is that of the mesh that is entered or left; where both are, the
  /// first one's.
  void pass(std::span<const FaceCrossing> group) {
    const auto before = inside();
    for (const FaceCrossing c : group) winding_[of_b(c) ? 1 : 0] += c.sign();
    const auto after = inside();
    const bool was = before[0] && before[1], is = after[0] && after[1];
    if (was == is) return;
    const unsigned mesh = before[0] != after[0] ? 0 : 1;
    std::uint32_t face = 0;
    for (const FaceCrossing c : group)
      if ((of_b(c) ? 1u : 0u) == mesh && (c.sign() > 0) == is) face = c.face();
    if (is) {
      begin_ = {group[0].depth(), 0, face, 0};
    } else if (is_thick(begin_.begin, group[0].depth(), thinnest_)) {
      out_.push_back({begin_.begin, group[0].depth(), begin_.begin_face, face});
    }
  }
  [[nodiscard]] bool of_b(FaceCrossing c) const { return c.face() >= first_of_b_; }

  std::uint32_t first_of_b_;
  bool pair_;
  float thinnest_;
  std::vector<FacedSpan>& out_;
  std::size_t first_span_;
  int winding_[2] = {0, 0};
  FacedSpan begin_;
  bool below_zero_ = false;
};

}  // namespace

Meshes::Meshes(MeshView a, const MeshView* b) : pair_(b != nullptr), meshes_{a, b != nullptr ? *b : MeshView{}} {
  for (const MeshView& mesh : views()) check_indices(mesh);
  const bool wide = !meshes_[0].wide.empty() || !meshes_[1].wide.empty();
  const bool apart = pair_ && !(meshes_[0].origin == meshes_[1].origin);
  if (!wide && !apart) return;
  const WideBox box = pair_ ? lamella::shared_box(wide_box(a), wide_box(*b)) : wide_box(a);
  const Vec3d origin = origin_for(box);
  for (std::size_t i = 0; i < views().size(); ++i) {
    positions_[i].resize(meshes_[i].vertex_count());
    (void)place_mesh(meshes_[i], {}, origin, positions_[i].data());
    meshes_[i] = {.positions = positions_[i], .triangles = meshes_[i].triangles, .origin = origin};
  }
}

Aabb Meshes::shared_box() const {
  const Aabb box = inspect_positions(meshes_[0].positions).box;
  return pair_ ? lamella::shared_box(box, inspect_positions(meshes_[1].positions).box) : box;
}

std::array<Vec3d, 3> Meshes::corners(std::uint32_t face) const {
  const bool second = face >= first_of_b();
  const MeshView& mesh = meshes_[second ? 1 : 0];
  const Triangle t = mesh.triangles[second ? face - first_of_b() : face];
  return {to_double(mesh.positions[t.a]), to_double(mesh.positions[t.b]), to_double(mesh.positions[t.c])};
}

std::uint32_t Meshes::broken() const {
  std::size_t count = 0;
  for (const MeshView& mesh : views()) count += count_broken(mesh);
  return static_cast<std::uint32_t>(count);
}

void SpanSampler::sample(const Grid& grid, SpanView& out) {
  std::array<software::SampledMesh, 2> meshes;
  for (std::size_t i = 0; i < meshes_.views().size(); ++i)
    meshes[i] = {meshes_.views()[i], whole(grid), i == 0 ? 0 : meshes_.first_of_b()};
  const auto sampled = std::span(meshes).first(meshes_.views().size());
  sampler_.sample(sampled, grid, {offsets_, crossings_});

  const float thinnest = kThinnest * grid.depth();
  std::vector<Row> rows(grid.rows);
  workers().for_chunks(grid.rows, 4, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t v = begin; v < end; ++v) {
      Row& row = rows[v];
      row.counts.reserve(grid.columns);
      for (std::size_t column = v * grid.columns; column < (v + 1) * grid.columns; ++column) {
        const std::size_t before = row.spans.size();
        ColumnWalk(meshes_.first_of_b(), meshes_.pair(), thinnest, row.spans)
            .walk(std::span(crossings_).subspan(offsets_[column], offsets_[column + 1] - offsets_[column]), row);
        row.counts.push_back(static_cast<std::uint32_t>(row.spans.size() - before));
      }
    }
  });

  out.grid = grid;
  out.first.clear();
  out.spans.clear();
  out.health = {};
  out.first.reserve(grid.column_count() + 1);
  std::uint32_t at = 0;
  for (const Row& row : rows) {
    for (const std::uint32_t count : row.counts) {
      out.first.push_back(at);
      at += count;
    }
    out.spans.insert(out.spans.end(), row.spans.begin(), row.spans.end());
    out.health.open_columns += row.open;
    out.health.occupied_columns += row.occupied;
    out.health.inside_out_columns += row.inside_out;
  }
  out.first.push_back(at);
  out.health.untrusted_volume = out.health.open_columns * grid.cell_area() * static_cast<double>(grid.depth());
  for (std::size_t i = 0; i < sampled.size(); ++i) out.health.skipped_triangles += sampler_.skipped(i);
}

}  // namespace lamella::solid
