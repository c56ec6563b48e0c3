#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/placement.hpp"
#include "geometry_image/limits.hpp"
#include "lamella/image_collide.hpp"

// The search through two pyramids, apart from bodies, poses and options.

namespace lamella::gi {

/// A sphere of a pyramid by level, x and y, in one word.
struct Node {
  std::uint32_t word;

  [[nodiscard]] int level() const { return static_cast<int>(word >> 28); }
  [[nodiscard]] std::uint32_t x() const { return word & 0x3fffu; }
  [[nodiscard]] std::uint32_t y() const { return word >> 14 & 0x3fffu; }
  /// One of its four children: x and y are doubled, bit 0 of `i` adds to x, bit 1 to y.
  [[nodiscard]] Node child(unsigned i) const {
    const std::uint32_t level = (word & 0xf0000000u) + (1u << 28);
    return {(level | (word & 0x0fffffffu) << 1) + (i & 1u) + ((i >> 1) << 14)};
  }
};

/// One image as the search sees it.
struct Side {
  Side(const GeometryImage& image, const SpherePyramid& pyramid, int max_level);
  Side(const CompactImage& image, const CompactPyramid& pyramid, int max_level);

  const Sphere* pixels = nullptr;  ///< or
  const SphereCode* codes = nullptr;
  Vec3 low{}, step{};               ///< of the codes
  const Vec3* positions = nullptr;  ///< or
  const CompactImage* compact = nullptr;
  std::size_t width;          ///< of the packed image
  const std::size_t* origin;  ///< of each level
  int n;
  int bottom;  ///< deepest level of the search

  [[nodiscard]] std::size_t place(Node node) const { return origin[node.level()] + node.y() * width + node.x(); }
  [[nodiscard]] Sphere at(Node node) const { return pixels != nullptr ? pixels[place(node)] : decoded(node); }
  /// As CompactPyramid::decoded.
  [[nodiscard]] Sphere decoded(Node node) const {
    const SphereCode code = codes[place(node)];
    return {low.x + static_cast<float>(code.x) * step.x, low.y + static_cast<float>(code.y) * step.y,
            low.z + static_cast<float>(code.z) * step.z, std::bit_cast<float>(std::uint32_t{code.radius} << 16)};
  }
};

/// What a query needs to know of a body of either kind.
[[nodiscard]] std::size_t size_of(BodyRef body);
[[nodiscard]] Sphere root_of(BodyRef body, std::size_t image);
[[nodiscard]] Side side_of(BodyRef body, std::size_t image, int max_level);
/// Whether all spheres enclose what is under them.
[[nodiscard]] bool encloses(BodyRef body);

/// Two spheres that overlap and are still to be visited; b's centre is in a's frame.
struct Task {
  Node a, b;
  float x, y, z;
  float a_radius, b_radius;
  float depth;  ///< how much they overlap, from depths(): the more, the sooner they are visited
};

/// Converts b's vertices and spheres to a's frame.
struct Frame {
  Placement place;   ///< for vertices
  float rows[3][3];  ///< the same in float, for spheres
  float translation[3];
  /// Added to the sum of two radii: covers all rounding before and in a test, so that no pair is missed.
  float slack;
};
/// A slack for coordinates of up to `largest`.
[[nodiscard]] float slack_for(double largest);
/// Distance from the origin to the furthest point of a sphere.
[[nodiscard]] double reach(const Sphere& sphere);
[[nodiscard]] Frame make_frame(const Transform& relative, const Sphere& a, const Sphere& b);

/// One search through two images. What it finds is added to `found`, the answer of the whole query.
struct Search {
  Side a, b;
  Frame frame;
  std::uint32_t image_a = 0, image_b = 0;
  bool all = false;
  bool triangles = true;  ///< false: spheres of the bottom level decide
  bool zigzag = false;    ///< as published, in place of the guided walk
  Limits& limits;         ///< of the whole query
  ImageCollision& found;  ///< with its position in a's frame

  const std::function<void(const Task&)>* visited = nullptr;  ///< null: visits are not reported

  std::uint32_t placed_quad = ~0u;  ///< the quad of b whose corners are in `placed`
  Vec3 placed[4] = {};
};

/// Runs to the end, to the first collision, or to the limits; then found.complete is false.
void run(Search& search);

// ---- what the vectorised walk calls

/// The corners of a quad in order: (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1).
struct Corners {
  Vec3 p[4];
};
[[nodiscard]] Corners corners(const Side& side, Node node);
[[nodiscard]] inline std::uint32_t quad_number(const Side& side, Node node) { return (node.y() << side.n) + node.x(); }

/// Tests two quads, or without triangles records a collision of two spheres. True: the search is over.
bool visit_bottom(Search& search, const Task& task);
/// Records triangles that meet at `position`, if they are the first.
void note_collision(ImageCollision& found, Vec3d position);
/// Records two spheres that overlap within the slack, if they are the smallest so far.
void note_closest(ImageCollision& found, const Sphere& a, const Sphere& b, float slack);
/// The same at the last level of a search without triangles: the spheres collide.
void note_spheres(ImageCollision& found, const Sphere& a, const Sphere& b, float slack);

/// Throws Error when a body's pyramids are not of the size of its images.
void check_sizes(BodyRef body);
/// Throws Error when a pose is not finite, or its rotation is not of unit length.
void check_pose(const Transform& pose);

/// Roughly where two triangles meet: the middle of their common segment, or between their centres when coplanar.
[[nodiscard]] Vec3d meeting_point(const Vec3 a[3], const Vec3 b[3]);

}  // namespace lamella::gi
