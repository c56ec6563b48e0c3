#include "io/gltf_placement.hpp"

#include <bit>
#include <cmath>

namespace lamella::io {
namespace {

/// How far columns may be from right angles and equal lengths: matrices and quaternions are written with the digits of
/// floats.
constexpr double kSlack = 0x1p-21;

double largest_entry(const Placement& m) {
  double largest = 0;
  for (const Vec3d& v : {m.x, m.y, m.z})
    for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

/// The rotation whose matrix has these columns, of length 1 and at right angles (Shepperd, 1978: the largest of the
/// four is computed first, so that nothing is divided by a small number).
Quaternion rotation_of(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
  const double trace = x.x + y.y + z.z;
  const double squares[] = {1 + 2 * x.x - trace, 1 + 2 * y.y - trace, 1 + 2 * z.z - trace, 1 + trace};  // times 4
  int most = 0;
  for (int i = 1; i < 4; ++i)
    if (squares[i] > squares[most]) most = i;
  const double s = std::sqrt(squares[most]), half = 0.5 / s;
  const double xy = (y.x + x.y) * half, xz = (z.x + x.z) * half, yz = (z.y + y.z) * half;
  const double wx = (y.z - z.y) * half, wy = (z.x - x.z) * half, wz = (x.y - y.x) * half;
  switch (most) {
    case 0:
      return normalized({s / 2, xy, xz, wx});
    case 1:
      return normalized({xy, s / 2, yz, wy});
    case 2:
      return normalized({xz, yz, s / 2, wz});
    default:
      return normalized({wx, wy, wz, s / 2});
  }
}

/// Back from a shape that only scales and mirrors.
Vec3d in_mesh(const Placement& shape, Vec3d p) { return {p.x / shape.x.x, p.y / shape.y.y, p.z / shape.z.z}; }

}  // namespace

Placed taken_apart(const Placement& placement) {
  const Placed whole{{placement.x, placement.y, placement.z, {}}, {}};
  const double size = largest_entry(placement);
  if (!(size > 0) || !std::isfinite(size)) return whole;
  const double sign = mirrors(placement) ? -1 : 1;
  const Vec3d x = placement.x * (sign / size), y = placement.y * (1 / size), z = placement.z * (1 / size);
  const double lengths[] = {length(x), length(y), length(z)};
  const double mean = (lengths[0] + lengths[1] + lengths[2]) / 3;
  for (const double l : lengths)
    if (!(std::abs(l - mean) <= kSlack * mean)) return whole;
  const double most = kSlack * mean * mean;
  if (!(std::abs(dot(x, y)) <= most && std::abs(dot(y, z)) <= most && std::abs(dot(z, x)) <= most)) return whole;
  const double exact = mean * size;
  const double scale = std::abs(exact - 1) <= kSlack ? 1 : double{static_cast<float>(exact)};
  if (!(scale > 0) || !std::isfinite(scale)) return whole;
  const Vec3d right = x * (1 / lengths[0]);
  const Vec3d skewed = y - right * dot(right, y);
  const Vec3d up = skewed * (1 / length(skewed));
  return {{{sign * scale, 0, 0}, {0, scale, 0}, {0, 0, scale}, {}}, rotation_of(right, up, cross(right, up))};
}

Transform pose_at(const Placement& placement, const Placed& placed, Vec3d middle) {
  if (bits_of(placed.shape) == bits_of(placement)) return {placement.origin, {}};  // all of it is in the shape
  const Vec3d there = turn(placement, in_mesh(placed.shape, middle)) + placement.origin;
  return {there - apply(Transform{{}, placed.rotation}, middle), placed.rotation};
}

std::array<std::uint64_t, 9> bits_of(const Placement& shape) {
  std::array<std::uint64_t, 9> bits{};
  std::size_t i = 0;
  for (const Vec3d& v : {shape.x, shape.y, shape.z})
    for (int k = 0; k < 3; ++k) bits[i++] = std::bit_cast<std::uint64_t>(v[k] + 0.0);
  return bits;
}

}  // namespace lamella::io
