#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "lamella/math.hpp"

namespace lamella::test {

/// Values as bits, one after the other: equal only where every value is the same to the last bit.
class Bits {
 public:
  template <class... Values>
  void put(const Values&... values) {
    (put_one(values), ...);
  }

  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  template <class Integer>
  void put_one(Integer value) {
    static_assert(std::is_integral_v<Integer>);
    words_.push_back(static_cast<std::uint64_t>(value));
  }
  void put_one(float value) { words_.push_back(std::bit_cast<std::uint32_t>(value)); }
  void put_one(double value) { words_.push_back(std::bit_cast<std::uint64_t>(value)); }
  void put_one(Vec3 v) { put(v.x, v.y, v.z); }
  void put_one(Vec3d v) { put(v.x, v.y, v.z); }

  std::vector<std::uint64_t> words_;
};

}  // namespace lamella::test
