#include "cli/measure/depth_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/measure/distance_answer.hpp"
#include "cli/measure/gradient_file.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPatches = 8;  ///< that are printed

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

std::string after_text(const Separation& way) {
  if (way.after == Verdict::clear) return way.certificate.certain ? "clear, which is proved" : "clear, as sampled";
  return fmt::format("{}: more directions may help", to_string(way.after));
}

void print_way(const Separation& way) {
  print_line("way out", fmt::format("move A by {}", to_text(way.translation)));
  print_line("length", fmt::format("{} and a margin of {}, along {}", to_text(way.length), to_text(way.margin),
                                   to_text(way.direction)));
  print_line("after it", after_text(way));
}

void print_patches(std::span<const ContactPatch> patches) {
  for (std::size_t i = 0; i < std::min(patches.size(), kMostPatches); ++i) {
    const ContactPatch& p = patches[i];
    print_line(fmt::format("patch {}", i + 1),
               fmt::format("{} deep over an area of {}, normal {}, {} to leave along it, at {}", to_text(p.depth),
                           to_text(p.area), to_text(p.normal), to_text(p.separation), to_text(p.center)));
  }
  if (patches.size() > kMostPatches)
    print_line("patches", fmt::format("{} more, smaller; --json lists all", grouped(patches.size() - kMostPatches)));
}

std::string room_text(double room) {
  return std::isfinite(room) ? fmt::format("{} free beyond", to_text(room)) : "nothing beyond";
}

void print_along(const AlongDirection& along) {
  const FreeInterval& s = along.shifts;
  print_line("direction", to_text(along.direction));
  if (s.overlapping) {
    print_line("forwards", fmt::format("{} to get out, {}", to_text(s.forward), room_text(s.room_forward)));
    print_line("backwards", fmt::format("{} to get out, {}", to_text(s.backward), room_text(s.room_backward)));
    return;
  }
  if (along.touch) {
    print_line("first touch",
               fmt::format("after {}, at {}, triangles {} and {}", to_text(along.touch->time * along.motion),
                           to_text(along.touch->position), along.touch->triangle_a, along.touch->triangle_b));
  } else {
    print_line("first touch", "none: A passes B");
  }
}

void print_overlap_depth(const DepthAnswer& answer, const Subjects& subjects) {
  print_way(answer.way);
  if (const std::optional<double> depth = mean_depth(answer.patches))
    print_line("depth", fmt::format("{}, volume over area", to_text(*depth)));
  print_line("volume", volume_text(answer.overlap.volume, answer.overlap.volume_error));
  print_line("centroid", to_text(answer.overlap.centroid));
  print_patches(answer.patches);
  print_gradient(answer.overlap.sums, subjects.names);
}

}  // namespace

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

void print_depth(const DepthAnswer& answer, const Subjects& subjects) {
  const Verdict verdict = answer.verdict();
  print_line("colliding", verdict == Verdict::undecided ? "undecided" : verdict == Verdict::colliding ? "yes" : "no");
  for (const Doubt& doubt : answer.overlap.doubts)
    print_line(verdict == Verdict::undecided ? "because" : "doubt", describe(doubt, subjects.names));
  if (verdict == Verdict::colliding) print_overlap_depth(answer, subjects);
  if (answer.apart) print_distance(*answer.apart);
  if (answer.along) print_along(*answer.along);
  print_line("health", describe(answer.overlap.health, subjects, doubt_of_volume(answer.overlap.health)));
  print_line("engine", fmt::format("{}, {:.2f} ms (forces {:.2f}, way out {:.2f}, patches {:.2f}; loading apart: "
                                   "{:.2f})",
                                   answer.overlap.engine, answer.total_ms(), answer.gradient_ms, answer.way_ms,
                                   answer.patches_ms, subjects.load_ms));
}

}  // namespace lamella::cli
