#pragma once

#include <cmath>

#include "lamella/math.hpp"
#include "lamella/response.hpp"

// Linear algebra for rigid bodies, in double. Only +, -, *, / and square roots, so that every processor gives the same
// bits.

namespace lamella::response {

constexpr Vec3d operator*(const Matrix3& m, Vec3d v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
constexpr Matrix3 operator+(const Matrix3& a, const Matrix3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
constexpr Matrix3 operator*(const Matrix3& m, double s) { return {m[0] * s, m[1] * s, m[2] * s}; }

constexpr Matrix3 transposed(const Matrix3& m) {
  return {Vec3d{m[0].x, m[1].x, m[2].x}, {m[0].y, m[1].y, m[2].y}, {m[0].z, m[1].z, m[2].z}};
}
constexpr Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 t = transposed(b);
  return {t * a[0], t * a[1], t * a[2]};
}

constexpr Matrix3 diagonal(double s) { return {Vec3d{s, 0, 0}, {0, s, 0}, {0, 0, s}}; }
constexpr Matrix3 outer(Vec3d a, Vec3d b) { return {b * a.x, b * a.y, b * a.z}; }
/// The matrix of v -> a x v.
constexpr Matrix3 cross_matrix(Vec3d a) { return {Vec3d{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}; }

constexpr double determinant(const Matrix3& m) { return dot(m[0], cross(m[1], m[2])); }
/// All zeros when the matrix is singular.
constexpr Matrix3 inverse(const Matrix3& m) {
  const double d = determinant(m);
  if (d == 0) return {};
  const double s = 1 / d;
  return transposed({cross(m[1], m[2]) * s, cross(m[2], m[0]) * s, cross(m[0], m[1]) * s});
}

constexpr Matrix3 matrix_of(const Quaternion& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {Vec3d{ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy)},
          {2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx)},
          {2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz}};
}

/// The Cayley map: a turn about `turn` by 2 atan(|turn| / 2), close to |turn| when that is small.
inline Quaternion cayley(Vec3d turn) { return normalized({turn.x / 2, turn.y / 2, turn.z / 2, 1}); }

/// Converts a tensor from the body's axes to the world's.
constexpr Matrix3 turned(const Matrix3& tensor, const Matrix3& rotation) {
  return rotation * tensor * transposed(rotation);
}

}  // namespace lamella::response
