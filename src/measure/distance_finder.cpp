#include "measure/distance_state.hpp"

namespace lamella {

DistanceFinder::DistanceFinder(unsigned threads) : state_(std::make_unique<State>(threads)) {}
DistanceFinder::~DistanceFinder() = default;
DistanceFinder::DistanceFinder(DistanceFinder&&) noexcept = default;
DistanceFinder& DistanceFinder::operator=(DistanceFinder&&) noexcept = default;

const MeshDistance& DistanceFinder::distance(MeshView a, MeshView b) {
  state_->find_distance(a, b);
  return state_->pair;
}
const ClosestPoints& DistanceFinder::closest(MeshView mesh, std::span<const Vec3> points) {
  state_->find_closest(mesh, points);
  return state_->points;
}
const ClosestPoints& DistanceFinder::closest(MeshView mesh, std::span<const Vec3d> points) {
  state_->find_closest(mesh, points);
  return state_->points;
}

MeshDistance distance(MeshView a, MeshView b, unsigned threads) { return DistanceFinder(threads).distance(a, b); }
ClosestPoints closest(MeshView mesh, std::span<const Vec3> points, unsigned threads) {
  return DistanceFinder(threads).closest(mesh, points);
}
ClosestPoints closest(MeshView mesh, std::span<const Vec3d> points, unsigned threads) {
  return DistanceFinder(threads).closest(mesh, points);
}

}  // namespace lamella
