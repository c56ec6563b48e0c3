#include "cli/figure/sampled.hpp"

#include <fmt/core.h>

#include "cli/common.hpp"
#include "cli/query/pictures.hpp"
#include "lamella/engine.hpp"
#include "lamella/query.hpp"
#include "lamella/voi.hpp"
#include "picture/spans.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {

std::vector<Span> sample_spans(MeshView mesh, const Grid& grid, const Options& options) {
  Ldi ldi;
  make_engine(options)->build(mesh, grid, ldi);
  return picture::inside_spans(grid, depth_layers(ldi));
}

picture::Image draw_whole_spans(const Panels& panels, MeshView mesh, const std::string& title, const Options& options) {
  const Aabb box = bounds(mesh);
  const Grid grid = square_grid(box, choose_axis(box).value_or(Axis::z), options.resolution);
  const std::vector<Span> spans = sample_spans(mesh, grid, options);
  const auto columns = fmt::format("{0} x {0} columns, {1}", options.resolution, counted(spans.size(), "span"));
  return draw_spans({}, grid, spans, SpanColors::mesh, panels.blank(kUpY, {title, columns}), options.threads);
}

picture::Image draw_points_inside(const Panels& panels, MeshView mesh, std::size_t points, const Options& options) {
  const std::vector<Vec3> positions = scenes::random_points(mesh, points);
  const Containment containment = contains(mesh, positions, options);
  return draw_contain(mesh, positions, containment,
                      panels.blank(kUpY, {fmt::format("{} points, {} inside: red", grouped(points),
                                                      grouped(containment.inside_count))}),
                      options.threads);
}

}  // namespace lamella::cli
