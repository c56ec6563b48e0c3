#include "cli/measure/pictures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/common.hpp"
#include "picture/arrows.hpp"
#include "picture/boxes.hpp"
#include "picture/color_map.hpp"

namespace lamella::cli {
namespace {

constexpr picture::Rgb kInk{0.13f, 0.13f, 0.15f};
constexpr picture::Rgb kGhost{0.66f, 0.76f, 0.88f};
constexpr float kGlass = 0.30f, kFaint = 0.10f, kShared = 1, kDisk = 0.75f;  ///< opacities
constexpr float kArrow = 5.0f, kThin = 3.0f, kLine = 2.0f, kHair = 0.7f;     ///< radii of bars, in pixels
constexpr float kShortest = 60, kLengthened = 110;                           ///< of an arrow, in pixels
constexpr std::size_t kMostPoints = 20'000, kMostLines = 400, kMany = 5'000;

Mesh moved(MeshView mesh, Vec3 by) {
  Mesh out{{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, {}};
  for (Vec3& p : out.positions) p = p + by;
  return out;
}

/// The smallest of 2, 5, 10, 20 … that is at least `factor`; 1 for less than 1.
float round_factor(float factor) {
  if (!(factor > 1)) return 1;
  for (float power = 1;; power *= 10) {
    for (const float step : {2.0f, 5.0f, 10.0f}) {
      if (step * power >= factor) return step * power;
    }
    if (!(power < 1e30f)) return power;
  }
}

/// Turns the view about what is up, in quarters, until it is across the direction: a way that leads straight into the
/// picture would not be seen.
void look_across(picture::Picture& scene, Vec3 direction) {
  constexpr double kAlong = 0.6;  // cosine from which on a direction is too much along the view
  if (scene.view_fixed || !scene.view_direction || !(length(direction) > 0)) return;
  const Vec3d usual = *scene.view_direction, d = to_double(normalize(direction));
  double least = 2;
  for (const int quarters : {0, 1, 3, 2}) {
    const Vec3d view = rotate(rotation_about(scene.up, quarters * std::numbers::pi / 2), usual);
    const double along = std::abs(dot(view, d)) / length(view);
    if (along < least) scene.view_direction = view;
    least = std::min(least, along);
    if (least < kAlong) return;
  }
}

/// How many times as long an arrow must be drawn to be seen.
float lengthening(float far, float pixel) {
  return far < kShortest * pixel ? round_factor(kLengthened * pixel / far) : 1;
}

std::string times(float factor) { return factor > 1 ? fmt::format(", drawn {} times as long", factor) : ""; }

std::string short_text(double value) { return fmt::format("{:.3g}", value); }

/// Distances below 0 and above it have a half of the scale each: one side can be much shorter.
struct SignedScale {
  double low = 0, high = 0;

  [[nodiscard]] float at(double value) const {
    const double part = value < 0 ? (low < 0 ? -value / low : 0) : (high > 0 ? value / high : 0);
    return static_cast<float>(0.5 + 0.5 * part);
  }
  [[nodiscard]] picture::ColorScale legend(const std::string& text) const {
    if (low >= 0) return {[](float t) { return picture::signed_color(0.5f + 0.5f * t); }, "0", short_text(high), text};
    if (high <= 0) return {[](float t) { return picture::signed_color(0.5f * t); }, short_text(low), "0", text};
    return {picture::signed_color, short_text(low), short_text(high), text + ", 0 in the middle"};
  }
};

SignedScale scale_of(std::span<const double> values) {
  SignedScale scale;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    scale.low = std::min(scale.low, v);
    scale.high = std::max(scale.high, v);
  }
  return scale;
}

float radius_of_dots(std::size_t count) { return count <= kMostLines ? 5.0f : count <= kMany ? 3.2f : 2.0f; }

std::vector<Vec3> every(std::span<const Vec3> points, std::size_t step) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < points.size(); i += step) out.push_back(points[i]);
  return out;
}

}  // namespace

picture::Image draw_way_out(MeshView a, MeshView b, const Mesh& shared, const WayOut& way,
                            const std::array<std::string, 2>& names, picture::Picture scene, unsigned threads) {
  look_across(scene, way.translation);
  const float pixel = picture::pixels_long(scene, unite(bounds(a), bounds(b)), 1), far = length(way.translation);
  const float factor = lengthening(far, pixel);
  const bool shown = far > 0 && std::isfinite(factor);
  scene.legend = {{picture::kBlueGrey, names[0]}, {picture::kSand, names[1]}, {picture::kOverlapRed, "shared volume"}};
  if (shown) {
    scene.legend.push_back({kInk, fmt::format("way out of {}{}", names[0], times(factor))});
    if (factor == 1) scene.legend.push_back({kGhost, fmt::format("{} after it", names[0])});
  }
  const Mesh after = shown && factor == 1 ? moved(a, way.translation) : Mesh{};
  const Mesh arrow = shown ? picture::arrow(way.from, way.from + way.translation * factor, kArrow * pixel) : Mesh{};
  scene.layers = {{after, kGhost, kFaint},
                  {a, picture::kBlueGrey, kGlass},
                  {b, picture::kSand, kGlass},
                  {shared, picture::kOverlapRed, kShared},
                  {arrow, kInk, 1}};
  return picture::render(scene, threads);
}

picture::Image draw_patches(MeshView a, MeshView b, std::span<const ContactPatch> patches,
                            const std::array<std::string, 2>& names, picture::Picture scene, unsigned threads) {
  const float pixel = picture::pixels_long(scene, unite(bounds(a), bounds(b)), 1);
  double deepest = 0;
  for (const ContactPatch& p : patches) deepest = std::max(deepest, p.depth);
  const float factor = lengthening(static_cast<float>(deepest), pixel);
  Mesh disks, arrows;
  for (const ContactPatch& p : patches) {
    const Vec3 at = to_float(p.center), along = to_float(p.normal * (p.depth * factor));
    const double radius = std::sqrt(p.area / std::numbers::pi);
    picture::append(disks, picture::disk(at, to_float(p.normal), static_cast<float>(radius)));
    picture::append(arrows, picture::arrow(at, at + along, kThin * pixel));
  }
  scene.legend = {
      {picture::kBlueGrey, names[0]},
      {picture::kSand, names[1]},
      {picture::kOverlapRed, "area"},
      {kInk, factor > 1 ? fmt::format("normal, {} times as long as deep", factor) : "normal, as long as deep"}};
  scene.layers = {{a, picture::kBlueGrey, kGlass},
                  {b, picture::kSand, kGlass},
                  {disks, picture::kOverlapRed, kDisk},
                  {arrows, kInk, 1}};
  return picture::render(scene, threads);
}

std::vector<Vec3> nearest_points(const MeshDistance& answer, Vec3d origin) {
  if (!std::isfinite(answer.distance)) return {};
  const Vec3 a = to_float(answer.on_a - origin), b = to_float(answer.on_b - origin);
  return a == b ? std::vector<Vec3>{a} : std::vector<Vec3>{a, b};
}

picture::Image draw_distance(MeshView a, MeshView b, std::span<const Vec3> nearest,
                             const std::array<std::string, 2>& names, picture::Picture scene, unsigned threads) {
  scene.legend = {{picture::kBlueGrey, names[0]}, {picture::kSand, names[1]}};
  if (!nearest.empty())
    scene.legend.push_back({picture::kOverlapRed, nearest.size() > 1 ? "nearest points" : "a point of both"});
  const float pixel = picture::pixels_long(scene, unite(bounds(a), bounds(b)), 1);
  const Mesh line = nearest.size() > 1 ? picture::rod(nearest[0], nearest[1], kLine * pixel) : Mesh{};
  scene.layers = {{a, picture::kBlueGrey, kGlass}, {b, picture::kSand, kGlass}, {line, kInk, 1}};
  scene.dots = {{nearest, picture::kOverlapRed, 3 * kLine}};
  return picture::render(scene, threads);
}

picture::Image draw_closest(MeshView mesh, std::span<const Vec3> points, std::span<const Vec3> nearest,
                            std::span<const double> distances, picture::Picture scene, unsigned threads) {
  const std::size_t step = std::max<std::size_t>(1, (points.size() + kMostPoints - 1) / kMostPoints);
  if (step > 1) scene.captions.push_back(fmt::format("1 point in {} is drawn", step));
  const SignedScale scale = scale_of(distances);
  std::vector<picture::Rgb> colors;
  for (std::size_t i = 0; i < points.size(); i += step) colors.push_back(picture::signed_color(scale.at(distances[i])));
  const std::vector<Vec3> drawn = every(points, step);
  Aabb content = bounds(mesh);
  for (const Vec3 p : drawn) content = extend(content, p);
  const float pixel = picture::pixels_long(scene, content, 1);
  Mesh lines;
  for (std::size_t i = 0; i < points.size() && points.size() <= kMostLines; ++i)
    picture::append(lines, picture::rod(points[i], nearest[i], kHair * pixel));
  scene.scales = {scale.legend("distance, below 0 inside")};
  scene.layers = {{mesh, picture::kDotGrey, kGlass}, {lines, picture::kDotGrey, 1}};
  scene.dots = {{drawn, kInk, radius_of_dots(drawn.size()), 0, colors}};
  return picture::render(scene, threads);
}

}  // namespace lamella::cli
