#include "cli/scene/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lamella::cli {
namespace {

constexpr std::array<picture::Rgb, 8> kColors{{{0.29f, 0.47f, 0.70f},
                                               {0.87f, 0.64f, 0.30f},
                                               {0.52f, 0.65f, 0.50f},
                                               {0.63f, 0.49f, 0.64f},
                                               {0.33f, 0.62f, 0.66f},
                                               {0.80f, 0.52f, 0.44f},
                                               {0.72f, 0.70f, 0.42f},
                                               {0.48f, 0.50f, 0.56f}}};
constexpr picture::Rgb kInk{0.12f, 0.12f, 0.14f};
/// Objects are glass when they are few; among many only the nearest would be seen anyway.
constexpr std::size_t kFew = 24;
constexpr float kGlass = 0.42f, kFrosted = 0.85f;
constexpr int kStrokeDots = 24;
constexpr float kStrokeLength = 0.04f;  ///< of the view's diagonal

void append(Mesh& to, MeshView mesh, const Transform& pose) {
  const auto shift = static_cast<std::uint32_t>(to.positions.size());
  for (const Vec3 p : mesh.positions) to.positions.push_back(to_float(apply(pose, to_double(p) + mesh.origin)));
  for (const Triangle t : mesh.triangles) to.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
}

std::vector<Vec3> strokes(const SceneResult& result, float length) {
  std::vector<Vec3> dots;
  for (const Contact& c : result.contacts) {
    for (int i = 0; i < kStrokeDots; ++i) {
      dots.push_back(to_float(c.position) + c.normal * (length * static_cast<float>(i) / kStrokeDots));
    }
  }
  return dots;
}

Aabb placed(const Aabb& box, Vec3d origin, const Transform& pose) {
  Aabb out;
  for (unsigned i = 0; i < 8 && !box.empty(); ++i) {
    const Vec3d p{i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z};
    out = extend(out, to_float(apply(pose, p + origin)));
  }
  return out;
}

}  // namespace

Aabb view_of(const SceneFile& file, std::uint32_t first, std::uint32_t count) {
  Aabb view;
  for (const SceneObject& object : file.objects) {
    const Mesh mesh = mesh_of(file, object);
    Aabb own = bounds(mesh);
    for (const auto& shape : object.shapes) own = unite(own, bounds({shape, {}}));
    for (std::uint32_t frame = first; frame < first + count; ++frame) {
      view = unite(view, placed(own, mesh.origin, pose_at(object, frame)));
    }
  }
  return view;
}

picture::Image draw_scene(const Scene& scene, const SceneResult& result, const Aabb& view, picture::Picture out,
                          unsigned threads) {
  std::array<Mesh, kColors.size()> meshes;
  const auto objects = static_cast<std::uint32_t>(scene.size());
  for (std::uint32_t i = 0; i < objects; ++i) {
    append(meshes[i % meshes.size()], scene.mesh(ObjectId{i}), scene.pose(ObjectId{i}));
  }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (!meshes[i].triangles.empty())
      out.layers.push_back({meshes[i], kColors[i], objects <= kFew ? kGlass : kFrosted});
  }
  std::vector<Vec3> points;
  for (const CollisionPoint& p : result.points) points.push_back(to_float((p.on_a + p.on_b) * 0.5));
  const Vec3 size = extent(view);
  const std::vector<Vec3> normals = strokes(result, kStrokeLength * length(size));
  out.dots = {{points, picture::kOverlapRed, 1.8f}, {normals, kInk, 1.1f}};
  out.fit = view;
  return picture::render(out, threads);
}

}  // namespace lamella::cli
