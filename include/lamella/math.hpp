#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lamella/elementary.hpp"

namespace lamella {

/// A position or direction in the mesh's own units; three packed floats, so an array of them is an xyz array.
struct Vec3 {
  float x = 0, y = 0, z = 0;

  [[nodiscard]] constexpr float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};
static_assert(sizeof(Vec3) == 3 * sizeof(float));

/// In double, for sums over many samples (volumes, centroids).
struct Vec3d {
  double x = 0, y = 0, z = 0;

  [[nodiscard]] constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3d&, const Vec3d&) = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(float s, Vec3 a) { return a * s; }
constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
/// `a` must not be zero.
inline Vec3 normalize(Vec3 a) { return a * (1.0f / length(a)); }

constexpr Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3d operator-(Vec3d a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3d& operator+=(Vec3d& a, Vec3d b) { return a = a + b; }
constexpr Vec3d& operator-=(Vec3d& a, Vec3d b) { return a = a - b; }
constexpr Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3d cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }
constexpr Vec3d to_double(Vec3 a) { return {a.x, a.y, a.z}; }
constexpr Vec3 to_float(Vec3d a) { return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}; }

/// Unit quaternion of a rotation, (x, y, z) the vector part.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;
};

/// Rotates by `b`, then by `a`.
constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
/// The inverse rotation.
constexpr Quaternion conjugate(const Quaternion& q) { return {-q.x, -q.y, -q.z, q.w}; }
/// `q` must not be zero.
inline Quaternion normalized(const Quaternion& q) {
  const double s = 1 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

/// A rigid placement: rotate, then translate.
struct Transform {
  Vec3d translation;
  Quaternion rotation;  ///< must have length 1
};

/// Rotates by `t.rotation`, then adds `t.translation`; in double, so that a pose adds no error of its own.
constexpr Vec3d apply(const Transform& t, Vec3d p) {
  const Vec3d q{t.rotation.x, t.rotation.y, t.rotation.z};
  const Vec3d c = cross(q, p) * 2.0;
  return p + c * t.rotation.w + cross(q, c) + t.translation;
}

constexpr Vec3d rotate(const Quaternion& q, Vec3d v) { return apply(Transform{{}, q}, v); }

/// Right-handed rotation about `axis` (any length except 0) by `radians`.
inline Quaternion rotation_about(Vec3d axis, double radians) {
  const double s = elementary::sin(radians / 2) / std::sqrt(dot(axis, axis));
  return {axis.x * s, axis.y * s, axis.z * s, elementary::cos(radians / 2)};
}

/// Axis-aligned box. The default is empty: min above max, so that extending it by a point gives that point.
struct Aabb {
  Vec3 min{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
           std::numeric_limits<float>::infinity()};
  Vec3 max{-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
           -std::numeric_limits<float>::infinity()};

  [[nodiscard]] constexpr bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
  friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

constexpr Aabb extend(const Aabb& b, Vec3 p) {
  return {{std::min(b.min.x, p.x), std::min(b.min.y, p.y), std::min(b.min.z, p.z)},
          {std::max(b.max.x, p.x), std::max(b.max.y, p.y), std::max(b.max.z, p.z)}};
}
constexpr Aabb unite(const Aabb& a, const Aabb& b) {
  return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
          {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
}
constexpr Vec3 extent(const Aabb& b) { return b.max - b.min; }
constexpr Vec3 center(const Aabb& b) { return b.min + extent(b) * 0.5f; }

}  // namespace lamella
