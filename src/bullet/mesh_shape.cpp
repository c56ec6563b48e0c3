#include <atomic>
#include <cmath>

#include "bullet/convert.hpp"
#include "core/world_only.hpp"
#include "lamella/bullet.hpp"
#include "lamella/error.hpp"
#include "lamella/response.hpp"

namespace lamella::bullet {
namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void check(MeshView mesh) {
  for (const Triangle& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i)
      if (t[i] >= mesh.positions.size()) throw Error("MeshShape: a triangle has an index out of range");
  }
}

}  // namespace

// The shape type is not CUSTOM_CONCAVE_SHAPE_TYPE: Bullet's signed distance fields use it, and its algorithm for convex
// shapes casts every shape of that type to one. Nothing in Bullet uses FAST_CONCAVE_MESH_PROXYTYPE ("for demo
// integration").
MeshShape::MeshShape(MeshView mesh, const btTransform& frame) : frame_(frame), identity_(next_identity()) {
  check_world_only(mesh, "MeshShape");
  check(mesh);
  if (!is_finite(frame)) throw Error("MeshShape: the frame is not finite");
  m_shapeType = kMeshShapeType;
  m_collisionMargin = 0;
  mesh_.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  mesh_.positions.resize(mesh.positions.size());
  place(mesh.positions);
}

void MeshShape::deform(std::span<const Vec3> positions) {
  if (positions.size() != mesh_.positions.size())
    throw Error("MeshShape: deform() needs as many positions as the mesh has");
  place(positions);
  ++revision_;
}

void MeshShape::place(std::span<const Vec3> positions) {
  const btTransform into = frame_.inverse();
  for (std::size_t i = 0; i < positions.size(); ++i)
    mesh_.positions[i] = to_vec3(into * to_bullet(positions[i]) * scaling_);
  box_ = bounds(mesh_);
  if (box_.empty()) box_ = {{0, 0, 0}, {0, 0, 0}};
}

void MeshShape::processAllTriangles(btTriangleCallback* callback, const btVector3& aabb_min,
                                    const btVector3& aabb_max) const {
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
    btVector3 corners[3];
    for (int k = 0; k < 3; ++k) corners[k] = to_bullet(mesh_.positions[mesh_.triangles[i][k]]);
    btVector3 low = corners[0], high = corners[0];
    for (int k = 1; k < 3; ++k) {
      low.setMin(corners[k]);
      high.setMax(corners[k]);
    }
    if (TestAabbAgainstAabb2(low, high, aabb_min, aabb_max)) callback->processTriangle(corners, 0, static_cast<int>(i));
  }
}

void MeshShape::getAabb(const btTransform& pose, btVector3& aabb_min, btVector3& aabb_max) const {
  btTransformAabb(to_bullet(box_.min), to_bullet(box_.max), getMargin(), pose, aabb_min, aabb_max);
}

void MeshShape::setLocalScaling(const btVector3& scaling) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(scaling[axis] > 0 && std::isfinite(scaling[axis])))
      throw Error("MeshShape: a scaling must be finite and above 0");
  const btVector3 ratio = scaling / scaling_;
  scaling_ = scaling;
  for (Vec3& p : mesh_.positions) p = to_vec3(to_bullet(p) * ratio);
  box_ = {to_vec3(to_bullet(box_.min) * ratio), to_vec3(to_bullet(box_.max) * ratio)};
  ++revision_;
}

void MeshShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
  const MassProperties properties = mass_properties(mesh_);
  const double scale = static_cast<double>(mass) / properties.mass;
  inertia = to_bullet(Vec3d{properties.inertia[0].x, properties.inertia[1].y, properties.inertia[2].z} * scale);
}

}  // namespace lamella::bullet
