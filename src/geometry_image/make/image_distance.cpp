#include "geometry_image/make/image_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "lamella/sphere_pyramid.hpp"

namespace lamella::gi {
namespace {

double squared(Vec3d v) { return dot(v, v); }

double squared_to_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d ab = b - a;
  const double whole = squared(ab);
  const double t = whole > 0 ? std::clamp(dot(p - a, ab) / whole, 0.0, 1.0) : 0.0;
  return squared(p - a - ab * t);
}

/// Distance to the plane where p projects into the triangle, else to the nearest edge.
double squared_to_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d normal = cross(b - a, c - a);
  const double whole = squared(normal);
  const bool above = whole > 0 && dot(cross(b - a, p - a), normal) >= 0 && dot(cross(c - b, p - b), normal) >= 0 &&
                     dot(cross(a - c, p - c), normal) >= 0;
  if (above) {
    const double height = dot(p - a, normal);
    return height * height / whole;
  }
  return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
}

class Search {
 public:
  explicit Search(const GeometryImage& image) : image_(image), pyramid_(image) {}

  [[nodiscard]] double to_quad(Vec3d p, std::uint32_t x, std::uint32_t y) const {
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < 2; ++i) {
      const Triangle t = image_triangle(image_.n, 2 * (y * image_.quads_per_side() + x) + i);
      best = std::min(best, squared_to_triangle(p, to_double(image_.positions[t.a]), to_double(image_.positions[t.b]),
                                                to_double(image_.positions[t.c])));
    }
    return std::sqrt(best);
  }

  /// Distance to the whole image, or `known` if nothing is nearer.
  [[nodiscard]] double to_image(Vec3d p, double known) {
    stack_.assign(1, {from_sphere(p, 0, 0, 0), 0, 0, 0});
    while (!stack_.empty()) {
      const Node node = stack_.back();
      stack_.pop_back();
      if (node.least >= known) continue;
      if (node.level == image_.n) {
        known = std::min(known, to_quad(p, node.x, node.y));
        continue;
      }
      std::array<Node, 4> children;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t x = 2 * node.x + (i & 1), y = 2 * node.y + (i >> 1);
        children[i] = {from_sphere(p, node.level + 1, x, y), node.level + 1, x, y};
      }
      std::stable_sort(children.begin(), children.end(), [](auto& a, auto& b) { return a.least > b.least; });
      stack_.insert(stack_.end(), children.begin(), children.end());
    }
    return known;
  }

 private:
  struct Node {
    double least;  ///< lower bound of the distance to everything inside
    int level;
    std::uint32_t x, y;
  };

  [[nodiscard]] double from_sphere(Vec3d p, int level, std::uint32_t x, std::uint32_t y) const {
    const Sphere& s = pyramid_.at(level, x, y);
    return std::sqrt(squared(p - Vec3d{s.x, s.y, s.z})) - s.radius;
  }

  const GeometryImage& image_;
  SpherePyramid pyramid_;
  std::vector<Node> stack_;
};

}  // namespace

double normal_error(const Disc& disc, int n) {
  n = std::min(n, 8);
  Disc normals = disc;  // the normals, over the same map
  std::fill(normals.positions.begin(), normals.positions.end(), Vec3d{});
  for (const Triangle& t : disc.triangles) {
    const Vec3d a = disc.positions[t.a];
    const Vec3d normal = cross(disc.positions[t.b] - a, disc.positions[t.c] - a);
    for (int k = 0; k < 3; ++k) normals.positions[t[k]] = normals.positions[t[k]] + normal;
  }
  for (Vec3d& normal : normals.positions)
    if (squared(normal) > 0) normal = normal * (1 / std::sqrt(squared(normal)));
  std::vector<Vec3> points, directions;
  sample(disc, n, points);
  sample(normals, n, directions);
  double error = 0, area = 0;
  for (std::uint32_t i = 0; i < 2u << (2 * n); ++i) {
    const Triangle t = image_triangle(n, i);
    const Vec3d a = to_double(points[t.a]);
    const Vec3d normal = cross(to_double(points[t.b]) - a, to_double(points[t.c]) - a);
    const Vec3d expected = to_double(directions[t.a]) + to_double(directions[t.b]) + to_double(directions[t.c]);
    const double twice = std::sqrt(squared(normal)), length = std::sqrt(squared(expected));
    area += twice;
    if (length > 0) error += twice - dot(normal, expected) / length;
  }
  return area > 0 ? error / area : 0;
}

double furthest_from_image(const Disc& disc, const GeometryImage& image) {
  Search search(image);
  const std::uint32_t quads = image.quads_per_side();
  // The distance to the image at the vertex's own point of the map is an upper bound. Exact distances are computed from
  // the highest bound down, until the next bound is below the largest distance found.
  std::vector<std::pair<double, std::uint32_t>> bounds;
  for (std::uint32_t v = 0; v < disc.positions.size(); ++v) {
    const auto cell = [&](double t) { return static_cast<std::uint32_t>(std::clamp(t * quads, 0.0, quads - 1.0)); };
    bounds.emplace_back(search.to_quad(disc.positions[v], cell(disc.map[v].x), cell(disc.map[v].y)), v);
  }
  std::sort(bounds.begin(), bounds.end(),
            [](auto& a, auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  double furthest = 0;
  for (const auto& [bound, v] : bounds) {
    if (bound <= furthest) break;
    furthest = std::max(furthest, search.to_image(disc.positions[v], bound));
  }
  return furthest;
}

}  // namespace lamella::gi
