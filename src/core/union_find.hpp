#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lamella {

/// Sets of numbers that grow together; the lowest number of each stands for it.
class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  [[nodiscard]] std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Whether they were in different sets.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace lamella
