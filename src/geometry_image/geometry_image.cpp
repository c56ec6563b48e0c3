// Geometry images from arrays and formulas, and back to meshes: Gu, Gortler, Hoppe, "Geometry Images", 2002.
//
// The sphere is mapped as an octahedron whose lower vertex is all four corners of the square: every side of the square
// is folded at its middle (Praun, Hoppe: "Spherical Parametrization and Remeshing", 2003). With flat faces projected to
// the sphere, and with Clarberg's equal-area map (2008), the grid's lines have a kink at the equator, and a quad whose
// diagonal crosses it has a triangle that shrinks to nothing as n grows; the map here has no kink.

#include "lamella/geometry_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "lamella/elementary.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

constexpr std::size_t image_size(int n) {
  const std::size_t side = (std::size_t{1} << n) + 1;
  return side * side;
}

/// n of an array of `size` vertices. Throws Error, with the possible sizes, when there is none.
int n_of(std::size_t size, const char* what) {
  for (int n = kMinImageLevels; n <= kMaxImageLevels; ++n)
    if (image_size(n) == size) return n;
  throw Error(
      fmt::format("a geometry image cannot have {} {}: it needs (2^n + 1)^2, with n from {} to {}: 9, 25, 81, "
                  "289, and so on; resample to one of these sizes",
                  size, what, kMinImageLevels, kMaxImageLevels));
}

/// False for NaN.
bool in_range(Vec3 p) {
  return std::abs(p.x) <= kMaxImageCoordinate && std::abs(p.y) <= kMaxImageCoordinate &&
         std::abs(p.z) <= kMaxImageCoordinate;
}

void check_range(const std::vector<Vec3>& values, std::uint32_t side, const char* what) {
  const auto bad = std::find_if_not(values.begin(), values.end(), in_range);
  if (bad == values.end()) return;
  const auto i = static_cast<std::size_t>(bad - values.begin());
  throw Error(
      fmt::format("geometry image: the {} of vertex ({}, {}) is ({}, {}, {}); every coordinate must be a finite "
                  "number, and no larger than {:g}",
                  what, i % side, i / side, bad->x, bad->y, bad->z, kMaxImageCoordinate));
}

// ---- the border

/// Vertices of the border in order along it, (side - 1) * 4 of them, starting with (0, 0) and then along y = 0.
struct Border {
  std::uint32_t last;  ///< side - 1

  [[nodiscard]] std::uint32_t size() const { return 4 * last; }
  [[nodiscard]] bool contains(std::uint32_t x, std::uint32_t y) const {
    return x == 0 || y == 0 || x == last || y == last;
  }
  [[nodiscard]] std::uint32_t place(std::uint32_t x, std::uint32_t y) const {
    if (y == 0) return x;
    if (x == last) return last + y;
    if (y == last) return 3 * last - x;
    return 4 * last - y;
  }
  [[nodiscard]] std::size_t pixel(std::uint32_t place) const {
    const std::uint32_t along = place % last, side = last + 1;
    switch (place / last) {
      case 0:
        return along;
      case 1:
        return std::size_t{along} * side + last;
      case 2:
        return std::size_t{last} * side + (last - along);
      default:
        return std::size_t{last - along} * side;
    }
  }
};

/// The vertices of the border, with equal coordinates merged.
struct WeldedBorder {
  std::vector<std::uint32_t> group;  ///< of each place of the border; numbered by first appearance
  std::vector<std::uint32_t> first;  ///< place at which each group appears first
};

/// Bits that are equal when coordinates are: -0 becomes 0.
std::array<std::uint32_t, 3> key_of(Vec3 p) {
  return {std::bit_cast<std::uint32_t>(p.x + 0.0f), std::bit_cast<std::uint32_t>(p.y + 0.0f),
          std::bit_cast<std::uint32_t>(p.z + 0.0f)};
}

WeldedBorder weld_border(const GeometryImage& image) {
  const Border border{image.quads_per_side()};
  constexpr std::uint32_t kEmpty = 0xffffffffu;
  const std::size_t mask = std::bit_ceil(std::size_t{2} * border.size()) - 1;
  std::vector<std::uint32_t> slots(mask + 1, kEmpty);  // group in each
  const auto key_at = [&](std::uint32_t place) { return key_of(image.positions[border.pixel(place)]); };
  WeldedBorder welded;
  welded.group.resize(border.size());
  for (std::uint32_t place = 0; place < border.size(); ++place) {
    const auto key = key_at(place);
    std::uint64_t hash = ((std::uint64_t{key[0]} << 32) | key[1]) * 0x9e3779b97f4a7c15u;
    hash = ((hash ^ (hash >> 32)) + key[2]) * 0xd6e8feb86659fd93u;
    std::size_t slot = (hash >> 29) & mask;
    while (slots[slot] != kEmpty && key_at(welded.first[slots[slot]]) != key) slot = (slot + 1) & mask;
    if (slots[slot] == kEmpty) {
      slots[slot] = static_cast<std::uint32_t>(welded.first.size());
      welded.first.push_back(place);
    }
    welded.group[place] = slots[slot];
  }
  return welded;
}

// ---- the sphere

/// Unit direction for a pixel `x`, `y` away from the square's middle, which is +z; y <= x <= half.
///
/// P and Q are the distances of the pixel from the equator's two nearest sides, 0 to 1 at the pole. The direction
/// (cos P, cos Q, sin P sin Q) is smooth in them and symmetric about a side, so no line has a kink at the equator; but
/// it shrinks everything near P = Q = 0, where two sides meet, by the distance to it. The scale corrects that in
/// advance.
Vec3d octahedron_direction(std::uint32_t x, std::uint32_t y, std::uint32_t half) {
  const bool above = x + y <= half;
  const std::uint32_t to_side = above ? half - x - y : x + y - half;
  if (to_side == half) return {0, 0, above ? 1.0 : -1.0};  // a pole; four pixels are the lower one
  const std::uint32_t to_other = half - x + y;             // the same below, where all is mirrored
  const double quarter_turn = std::numbers::pi / 2;
  const double p = quarter_turn * to_side / half, q = quarter_turn * to_other / half;
  const double both = elementary::cos(p) * elementary::cos(q), from_corner = 1 - both * both;
  const double scale = from_corner > 0 ? 1 / std::sqrt(std::sqrt(from_corner)) : 0;
  const double cos_p = elementary::cos(p * scale), cos_q = elementary::cos(q * scale);
  const double z = std::numbers::sqrt2 * elementary::sin(p * scale) * elementary::sin(q * scale);
  const Vec3d d{cos_p + cos_q, cos_p - cos_q, above ? z : -z};
  return d * (1 / std::sqrt(dot(d, d)));
}

/// The middle of a side has three neighbours once the side is folded, two of them opposite each other: on the sphere it
/// is moved to the middle of the three.
void move_fold_points(GeometryImage& image, Vec3d center, double radius) {
  const std::uint32_t last = image.quads_per_side(), half = last / 2, side = last + 1;
  const auto at = [&](std::uint32_t x, std::uint32_t y) -> Vec3& { return image.positions[std::size_t{y} * side + x]; };
  const auto middle = [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3d d = to_double(a) + to_double(b) + to_double(c) - center * 3;
    // Far from the origin all positions may have been rounded to one point.
    return dot(d, d) > 0 ? to_float(center + d * (radius / std::sqrt(dot(d, d)))) : to_float(center);
  };
  at(half, 0) = middle(at(half + 1, 0), at(half, 1), at(half + 1, 1));
  at(0, half) = middle(at(0, half + 1), at(1, half), at(1, half + 1));
  at(half, last) = middle(at(half - 1, last), at(half, last - 1), at(half - 1, last - 1));
  at(last, half) = middle(at(last, half - 1), at(last - 1, half), at(last - 1, half - 1));
}

/// Checks n, size and values of one of the image's arrays.
void check_array(const GeometryImage& image, const std::vector<Vec3>& values, const char* what) {
  if (image.n < kMinImageLevels || image.n > kMaxImageLevels)
    throw Error(
        fmt::format("geometry image: n is {}; it must be from {} to {}", image.n, kMinImageLevels, kMaxImageLevels));
  const std::uint32_t side = image.side();
  if (values.size() != image_size(image.n))
    throw Error(fmt::format("geometry image: {} {}s for n = {}; there must be {} x {} = {}", values.size(), what,
                            image.n, side, side, image_size(image.n)));
  check_range(values, side, what);
}

}  // namespace

void check(const GeometryImage& image) {
  check_array(image, image.positions, "position");
  if (!image.normals.empty()) check_array(image, image.normals, "normal");
}

GeometryImage image_from_positions(std::vector<Vec3> positions) {
  GeometryImage image;
  image.n = n_of(positions.size(), "positions");
  image.positions = std::move(positions);
  check(image);
  return image;
}

GeometryImage image_from_heights(std::span<const float> heights, Vec3 low, Vec3 high) {
  GeometryImage image;
  image.n = n_of(heights.size(), "heights");
  if (!(low.x < high.x && low.y < high.y))
    throw Error(fmt::format("height field: the rectangle from ({}, {}) to ({}, {}) is empty; low must be below high",
                            low.x, low.y, high.x, high.y));
  const std::uint32_t last = image.quads_per_side();
  const auto between = [last](float from, float to, std::uint32_t i) {
    return i == last ? to : static_cast<float>(from + (static_cast<double>(to) - from) * i / last);
  };
  image.positions.reserve(heights.size());
  for (std::uint32_t y = 0; y <= last; ++y) {
    const float world_y = between(low.y, high.y, y);
    for (std::uint32_t x = 0; x <= last; ++x)
      image.positions.push_back({between(low.x, high.x, x), world_y, heights[image.positions.size()]});
  }
  check(image);
  return image;
}

GeometryImage image_of_sphere(int n, Vec3 center, float radius) {
  if (n < kMinImageLevels || n > kMaxImageLevels)
    throw Error(fmt::format("sphere: n is {}; it must be from {} to {}", n, kMinImageLevels, kMaxImageLevels));
  if (!(radius > 0) || !std::isfinite(radius) || !in_range(center))
    throw Error(
        fmt::format("sphere: centre ({}, {}, {}) and radius {}; the centre must be finite, the radius finite and "
                    "above 0",
                    center.x, center.y, center.z, radius));
  GeometryImage image;
  image.n = n;
  image.positions.resize(image_size(n));
  const std::uint32_t side = image.side(), half = image.quads_per_side() / 2;
  const auto place = [&](bool flip_x, bool flip_y, std::uint32_t from_x, std::uint32_t from_y, Vec3d d) {
    const std::uint32_t x = flip_x ? half - from_x : half + from_x, y = flip_y ? half - from_y : half + from_y;
    const Vec3d p = to_double(center) + Vec3d{flip_x ? -d.x : d.x, flip_y ? -d.y : d.y, d.z} * radius;
    image.positions[std::size_t{y} * side + x] = to_float(p + Vec3d{});  // -0 becomes 0: mates are equal bit for bit
  };
  // An eighth of the square is computed, the rest mirrored from it.
  for (std::uint32_t a = 0; a <= half; ++a)
    for (std::uint32_t b = 0; b <= a; ++b) {
      const Vec3d d = octahedron_direction(a, b, half), swapped{d.y, d.x, d.z};
      for (int quarter = 0; quarter < 4; ++quarter) {
        const bool flip_x = (quarter & 1) != 0, flip_y = (quarter & 2) != 0;
        place(flip_x, flip_y, a, b, d);
        if (a != b) place(flip_x, flip_y, b, a, swapped);
      }
    }
  if (n > 1) move_fold_points(image, to_double(center), radius);
  check(image);
  return image;
}

Mesh to_mesh(const GeometryImage& image) {
  check(image);
  const std::uint32_t last = image.quads_per_side();
  const Border border{last};
  const WeldedBorder welded = weld_border(image);
  // The border's vertices come first, those inside row by row.
  const auto border_count = static_cast<std::uint32_t>(welded.first.size());
  const auto index = [&](std::uint32_t x, std::uint32_t y) {
    return border.contains(x, y) ? welded.group[border.place(x, y)] : border_count + (y - 1) * (last - 1) + (x - 1);
  };
  Mesh mesh;
  mesh.positions.reserve(border_count + std::size_t{last - 1} * (last - 1));
  for (const std::uint32_t place : welded.first) mesh.positions.push_back(image.positions[border.pixel(place)]);
  for (std::uint32_t y = 1; y < last; ++y) {
    const auto row = image.positions.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * (last + 1));
    mesh.positions.insert(mesh.positions.end(), row + 1, row + last);
  }
  mesh.triangles.reserve(image.triangle_count());
  for (std::uint32_t y = 0; y < last; ++y)
    for (std::uint32_t x = 0; x < last; ++x) {
      const std::uint32_t low = index(x, y), high = index(x + 1, y + 1);
      mesh.triangles.push_back({low, index(x + 1, y), high});
      mesh.triangles.push_back({low, high, index(x, y + 1)});
    }
  return mesh;
}

namespace {

/// Twice the area, along the normal. In double: differences and products of floats are all but exact there, so that
/// triangles without area give zero, and nothing overflows.
Vec3d area_vector(Vec3 a, Vec3 b, Vec3 c) { return cross(to_double(b) - to_double(a), to_double(c) - to_double(a)); }

Vec3 unit_or_zero(Vec3d v) {
  const double length2 = dot(v, v);
  return length2 > 0 ? to_float(v * (1 / std::sqrt(length2))) : Vec3{};
}

}  // namespace

void compute_normals(GeometryImage& image) {
  check_array(image, image.positions, "position");
  const std::uint32_t last = image.quads_per_side(), side = last + 1;
  const Border border{last};
  const WeldedBorder welded = weld_border(image);
  std::vector<Vec3d> border_sums(welded.first.size());
  image.normals.resize(image.positions.size());
  std::vector<Vec3d> sums(side), next(side);  // of a row of vertices and the one after it
  const auto finish_row = [&](std::uint32_t y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      if (border.contains(x, y)) {
        Vec3d& sum = border_sums[welded.group[border.place(x, y)]];
        sum = sum + sums[x];
      } else {
        image.normals[std::size_t{y} * side + x] = unit_or_zero(sums[x]);
      }
    }
  };
  for (std::uint32_t y = 0; y < last; ++y) {
    std::fill(next.begin(), next.end(), Vec3d{});
    const Vec3* row = &image.positions[std::size_t{y} * side];
    for (std::uint32_t x = 0; x < last; ++x) {
      const Vec3d lower = area_vector(row[x], row[x + 1], row[side + x + 1]);
      const Vec3d upper = area_vector(row[x], row[side + x + 1], row[side + x]);
      sums[x] = sums[x] + lower + upper;
      sums[x + 1] = sums[x + 1] + lower;
      next[x + 1] = next[x + 1] + lower + upper;
      next[x] = next[x] + upper;
    }
    finish_row(y);
    std::swap(sums, next);
  }
  finish_row(last);
  for (std::uint32_t place = 0; place < border.size(); ++place)
    image.normals[border.pixel(place)] = unit_or_zero(border_sums[welded.group[place]]);
}

}  // namespace lamella
