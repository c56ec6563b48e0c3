#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "lamella/math.hpp"

/// What triangles_meet is held against: exact, slow, and by another way. Triangles a and b share a point where 0 is in
/// the convex hull of all differences of a corner of a and a corner of b, that is where no direction has a positive
/// product with all nine: a system of strict inequalities, decided by Fourier-Motzkin elimination.
namespace lamella::test {

/// Integer of up to 1280 bits: products of four differences of floats, counted in units of the smallest, have 1118.
class BigInt {
 public:
  BigInt() = default;
  BigInt(std::int64_t value) : sign_((value > 0) - (value < 0)) {
    std::uint64_t size = value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    for (; size != 0; size >>= 32) limbs_[length_++] = static_cast<std::uint32_t>(size);
  }
  /// value * 2^149, for any finite float.
  explicit BigInt(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t exponent = bits >> 23 & 255;
    const std::uint64_t mantissa = (bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
    const std::uint32_t shift = exponent == 0 ? 0 : exponent - 1;
    limbs_[shift / 32] = static_cast<std::uint32_t>(mantissa << shift % 32);
    limbs_[shift / 32 + 1] = static_cast<std::uint32_t>(mantissa << shift % 32 >> 32);
    length_ = static_cast<int>(shift / 32 + 2);
    sign_ = bits >> 31 != 0 ? -1 : 1;
    trim();
  }

  [[nodiscard]] int sign() const { return sign_; }

  friend BigInt operator-(BigInt a) {
    a.sign_ = -a.sign_;
    return a;
  }
  friend BigInt operator*(const BigInt& a, const BigInt& b) {
    BigInt product;
    product.sign_ = a.sign_ * b.sign_;
    if (product.sign_ == 0) return product;
    product.length_ = a.length_ + b.length_;
    for (int i = 0; i < a.length_; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < b.length_; ++j) {
        carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
        product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      product.limbs_[i + b.length_] = static_cast<std::uint32_t>(carry);
    }
    product.trim();
    return product;
  }
  friend BigInt operator+(const BigInt& a, const BigInt& b) {
    if (a.sign_ == 0) return b;
    if (b.sign_ == 0) return a;
    if (a.smaller_than(b)) return b + a;
    // a is the larger, so that what b is added to or taken from never changes its sign.
    BigInt sum = a;
    sum.length_ = a.length_ + 1;
    std::int64_t carry = 0;
    for (int i = 0; i < sum.length_; ++i) {
      const std::int64_t limb = i < b.length_ ? b.limbs_[i] : 0;
      carry += a.limbs_[i] + (a.sign_ == b.sign_ ? limb : -limb);
      sum.limbs_[i] = static_cast<std::uint32_t>(carry & 0xffffffff);
      carry >>= 32;
    }
    sum.trim();
    return sum;
  }
  friend BigInt operator-(const BigInt& a, const BigInt& b) { return a + -b; }

 private:
  void trim() {
    while (length_ > 0 && limbs_[length_ - 1] == 0) --length_;
    if (length_ == 0) sign_ = 0;
  }
  [[nodiscard]] bool smaller_than(const BigInt& b) const {  // by size
    if (length_ != b.length_) return length_ < b.length_;
    for (int i = length_ - 1; i >= 0; --i)
      if (limbs_[i] != b.limbs_[i]) return limbs_[i] < b.limbs_[i];
    return false;
  }

  std::array<std::uint32_t, 40> limbs_{};
  int length_ = 0, sign_ = 0;
};

inline int sign_of(const BigInt& value) { return value.sign(); }
inline int sign_of(std::int64_t value) { return (value > 0) - (value < 0); }

template <typename Int>
using Row = std::array<Int, 3>;

/// Coordinates that are whole numbers below 2^13, as they are; or any, as multiples of the smallest float.
template <typename Int>
Row<Int> exact(Vec3 p) {
  return {static_cast<Int>(p.x), static_cast<Int>(p.y), static_cast<Int>(p.z)};
}

/// The system without its variable `k`: each pair of rows with opposite signs there makes one.
template <typename Int>
std::vector<Row<Int>> eliminate(const std::vector<Row<Int>>& rows, int k) {
  std::vector<Row<Int>> left;
  for (const auto& row : rows)
    if (sign_of(row[k]) == 0) left.push_back(row);
  for (const auto& up : rows)
    for (const auto& down : rows) {
      if (sign_of(up[k]) <= 0 || sign_of(down[k]) >= 0) continue;
      Row<Int> row{};
      for (int i = k + 1; i < 3; ++i) row[i] = down[i] * up[k] - up[i] * down[k];
      left.push_back(row);
    }
  return left;
}

template <typename Int>
bool oracle_meets(const Vec3 a[3], const Vec3 b[3]) {
  std::vector<Row<Int>> rows;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Row<Int> p = exact<Int>(a[i]), q = exact<Int>(b[j]);
      rows.push_back({p[0] - q[0], p[1] - q[1], p[2] - q[2]});
    }
  for (int k = 0; k < 3; ++k) rows = eliminate(rows, k);
  return !rows.empty();  // what is left says 0 > 0
}

template <typename Int>
int oracle_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const Row<Int> o = exact<Int>(a), p = exact<Int>(b), q = exact<Int>(c), r = exact<Int>(d);
  const auto det = [&](int x, int y, int z) {
    return ((p[x] - o[x]) * (q[y] - o[y]) - (p[y] - o[y]) * (q[x] - o[x])) * (r[z] - o[z]);
  };
  return sign_of(det(1, 2, 0) + det(2, 0, 1) + det(0, 1, 2));
}

template <typename Int>
int oracle_orient2d(Vec3 a, Vec3 b, Vec3 c, int axis) {
  const Row<Int> o = exact<Int>(a), p = exact<Int>(b), q = exact<Int>(c);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  return sign_of((p[u] - o[u]) * (q[v] - o[v]) - (p[v] - o[v]) * (q[u] - o[u]));
}

}  // namespace lamella::test
