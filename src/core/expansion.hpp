#pragma once

// Sums of products without error. Doubles must be such that no product of them overflows or underflows.

#include <cmath>

#include "lamella/math.hpp"

namespace lamella {

constexpr int sign_of(double value) { return (value > 0) - (value < 0); }

/// Sum of doubles without error: components that do not overlap, smallest first. Shewchuk's Grow-Expansion with zeros
/// left out.
template <int Capacity>
class Expansion {
 public:
  void add(double value) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const double sum = value + components_[i];
      const double part = sum - value;
      const double tail = (value - (sum - part)) + (components_[i] - part);
      if (tail != 0) components_[kept++] = tail;
      value = sum;
    }
    if (value != 0) components_[kept++] = value;
    size_ = kept;
  }

  /// The last component is larger than all others together.
  [[nodiscard]] int sign() const { return size_ == 0 ? 0 : sign_of(components_[size_ - 1]); }

 private:
  double components_[Capacity];
  int size_ = 0;
};

/// Adds x * y * z. The product of two floats has 48 bits; cut in two (Veltkamp, Dekker), either half times the third
/// float is exact.
template <int Capacity>
void add_product(Expansion<Capacity>& sum, double x, double y, double z) {
  const double product = x * y;
  const double scaled = product * 0x8000001p0;  // 2^27 + 1
  const double high = scaled - (scaled - product);
  sum.add((product - high) * z);
  sum.add(high * z);
}

/// Adds sign * p . (q x r).
template <int Capacity>
void add_determinant(Expansion<Capacity>& sum, double sign, Vec3 p, Vec3 q, Vec3 r) {
  add_product(sum, q.y, r.z, sign * p.x);
  add_product(sum, q.z, r.y, -sign * p.x);
  add_product(sum, q.z, r.x, sign * p.y);
  add_product(sum, q.x, r.z, -sign * p.y);
  add_product(sum, q.x, r.y, sign * p.z);
  add_product(sum, q.y, r.x, -sign * p.z);
}

/// Adds x * y, whose rounding error is a double too.
template <int Capacity>
void add_rounded_product(Expansion<Capacity>& sum, double x, double y) {
  const double product = x * y;
  sum.add(std::fma(x, y, -product));
  sum.add(product);
}

}  // namespace lamella
