#include "cli/measure/depth_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/common.hpp"
#include "cli/measure/distance_answer.hpp"
#include "cli/measure/gradient_file.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kMostPatches = 8;  ///< that are printed

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

void print_along(const answer::AlongDirection& along) {
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
  if (const std::optional<double> depth = answer::mean_depth(answer.patches))
    print_line("depth", fmt::format("{}, volume over area", to_text(*depth)));
  print_line("volume", volume_text(answer.overlap.volume, answer.overlap.volume_error));
  print_line("centroid", to_text(answer.overlap.centroid));
  print_patches(answer.patches);
  print_gradient(answer.overlap.sums, subjects.names);
}

}  // namespace

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
