#pragma once

#include <cstddef>
#include <optional>

#include "answer/query.hpp"
#include "lamella/distance.hpp"

namespace lamella::answer {

/// Distance, points and triangles; null where there are none.
[[nodiscard]] Json distance_json(const MeshDistance& answer);
/// The whole answer of `distance`.
[[nodiscard]] Json whole_distance_json(const MeshDistance& answer, const Subjects& subjects);

/// Of all points that have a distance.
struct ClosestSummary {
  double min = 0, max = 0, mean = 0;
  std::size_t inside = 0;
};
/// Nothing when no point has one.
[[nodiscard]] std::optional<ClosestSummary> summary_of(const ClosestPoints& answer);

/// The whole answer of `closest`; `subjects` names the mesh and the points.
[[nodiscard]] Json closest_json(const ClosestPoints& answer, const Subjects& subjects);

}  // namespace lamella::answer
