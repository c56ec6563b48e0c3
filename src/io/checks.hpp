#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "io/memory_limit.hpp"
#include "lamella/mesh.hpp"

namespace lamella::io {

static_assert(std::endian::native == std::endian::little, "binary files are read by copying little-endian values");

/// The same bytes in the type that readers and writers work on.
[[nodiscard]] inline std::string_view as_chars(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Vertices of one mesh: all indices fit 32 bits, and the largest value stays free.
inline constexpr std::uint64_t kMaxVertices = std::numeric_limits<std::uint32_t>::max();

/// Whether `count` records of at least `record` bytes fit into `available` bytes. Asked before any allocation.
[[nodiscard]] constexpr bool fits(std::uint64_t count, std::uint64_t record, std::uint64_t available) {
  return record == 0 || count <= available / record;
}

/// The nearest float; infinite beyond float's range, which the cast alone leaves undefined.
[[nodiscard]] inline float narrow(double value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::abs(value) > std::numeric_limits<float>::max()) return value > 0 ? kInfinity : -kInfinity;
  return static_cast<float>(value);
}

[[nodiscard]] inline bool is_finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Turns a polygon's corners into a fan of triangles as they come, so that no polygon needs memory of its own.
class Fan {
 public:
  Fan(std::vector<Triangle>& out, MemoryLimit& memory) : out_(out), memory_(memory) {}

  void add(std::uint32_t corner) {
    if (corners_ == 0) first_ = corner;
    if (corners_ >= 2) memory_.append(out_, {first_, previous_, corner});
    previous_ = corner;
    ++corners_;
  }
  [[nodiscard]] std::uint64_t corners() const { return corners_; }

 private:
  std::vector<Triangle>& out_;
  MemoryLimit& memory_;
  std::uint32_t first_ = 0;
  std::uint32_t previous_ = 0;
  std::uint64_t corners_ = 0;
};

}  // namespace lamella::io
