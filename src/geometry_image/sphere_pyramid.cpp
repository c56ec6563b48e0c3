// The sphere pyramid of GI-COLLIDE (Benes, Gomez Villanueva, section 3), packed as there. The spheres differ:
//
// As published, a quad's sphere has half of its longer diagonal as its radius, and a sphere above encloses four
// spheres. Here every sphere is centred on the box of its vertices. On the two lowest levels it reaches
// to its furthest vertex; on the next two the radius is the smaller of half the box's diagonal and what encloses the
// four spheres below; further up it encloses 4 by 4, 8 by 8 or more spheres of those lower levels, which loses less
// than going up level by level. Reaching to the furthest vertex on all levels would save another 5 % of a search's
// tests and cost 1 ns a quad; half diagonals on all levels but the lowest lose more tests than they save time.
//
// The work is done in tiles of 64 by 8 quads that stay in the first-level cache, the levels above in rows of 64 quads
// that stay in the second. Spheres of an image too large for the caches are written past them; otherwise a cache would
// first read what is then overwritten.
//
// `tight` also moves the centers: sphere_pyramid_tight.cpp. The spheres as published: sphere_pyramid_published.cpp.

#include "lamella/sphere_pyramid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry_image/sphere_pyramid_kernels.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace pyramid;

/// Small images: every sphere is centred on its vertices' box and reaches to the furthest of them.
void build_small(std::span<const Vec3> positions, const Places& places) {
  const std::size_t side = places.side(0) + 1;
  for (int k = 0; k <= places.n; ++k) {
    const std::size_t step = std::size_t{1} << k;
    for (std::size_t y = 0; y < places.side(k); ++y)
      for (std::size_t x = 0; x < places.side(k); ++x) {
        const auto for_each_vertex = [&](auto visit) {
          for (std::size_t v = y * step; v <= (y + 1) * step; ++v)
            for (std::size_t u = x * step; u <= (x + 1) * step; ++u) visit(positions[v * side + u]);
        };
        Aabb box;
        for_each_vertex([&](Vec3 p) { box = extend(box, p); });
        const Vec3 c = (box.min + box.max) * 0.5f + Vec3{};
        float square = 0;
        for_each_vertex([&](Vec3 p) { square = std::max(square, dot(p - c, p - c)); });
        places.row(k, y)[x] = {c.x, c.y, c.z, std::sqrt(square) * kEnlarge + kLeast};
      }
  }
}

void build_large(std::span<const Vec3> positions, const Places& places, Workers& workers) {
  const bool past_caches = places.n >= 10;  // 22 MB
  workers.for_chunks(places.side(0) / kChunkRows, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    build_chunks(positions.data(), places, begin, end, past_caches);
  });
  for (int k = kChunkLevels; k <= places.n; ++k) build_above(places, k, 0, places.side(k));
}

void shrink(std::span<const Vec3> positions, const Places& places, Workers& workers) {
  for (int k = 0; k <= places.n; ++k)
    workers.for_chunks(
        places.side(k), std::max<std::size_t>(1, 16 >> k),
        [&](std::size_t begin, std::size_t end, unsigned) { shrink_rows(positions.data(), places, k, begin, end); });
}

}  // namespace

void SpherePyramid::build(int n, std::span<const Vec3> positions, unsigned threads, SphereFit fit) {
  const std::size_t side = n >= kMinImageLevels && n <= kMaxImageLevels ? (std::size_t{1} << n) + 1 : 0;
  if (side == 0 || positions.size() != side * side)
    throw Error(
        fmt::format("sphere pyramid: {} positions for n = {}; n must be from {} to {}, with (2^n + 1)^2 positions",
                    positions.size(), n, kMinImageLevels, kMaxImageLevels));
  if (pixels_.size() != std::size_t{3} << (2 * n - 1)) pixels_.assign(std::size_t{3} << (2 * n - 1), Sphere{});
  n_ = n;
  // Level n - 1 is at y = 0 to the right of level n; each further level starts where the one before ends.
  for (int level = 0; level < n; ++level)
    offsets_[static_cast<std::size_t>(level)] = (side - 1) + ((side - 1) - (std::size_t{2} << level)) * width();
  offsets_[static_cast<std::size_t>(n)] = 0;
  Places places{.pixels = pixels_.data(), .width = width(), .n = n};
  for (int k = 0; k <= n; ++k) places.offset[k] = offset(n - k);
  Workers workers(threads);
  open_quads_ = 0;
  if (fit == SphereFit::published || fit == SphereFit::published_enclosing) {
    open_quads_ = build_published(positions.data(), places, fit == SphereFit::published_enclosing, workers);
    return;
  }
  if (n < kMinVectorLevels)
    build_small(positions, places);
  else
    build_large(positions, places, workers);
  if (fit == SphereFit::tight) shrink(positions, places, workers);
}

}  // namespace lamella
