#include "clash/classify.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::clash {
namespace {

/// Mean normals not longer than this count as facing both ways.
constexpr double kFacesBothWays = 0.25;

/// Whether all of a part's volume is shared.
bool is_all_of(const Shared& s, double volume) {
  return volume > 0 && std::abs(s.volume - volume) <= 3 * s.error + 1e-4 * volume;
}

}  // namespace

bool faces_both_ways(const InnerSurface& inner_a, const InnerSurface& inner_b) {
  if (!(inner_a.area > 0) && !(inner_b.area > 0)) return false;  // nothing was seen
  return std::max(length(inner_a.normal), length(inner_b.normal)) <= kFacesBothWays;
}

ClashClass class_of(const Shared& s) {
  const bool all_a = is_all_of(s, s.volume_a), all_b = is_all_of(s, s.volume_b);
  if (all_a && all_b) return ClashClass::duplicate;
  if (all_a || all_b) return ClashClass::contained;
  return faces_both_ways(s.inner_a, s.inner_b) ? ClashClass::piercing : ClashClass::overlapping;
}

void Unseen::add(const Health& health) {
  unbounded = unbounded || health.open_columns != 0 || health.inside_out_columns != 0 ||
              health.skipped_triangles != 0 || health.dropped_crossings != 0;
  at_holes += health.closing_volume;
}

bool is_allowed(const ClashPair& pair, const ClashRule& rule, const Unseen& unseen) {
  if (rule.allow_contact) return pair.kind >= ClashClass::near;
  if (pair.kind < ClashClass::overlapping) return false;
  const bool volume_known = pair.volume > 0 && pair.verdict != Verdict::undecided && !unseen.unbounded;
  if (rule.allowed_volume > 0 && volume_known &&
      pair.volume + pair.volume_error + unseen.at_holes <= rule.allowed_volume)
    return true;
  return rule.allowed_depth > 0 && pair.depth > 0 && pair.depth <= rule.allowed_depth;
}

}  // namespace lamella::clash
