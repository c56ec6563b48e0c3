#include "geometry_image/search.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "core/triangles_meet.hpp"
#include "geometry_image/image_codes.hpp"

namespace lamella::gi {
namespace {

Vec3 placed(const Placement& place, Vec3 p) {
  const Vec3d v = to_double(p);
  const auto along = [&](int k) {
    const Vec3d r = place.rows[k];
    return static_cast<float>(r.x * v.x + r.y * v.y + r.z * v.z + place.translation[k]);
  };
  return {along(0), along(1), along(2)};
}

/// Triangle 0 or 1 of a quad.
void take_triangle(const Vec3 quad[4], unsigned which, Vec3 out[3]) {
  out[0] = quad[0];
  out[1] = quad[1 + which];
  out[2] = quad[2 + which];
}

/// On the line of centres; on both surfaces when the spheres just touch.
Vec3d between(const Sphere& a, const Sphere& b) {
  const Vec3d from{a.x, a.y, a.z}, to{b.x, b.y, b.z};
  const double radii = double{a.radius} + b.radius;
  return radii > 0 ? from + (to - from) * (a.radius / radii) : to;
}

}  // namespace

Side::Side(const GeometryImage& image, const SpherePyramid& pyramid, int max_level)
    : pixels(pyramid.pixels().data()),
      positions(image.positions.data()),
      width(pyramid.width()),
      origin(pyramid.offsets().data()),
      n(image.n),
      bottom(max_level < 0 || max_level > image.n ? image.n : max_level) {}

Side::Side(const CompactImage& image, const CompactPyramid& pyramid, int max_level)
    : codes(pyramid.pixels().data()),
      low(pyramid.low()),
      step(pyramid.step()),
      compact(&image),
      width(pyramid.width()),
      origin(pyramid.offsets().data()),
      n(image.n),
      bottom(max_level < 0 || max_level > image.n ? image.n : max_level) {}

Corners corners(const Side& side, Node node) {
  const std::size_t row = (std::size_t{1} << side.n) + 1;
  if (side.compact != nullptr) {
    const io::BoxCodes box(side.compact->box);
    const std::uint16_t* low = side.compact->positions.data() + 3 * (node.y() * row + node.x());
    const std::uint16_t* high = low + 3 * row;
    return {box.decode(low), box.decode(low + 3), box.decode(high + 3), box.decode(high)};
  }
  const Vec3* low = side.positions + node.y() * row + node.x();
  return {low[0], low[1], low[row + 1], low[row]};
}

float slack_for(double largest) {
  // There are some ten roundings to float: of a centre, of the matrix that places it, of the placed vertex and in the
  // test itself. Each changes a result by at most 2^-24 of the largest number involved.
  return static_cast<float>(std::ldexp(largest, -24) * 16 + std::numeric_limits<float>::min());
}

double reach(const Sphere& s) {
  return std::sqrt(double{s.x} * s.x + double{s.y} * s.y + double{s.z} * s.z) + s.radius;
}

Frame make_frame(const Transform& relative, const Sphere& a, const Sphere& b) {
  Frame frame{};
  frame.place = placement_of(relative);
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) frame.rows[k][j] = static_cast<float>(frame.place.rows[k][j]);
    frame.translation[k] = static_cast<float>(frame.place.translation[k]);
  }
  const Vec3d t = relative.translation;
  frame.slack = slack_for(std::sqrt(dot(t, t)) + 2 * reach(a) + 2 * reach(b));
  return frame;
}

bool visit_bottom(Search& search, const Task& task) {
  if (!search.triangles) {
    note_spheres(search.found, search.a.at(task.a), {task.x, task.y, task.z, task.b_radius}, search.frame.slack);
    return !search.all;
  }
  search.limits.long_visit();
  const Corners a = corners(search.a, task.a);
  const std::uint32_t quad_a = quad_number(search.a, task.a), quad_b = quad_number(search.b, task.b);
  if (quad_b != search.placed_quad) {
    const Corners b = corners(search.b, task.b);
    for (int i = 0; i < 4; ++i) search.placed[i] = placed(search.frame.place, b.p[i]);
    search.placed_quad = quad_b;
  }
  search.found.triangle_test_count += 4;
  for (unsigned mask = quads_meet(a.p, search.placed); mask != 0; mask &= mask - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(mask));
    const unsigned in_a = bit >> 1, in_b = bit & 1u;
    search.found.pairs.push_back({search.image_a, 2 * quad_a + in_a, search.image_b, 2 * quad_b + in_b});
    if (!search.found.colliding()) {
      Vec3 first[3], second[3];
      take_triangle(a.p, in_a, first);
      take_triangle(search.placed, in_b, second);
      note_collision(search.found, meeting_point(first, second));
    }
    if (!search.all) return true;
  }
  return false;
}

void note_collision(ImageCollision& found, Vec3d position) {
  if (found.colliding()) return;
  found.verdict = Verdict::colliding;
  found.within = 0;
  found.position = position;
}

void note_closest(ImageCollision& found, const Sphere& a, const Sphere& b, float slack) {
  const double within = 2.0 * (double{a.radius} + b.radius) + slack;
  if (within >= found.within) return;
  found.within = within;
  found.position = between(a, b);
}

void note_spheres(ImageCollision& found, const Sphere& a, const Sphere& b, float slack) {
  found.verdict = Verdict::colliding;
  ++found.sphere_pair_count;
  note_closest(found, a, b, slack);
}

Vec3d meeting_point(const Vec3 a[3], const Vec3 b[3]) {
  Vec3d sum;
  int points = 0;
  const auto crossings = [&](const Vec3* edges, const Vec3* face) {
    const Vec3d origin = to_double(face[0]), u = to_double(face[1]) - origin, v = to_double(face[2]) - origin;
    const Vec3d normal = cross(u, v);
    const double area = dot(normal, normal);
    for (int i = 0; i < 3; ++i) {
      const Vec3d p = to_double(edges[i]) - origin, q = to_double(edges[(i + 1) % 3]) - origin;
      const double from = dot(p, normal), to = dot(q, normal);
      if (!(from * to <= 0) || from == to) continue;
      const Vec3d x = p + (q - p) * (from / (from - to));
      const double along_u = dot(cross(x, v), normal) / area, along_v = dot(cross(u, x), normal) / area;
      constexpr double kRounding = 1e-6;
      if (!(along_u >= -kRounding && along_v >= -kRounding && along_u + along_v <= 1 + kRounding)) continue;
      sum = sum + x + origin;
      ++points;
    }
  };
  crossings(a, b);
  crossings(b, a);
  if (points != 0) return sum * (1.0 / points);
  for (int i = 0; i < 3; ++i) sum = sum + to_double(a[i]) + to_double(b[i]);
  return sum * (1.0 / 6);
}

}  // namespace lamella::gi
