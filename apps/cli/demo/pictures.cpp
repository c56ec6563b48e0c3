#include "cli/demo/pictures.hpp"

#include <fmt/core.h>

#include <array>

#include "cli/common.hpp"
#include "cli/query/shared_surface.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {
namespace {

/// Where the eye stands, and how large the picture is.
struct View {
  Vec3d direction, up;
  unsigned width, height;
  float text_scale = 1;
};

constexpr View kGripView{{-0.35, 0.25, -1}, {0, 1, 0}, 960, 900};
constexpr View kSerpentView{{-0.5, 0.8, -0.45}, {0, 0, 1}, 1280, 960};

picture::Picture framed(const View& view, std::vector<std::string> captions) {
  picture::Picture scene;
  scene.width = view.width;
  scene.height = view.height;
  scene.view_direction = view.direction;
  scene.up = view.up;
  scene.captions = std::move(captions);
  scene.text_scale = view.text_scale;
  return scene;
}

/// The closing hand at time `t` of its period.
picture::Image draw_grip_at(float t, const View& view, const Options& options) {
  const scenes::Pair pair = scenes::hand_and_phone(38'000, 9'000, t);
  const Overlap shared = intersect(pair.a, pair.b, options);
  const SelfOverlap own = self_intersect(pair.a, options);
  const Mesh red = shared_surface(pair.a, pair.b, shared, options.threads);
  const Mesh green = self_surface(pair.a, own, options.threads);
  picture::Picture scene = framed(
      view, {fmt::format("hand and phone {:.4f}", shared.volume), fmt::format("hand with itself {:.4f}", own.volume)});
  scene.layers = {{pair.a, picture::kSand, 0.45f},
                  {pair.b, picture::kBlueGrey, 0.45f},
                  {red, picture::kOverlapRed, 1},
                  {green, picture::kSelfOverlapGreen, 1}};
  return picture::render(scene, options.threads);
}

picture::Image draw_pair(const View& view, const Options& options) {
  const scenes::Pair pair = scenes::overlapping("torus_knot", 48'000, "serpent", 520'000, true);
  const Overlap shared = intersect(pair.a, pair.b, options);
  const Mesh red = shared_surface(pair.a, pair.b, shared, options.threads);
  picture::Picture scene = framed(view, {fmt::format("knot and serpent {:.4f}", shared.volume)});
  scene.layers = {{pair.a, picture::kBlueGrey, 0.35f}, {pair.b, picture::kSand, 0.35f}, {red, picture::kOverlapRed, 1}};
  return picture::render(scene, options.threads);
}

picture::Image draw_cloud(const View& view, const Options& options) {
  const Mesh serpent = scenes::serpent(520'000);
  const std::vector<Vec3> points = scenes::random_points(serpent, 100'000);
  const Containment containment = contains(serpent, points, options);
  // All the points outside would hide the serpent: one in twenty shows where they were.
  constexpr std::size_t kOutsideStep = 20;
  std::vector<Vec3> inside, outside;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (containment.inside[i] != 0) inside.push_back(points[i]);
    if (containment.inside[i] == 0 && i % kOutsideStep == 0) outside.push_back(points[i]);
  }
  picture::Picture scene = framed(
      view, {fmt::format("{} of {} particles inside", grouped(containment.inside_count), grouped(points.size()))});
  const float dot = static_cast<float>(view.height) / 560;
  scene.layers = {{serpent, picture::kBlueGrey, 0.25f}};
  scene.dots = {{outside, {0.72f, 0.72f, 0.75f}, 0.6f * dot}, {inside, picture::kOverlapRed, dot}};
  return picture::render(scene, options.threads);
}

}  // namespace

picture::Image draw_grip(const Options& options) {
  std::array<picture::Image, 3> phases;
  constexpr std::array<float, 3> kTimes{0.0f, 0.3f, 0.5f};
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = draw_grip_at(kTimes[i], kGripView, options);
  return picture::beside(phases);
}

picture::Image draw_knot_and_serpent(const Options& options) { return draw_pair(kSerpentView, options); }

picture::Image draw_particles(const Options& options) { return draw_cloud(kSerpentView, options); }

picture::Image draw_overview(const Options& options) {
  const auto sized = [](View view, unsigned width, unsigned height) {
    view.width = width;
    view.height = height;
    view.text_scale = 1.7f;  // a page shows it smaller
    return view;
  };
  const std::array<picture::Image, 3> parts{draw_grip_at(0.5f, sized(kGripView, 900, 900), options),
                                            draw_pair(sized(kSerpentView, 960, 900), options),
                                            draw_cloud(sized(kSerpentView, 960, 900), options)};
  return picture::beside(parts);
}

}  // namespace lamella::cli
