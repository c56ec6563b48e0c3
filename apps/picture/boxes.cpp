#include "picture/boxes.hpp"

#include <array>

#include "picture/camera.hpp"
#include "picture/legend.hpp"

namespace lamella::picture {
namespace {

// Corner c of a box takes the high end along x, y, z where bit 0, 1, 2 of c is set.
constexpr std::array<Triangle, 12> kFaces{{{0, 2, 1},
                                           {1, 2, 3},
                                           {4, 5, 6},
                                           {5, 7, 6},
                                           {0, 1, 4},
                                           {1, 5, 4},
                                           {2, 6, 3},
                                           {3, 6, 7},
                                           {0, 4, 2},
                                           {2, 4, 6},
                                           {1, 3, 5},
                                           {3, 7, 5}}};

void add_bar(Mesh& mesh, const Aabb& bar) {
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  for (unsigned c = 0; c < 8; ++c) mesh.positions.push_back(corner(bar, c));
  for (const Triangle t : kFaces) mesh.triangles.push_back({base + t.a, base + t.b, base + t.c});
}

}  // namespace

Mesh wire_box(const Aabb& box, float width) {
  Mesh mesh;
  if (box.empty()) return mesh;
  const float h = width / 2;
  const Vec3 half{h, h, h};
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((from >> axis & 1u) != 0) continue;
      add_bar(mesh, {corner(box, from) - half, corner(box, from | 1u << axis) + half});
    }
  }
  return mesh;
}

Mesh box_face(const Aabb& box, Axis axis, bool high) {
  Mesh mesh;
  if (box.empty()) return mesh;
  const auto w = static_cast<unsigned>(axis);
  for (unsigned c = 0; c < 8; ++c) {
    if ((c >> w & 1u) == (high ? 1u : 0u)) mesh.positions.push_back(corner(box, c));
  }
  mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
  return mesh;
}

float pixels_long(const Picture& picture, const Aabb& content, float pixels) {
  Picture same = picture;
  same.layers.clear();
  same.dots.clear();
  if (!same.fit) same.fit = content;
  const Camera camera = fit_camera(same, text_block(picture).height());
  return static_cast<float>(pixels * static_cast<float>(camera.samples) / samples_per_unit(camera));
}

}  // namespace lamella::picture
