// Heidelberger, Teschner, Gross: Volumetric Collision Detection for Deformable Objects, ETH TR 395, 2003.

#include <fmt/core.h>

#include <array>
#include <cmath>

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

constexpr std::uint32_t kResolution = 128;  ///< of the paper's experiments
constexpr std::uint32_t kSpanResolution = 64, kFewColumns = 32;
constexpr std::size_t kPoints = 100'000;

/// The pairs of table 1.
constexpr std::array<std::array<StandIn, 2>, 3> kPairs{{{kKnot, kRabbit}, {kRabbit, kReptile}, {kReptile, kSanta}}};

scenes::Pair placed(const FigureTask& task, const StandIn& a, const StandIn& b, bool deep) {
  return scenes::overlapping(a.model, task.faces(a.faces), b.model, task.faces(b.faces), deep);
}

std::string pair_text(const scenes::Pair& pair) {
  return fmt::format("{} and {} faces", grouped(pair.a.triangles.size()), grouped(pair.b.triangles.size()));
}

void draw_pairs(const FigureTask& task, bool deep) {
  Panels panels(task, kPairs.size());
  const Options options = task.sampled(kResolution);
  for (const auto& [a, b] : kPairs) {
    const scenes::Pair pair = placed(task, a, b, deep);
    const Overlap overlap = intersect(pair.a, pair.b, options);
    const auto caption =
        fmt::format("shared volume {}, {} x {}", to_text(overlap.volume), options.resolution, options.resolution);
    panels.add(draw_boxes(pair.a, pair.b, overlap, {a.title(), b.title()},
                          panels.blank(kUpY, {pair_text(pair), caption}), options.threads));
  }
  task.add(panels.image());
}

/// A body and a smaller one that moves through its lap; both deform. Period 1.
class Deforming {
 public:
  explicit Deforming(const FigureTask& task)
      : large_(scenes::make_model(kSanta.model, task.faces(kSanta.faces))),
        small_(scenes::make_model("blob", task.faces(5'000))),
        large_rest_(large_.positions),
        small_rest_(small_.positions),
        turned_(large_rest_.size()) {
    constexpr float kSize = 0.28f;
    for (Vec3& p : small_rest_) p = p * kSize;
  }

  void move(float t) {
    scenes::twist(large_rest_, t, 0.05f, turned_);
    scenes::wobble(turned_, t, 3, large_.positions);
    scenes::wobble(small_rest_, t, 5, small_.positions);
    const double angle = 2 * 3.14159265358979 * static_cast<double>(t);
    const Vec3 at{static_cast<float>(0.34 * std::cos(angle)), static_cast<float>(0.12 + 0.10 * std::sin(2 * angle)),
                  static_cast<float>(0.10 + 0.22 * std::sin(angle))};
    for (Vec3& p : small_.positions) p = p + at;
  }

  [[nodiscard]] const Mesh& large() const { return large_; }
  [[nodiscard]] const Mesh& small() const { return small_; }

 private:
  Mesh large_, small_;
  std::vector<Vec3> large_rest_, small_rest_, turned_;
};

}  // namespace

void draw_tr395_1(const FigureTask& task) {
  Deforming bodies(task);
  const Options options = task.sampled(kResolution);
  Detector detector(options);
  Aabb view;
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    bodies.move(static_cast<float>(i) / static_cast<float>(task.frames));
    view = unite(view, unite(bounds(bodies.large()), bounds(bodies.small())));
  }
  for (std::uint32_t i = 0; i < task.frames; ++i) {
    bodies.move(static_cast<float>(i) / static_cast<float>(task.frames));
    const Stopwatch watch;
    const Overlap& overlap = detector.intersect(bodies.large(), bodies.small());
    task.measured(watch.ms());
    // Lines of fixed lengths: the letters' size follows from the longest.
    picture::Picture scene =
        Panels(task, 1).blank(kUpY, {fmt::format("{} + {} faces, both deform", grouped(bodies.large().triangles.size()),
                                                 grouped(bodies.small().triangles.size())),
                                     fmt::format("shared volume {:8.6f}", overlap.volume)});
    scene.fit = snug(view);
    if (!task.add(draw_intersect(bodies.large(), bodies.small(), overlap, std::move(scene), options.threads))) return;
  }
}

void draw_tr395_2(const FigureTask& task) {
  Panels panels(task, 3);
  scenes::Pair pair = placed(task, kKnot, kRabbit, true);
  // Half out of it: boxes that overlap in a part show best what the volume of interest is.
  const float aside = 0.4f * extent(bounds(pair.a)).x;
  for (Vec3& p : pair.b.positions) p.x += aside;
  const PairNames names{kKnot.title(), kRabbit.title()};
  Overlap overlap = intersect(pair.a, pair.b, task.sampled(kResolution));
  Overlap nothing = overlap;
  nothing.spans.clear();
  const unsigned threads = task.options.threads;
  panels.add(
      draw_boxes(pair.a, pair.b, nothing, names, panels.blank(kUpY, {"(a) boxes and volume of interest"}), threads));
  const Options coarse = task.sampled(kFewColumns);
  Grid grid = overlap.grid;
  grid.columns = grid.rows = coarse.resolution;
  panels.add(draw_pair_spans(grid, sample_spans(pair.a, grid, coarse), sample_spans(pair.b, grid, coarse), names,
                             panels.blank(kUpY, {fmt::format("(b) {0} x {0} columns in it", coarse.resolution)}),
                             threads));
  panels.add(draw_boxes(pair.a, pair.b, overlap, names,
                        panels.blank(kUpY, {fmt::format("(c) shared volume {}", to_text(overlap.volume))}), threads));
  task.add(panels.image());
}

void draw_tr395_7(const FigureTask& task) { draw_objects(task, std::array{kDragon, kSanta, kRabbit, kReptile, kKnot}); }

void draw_tr395_8(const FigureTask& task) { draw_pairs(task, false); }

void draw_tr395_9(const FigureTask& task) { draw_pairs(task, true); }

void draw_tr395_10(const FigureTask& task) {
  const Panels panels(task, 1);
  const scenes::Pair pair = placed(task, kKnot, kDragon, true);
  const Options options = task.sampled(kResolution);
  const Overlap overlap = intersect(pair.a, pair.b, options);
  const auto names = fmt::format("{} and {}: {}", kKnot.title(), kDragon.title(), pair_text(pair));
  const auto caption =
      fmt::format("shared volume {}, {} x {}", to_text(overlap.volume), options.resolution, options.resolution);
  task.measured(overlap.ms.total());
  task.add(draw_intersect(pair.a, pair.b, overlap, panels.blank(kUpY, {names, caption}), options.threads));
}

void draw_tr395_11(const FigureTask& task) {
  Panels panels(task, 2);
  const Mesh mesh = kRabbit.make(task);
  panels.add(draw_whole_spans(panels, mesh, kRabbit.title(), task.sampled(kSpanResolution)));
  panels.add(draw_points_inside(panels, mesh, kPoints, task.sampled(kResolution)));
  task.add(panels.image());
}

}  // namespace lamella::cli
