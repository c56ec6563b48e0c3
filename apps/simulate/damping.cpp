#include "simulate/damping.hpp"

#include "lamella/response.hpp"
#include "simulate/invert.hpp"

namespace lamella::simulate {

void damp_deformation(std::span<const Vec3d> positions, std::span<Vec3d> velocities, std::span<const double> masses,
                      double part) {
  if (part <= 0) return;
  double mass = 0;
  Vec3d center, velocity;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    mass += masses[i];
    center += positions[i] * masses[i];
    velocity += velocities[i] * masses[i];
  }
  center = center * (1 / mass);
  velocity = velocity * (1 / mass);
  Matrix3 inertia{};
  Vec3d spin;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3d r = positions[i] - center;
    spin += cross(r, velocities[i] * masses[i]);
    for (int k = 0; k < 3; ++k) {
      Vec3d row = r * -r[k];
      row[k] += dot(r, r);
      inertia[k] += row * masses[i];
    }
  }
  invert(inertia, 3);
  const Vec3d turning{dot(inertia[0], spin), dot(inertia[1], spin), dot(inertia[2], spin)};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3d whole = velocity + cross(turning, positions[i] - center);
    velocities[i] += (whole - velocities[i]) * part;
  }
}

}  // namespace lamella::simulate
