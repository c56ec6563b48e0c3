#include "answer/distance.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::answer {
namespace {

Json triangle_json(std::uint32_t triangle) { return triangle == kNoTriangle ? Json(nullptr) : Json(triangle); }

}  // namespace

Json distance_json(const MeshDistance& answer) {
  Json out;
  const bool exists = std::isfinite(answer.distance);
  out["distance"] = exists ? Json(answer.distance) : nullptr;
  out["on_a"] = exists ? to_json(answer.on_a) : nullptr;
  out["on_b"] = exists ? to_json(answer.on_b) : nullptr;
  out["triangle_a"] = triangle_json(answer.triangle_a);
  out["triangle_b"] = triangle_json(answer.triangle_b);
  return out;
}

Json whole_distance_json(const MeshDistance& answer, const Subjects& subjects) {
  Json out;
  out["query"] = "distance";
  out.update(distance_json(answer));
  out["verdict"] = to_string(answer.verdict);
  out["ms"] = {{"total", answer.ms.total()}, {"load", subjects.load_ms}};
  out["files"] = subjects.names;
  return out;
}

std::optional<ClosestSummary> summary_of(const ClosestPoints& answer) {
  std::vector<double> distances;
  for (const ClosestPoint& p : answer.points) {
    if (std::isfinite(p.distance)) distances.push_back(p.distance);
  }
  if (distances.empty()) return std::nullopt;
  ClosestSummary out{distances[0], distances[0], 0, 0};
  for (const double d : distances) {
    out.min = std::min(out.min, d);
    out.max = std::max(out.max, d);
    out.mean += d / static_cast<double>(distances.size());
    out.inside += d < 0 ? 1 : 0;
  }
  return out;
}

Json closest_json(const ClosestPoints& answer, const Subjects& subjects) {
  const std::optional<ClosestSummary> summary = summary_of(answer);
  Json out;
  out["query"] = "closest";
  out["points"] = answer.points.size();
  out["inside"] = summary ? summary->inside : 0;
  out["unknown"] = answer.health.untrusted_points;
  out["min"] = summary ? Json(summary->min) : Json(nullptr);
  out["max"] = summary ? Json(summary->max) : Json(nullptr);
  out["mean"] = summary ? Json(summary->mean) : Json(nullptr);
  out["ms"] = {{"total", answer.ms.total()}, {"load", subjects.load_ms}};
  out["files"] = subjects.names;
  return out;
}

}  // namespace lamella::answer
