// What is above each cell of the plane, from the lowest to the highest surface, is cut into bands of height; each
// band's shadow is what it covers, blurred the more the higher it is. So each costs a few passes over a small image,
// whatever is drawn.

#include "picture/ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "picture/coverage.hpp"

namespace lamella::picture {
namespace {

// In radii of the scene:
constexpr double kCells = 320, kBeyond = 1.0;  // along the plane's longer side; around what casts a shadow
constexpr std::array<double, 6> kBands{0.015, 0.05, 0.12, 0.3, 0.7, 2.5};
constexpr double kSharpest = 0.012, kSpread = 0.32;
constexpr float kDarkest = 0.44f, kFall = 2.0f;
constexpr float kGlass = 0.4f;                   // of a shadow: what something quite clear casts
constexpr double kGrazing = 0.04, kSteep = 0.3;  // sine of the view's angle: no shadow, full shadow
constexpr float kFade = 0.15f;                   // of the cells along the longer side
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
  double low = kInfinity, high = -kInfinity;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

Vec3d placed(const Camera& camera, Vec3 p) { return to_view(camera, (to_double(p) - camera.center) * camera.scale); }

bool is_drawn(const Surface& surface, std::size_t face) { return !(surface.face_normals[face] == Vec3{}); }

/// One pass of a box blur along rows or columns; zero beyond the ends.
void blur_lines(std::vector<float>& cells, int lines, int length, int line_step, int step, int radius) {
  std::vector<float> copy(static_cast<std::size_t>(length));
  const float scale = 1 / static_cast<float>(2 * radius + 1);
  for (int line = 0; line < lines; ++line) {
    const auto at = [&](int i) -> float& { return cells[static_cast<std::size_t>(line * line_step + i * step)]; };
    for (int i = 0; i < length; ++i) copy[static_cast<std::size_t>(i)] = at(i);
    double sum = 0;
    for (int i = 0; i < std::min(radius, length); ++i) sum += copy[static_cast<std::size_t>(i)];
    for (int i = 0; i < length; ++i) {
      if (i + radius < length) sum += copy[static_cast<std::size_t>(i + radius)];
      if (i - radius - 1 >= 0) sum -= copy[static_cast<std::size_t>(i - radius - 1)];
      at(i) = std::max(0.0f, static_cast<float>(sum)) * scale;
    }
  }
}

/// Three boxes make nearly a Gaussian.
void blur(std::vector<float>& cells, int columns, int rows, int radius) {
  for (int i = 0; i < 3 && radius > 0; ++i) {
    blur_lines(cells, rows, columns, columns, 1, radius);
    blur_lines(cells, columns, rows, 1, columns, radius);
  }
}

/// 1, but falling to 0 towards the edges of the cells, where the widest shadows would end suddenly.
float fade(std::size_t cell, int columns, int rows) {
  const int i = static_cast<int>(cell) % columns, j = static_cast<int>(cell) / columns;
  const int inside = std::min({i, j, columns - 1 - i, rows - 1 - j});
  return std::min(1.0f, static_cast<float>(inside) / (kFade * static_cast<float>(std::max(columns, rows))));
}

}  // namespace

Ground::Ground(const Camera& camera, std::span<const Surface> surfaces, const Picture& picture) : camera_(&camera) {
  up_ = to_view(camera, picture.up * (1 / length(picture.up)));
  const double steep = std::clamp((up_.z - kGrazing) / (kSteep - kGrazing), 0.0, 1.0);
  if (!(steep > 0) || !(std::abs(up_.x) < 1e-6)) return;
  u_ = {1, 0, 0};
  v_ = cross(up_, u_);
  if (!set_plane(surfaces, picture)) return;
  set_shadow(heights_of(surfaces), static_cast<float>(steep * steep * (3 - 2 * steep)));
}

bool Ground::set_plane(std::span<const Surface> surfaces, const Picture& picture) {
  Range u, v, h;
  for (const Surface& surface : surfaces) {
    for (std::size_t f = 0; f < surface.mesh.triangles.size(); ++f) {
      if (!is_drawn(surface, f)) continue;
      for (int i = 0; i < 3; ++i) {
        const Vec3d p = placed(*camera_, surface.mesh.positions[surface.mesh.triangles[f][i]]);
        u.add(dot(p, u_)), v.add(dot(p, v_)), h.add(dot(p, up_));
      }
    }
  }
  if (u.low > u.high) return false;
  if (picture.fit) {
    h = {};
    for (unsigned i = 0; i < 8; ++i) h.add(dot(placed(*camera_, corner(*picture.fit, i)), up_));
  }
  height_ = h.low;
  low_u_ = u.low - kBeyond, low_v_ = v.low - kBeyond;
  const double wide = u.high - u.low + 2 * kBeyond, deep = v.high - v.low + 2 * kBeyond;
  cell_ = std::max(wide, deep) / kCells;
  columns_ = static_cast<int>(std::ceil(wide / cell_)) + 1;
  rows_ = static_cast<int>(std::ceil(deep / cell_)) + 1;
  return true;
}

Ground::Heights Ground::heights_of(std::span<const Surface> surfaces) const {
  const auto count = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  Heights out{std::vector<float>(count, std::numeric_limits<float>::infinity()), std::vector<float>(count, -1),
              std::vector<float>(count)};
  const SampleBox all{0, 0, columns_ - 1, rows_ - 1};
  for (const Surface& surface : surfaces) {
    const float own = kGlass + (1 - kGlass) * surface.opacity;
    std::vector<ScreenPoint> points(surface.mesh.positions.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3d p = placed(*camera_, surface.mesh.positions[i]);
      points[i] = {(dot(p, u_) - low_u_) / cell_, (dot(p, v_) - low_v_) / cell_, dot(p, up_) - height_};
    }
    for (std::size_t f = 0; f < surface.mesh.triangles.size(); ++f) {
      if (!is_drawn(surface, f)) continue;
      const Triangle t = surface.mesh.triangles[f];
      const std::array<ScreenPoint, 3> corners{points[t.a], points[t.b], points[t.c]};
      const Coverage coverage(corners);
      if (coverage.empty()) continue;
      const DepthPlane plane(corners);
      coverage.for_each_sample(meet(coverage.box(), all), [&](int i, int j) {
        const auto at = static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i);
        const auto above = static_cast<float>(std::max(0.0, plane.at(i, j)));
        out.lowest[at] = std::min(out.lowest[at], above);
        out.highest[at] = std::max(out.highest[at], above);
        out.weight[at] = std::max(out.weight[at], own);
      });
    }
  }
  return out;
}

void Ground::set_shadow(const Heights& heights, float strength) {
  const std::size_t count = heights.weight.size();
  std::vector<float> light(count, 1);
  double below = 0;
  for (const double above : kBands) {
    std::vector<float> band(count);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(heights.highest[i] >= below && heights.lowest[i] < above)) continue;
      band[i] = heights.weight[i];
      any = true;
    }
    const double middle = (below + above) / 2;
    below = above;
    if (!any) continue;
    blur(band, columns_, rows_, static_cast<int>(std::lround((kSharpest + kSpread * middle) / cell_)));
    const float dark = kDarkest / (1 + kFall * static_cast<float>(middle));
    for (std::size_t i = 0; i < count; ++i) light[i] *= 1 - dark * band[i];
  }
  shadow_.resize(count);
  for (std::size_t i = 0; i < count; ++i) shadow_[i] = strength * (1 - light[i]) * fade(i, columns_, rows_);
}

float Ground::at(double u, double v) const {
  const double x = (u - low_u_) / cell_ - 0.5, y = (v - low_v_) / cell_ - 0.5;
  if (!(x >= 0 && y >= 0 && x < columns_ - 1 && y < rows_ - 1)) return 0;
  const int i = static_cast<int>(x), j = static_cast<int>(y);
  const auto a = static_cast<float>(x - i), b = static_cast<float>(y - j);
  const float* cell = shadow_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + i;
  const float low = cell[0] + (cell[1] - cell[0]) * a;
  const float high = cell[columns_] + (cell[columns_ + 1] - cell[columns_]) * a;
  return low + (high - low) * b;
}

float Ground::shadow(double x, double y) const {
  if (shadow_.empty()) return 0;
  const Vec3d eye{0, 0, kEyeDistance};
  const Vec3d ray{(x - camera_->shift_x) / camera_->zoom, -(y - camera_->shift_y) / camera_->zoom, -1};
  const double falls = dot(up_, ray), above = dot(up_, eye) - height_;
  if (!(falls < 0) || !(above > 0)) return 0;
  const Vec3d hit = eye + ray * (above / -falls);
  return at(dot(hit, u_), dot(hit, v_));
}

}  // namespace lamella::picture
