// Spheres in eight bytes. GI-COLLIDE keeps centres and radii as 16-bit channels of an image; here centres are 16-bit
// places in the image's box, and a radius is the upper half of a float, so that small spheres lose no more by rounding
// than large ones: at most 2^-7 of the radius.
//
// The spheres are made by SpherePyramid, for parts of the image, and then rounded: what the centre moves is added to
// the radius. So beside the result only the floats of one part are needed, for each thread.

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry_image/image_codes.hpp"
#include "geometry_image/sphere_pyramid_kernels.hpp"
#include "lamella/compact_image.hpp"

namespace lamella {
namespace {

/// A part has 2^8 quads on a side.
constexpr int kPartLevels = 8;
/// A sphere above the parts encloses those so many levels below: one level after another would lose more.
constexpr int kDepthAbove = 4;

/// The least code whose radius is not below.
std::uint16_t radius_code(float radius) {
  const auto bits = std::bit_cast<std::uint32_t>(radius);
  return static_cast<std::uint16_t>((bits >> 16) + ((bits & 0xffffu) != 0 ? 1 : 0));
}

std::uint16_t center_code(float value, float low, float step) {
  if (!(step > 0)) return 0;
  const double t = (double{value} - low) / step + 0.5;
  return static_cast<std::uint16_t>(std::clamp(t, 0.0, io::kTopCode));
}

class Coder {
 public:
  explicit Coder(const CompactPyramid& pyramid) : pyramid_(pyramid) {}

  [[nodiscard]] SphereCode encode(const Sphere& s) const {
    const Vec3 low = pyramid_.low(), step = pyramid_.step();
    SphereCode code{center_code(s.x, low.x, step.x), center_code(s.y, low.y, step.y), center_code(s.z, low.z, step.z)};
    const Sphere at = pyramid_.decoded(code);
    const double x = double{at.x} - s.x, y = double{at.y} - s.y, z = double{at.z} - s.z;
    const auto radius = static_cast<float>(std::sqrt(x * x + y * y + z * z) + s.radius);
    code.radius = radius_code(radius * pyramid::kEnlargeSum + pyramid::kLeast);
    return code;
  }

 private:
  const CompactPyramid& pyramid_;
};

/// Around the spheres of `level` from (x, y) to (x + count - 1, y + count - 1).
Sphere around(const CompactPyramid& pyramid, int level, std::uint32_t x, std::uint32_t y, std::uint32_t count) {
  const auto for_each = [&](auto visit) {
    for (std::uint32_t v = y; v < y + count; ++v)
      for (std::uint32_t u = x; u < x + count; ++u) visit(pyramid.at(level, u, v));
  };
  Aabb box;
  for_each([&](const Sphere& s) {
    box = extend(box, {s.x - s.radius, s.y - s.radius, s.z - s.radius});
    box = extend(box, {s.x + s.radius, s.y + s.radius, s.z + s.radius});
  });
  const Vec3 c = (box.min + box.max) * 0.5f + Vec3{};
  double reach = 0;
  for_each([&](const Sphere& s) {
    const Vec3d d = Vec3d{s.x, s.y, s.z} - to_double(c);
    reach = std::max(reach, std::sqrt(dot(d, d)) + s.radius);
  });
  return {c.x, c.y, c.z, static_cast<float>(reach) * pyramid::kEnlargeSum + pyramid::kLeast};
}

/// The part's own memory, which the next part of the same thread uses again.
struct Part {
  std::vector<Vec3> positions;
  SpherePyramid spheres;
};

}  // namespace

void CompactPyramid::build(const CompactImage& image, SphereFit fit, unsigned threads) {
  check(image);
  const std::size_t quads = image.quads_per_side(), side = image.side();
  n_ = image.n;
  if (pixels_.size() != quads * quads * 3 / 2) pixels_.assign(quads * quads * 3 / 2, SphereCode{});
  for (int level = 0; level < n_; ++level)
    offsets_[static_cast<std::size_t>(level)] = quads + (quads - (std::size_t{2} << level)) * width();
  offsets_[static_cast<std::size_t>(n_)] = 0;
  low_ = image.box.min;
  for (int k = 0; k < 3; ++k)
    step_[k] = static_cast<float>((double{image.box.max[k]} - image.box.min[k]) / io::kTopCode);

  const Coder coder(*this);
  const io::BoxCodes codes(image.box);
  const auto row = [&](int level, std::size_t y) {
    return pixels_.data() + offsets_[static_cast<std::size_t>(level)] + y * width();
  };
  const int part_n = std::min(n_, kPartLevels), top = n_ - part_n;  // a part is below one sphere of level `top`
  const std::size_t part_side = (std::size_t{1} << part_n) + 1;
  std::atomic<std::uint64_t> open = 0;
  Workers workers(threads);
  std::vector<Part> parts(workers.count());
  workers.for_chunks(std::size_t{1} << (2 * top), 1, [&](std::size_t begin, std::size_t end, unsigned worker) {
    Part& part = parts[worker];
    part.positions.resize(part_side * part_side);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at_x = i & ((std::size_t{1} << top) - 1), at_y = i >> top;
      for (std::size_t v = 0; v < part_side; ++v) {
        const std::uint16_t* from = image.positions.data() + 3 * (((at_y << part_n) + v) * side + (at_x << part_n));
        for (std::size_t u = 0; u < part_side; ++u) part.positions[v * part_side + u] = codes.decode(from + 3 * u);
      }
      part.spheres.build(part_n, part.positions, 1, fit);
      open += part.spheres.open_quad_count();
      for (int level = 0; level <= part_n; ++level)
        for (std::uint32_t y = 0; y < (1u << level); ++y) {
          SphereCode* to = row(top + level, (at_y << level) + y) + (at_x << level);
          for (std::uint32_t x = 0; x < (1u << level); ++x) to[x] = coder.encode(part.spheres.at(level, x, y));
        }
    }
  });
  open_quads_ = open;
  const bool published = fit == SphereFit::published || fit == SphereFit::published_enclosing;
  const int depth = published ? 1 : kDepthAbove;
  for (int level = top - 1; level >= 0; --level)
    for (std::uint32_t y = 0; y < (1u << level); ++y)
      for (std::uint32_t x = 0; x < (1u << level); ++x)
        row(level, y)[x] = coder.encode(around(*this, level + depth, x << depth, y << depth, 1u << depth));
}

}  // namespace lamella
