#include "cli/query/pictures.hpp"

#include <fmt/core.h>

#include "cli/query/shared_surface.hpp"

namespace lamella::cli {
namespace {

constexpr picture::Rgb kInsideOutViolet{0.55f, 0.20f, 0.75f};
constexpr float kGlass = 0.35f;  ///< opacity of an object that an answer lies in

/// All points outside would be a fog that hides those inside.
constexpr std::size_t kMostOutside = 10'000;

std::vector<Vec3> every(std::span<const Vec3> points, std::size_t step) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < points.size(); i += step) out.push_back(points[i]);
  return out;
}

}  // namespace

picture::Image draw_intersect(MeshView a, MeshView b, const Overlap& overlap, picture::Picture scene, unsigned threads,
                              bool close_holes) {
  return draw_intersect_and_self(a, b, overlap, {}, std::move(scene), threads, close_holes);
}

picture::Image draw_self(MeshView mesh, const SelfOverlap& overlap, picture::Picture scene, unsigned threads,
                         bool close_holes) {
  const Mesh twice = self_surface(mesh, overlap, threads, close_holes);
  const Mesh inside_out = prisms(overlap.grid, overlap.inside_out);
  scene.layers = {
      {mesh, picture::kBlueGrey, kGlass}, {twice, picture::kSelfOverlapGreen, 1}, {inside_out, kInsideOutViolet, 1}};
  return picture::render(scene, threads);
}

picture::Image draw_intersect_and_self(MeshView a, MeshView b, const Overlap& overlap, std::span<const SelfOverlap> own,
                                       picture::Picture scene, unsigned threads, bool close_holes) {
  const Mesh shared = shared_surface(a, b, overlap, threads, close_holes);
  scene.layers = {{a, picture::kBlueGrey, kGlass}, {b, picture::kSand, kGlass}, {shared, picture::kOverlapRed, 1}};
  std::vector<Mesh> twice;
  for (std::size_t i = 0; i < own.size(); ++i)
    twice.push_back(self_surface(i == 0 ? a : b, own[i], threads, close_holes));
  for (const Mesh& mesh : twice) scene.layers.push_back({mesh, picture::kSelfOverlapGreen, 1});
  return picture::render(scene, threads);
}

picture::Image draw_contain(MeshView mesh, std::span<const Vec3> points, const Containment& containment,
                            picture::Picture scene, unsigned threads) {
  std::vector<Vec3> inside, outside;
  for (std::size_t i = 0; i < points.size(); ++i)
    (containment.inside[i] == kPointInside ? inside : outside).push_back(points[i]);
  if (const std::size_t step = (outside.size() + kMostOutside - 1) / kMostOutside; step > 1) {
    outside = every(outside, step);
    scene.captions.push_back(fmt::format("of those outside 1 in {} is drawn", step));
  }
  scene.layers = {{mesh, picture::kBlueGrey, kGlass}};
  scene.dots = {{outside, picture::kDotGrey, 0.8f}, {inside, picture::kOverlapRed, 1.6f}};
  return picture::render(scene, threads);
}

picture::Image draw_vertices(MeshView a, MeshView b, const VerticesInside& vertices, picture::Picture scene,
                             unsigned threads) {
  std::vector<Vec3> inside;
  for (const VertexInside& v : vertices.a_in_b.inside) inside.push_back(a.positions[v.vertex]);
  for (const VertexInside& v : vertices.b_in_a.inside) inside.push_back(b.positions[v.vertex]);
  scene.layers = {{a, picture::kBlueGrey, kGlass}, {b, picture::kSand, kGlass}};
  scene.dots = {{inside, picture::kOverlapRed, 1.6f}};
  return picture::render(scene, threads);
}

}  // namespace lamella::cli
