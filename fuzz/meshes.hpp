#pragma once

// Small meshes, poses and options out of an input. Coordinates are mostly small whole numbers times a scale, so that
// surfaces often touch, coincide or have no thickness, and rays often hit edges.

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "input.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"

namespace lamella::fuzz {

/// The whole numbers 0 to 7 as coordinates.
struct Places {
  float scale = 1, offset = 0;

  explicit Places(Input& input) {
    constexpr float kScales[] = {1, 0.125f, 1.0f / 3, 1e-3f, 1e4f, 0x1p-40f, 0x1p40f, 0.7f};
    constexpr float kOffsets[] = {0, -4, 0.1f, 1000};
    const std::size_t which = input.below(32);
    scale = kScales[which % 8];
    offset = kOffsets[which / 8] * scale;
  }
  [[nodiscard]] float at(unsigned number) const { return static_cast<float>(number) * scale + offset; }
  /// 9 bits.
  Vec3 take(Input& input) const {
    const auto bits = input.take<std::uint16_t>();
    return {at(bits & 7u), at(bits >> 3 & 7u), at(bits >> 6 & 7u)};
  }
};

/// What is known about a mesh by the way it was made.
struct MadeMesh {
  Mesh mesh;
  bool closed = true;         ///< every column's signs sum to 0, unless a triangle is skipped
  bool usable = true;         ///< no coordinate is NaN, infinite or very large
  bool indices_exist = true;  ///< no index is out of range
};

/// Turns a triangle's corners so that `opposite` lies behind it, as in a solid.
inline double volume_of(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const Vec3d o = to_double(d);
  return dot(cross(to_double(a) - o, to_double(b) - o), to_double(c) - o);
}

/// Adds the four faces of a tetrahedron: outwards, or as the corners happen to turn. Any number of them, with corners
/// shared or not, has columns that close.
inline void add_tetrahedron(Mesh& mesh, Triangle t, std::uint32_t d, bool outwards) {
  const auto& p = mesh.positions;
  if (outwards && volume_of(p[t.a], p[t.b], p[t.c], p[d]) < 0) std::swap(t.b, t.c);
  for (const Triangle& face : {t, Triangle{t.a, d, t.b}, Triangle{t.b, d, t.c}, Triangle{t.c, d, t.a}})
    mesh.triangles.push_back(face);
}

inline void add_box(Mesh& mesh, Vec3 p, Vec3 q) {
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  const Aabb box = extend(extend({}, p), q);
  for (unsigned i = 0; i < 8; ++i)
    mesh.positions.push_back({(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                              (i & 4) != 0 ? box.max.z : box.min.z});
  constexpr Triangle kFaces[12] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const Triangle& t : kFaces) mesh.triangles.push_back({base + t.a, base + t.b, base + t.c});
}

/// Up to four boxes (also flat ones) and tetrahedra, which may share corners.
inline Mesh take_closed(Input& input, const Places& places) {
  Mesh mesh;
  for (std::size_t pieces = 1 + input.below(4); pieces > 0; --pieces) {
    const auto kind = input.take<std::uint8_t>();
    if ((kind & 1) != 0) {
      const Vec3 p = places.take(input), q = places.take(input);
      add_box(mesh, p, q);
      if ((kind & 14) == 14)  // inside out
        for (std::size_t i = mesh.triangles.size() - 12; i < mesh.triangles.size(); ++i)
          std::swap(mesh.triangles[i].a, mesh.triangles[i].b);
      continue;
    }
    std::uint32_t corners[4];
    for (std::uint32_t& c : corners) {
      c = static_cast<std::uint32_t>(mesh.positions.size());
      if ((kind & 2) != 0 && c > 0 && input.flag())
        c = static_cast<std::uint32_t>(input.below(c));
      else
        mesh.positions.push_back(places.take(input));
    }
    add_tetrahedron(mesh, {corners[0], corners[1], corners[2]}, corners[3], (kind & 12) != 12);
  }
  return mesh;
}

/// Floats of any bits, indices of any value.
inline Mesh take_arrays(Input& input) {
  Mesh mesh;
  mesh.positions.resize(input.below(12));
  const bool bytes = input.flag();
  for (Vec3& p : mesh.positions)
    for (int k = 0; k < 3; ++k) p[k] = bytes ? static_cast<float>(input.take<std::int8_t>()) : input.take<float>();
  mesh.triangles.resize(input.below(16));
  const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
  const bool in_range = input.below(4) != 0 && vertices != 0;
  for (Triangle& t : mesh.triangles) {
    const auto index = [&] { return in_range ? input.take<std::uint8_t>() % vertices : input.take<std::uint32_t>(); };
    t.a = index(), t.b = index(), t.c = index();
  }
  return mesh;
}

inline MadeMesh describe(Mesh mesh, bool closed) {
  MadeMesh made{std::move(mesh), closed};
  for (const Vec3 p : made.mesh.positions)
    for (int k = 0; k < 3; ++k) made.usable = made.usable && std::abs(p[k]) <= 0x1p100f;
  for (const Triangle& t : made.mesh.triangles)
    for (int k = 0; k < 3; ++k) made.indices_exist = made.indices_exist && t[k] < made.mesh.positions.size();
  return made;
}

/// A closed mesh, one with a defect, or any arrays.
inline MadeMesh take_mesh(Input& input, const Places& places) {
  const std::size_t kind = input.below(16);
  if (kind >= 13) return describe(take_arrays(input), false);
  Mesh mesh = take_closed(input, places);
  const std::size_t which = kind >= 9 ? input.below(mesh.triangles.size()) : 0;
  if (kind == 9) mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(which));
  if (kind == 10) std::swap(mesh.triangles[which].a, mesh.triangles[which].c);
  if (kind == 11) mesh.positions[input.below(mesh.positions.size())].y = input.take<float>();
  if (kind == 12) mesh.triangles[which].b = input.take<std::uint32_t>();
  return describe(std::move(mesh), kind < 9 || kind == 11);
}

/// Often the identity or a quarter turn. With `wild`, rarely one that is refused.
inline Transform take_pose(Input& input, const Places& places, bool wild = false) {
  Transform pose;
  const std::size_t kind = input.below(wild ? 16 : 12);
  if (kind < 2) return pose;
  const Vec3 by = places.take(input);
  pose.translation = {static_cast<double>(by.x) - 3 * static_cast<double>(places.scale), by.y, by.z};
  constexpr double kHalf = 0.70710678118654752440;
  switch (kind) {
    case 2:
    case 3:
    case 4:
      break;
    case 5:
      pose.rotation = {kHalf, 0, 0, kHalf};
      break;
    case 6:
      pose.rotation = {0, kHalf, 0, -kHalf};
      break;
    case 7:
      pose.rotation = {0, 0, 1, 0};
      break;
    case 12:
      pose.translation.y = input.take<double>();
      break;
    case 13:
      pose.rotation.w = input.take<double>();
      break;
    default: {
      const Quaternion q{static_cast<double>(input.take<std::int8_t>()), static_cast<double>(input.take<std::int8_t>()),
                         static_cast<double>(input.take<std::int8_t>()), 128.5};
      pose.rotation = normalized(q);
    }
  }
  return pose;
}

/// Whether the interface promises to take it.
inline bool is_pose(const Transform& pose) {
  const auto [x, y, z, w] = pose.rotation;
  const Vec3d t = pose.translation;
  const double square = x * x + y * y + z * z + w * w;
  return std::isfinite(t.x) && std::isfinite(t.y) && std::isfinite(t.z) && std::abs(square - 1) <= 0.001;
}

/// Points of the lattice that meshes use, of its halves, and any floats.
inline std::vector<Vec3> take_points(Input& input, const Places& places) {
  std::vector<Vec3> points(input.below(24));
  for (Vec3& p : points) {
    p = places.take(input);
    const std::size_t kind = input.below(8);
    if (kind == 0) p = {input.take<float>(), input.take<float>(), input.take<float>()};
    if (kind <= 3) p = p + Vec3{places.scale, places.scale, places.scale} * 0.5f;
  }
  return points;
}

/// Options of a query. `good`: the interface promises to take them.
struct MadeOptions {
  Options options;
  bool good = true;
  bool may_throw = false;  ///< though they are good: strict, or a limit
};

inline MadeOptions take_options(Input& input) {
  MadeOptions made;
  made.options.close_holes = false;  // the rules are about meshes as they are given
  Options& o = made.options;
  constexpr const char* kEngines[] = {"software", "reference", "software-wscg"};
  o.engine = kEngines[input.below(3)];
  o.resolution = static_cast<std::uint32_t>(1 + input.below(14));
  o.threads = static_cast<unsigned>(1 + input.below(3));
  if (const std::size_t axis = input.below(6); axis < 3) o.axis = static_cast<Axis>(axis);
  constexpr float kThickness[] = {0x1p-20f, 0, 0x1p-20f, 0.01f, 0.26f, 1};
  const std::size_t thickness = input.below(32);
  o.min_thickness = thickness < 6 ? kThickness[thickness] : 0x1p-20f;
  switch (input.below(32)) {
    case 0:
      o.resolution = input.flag() ? 0 : kMaxResolution + 1;
      made.good = false;
      break;
    case 1:
      o.min_thickness = input.take<float>();
      made.good = o.min_thickness >= 0 && std::isfinite(o.min_thickness);
      break;
    case 2:
      o.engine = "soft\nware";
      made.good = false;
      break;
    case 3:
      o.max_crossings = input.below(64);
      made.may_throw = true;
      break;
    case 4:
      o.strict = made.may_throw = true;
      break;
    default:
      break;
  }
  return made;
}

}  // namespace lamella::fuzz
