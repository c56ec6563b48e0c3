// Heidelberger, Teschner, Gross: Detection of Collisions and Self-collisions Using Image-space Techniques, WSCG 2004.

#include <fmt/core.h>

#include <array>

#include "cli/common.hpp"
#include "cli/figure/objects.hpp"
#include "cli/figure/panels.hpp"
#include "cli/figure/sampled.hpp"
#include "cli/query/pictures.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/detector.hpp"
#include "lamella/query.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kResolution = 64;  ///< of the paper's figures
constexpr std::size_t kPoints = 100'000;
constexpr std::size_t kHand = 4'800, kPhone = 900, kHat = 1'500, kMouse = 15'000;  ///< faces
constexpr float kClosed = 0.5f;                                                    ///< time at which the hand is
/// Onto the palm: from there all fingers are seen.
constexpr Vec3d kOntoPalm{-0.35, 0.25, -1};

}  // namespace

void draw_wscg_3(const FigureTask& task) {
  const Options options = task.sampled(kResolution);
  Detector detector(options);
  const auto at = [&](std::uint32_t i) {
    return scenes::hand_and_phone(task.faces(kHand), task.faces(kPhone),
                                  static_cast<float>(i) / static_cast<float>(task.frames));
  };
  Aabb view;
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    const scenes::Pair pair = at(i);
    view = unite(view, unite(bounds(pair.a), bounds(pair.b)));
  }
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    const scenes::Pair pair = at(i);
    const Stopwatch watch;
    const Overlap& overlap = detector.intersect(pair.a, pair.b);
    task.measured(watch.ms());
    picture::Picture scene = Panels(task, 1).blank(
        kUpY,
        {fmt::format("hand {} + phone {} faces", grouped(pair.a.triangles.size()), grouped(pair.b.triangles.size())),
         fmt::format("shared volume {:8.6f}", overlap.volume)});
    scene.view_direction = kOntoPalm;
    scene.fit = snug(view);
    if (!task.add(draw_intersect(pair.a, pair.b, overlap, std::move(scene), options.threads))) return;
  }
}

void draw_wscg_4(const FigureTask& task) {
  Panels panels(task, 3);
  const Options options = task.sampled(kResolution);
  const scenes::Pair pair = scenes::hand_and_phone(task.faces(kHand), task.faces(kPhone), kClosed);
  const Overlap shared = intersect(pair.a, pair.b, options);
  const SelfOverlap own = self_intersect(pair.a, options);
  const auto blank = [&](std::vector<std::string> captions) {
    picture::Picture scene = panels.blank(kUpY, std::move(captions));
    scene.view_direction = kOntoPalm;
    return scene;
  };
  const auto own_text = fmt::format("hand with itself {} (green)", to_text(own.volume));
  panels.add(draw_intersect_and_self(pair.a, pair.b, shared, {&own, 1},
                                     blank({fmt::format("hand and phone {} (red)", to_text(shared.volume)), own_text}),
                                     options.threads));
  panels.add(draw_self(pair.a, own, blank({own_text}), options.threads));
  panels.add(draw_whole_spans(panels, pair.a, "hand", options));
  task.add(panels.image());
}

void draw_wscg_5(const FigureTask& task) {
  Panels panels(task, 3);
  const Mesh mesh = kDragon.make(task);
  picture::Picture scene = panels.blank(kUpY, {kDragon.title(), counted(mesh.triangles.size(), "face")});
  scene.layers = {{mesh, picture::kBlueGrey, 1}};
  panels.add(picture::render(scene, task.options.threads));
  const Options options = task.sampled(kResolution);
  panels.add(draw_whole_spans(panels, mesh, kDragon.title(), options));
  panels.add(draw_points_inside(panels, mesh, kPoints, options));
  task.add(panels.image());
}

void draw_wscg_6(const FigureTask& task) {
  const Options options = task.sampled(kResolution);
  Detector detector(options);
  const auto at = [&](std::uint32_t i) {
    return scenes::hat_and_mouse(task.faces(kHat), task.faces(kMouse),
                                 static_cast<float>(i) / static_cast<float>(task.frames));
  };
  Aabb view, part;
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    const scenes::Pair pair = at(i);
    view = unite(view, unite(bounds(pair.a), bounds(pair.b)));
    part = unite(part, bounds(pair.a));
  }
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    const scenes::Pair pair = at(i);
    const Stopwatch watch;
    const Overlap& overlap = detector.intersect(pair.a, pair.b);
    task.measured(watch.ms());
    Panels panels(task, 2);
    picture::Picture both = panels.blank(kUpY, {fmt::format("hat {} + mouse {} faces", grouped(pair.a.triangles.size()),
                                                            grouped(pair.b.triangles.size())),
                                                fmt::format("shared volume {:8.6f}", overlap.volume)});
    both.fit = snug(view);
    panels.add(draw_intersect(pair.a, pair.b, overlap, std::move(both), options.threads));
    picture::Picture columns =
        panels.blank(kUpY, {fmt::format("{0} x {0} columns, {1:>6} spans", options.resolution, overlap.spans.size())});
    columns.fit = part;
    panels.add(draw_spans({}, overlap.grid, overlap.spans, SpanColors::overlap, std::move(columns), options.threads));
    if (!task.add(panels.image())) return;
  }
}

}  // namespace lamella::cli
