#include "proof/prover.hpp"

#include <algorithm>

#include "core/exact.hpp"
#include "core/lattice.hpp"
#include "proof/islands.hpp"

namespace lamella::proof {

void points_of_spans(const ProofHint& hint, std::size_t most, std::vector<WindingPoint>& out) {
  out.clear();
  std::vector<Span> spans(hint.spans.begin(), hint.spans.end());
  const auto longer = [](const Span& x, const Span& y) {
    const float p = x.end - x.begin, q = y.end - y.begin;
    return p != q ? p > q : x.column != y.column ? x.column < y.column : x.begin < y.begin;
  };
  const std::size_t used = std::min(most, spans.size());
  std::partial_sort(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(used), spans.end(), longer);
  for (const Span& s : std::span(spans).first(used)) {
    const Vec3d p = settled(sample_position(hint.grid, s.column, (static_cast<double>(s.begin) + s.end) / 2));
    if (usable(to_float(p))) out.push_back({p});
  }
}

std::optional<int> winding_under(Vec3d point, MeshView mesh, std::uint32_t triangle, Workers& workers,
                                 ProofScratch& scratch) {
  const Corners c = corners_of(mesh, triangle);
  const WindingPoint at{point, triangle};
  for (int axis = 0; axis < 3; ++axis) {
    const int up = orient2d(c.at[0], c.at[1], c.at[2], axis);
    if (up == 0) continue;
    int winding = 0;
    find_windings(mesh, {&at, 1}, axis, workers, scratch.winding, {&winding, 1});
    if (winding == kOnSurface) return std::nullopt;
    return winding + (up > 0 ? 1 : 0);
  }
  return std::nullopt;
}

std::vector<std::optional<int>> windings_under(MeshView mesh, std::span<const std::uint32_t> triangles,
                                               Workers& workers, ProofScratch& scratch) {
  std::vector<std::optional<int>> found(triangles.size());
  std::vector<bool> done(triangles.size(), false);
  for (int axis = 0; axis < 3; ++axis) {  // along which the triangle is not seen edge on
    std::vector<WindingPoint> points;
    std::vector<std::size_t> of;
    std::vector<int> up;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      const Corners c = corners_of(mesh, triangles[i]);
      const int turn = done[i] ? 0 : orient2d(c.at[0], c.at[1], c.at[2], axis);
      if (turn == 0) continue;
      done[i] = true;
      points.push_back({point_on(mesh, triangles[i]), triangles[i]});
      of.push_back(i);
      up.push_back(turn);
    }
    std::vector<int> windings(points.size());
    find_windings(mesh, points, axis, workers, scratch.winding, windings);
    for (std::size_t k = 0; k < of.size(); ++k)  // the triangle itself is above what is just below a face that looks up
      if (windings[k] != kOnSurface) found[of[k]] = windings[k] + (up[k] > 0 ? 1 : 0);
  }
  return found;
}

}  // namespace lamella::proof
