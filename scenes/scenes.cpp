#include "scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lamella/elementary.hpp"
#include "scenes/random.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

void move(Mesh& mesh, double scale, const Transform& pose) {
  for (Vec3& p : mesh.positions) p = to_float(apply(pose, to_double(p) * scale));
}

double diagonal(const Mesh& mesh) { return double(length(extent(box_of(mesh.positions)))); }

/// Of the solid's volume: of a bent solid it lies nearer to the material than the box's centre does.
Vec3d centroid(const Mesh& mesh) {
  Vec3d sum;
  double volume = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
                c = to_double(mesh.positions[t.c]);
    const double part = dot(a, cross(b, c));
    sum = sum + (a + b + c) * (part / 4);
    volume += part;
  }
  return sum * (1 / volume);
}

/// A vertex that lies farthest along x, or with `sign` -1 against it: of a flat end, the one nearest its middle.
Vec3d farthest(const Mesh& mesh, float sign) {
  const Aabb box = box_of(mesh.positions);
  const float end = sign * (sign > 0 ? box.max.x : box.min.x) - 1e-4f * extent(box).x;
  std::vector<Vec3d> ends;
  Vec3d middle;
  for (const Vec3 p : mesh.positions) {
    if (sign * p.x < end) continue;
    ends.push_back(to_double(p));
    middle = middle + ends.back();
  }
  middle = middle * (1.0 / double(ends.size()));
  return *std::min_element(ends.begin(), ends.end(),
                           [&](Vec3d p, Vec3d q) { return length(p - middle) < length(q - middle); });
}

}  // namespace

Mesh phone_in_palm(std::size_t faces) {
  Mesh mesh = phone(faces);
  // Its back lies across the palm, just below the knuckles.
  move(mesh, 1.05, {{0.02, -0.02, 0.168}, rotation_about({0, 0, 1}, 0.18)});
  return mesh;
}

Mesh hat_on_head(std::size_t faces, float t) {
  Mesh mesh = hat(faces);
  const double sway = phase(t);
  const Quaternion tilt = rotation_about({elementary::cos(sway), 0, elementary::sin(sway)}, 0.14);
  move(mesh, 0.5, {{0.02 * elementary::sin(sway), 0.485, 0.03}, tilt});
  return mesh;
}

Pair hand_and_phone(std::size_t hand_faces, std::size_t phone_faces, float t) {
  Pair pair{hand(hand_faces), phone_in_palm(phone_faces)};
  const std::vector<Vec3> rest = pair.a.positions;
  close_hand(rest, t, pair.a.positions);
  return pair;
}

Pair hat_and_mouse(std::size_t hat_faces, std::size_t mouse_faces, float t) {
  return {hat_on_head(hat_faces, t), mouse(mouse_faces)};
}

Pair overlapping(std::string_view a, std::size_t a_faces, std::string_view b, std::size_t b_faces, bool deep) {
  return overlapping(make_model(a, a_faces), make_model(b, b_faces, 2), deep);
}

Pair overlapping(Mesh a, Mesh b, bool deep) {
  Pair pair{std::move(a), std::move(b)};
  const double scale = diagonal(pair.a) / diagonal(pair.b);
  move(pair.b, scale, {});
  if (deep) {
    const Vec3d aside = Vec3d{0.02, -0.01, 0.015} * diagonal(pair.a);
    move(pair.b, 1, {centroid(pair.a) - centroid(pair.b) + aside, {}});
    return pair;
  }
  // Tip against tip: only a thin cap of each can be inside the other.
  constexpr double kDepth = 0.035;
  const float width_a = extent(box_of(pair.a.positions)).x, width_b = extent(box_of(pair.b.positions)).x;
  const Vec3d depth{kDepth * double(std::min(width_a, width_b)), 0, 0};
  move(pair.b, 1, {farthest(pair.a, 1) - farthest(pair.b, -1) - depth, {}});
  return pair;
}

std::vector<Vec3> random_points(MeshView mesh, std::size_t count, std::uint32_t seed) {
  const Aabb box = box_of(mesh.positions);
  Random random(seed);
  std::vector<Vec3> points(box.empty() ? 0 : count);
  for (Vec3& p : points) {
    for (int i = 0; i < 3; ++i) {
      p[i] = std::min(static_cast<float>(random.uniform(double(box.min[i]), double(box.max[i]))), box.max[i]);
    }
  }
  return points;
}

}  // namespace lamella::scenes
