#include "cli/gi/maps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "picture/canvas.hpp"

namespace lamella::cli {
namespace {

using picture::Rgb;

constexpr Rgb kNothing{0.878f, 0.886f, 0.898f};

/// What one row or column of pixels covers of the rows or columns of an array.
struct Cover {
  unsigned first = 0;
  std::vector<float> weights;  ///< of `first` and those that follow; they sum to 1
};

std::vector<Cover> covers(unsigned pixels, unsigned cells) {
  std::vector<Cover> out(pixels);
  const double step = static_cast<double>(cells) / pixels;
  for (unsigned i = 0; i < pixels; ++i) {
    const double low = i * step, high = std::min<double>((i + 1) * step, cells);
    out[i].first = static_cast<unsigned>(low);
    for (unsigned cell = out[i].first; cell < cells && cell < high; ++cell) {
      const double part = std::min(high, cell + 1.0) - std::max(low, static_cast<double>(cell));
      out[i].weights.push_back(static_cast<float>(part / (high - low)));
    }
  }
  return out;
}

/// color(x, y) of an array of columns x rows, brought to width x height pixels.
template <class Color>
picture::Image draw_map(unsigned columns, unsigned rows, unsigned width, unsigned height, const Color& color) {
  picture::Image out = picture::blank(width, height, kNothing);
  const std::vector<Cover> across = covers(width, columns), down = covers(height, rows);
  for (unsigned j = 0; j < height; ++j) {
    for (unsigned i = 0; i < width; ++i) {
      Rgb mean{0, 0, 0};
      for (unsigned y = 0; y < down[j].weights.size(); ++y) {
        for (unsigned x = 0; x < across[i].weights.size(); ++x) {
          const Rgb c = color(across[i].first + x, down[j].first + y);
          const float weight = across[i].weights[x] * down[j].weights[y];
          mean = {mean.r + c.r * weight, mean.g + c.g * weight, mean.b + c.b * weight};
        }
      }
      picture::set_pixel(out, i, j,
                         picture::to_pixel({std::min(mean.r, 1.0f), std::min(mean.g, 1.0f), std::min(mean.b, 1.0f)}));
    }
  }
  return out;
}

template <class Color>
picture::Image draw_pyramid(const SpherePyramid& pyramid, unsigned height, const Color& color) {
  return draw_map(pyramid.width(), pyramid.height(), height * 3 / 2, height, [&](unsigned x, unsigned y) {
    const std::uint32_t base = pyramid.height();
    // Beside the deepest level, level k fills the rows from base - 2^(k+1) on, and 2^k columns.
    if (x >= base) {
      const std::uint32_t rest = base - y;  // 1 to base
      std::uint32_t side = 1;
      while (side * 2 < rest) side *= 2;
      if (rest == 1 || x - base >= side) return kNothing;
    }
    return color(pyramid.pixels()[std::size_t{y} * pyramid.width() + x]);
  });
}

}  // namespace

Rgb position_color(Vec3 p, const Aabb& box) {
  const Vec3 size = extent(box);
  const auto part = [&](int k) { return size[k] > 0 ? std::clamp((p[k] - box.min[k]) / size[k], 0.0f, 1.0f) : 0.5f; };
  return {part(0), part(1), part(2)};
}

picture::Image draw_positions(const GeometryImage& image, const Aabb& box, unsigned size) {
  return draw_map(image.side(), image.side(), size, size, [&](unsigned x, unsigned y) {
    return position_color(image.positions[std::size_t{y} * image.side() + x], box);
  });
}

picture::Image draw_normals(const GeometryImage& image, unsigned size) {
  return draw_map(image.side(), image.side(), size, size, [&](unsigned x, unsigned y) {
    const Vec3 normal = image.normals[std::size_t{y} * image.side() + x];
    return Rgb{0.5f + 0.5f * normal.x, 0.5f + 0.5f * normal.y, 0.5f + 0.5f * normal.z};
  });
}

picture::Image draw_centers(const SpherePyramid& pyramid, const Aabb& box, unsigned height) {
  return draw_pyramid(pyramid, height, [&](const Sphere& s) { return position_color({s.x, s.y, s.z}, box); });
}

picture::Image draw_radii(const SpherePyramid& pyramid, unsigned height) {
  // Radii about halve from level to level: two more than there are levels reach down to black.
  const float range = static_cast<float>(pyramid.n()) + 2, root = pyramid.root().radius;
  return draw_pyramid(pyramid, height, [&](const Sphere& s) {
    if (!(s.radius > 0)) return Rgb{0, 0, 0};
    const float grey = std::clamp(1 + std::log2(s.radius / root) / range, 0.0f, 1.0f);
    return Rgb{grey, grey, grey};
  });
}

}  // namespace lamella::cli
