// Rotation of a free rigid body: the implicit midpoint rule on Euler's equations in the body's axes, the orientation
// moved by the Cayley map of the midpoint's angular velocity (as in Lewis and Simo, "Conserving algorithms for the
// dynamics of Hamiltonian systems on Lie groups", 1994). The midpoint rule keeps quadratic invariants: the energy
// w.Iw / 2 and |Iw|; with the Cayley map the angular momentum keeps its direction in the world as well. The map is the
// normalised quaternion (w / 2, 1): it needs no sine.

#include "response/spin.hpp"

#include <algorithm>
#include <cmath>

#include "response/algebra.hpp"

namespace lamella::response {
namespace {

constexpr double kMaxTurn = 0.5;  ///< radians of one midpoint step, far within where Newton's method converges
constexpr int kMaxParts = 64;
constexpr int kNewtonSteps = 8;

/// The midpoint's angular velocity w, in the body's axes: I w + (h / 2) w x I w = the momentum at the start.
Vec3d midpoint(const Matrix3& inertia, Vec3d momentum, Vec3d guess, double h) {
  Vec3d w = guess;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const Vec3d iw = inertia * w;
    const Vec3d rest = iw + cross(w, iw) * (h / 2) - momentum;
    const Matrix3 slope = inertia + (cross_matrix(w) * inertia + cross_matrix(iw) * -1.0) * (h / 2);
    const Vec3d step = inverse(slope) * rest;
    w -= step;
    if (dot(step, step) <= 0x1p-100 * dot(w, w)) break;
  }
  return w;
}

}  // namespace

Spin advance(const Spin& spin, const Matrix3& inertia, double seconds) {
  const double turn = length(spin.angular_velocity) * seconds;
  if (turn == 0 || !std::isfinite(turn)) return spin;  // the world reports velocities that are not finite
  // A turn too fast for kMaxParts is cut short: the phase is lost, momentum and energy are not.
  const double whole = std::min(turn, kMaxTurn * kMaxParts);
  const int parts = std::max(1, static_cast<int>(std::ceil(whole / kMaxTurn)));
  const double h = seconds * (whole / turn) / parts;
  Quaternion rotation = spin.rotation;
  Vec3d w = rotate(conjugate(rotation), spin.angular_velocity);
  const double energy = dot(w, inertia * w);
  for (int i = 0; i < parts; ++i) {
    const Vec3d middle = midpoint(inertia, inertia * w, w, h);
    w = middle * 2.0 - w;
    rotation = normalized(rotation * cayley(middle * h));
  }
  // Rounding, or a Newton step that did not converge, must not add energy over hours.
  const double now = dot(w, inertia * w);
  if (now > energy) w = w * std::sqrt(energy / now);
  return {rotation, rotate(rotation, w)};
}

Spin advance(const Spin& spin, double seconds) {
  const Vec3d turn = spin.angular_velocity * seconds;
  if (dot(turn, turn) == 0) return spin;
  // The Cayley map turns by 2 atan(t / 2) = t - t^3 / 12 + ...: this corrects for the second term.
  return {normalized(cayley(turn * (1 + dot(turn, turn) / 12)) * spin.rotation), spin.angular_velocity};
}

}  // namespace lamella::response
