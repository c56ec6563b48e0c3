#include "answer/depth.hpp"

#include <array>
#include <cmath>

#include "answer/distance.hpp"
#include "answer/stopwatch.hpp"
#include "lamella/repair.hpp"

namespace lamella::answer {
namespace {

/// Farther than this A has passed B.
double farthest(MeshView a, MeshView b) {
  const auto corners = [](MeshView m) {
    const Aabb box = bounds(m);
    return std::array<Vec3d, 2>{to_double(box.min) + m.origin, to_double(box.max) + m.origin};
  };
  const auto [a_low, a_high] = corners(a);
  const auto [b_low, b_high] = corners(b);
  const double far = length(a_high - a_low) + length(b_high - b_low) + length(b_low - a_low);
  return std::isfinite(far) ? far : 0;
}

AlongDirection look_along(MeshView a, MeshView b, const DepthOptions& options, bool apart) {
  AlongDirection along{
      .direction = *options.direction, .shifts = free_shifts(a, b, *options.direction), .motion = 0, .touch = {}};
  if (!apart) return along;
  along.motion = farthest(a, b);
  if (along.motion > 0) along.touch = sweep(a, b, along.direction * along.motion, options.query.threads);
  return along;
}

/// Queries close holes themselves; the search for a way out takes meshes as they are.
Separation find_way(MeshView a, MeshView b, const DepthOptions& given, bool holes) {
  const SeparationOptions options{.engine = given.query.engine,
                                  .directions = given.directions,
                                  .threads = given.query.threads,
                                  .device = given.query.device};
  if (!holes) return separation(a, b, options);
  const RepairOptions close{.weld = false, .drop_degenerate = false, .drop_doubled = false, .orient = false};
  return separation(repair(a, close).mesh, repair(b, close).mesh, options);
}

std::vector<ContactPatch> find_patches(MeshView a, MeshView b, const Options& options) {
  Scene scene({.engine = options.engine,
               .resolution = options.resolution,
               .threads = options.threads,
               .device = options.device,
               .close_holes = options.close_holes,
               .points = false,
               .separations = true});
  scene.add(a);
  scene.add(b);
  return scene.collide().patches;
}

/// JSON has no infinity.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json way_json(const Separation& way) {
  return {{"translation", plain_json(way.translation)},
          {"direction", plain_json(way.direction)},
          {"length", way.length},
          {"margin", way.margin},
          {"verdict", to_string(way.after)},
          {"certain", way.certificate.certain},
          {"directions", way.directions},
          {"engine", way.engine}};
}

Json patches_json(std::span<const ContactPatch> patches) {
  Json out = Json::array();
  for (const ContactPatch& p : patches) {
    out.push_back(patch_json(p));
    out.back()["separation"] = p.separation;
  }
  return out;
}

Json touch_json(const AlongDirection& along) {
  if (!along.touch) return nullptr;
  const SweepHit& hit = *along.touch;
  return {{"distance", hit.time * along.motion},
          {"position", to_json(hit.position)},
          {"normal", to_json(hit.normal)},
          {"triangle_a", hit.triangle_a},
          {"triangle_b", hit.triangle_b}};
}

Json along_json(const AlongDirection& along) {
  const FreeInterval& s = along.shifts;
  Json out{{"direction", to_json(along.direction)},
           {"forward", s.forward},
           {"backward", s.backward},
           {"room_forward", finite_or_null(s.room_forward)},
           {"room_backward", finite_or_null(s.room_backward)},
           {"cell", s.cell}};
  if (along.motion > 0) out["touch"] = touch_json(along);
  return out;
}

}  // namespace

DepthAnswer measure_depth(MeshView a, MeshView b, const DepthOptions& given) {
  DepthAnswer answer;
  Options options = given.query;
  options.explain = true;
  const Stopwatch gradient;
  answer.overlap = volume_gradient(a, b, options, {.vertices = given.vertices});
  answer.gradient_ms = gradient.ms();
  const Stopwatch way;
  answer.way = find_way(a, b, given, answer.overlap.health.closed_edges != 0);
  answer.way_ms = way.ms();
  const Stopwatch patches;
  if (answer.verdict() == Verdict::colliding) answer.patches = find_patches(a, b, options);
  answer.patches_ms = patches.ms();
  const Stopwatch other;
  if (answer.verdict() != Verdict::colliding) answer.apart = distance(a, b, options.threads);
  if (given.direction) answer.along = look_along(a, b, given, answer.apart && answer.apart->distance > 0);
  answer.other_ms = other.ms();
  return answer;
}

std::optional<double> mean_depth(std::span<const ContactPatch> patches) {
  double volume = 0, area = 0;
  for (const ContactPatch& p : patches) {
    volume += p.volume;
    area += p.area;
  }
  return area > 0 ? std::optional(volume / area) : std::nullopt;
}

Json depth_json(const DepthAnswer& answer, const Subjects& subjects) {
  const Overlap& overlap = answer.overlap;
  const bool colliding = answer.verdict() == Verdict::colliding;
  Json out;
  out["query"] = "depth";
  out["colliding"] = colliding;
  out["verdict"] = to_string(answer.verdict());
  out["volume"] = overlap.volume;
  out["volume_error"] = overlap.volume_error;
  const std::optional<double> depth = mean_depth(answer.patches);
  out["depth"] = colliding && depth ? Json(*depth) : Json(nullptr);
  out["centroid"] = overlap.colliding() ? to_json(overlap.centroid) : Json(nullptr);
  out["separation"] = colliding ? way_json(answer.way) : Json(nullptr);
  out["patches"] = patches_json(answer.patches);
  out["gradient"] = colliding ? gradient_json(answer.overlap.sums, overlap.centroid, true) : Json(nullptr);
  out["distance"] = answer.apart ? distance_json(*answer.apart) : Json(nullptr);
  if (answer.along) out["along"] = along_json(*answer.along);
  out["engine"] = overlap.engine;
  out["health"] = health_json(overlap.health);
  out["ms"] = {{"gradient", answer.gradient_ms},
               {"separation", answer.way_ms},
               {"patches", answer.patches_ms},
               {"total", answer.total_ms()},
               {"load", subjects.load_ms}};
  out["doubts"] = Json::array();
  for (const Doubt& doubt : overlap.doubts) out["doubts"].push_back(describe(doubt, subjects.names));
  out["files"] = subjects.names;
  return out;
}

}  // namespace lamella::answer
