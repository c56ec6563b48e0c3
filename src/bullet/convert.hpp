#pragma once

#include <btBulletCollisionCommon.h>

#include <cmath>

#include "lamella/math.hpp"

namespace lamella::bullet {

inline constexpr int kMeshShapeType = FAST_CONCAVE_MESH_PROXYTYPE;

inline btVector3 to_bullet(Vec3 p) { return {btScalar(p.x), btScalar(p.y), btScalar(p.z)}; }
inline btVector3 to_bullet(Vec3d p) { return {btScalar(p.x), btScalar(p.y), btScalar(p.z)}; }
inline Vec3 to_vec3(const btVector3& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

/// Normalises in double: Bullet's rotations have unit length to a float's precision at best.
inline Transform to_transform(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  const double scale = 1 / std::sqrt(x * x + y * y + z * z + w * w);
  return {.translation = {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()},
          .rotation = {x * scale, y * scale, z * scale, w * scale}};
}

/// Whether the scene accepts it as a pose.
inline bool is_finite(const btTransform& t) {
  const Transform pose = to_transform(t);
  return std::isfinite(pose.translation.x + pose.translation.y + pose.translation.z + pose.rotation.x +
                       pose.rotation.y + pose.rotation.z + pose.rotation.w);
}

}  // namespace lamella::bullet
