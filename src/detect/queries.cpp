// The one-off queries: each makes an engine and runs one query.

#include "lamella/query.hpp"

#include "lamella/engine.hpp"

namespace lamella {

Overlap intersect(MeshView a, MeshView b, const Options& options) {
  Overlap out;
  make_engine(options)->intersect(a, b, options.for_query(), out);
  return out;
}

SelfOverlap self_intersect(MeshView mesh, const Options& options) {
  SelfOverlap out;
  make_engine(options)->self_intersect(mesh, options.for_query(), out);
  return out;
}

Containment contains(MeshView mesh, std::span<const Vec3> points, const Options& options) {
  Containment out;
  make_engine(options)->contains(mesh, points, options.for_query(), out);
  return out;
}

Containment contains(MeshView mesh, std::span<const Vec3d> points, const Options& options) {
  Containment out;
  make_engine(options)->contains(mesh, points, options.for_query(), out);
  return out;
}

Containment contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box, const Options& options) {
  Containment out;
  make_engine(options)->contains(mesh, points, box, options.for_query(), out);
  return out;
}

VerticesInside vertices_inside(MeshView a, MeshView b, const Options& options) {
  VerticesInside out;
  make_engine(options)->vertices_inside(a, b, options.for_query(), out);
  return out;
}

}  // namespace lamella
