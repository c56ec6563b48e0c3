#include "solid/edge_crossings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lamella::solid {
namespace {

/// A view that disagrees with the other two does so because a surface passes a point closely. Then the crossing that it
/// sees is next to the edge: not further away than this, in steps.
constexpr double kNextTo = 0.25;

/// A plane further away than this from its crossing is no use: the face is a sliver.
constexpr double kOffPlane = 0.05;

/// The end of a span.
struct End {
  double at = 0;  ///< in steps, from the first point
  std::uint32_t face = 0;
};

End end_of(const FacedSpan& span, bool upper, double per_step) {
  return upper ? End{static_cast<double>(span.end) * per_step - 0.5, span.end_face}
               : End{static_cast<double>(span.begin) * per_step - 0.5, span.begin_face};
}

/// The crossing between points i and i + 1 of a column. None when the view has none nearby.
std::optional<End> find_end(std::span<const FacedSpan> column, std::int64_t i, bool upwards, double per_step) {
  const std::int64_t inner = upwards ? i : i + 1, outer = upwards ? i + 1 : i;
  const auto span = std::partition_point(column.begin(), column.end(),
                                         [&](const FacedSpan& s) { return points_in(s, per_step).end <= inner; });
  if (span != column.end()) {
    const PointRange range = points_in(*span, per_step);
    if (range.has(inner) && !range.has(outer)) return end_of(*span, upwards, per_step);
  }
  std::optional<End> nearest;
  double least = kNextTo;
  for (const FacedSpan& s : column) {
    const End end = end_of(s, upwards, per_step);
    const double away = std::max(static_cast<double>(i) - end.at, end.at - static_cast<double>(i + 1));
    if (away > least) continue;
    least = away;
    nearest = end;
  }
  return nearest;
}

/// Where the view disagrees and sees nothing nearby: at the point that it would have on the other side.
double place_without(std::span<const FacedSpan> column, std::int64_t i, double per_step) {
  for (const FacedSpan& s : column)
    if (points_in(s, per_step).has(i)) return 1;
  return 0;
}

class EdgeCrosser {
 public:
  EdgeCrosser(const Meshes& meshes, const SpanView& view, const PointLattice& lattice)
      : meshes_(meshes), view_(view), step_(lattice.step()), low_(to_double(lattice.box.min)), axis_(view.grid.w()) {}

  [[nodiscard]] EdgeCrossing at_edge(const std::array<std::uint32_t, 3>& point, bool upwards) const {
    const auto column = view_.column(column_at(axis_, view_.grid.columns, point));
    const double per_step = 1 / step_[axis_];
    const std::int64_t i = point[axis_];
    EdgeCrossing out;
    out.upwards = upwards;
    out.normal[axis_] = upwards ? 1.0f : -1.0f;
    const auto end = find_end(column, i, upwards, per_step);
    if (!end) {
      const double lower = place_without(column, i, per_step);
      out.at = static_cast<float>(upwards ? lower : 1 - place_without(column, i + 1, per_step));
      return out;
    }
    out.at = static_cast<float>(std::clamp(end->at - static_cast<double>(i), 0.0, 1.0));
    take_face(end->face, point, out);
    return out;
  }

 private:
  void take_face(std::uint32_t face, const std::array<std::uint32_t, 3>& point, EdgeCrossing& out) const {
    out.mesh = face >= meshes_.first_of_b() ? 1 : 0;
    const auto corner = meshes_.corners(face);
    const Vec3d normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double size = length(normal);
    if (!(size > 0) || !std::isfinite(size)) return;
    out.has_plane = true;
    out.normal = to_float(normal * (1 / size));
    // In steps of the lattice: there, planes have other normals.
    Vec3d scaled, from_face;
    for (int k = 0; k < 3; ++k) {
      scaled[k] = normal[k] / size * step_[k];
      const double place = point[k] + 0.5 + (k == axis_ ? static_cast<double>(out.at) : 0.0);
      from_face[k] = place - (corner[0][k] - low_[k]) / step_[k];
    }
    scaled = scaled * (1 / length(scaled));
    out.step_normal = to_float(scaled);
    const double off = -dot(scaled, from_face);
    if (std::abs(off) <= kOffPlane) out.to_plane = static_cast<float>(off);
  }

  const Meshes& meshes_;
  const SpanView& view_;
  Vec3d step_, low_;
  int axis_;
};

}  // namespace

std::vector<EdgeCrossing> cross_edges(const Meshes& meshes, const SpanView& view, const PointBits& bits,
                                      const EdgeNumbers& numbers, const PointLattice& lattice, Workers& workers) {
  const int axis = view.grid.w();
  const EdgeCrosser crosser(meshes, view, lattice);
  std::vector<EdgeCrossing> out(numbers.count());
  // The outermost points are outside: edges that have one end inside begin before the last ones.
  workers.for_chunks(bits.points(0) - 1, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto x = static_cast<std::uint32_t>(begin); x < end; ++x)
      for (std::uint32_t y = 0; y + 1 < bits.points(1); ++y)
        for (std::uint32_t w = 0; w < bits.words(); ++w) {
          std::uint32_t at = numbers.first(x, y, w);
          for_each_bit(bits.edges(axis, x, y, w), [&](std::uint32_t bit) {
            const std::array<std::uint32_t, 3> point{x, y, w * 64 + bit};
            out[at++] = crosser.at_edge(point, bits.at(x, y, point[2]));
          });
        }
  });
  return out;
}

}  // namespace lamella::solid
