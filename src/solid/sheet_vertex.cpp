#include "solid/sheet_vertex.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::solid {
namespace {

/// How strongly the vertex is pulled, beside planes that count 1 each, and how often.
constexpr double kPull = 0.05;
constexpr int kTimes = 4;
/// Sweeps towards the best place in the cell.
constexpr int kSweeps = 16;

}  // namespace

void SheetVertex::add_plane(Vec3d n, double offset, double weight) {
  const Vec3d m = n * weight;
  sums_[0] += m.x * n.x;
  sums_[1] += m.y * n.y;
  sums_[2] += m.z * n.z;
  sums_[3] += m.x * n.y;
  sums_[4] += m.x * n.z;
  sums_[5] += m.y * n.z;
  right_ += m * offset;
}

/// The matrix with the pull on its diagonal, as L D L^T.
struct SheetVertex::Solver {
  double l10, l20, l21, inverse[3];

  explicit Solver(const std::array<double, 6>& s) {
    inverse[0] = 1 / (s[0] + kPull);
    l10 = s[3] * inverse[0];
    l20 = s[4] * inverse[0];
    const double below = s[5] - l20 * s[3];
    inverse[1] = 1 / (s[1] + kPull - l10 * s[3]);
    l21 = below * inverse[1];
    inverse[2] = 1 / (s[2] + kPull - l20 * s[4] - l21 * below);
  }
  [[nodiscard]] Vec3d solve(Vec3d b) const {
    const double y = b.y - l10 * b.x, z = b.z - l20 * b.x - l21 * y;
    const double at_z = z * inverse[2], at_y = y * inverse[1] - l21 * at_z;
    return {b.x * inverse[0] - l10 * at_y - l20 * at_z, at_y, at_z};
  }
};

Vec3d SheetVertex::best() const {
  const Solver solver(sums_);
  Vec3d at = middle();
  for (int i = 0; i < kTimes; ++i) at = solver.solve(right_ + at * kPull);
  return at;
}

/// One coordinate after the other, each kept in the cell.
Vec3d SheetVertex::best_in_cell(Vec3d near) const {
  Vec3d p;
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(near[i], 0.0, 1.0);
  const Vec3d pull = middle() * kPull;
  const double rows[3][3] = {
      {sums_[0], sums_[3], sums_[4]}, {sums_[3], sums_[1], sums_[5]}, {sums_[4], sums_[5], sums_[2]}};
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double rest = right_[i] + pull[i] - rows[i][j] * p[j] - rows[i][k] * p[k];
      p[i] = std::clamp(rest / (rows[i][i] + kPull), 0.0, 1.0);
    }
  return p;
}

}  // namespace lamella::solid
