// The principal axes of inertia by Jacobi's rotations (C. G. J. Jacobi, 1846): a few sweeps over a 3 x 3 matrix reach
// the precision of double, and a matrix that is already diagonal does not change, so that a symmetric mesh keeps its
// axes.

#include <array>
#include <cmath>

#include "bullet/convert.hpp"
#include "lamella/bullet.hpp"
#include "lamella/response.hpp"

namespace lamella::bullet {
namespace {

using Axes = std::array<std::array<double, 3>, 3>;

/// Rotates rows and columns p, q of the symmetric `m` so that m[p][q] becomes 0; rotates the columns of `axes` too.
void rotate(Axes& m, Axes& axes, int p, int q) {
  const double slope = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  const double t = (slope < 0 ? -1 : 1) / (std::abs(slope) + std::sqrt(slope * slope + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double mp = m[k][p], mq = m[k][q], ap = axes[k][p], aq = axes[k][q];
    m[k][p] = c * mp - s * mq;
    m[k][q] = s * mp + c * mq;
    axes[k][p] = c * ap - s * aq;
    axes[k][q] = s * ap + c * aq;
  }
  for (int k = 0; k < 3; ++k) {
    const double mp = m[p][k], mq = m[q][k];
    m[p][k] = c * mp - s * mq;
    m[q][k] = s * mp + c * mq;
  }
}

/// Uses rotations only, so the axes stay right-handed.
Axes principal_axes(Axes m) {
  constexpr int kSweeps = 12;
  constexpr double kSmall = 1e-6;  // of the trace: less is the rounding of the mesh's own floats
  Axes axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double least = kSmall * (m[0][0] + m[1][1] + m[2][2]);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q)
        if (std::abs(m[p][q]) > least) rotate(m, axes, p, q);
    }
  }
  return axes;
}

}  // namespace

btTransform principal_frame(MeshView mesh) {
  const MassProperties properties = mass_properties(mesh);
  Axes inertia;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) inertia[row][column] = properties.inertia[row][column];
  const Axes a = principal_axes(inertia);
  btMatrix3x3 basis;
  for (int row = 0; row < 3; ++row) basis[row] = to_bullet(Vec3d{a[row][0], a[row][1], a[row][2]});
  return btTransform(basis, to_bullet(properties.center));
}

}  // namespace lamella::bullet
