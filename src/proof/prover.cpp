#include "proof/prover.hpp"

#include <algorithm>

#include "core/exact.hpp"
#include "core/lattice.hpp"
#include "proof/islands.hpp"

namespace lamella {

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

std::optional<int> winding_under(MeshView mesh, std::uint32_t triangle, Workers& workers, ProofScratch& scratch) {
  const Corners c = corners_of(mesh, triangle);
  const WindingPoint point{point_on(mesh, triangle), triangle};
  for (int axis = 0; axis < 3; ++axis) {
    const int up = orient2d(c.at[0], c.at[1], c.at[2], axis);
    if (up == 0) continue;
    int winding = 0;
    find_windings(mesh, {&point, 1}, axis, workers, scratch.winding, {&winding, 1});
    if (winding == kOnSurface) return std::nullopt;
    return winding + (up > 0 ? 1 : 0);  // the triangle itself is above what is just below a face that looks up
  }
  return std::nullopt;
}

}  // namespace lamella
