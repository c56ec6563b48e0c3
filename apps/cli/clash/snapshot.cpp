#include "cli/clash/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/clash/cut_out.hpp"
#include "picture/arrows.hpp"

namespace lamella::cli {
namespace {

constexpr picture::Rgb kInk{0.13f, 0.13f, 0.15f};
constexpr float kGlass = 0.38f;  ///< opacity of the parts
constexpr double kShare =
    1.9;  ///< half of it, times the diagonal of what a view is about, is its reach: a third of the picture
/// Of the smaller part's diagonal: the least that a view shows around a small clash, and around one point.
constexpr double kLeastView = 0.02, kPointView = 0.15;
constexpr double kWhole = 0.33;  ///< of the diagonal of both parts: half a cube that shows them all
constexpr double kSeen = 3.6;    ///< reaches: what lies farther from the target is outside the picture
constexpr double kAbove = 24 * std::numbers::pi / 180, kAside = 18 * std::numbers::pi / 180;
constexpr std::uint32_t kCells = 48;           ///< of the overlap, along its sides
constexpr double kLine = 0.015, kEnd = 0.045;  ///< radii of the line across a gap and of its ends, in reaches

bool usable(Vec3d v) { return std::isfinite(dot(v, v)) && dot(v, v) > 0; }
Vec3d unit(Vec3d v) { return v * (1 / length(v)); }

/// The way out, or across the gap; 0 where neither is known.
Vec3d way_of(const ClashPair& pair) {
  if (usable(pair.way_out)) return unit(pair.way_out);
  const Vec3d gap = pair.on_b - pair.on_a;
  return !shares_volume(pair) && usable(gap) ? unit(gap) : Vec3d{};
}

Vec3d direction_across(Vec3d way) {
  constexpr Vec3d kUp{0, 0, 1};
  const Vec3d usual = unit({-0.62, 1, 0});  // of other pictures
  // For a way that leads up or down, every direction on the level is across.
  Vec3d level = cross(kUp, way);
  level = length(level) > 0.35 ? unit(level) : usual;
  if (dot(level, usual) < 0) level = -level;
  // A little aside, so that faces along the way are seen too.
  level = rotate(rotation_about(kUp, kAside), level);
  return unit(level * std::cos(kAbove) - kUp * std::sin(kAbove));
}

}  // namespace

ClashView view_of(const ClashPair& pair, PlacedParts& parts) {
  const WorldBox a = parts.box(pair.a), b = parts.box(pair.b), shown{pair.min, pair.max};
  const double smaller = std::min(a.diagonal(), b.diagonal()), both = unite(a, b).diagonal();
  const double extent = shown.diagonal();
  ClashView view{.target = (shown.min + shown.max) * 0.5, .direction = direction_across(way_of(pair))};
  const double wished = kShare * extent / 2;
  const double least = (shares_volume(pair) ? kLeastView : kPointView) * smaller;
  view.reach = std::min(std::max(wished, least), std::max(kWhole * both, kWhole * extent));
  if (!(view.reach > 0) || !std::isfinite(view.reach)) view.reach = 1;
  return view;
}

picture::Image draw_clash(PlacedParts& parts, const ClashAnswer& answer, const ClashPair& pair, picture::Size size) {
  const auto [a, b] = parts.pair(pair.a, pair.b);
  const ClashView view = view_of(pair, parts);
  const unsigned threads = answer.options.threads;
  const Mesh near_a = cut_out(*a, view.target, kSeen * view.reach),
             near_b = cut_out(*b, view.target, kSeen * view.reach);
  Mesh shared, gap;
  std::vector<Vec3> ends;  // of the gap; one point where the parts touch
  if (shares_volume(pair)) {
    const PairSolid solid = pair_solid(parts, pair, answer.options, {.resolution = kCells, .finest = kCells});
    shared = cut_out(solid.view(), view.target, kSeen * view.reach);
  } else {
    const Vec3 from = to_float(pair.on_a - view.target), to = to_float(pair.on_b - view.target);
    const auto radius = static_cast<float>(kLine * view.reach);
    gap = picture::rod(from, to, radius);
    ends = {from, to};
  }
  const auto reach = static_cast<float>(view.reach);
  picture::Picture picture;
  picture.layers = {{near_a, picture::kBlueGrey, kGlass},
                    {near_b, picture::kSand, kGlass},
                    {shared, picture::kOverlapRed, 1},
                    {gap, kInk, 1}};
  picture.dots = {{.points = ends, .color = picture::kOverlapRed, .radius = static_cast<float>(kEnd * view.reach)}};
  picture.width = size.width, picture.height = size.height;
  picture.samples = 2;
  picture.shadows = false;
  picture.view_direction = view.direction;
  picture.fit = Aabb{{-reach, -reach, -reach}, {reach, reach, reach}};
  return picture::render(picture, threads);
}

}  // namespace lamella::cli
