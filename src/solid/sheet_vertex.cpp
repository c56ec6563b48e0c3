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

void SheetVertex::add_plane(Vec3d n, double offset) {
  sums_[0] += n.x * n.x;
  sums_[1] += n.y * n.y;
  sums_[2] += n.z * n.z;
  sums_[3] += n.x * n.y;
  sums_[4] += n.x * n.z;
  sums_[5] += n.y * n.z;
  right_ += n * offset;
}

/// The matrix with the pull on its diagonal, as L L^T.
struct SheetVertex::Solver {
  double l00, l10, l20, l11, l21, l22;

  explicit Solver(const std::array<double, 6>& s) {
    l00 = std::sqrt(s[0] + kPull);
    l10 = s[3] / l00;
    l20 = s[4] / l00;
    l11 = std::sqrt(s[1] + kPull - l10 * l10);
    l21 = (s[5] - l20 * l10) / l11;
    l22 = std::sqrt(s[2] + kPull - l20 * l20 - l21 * l21);
  }
  [[nodiscard]] Vec3d solve(Vec3d b) const {
    const double y0 = b.x / l00, y1 = (b.y - l10 * y0) / l11, y2 = (b.z - l20 * y0 - l21 * y1) / l22;
    const double z = y2 / l22, y = (y1 - l21 * z) / l11;
    return {(y0 - l10 * y - l20 * z) / l00, y, z};
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
