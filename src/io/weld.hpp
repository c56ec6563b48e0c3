#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "io/memory_limit.hpp"
#include "lamella/math.hpp"

namespace lamella::io {

/// Gives positions with equal coordinates one index, in order of first appearance; -0 equals 0, and a NaN equals those
/// with the same bits.
///
/// Open addressing with linear probing over indices into the positions: the table stays small, and the positions it
/// leads to are mostly recent ones. The hash is keyed at random, so that no file can be made whose positions all
/// collide; the result does not depend on the key.
template <class Point>
class Welder {
 public:
  /// `expected`: distinct positions foreseen. The table grows when there are more.
  Welder(std::vector<Point>& positions, MemoryLimit& memory, std::size_t expected)
      : positions_(positions), memory_(memory) {
    std::random_device random;
    key_ = (static_cast<std::uint64_t>(random()) << 32) | random();
    rehash(std::bit_ceil(expected * 2 + 16));
  }

  [[nodiscard]] std::size_t size() const { return positions_.size(); }

  std::uint32_t add(Point p) {
    p = p + Point{};  // turns -0 into 0
    std::uint32_t& slot = find(p);
    if (slot != kEmpty) return slot;
    const auto index = static_cast<std::uint32_t>(positions_.size());
    slot = index;
    memory_.append(positions_, p);
    if (positions_.size() * 3 > slots_.size() * 2) rehash(slots_.size() * 2);
    return index;
  }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

  /// The slot that leads to `p`, or the empty one where it belongs.
  std::uint32_t& find(Point p) {
    std::size_t i = hash(p) & mask_;
    while (slots_[i] != kEmpty && !same_bits(positions_[slots_[i]], p)) i = (i + 1) & mask_;
    return slots_[i];
  }

  /// By value NaNs would all differ, and those of one hash make a chain as long as the file.
  [[nodiscard]] static bool same_bits(const Point& a, const Point& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

  [[nodiscard]] std::size_t hash(Vec3 p) const {
    const auto x = std::bit_cast<std::uint32_t>(p.x);
    const auto y = std::bit_cast<std::uint32_t>(p.y);
    const auto z = std::bit_cast<std::uint32_t>(p.z);
    return mix(mix(key_ ^ ((std::uint64_t{x} << 32) | y)) ^ z);
  }
  [[nodiscard]] std::size_t hash(Vec3d p) const {
    std::uint64_t h = key_;
    for (int i = 0; i < 3; ++i) h = mix(h ^ std::bit_cast<std::uint64_t>(p[i]));
    return h;
  }
  /// A bijection of 64 bits in which every input bit reaches the low bits that choose the slot.
  [[nodiscard]] static constexpr std::uint64_t mix(std::uint64_t h) {
    h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
  }

  void rehash(std::size_t size) {
    memory_.give_back(slots_.size() * sizeof(std::uint32_t));
    memory_.take(size, sizeof(std::uint32_t));
    slots_ = {};  // its contents are made anew: no need to keep both
    slots_.assign(size, kEmpty);
    mask_ = size - 1;
    for (std::size_t i = 0; i < positions_.size(); ++i) find(positions_[i]) = static_cast<std::uint32_t>(i);
  }

  std::vector<Point>& positions_;
  MemoryLimit& memory_;
  std::vector<std::uint32_t> slots_;
  std::size_t mask_ = 0;
  std::uint64_t key_ = 0;
};

}  // namespace lamella::io
