// The stages of a query as pictures, after TR 395's figures 2, 8, 9 and 11 and WSCG 2004's figures 4, 5 and 6: boxes,
// volume of interest, spans.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/query/pictures.hpp"
#include "cli/query/shared_surface.hpp"
#include "lamella/voi.hpp"
#include "picture/boxes.hpp"
#include "picture/spans.hpp"

namespace lamella::cli {
namespace {

constexpr picture::Rgb kInk{0.13f, 0.13f, 0.15f};
constexpr float kGlass = 0.35f, kFaint = 0.10f, kFace = 0.22f;  ///< opacities
constexpr float kLine = 1.6f;                                   ///< pixels
constexpr double kStick = 0.62;                                 ///< of a cell
constexpr double kHalfStick = 0.44;                             ///< where two stand side by side in a cell
constexpr std::size_t kMostInLegend = 4;                        ///< layers with an entry of their own

/// Edges of a box on a mesh's sides would be half inside of it: a box is drawn a line larger than it is.
Aabb grown(const Aabb& box, float by) {
  const Vec3 d{by, by, by};
  return {box.min - d, box.max + d};
}

/// The volume of interest again, for its outside faces: an answer has only its box.
std::optional<PairVoi> voi_of(const Aabb& a, const Aabb& b, const Overlap& overlap) {
  if (overlap.grid.column_count() == 0) return std::nullopt;
  return choose_pair_voi(a, b, overlap.grid.axis);
}

std::string layer_text(std::size_t layer, std::size_t layers) {
  constexpr std::array<std::string_view, kMostInLegend> kNames{"first layer of spans", "second", "third", "fourth"};
  const bool more = layer + 1 == kMostInLegend && layers > kMostInLegend;
  return fmt::format("{}{}", kNames[layer], more ? " and on" : "");
}

}  // namespace

picture::Image draw_boxes(MeshView a, MeshView b, const Overlap& overlap, const PairNames& names,
                          picture::Picture scene, unsigned threads, bool close_holes) {
  const Aabb box_a = bounds(a), box_b = bounds(b);
  const auto voi = voi_of(box_a, box_b, overlap);
  const std::string_view more = voi ? ", its box, its outside face" : " and its box";
  scene.legend = {{picture::kBlueGrey, fmt::format("{}{}", names[0], more)},
                  {picture::kSand, fmt::format("{}{}", names[1], more)}};
  if (voi) {
    scene.legend.push_back({kInk, "volume of interest"});
    scene.legend.push_back({picture::kOverlapRed, "shared volume"});
  }
  const float line = picture::pixels_long(scene, unite(box_a, box_b), kLine);
  const Mesh wire_a = picture::wire_box(grown(box_a, line), line), wire_b = picture::wire_box(grown(box_b, line), line);
  const Mesh shared = shared_surface(a, b, overlap, threads, close_holes);
  scene.layers = {{a, picture::kBlueGrey, kGlass},
                  {b, picture::kSand, kGlass},
                  {wire_a, picture::kBlueGrey, 1},
                  {wire_b, picture::kSand, 1},
                  {shared, picture::kOverlapRed, 1}};
  if (!voi) return picture::render(scene, threads);
  const Mesh wire = picture::wire_box(voi->box, 1.4f * line);
  const Mesh face_a = picture::box_face(voi->box, voi->axis, voi->outside_a == End::high);
  const Mesh face_b = picture::box_face(voi->box, voi->axis, voi->outside_b == End::high);
  scene.layers.push_back({wire, kInk, 1});
  scene.layers.push_back({face_a, picture::kBlueGrey, kFace});
  scene.layers.push_back({face_b, picture::kSand, kFace});
  return picture::render(scene, threads);
}

picture::Image draw_spans(std::span<const MeshView> meshes, const Grid& grid, std::span<const Span> spans,
                          SpanColors colors, picture::Picture scene, unsigned threads) {
  const auto layers = picture::by_layer(spans);
  const auto color = [&](std::size_t i) {
    if (i == 0 && colors == SpanColors::overlap) return picture::kOverlapRed;
    return picture::kLayerColors[i % picture::kLayerColors.size()];
  };
  for (std::size_t i = 0; i < std::min(layers.size(), kMostInLegend); ++i) {
    scene.legend.push_back({color(i), layer_text(i, layers.size())});
  }
  Aabb content = grid.box;
  for (const MeshView& mesh : meshes) content = unite(content, bounds(mesh));
  const float line = picture::pixels_long(scene, content, kLine);
  const Mesh wire = picture::wire_box(grown(grid.box, line), line);
  std::vector<Mesh> bars;
  for (const auto& layer : layers) bars.push_back(picture::sticks(grid, layer, kStick));
  for (const MeshView& mesh : meshes) {
    if (!mesh.triangles.empty()) scene.layers.push_back({mesh, picture::kDotGrey, kFaint});
  }
  if (grid.column_count() != 0) scene.layers.push_back({wire, kInk, 1});
  for (std::size_t i = 0; i < bars.size(); ++i) scene.layers.push_back({bars[i], color(i), 1});
  return picture::render(scene, threads);
}

picture::Image draw_pair_spans(const Grid& grid, std::span<const Span> a, std::span<const Span> b,
                               const PairNames& names, picture::Picture scene, unsigned threads) {
  scene.legend = {{picture::kBlueGrey, "inside " + names[0]}, {picture::kSand, "inside " + names[1]}};
  const float line = picture::pixels_long(scene, grid.box, kLine);
  const Mesh wire = picture::wire_box(grown(grid.box, line), line);
  const Mesh bars_a = picture::sticks(grid, a, kHalfStick, -0.25), bars_b = picture::sticks(grid, b, kHalfStick, 0.25);
  scene.layers = {{wire, kInk, 1}, {bars_a, picture::kBlueGrey, 1}, {bars_b, picture::kSand, 1}};
  return picture::render(scene, threads);
}

}  // namespace lamella::cli
