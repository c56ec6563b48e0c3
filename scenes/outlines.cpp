#include "scenes/outlines.hpp"

#include <algorithm>
#include <cmath>

#include "lamella/elementary.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {
namespace {

Point2 polar(double radius, double angle) { return {radius * elementary::cos(angle), radius * elementary::sin(angle)}; }

}  // namespace

double area(const Polygon& outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point2 a = outline[i], b = outline[(i + 1) % outline.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return twice / 2;
}

int sides(double radius) { return radius < 4.5 ? 16 : radius < 7.5 ? 24 : radius < 20.5 ? 48 : 64; }

Polygon circle(double radius, Point2 centre, int corners, double phase) {
  const int count = corners > 0 ? corners : sides(radius);
  Polygon outline;
  for (int i = 0; i < count; ++i) {
    const Point2 p = polar(radius, phase + 2 * kPi * i / count);
    outline.push_back({centre.x + p.x, centre.y + p.y});
  }
  return outline;
}

double circle_area(double radius) {
  const int n = sides(radius);
  return n / 2.0 * elementary::sin(2 * kPi / n) * radius * radius;
}

Polygon rectangle(Point2 low, Point2 high) { return {low, {high.x, low.y}, high, {low.x, high.y}}; }

Polygon rounded_rectangle(Point2 low, Point2 high, double radius, int corners_each) {
  const Point2 centres[4] = {{high.x - radius, low.y + radius},
                             {high.x - radius, high.y - radius},
                             {low.x + radius, high.y - radius},
                             {low.x + radius, low.y + radius}};
  const Point2 towards[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};  // exact where an arc meets a side
  Polygon outline;
  for (int corner = 0; corner < 4; ++corner) {
    const Point2 c = centres[corner];
    for (int i = 0; i < corners_each; ++i) {
      Point2 p = polar(radius, kPi / 2 * (corner - 1 + double(i) / (corners_each - 1)));
      if (i == 0) p = {radius * towards[corner].x, radius * towards[corner].y};
      if (i == corners_each - 1) p = {radius * towards[(corner + 1) % 4].x, radius * towards[(corner + 1) % 4].y};
      outline.push_back({c.x + p.x, c.y + p.y});
    }
  }
  return outline;
}

Polygon slotted_circle(double radius, double half_width, double bottom) {
  const double shoulder = std::sqrt(radius * radius - half_width * half_width);
  Polygon outline;
  bool cut = false;
  for (const Point2 p : circle(radius)) {
    if (std::abs(p.x) > half_width || p.y < 0) {
      outline.push_back(p);
      continue;
    }
    if (cut) continue;
    cut = true;
    outline.insert(outline.end(),
                   {{half_width, shoulder}, {half_width, bottom}, {-half_width, bottom}, {-half_width, shoulder}});
  }
  return outline;
}

Polygon ring_sector(double inner, double outer, double from, double to, int steps) {
  Polygon outline;
  for (int i = 0; i <= steps; ++i) outline.push_back(polar(outer, from + (to - from) * i / steps));
  for (int i = steps; i >= 0; --i) outline.push_back(polar(inner, from + (to - from) * i / steps));
  return outline;
}

Polygon gear(const GearShape& g) {
  const double pitch = g.teeth * g.module / 2, alpha = g.pressure_angle * kPi / 180;
  const double base = pitch * elementary::cos(alpha), tip = pitch + g.module, root = pitch - 1.25 * g.module;
  // inv(a) = tan(a) - a; half the angle of a tooth at radius r is that at the pitch circle plus inv(alpha) - inv(a_r).
  const auto involute = [&](double radius) {
    const double tangent = std::sqrt(std::max(0.0, radius * radius / (base * base) - 1));
    return tangent - elementary::atan2(tangent, 1);
  };
  const double half_at_pitch = kPi / (2 * g.teeth) - g.backlash / (2 * pitch);
  const auto half = [&](double radius) { return half_at_pitch + involute(pitch) - involute(radius); };
  const double start = std::max(base, root);
  Polygon outline;
  for (int tooth = 0; tooth < g.teeth; ++tooth) {
    const double middle = g.phase + 2 * kPi * tooth / g.teeth;
    if (root < base) outline.push_back(polar(root, middle - half(base)));
    for (int i = 0; i < g.flank_points; ++i) {
      const double radius = start + (tip - start) * i / (g.flank_points - 1);
      outline.push_back(polar(radius, middle - half(radius)));
    }
    for (int i = g.flank_points - 1; i >= 0; --i) {
      const double radius = start + (tip - start) * i / (g.flank_points - 1);
      outline.push_back(polar(radius, middle + half(radius)));
    }
    if (root < base) outline.push_back(polar(root, middle + half(base)));
  }
  return outline;
}

}  // namespace lamella::scenes
