#include "clash/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "clash/parts.hpp"
#include "lamella/error.hpp"
#include "proof/box_pairs.hpp"

namespace lamella::clash {
namespace {

float rounded_down(double value) {
  const float f = static_cast<float>(value);
  return double{f} > value ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
float rounded_up(double value) { return -rounded_down(-value); }

/// Boxes in floats about the middle of all, wider by half of `reach`: those that meet contain the candidates.
std::vector<proof::TriangleBox> float_boxes(std::span<const WideBox> boxes, double reach) {
  WideBox all;
  for (const WideBox& box : boxes)
    if (!box.empty()) all = unite(all, box);
  std::vector<proof::TriangleBox> out;
  if (all.empty()) return out;
  const Vec3d middle = (all.min + all.max) * 0.5;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty()) continue;
    proof::TriangleBox box{{}, {}, static_cast<std::uint32_t>(i)};
    for (int k = 0; k < 3; ++k) {
      box.min[k] = rounded_down(boxes[i].min[k] - 0.5 * reach - middle[k]);
      box.max[k] = rounded_up(boxes[i].max[k] + 0.5 * reach - middle[k]);
    }
    out.push_back(box);
  }
  return out;
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// The lower number first, ascending.
std::vector<Pair> in_order(std::vector<Pair> pairs) {
  for (Pair& p : pairs)
    if (p.second < p.first) std::swap(p.first, p.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

[[noreturn]] void refuse(const ClashOptions& options) {
  throw Error(
      fmt::format("more than {} pairs of parts are close to each other; ignore some by rules, use a smaller "
                  "clearance, or raise max_candidates",
                  options.max_candidates));
}

Vec3d low_corner(const WideBox& a, const WideBox& b, double reach) {
  Vec3d low;
  for (int i = 0; i < 3; ++i) low[i] = std::max(a.min[i], b.min[i]) - 0.5 * reach;
  return low;
}

}  // namespace

double reach_of(const ClashOptions& options) {
  double reach = std::max(options.clearance, options.touch);
  for (const ClashRule& rule : options.rules)
    if (!rule.ignore) reach = std::max(reach, rule.clearance.value_or(0));
  return reach;
}

double clearance_of(const ClashOptions& options, std::uint32_t rule) {
  return rule == kNoRule ? options.clearance : options.rules[rule].clearance.value_or(options.clearance);
}

Candidates find_candidates(std::span<const WideBox> boxes, const RuleTable& rules, const ClashOptions& options,
                           const Owns& owns) {
  Candidates found;
  const std::vector<Pair> ignored = in_order(options.ignored);
  const double reach = reach_of(options);
  std::vector<proof::TriangleBox> loose = float_boxes(boxes, reach);
  const proof::Search search = proof::visit_box_pairs(loose, [&](std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = std::min(i, j), b = std::max(i, j);
    const std::uint32_t rule = rules.rule_of(a, b);
    const double gap = gap_of(boxes[a], boxes[b]);
    if (gap > std::max(clearance_of(options, rule), options.touch)) return true;
    if (owns && !owns(low_corner(boxes[a], boxes[b], reach))) return true;
    const bool by_rule = rule != kNoRule && options.rules[rule].ignore;
    if (by_rule || std::binary_search(ignored.begin(), ignored.end(), Pair(a, b))) {
      ++found.ignored;
      return true;
    }
    found.pairs.push_back({a, b, rule, gap == 0});
    return found.pairs.size() <= options.max_candidates;
  });
  if (search != proof::Search::finished) refuse(options);
  std::sort(found.pairs.begin(), found.pairs.end(),
            [](const Candidate& x, const Candidate& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  return found;
}

}  // namespace lamella::clash
