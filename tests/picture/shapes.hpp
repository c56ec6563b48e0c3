#pragma once

#include <array>
#include <cstddef>

#include "picture/picture.hpp"

namespace lamella::picture::shapes {

/// Adds one side of a box: n x n cells from `origin` along `u` and `v`, the outside where u x v points.
inline void add_side(Mesh& mesh, Vec3 origin, Vec3 u, Vec3 v, std::uint32_t n) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (std::uint32_t j = 0; j <= n; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      mesh.positions.push_back(origin + u * (static_cast<float>(i) / static_cast<float>(n)) +
                               v * (static_cast<float>(j) / static_cast<float>(n)));
    }
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = first + j * (n + 1) + i, b = a + n + 1;
      mesh.triangles.push_back({a, a + 1, b + 1});
      mesh.triangles.push_back({a, b + 1, b});
    }
  }
}

/// A box with n x n cells on each side.
inline Mesh box(Vec3 center, float half, std::uint32_t n = 1) {
  Mesh mesh;
  const Vec3 low = center - Vec3{half, half, half}, high = center + Vec3{half, half, half};
  const Vec3 x{2 * half, 0, 0}, y{0, 2 * half, 0}, z{0, 0, 2 * half};
  add_side(mesh, low, y, x, n);
  add_side(mesh, low, z, y, n);
  add_side(mesh, low, x, z, n);
  add_side(mesh, high, x * -1.0f, y * -1.0f, n);
  add_side(mesh, high, y * -1.0f, z * -1.0f, n);
  add_side(mesh, high, z * -1.0f, x * -1.0f, n);
  return mesh;
}

using Pixel = std::array<int, 3>;

inline Pixel pixel(const Image& image, unsigned x, unsigned y) {
  const std::uint8_t* p = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
  return {p[0], p[1], p[2]};
}

inline Pixel center(const Image& image) { return pixel(image, image.width / 2, image.height / 2); }

/// Largest difference of any channel of any pixel.
inline int difference(const Image& a, const Image& b) {
  if (a.rgb.size() != b.rgb.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    const int d = a.rgb[i] - b.rgb[i];
    largest = std::max(largest, d < 0 ? -d : d);
  }
  return largest;
}

}  // namespace lamella::picture::shapes
