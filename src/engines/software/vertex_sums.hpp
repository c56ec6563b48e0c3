#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "query/gradient_sums.hpp"

namespace lamella::software {

/// Sums for the vertices of one mesh, three for each, in integers: their order does not matter. Few vertices lie in an
/// overlap: blocks of vertices that got something are marked, and only these are read and cleared again. 24 bytes a
/// vertex, kept between calls, and cleared only once.
class VertexSums {
 public:
  void start(std::size_t vertices);

  /// `kShared`: several threads add at the same time.
  template <bool kShared>
  void add(std::uint32_t vertex, int axis, SignedSum part) {
    SignedSum& sum = sums_[std::size_t{vertex} * 3 + static_cast<std::size_t>(axis)];
    std::uint8_t& mark = marks_[vertex >> kBlockShift];
    if constexpr (kShared) {
      std::atomic_ref(sum).fetch_add(part, std::memory_order_relaxed);
      std::atomic_ref(mark).store(1, std::memory_order_relaxed);
    } else {
      sum += part;
      mark = 1;
    }
  }
  /// Fetches what add() will need.
  void prefetch(std::uint32_t vertex) const { __builtin_prefetch(&sums_[std::size_t{vertex} * 3], 1); }

  /// One vector for each vertex, from sums along views with these areas of a cell; then all sums are 0 again.
  void write(const std::array<double, 3>& cell_areas, Workers& workers, std::vector<Vec3>& out);

 private:
  static constexpr unsigned kBlockShift = 6;
  void write_block(std::size_t block, const std::array<double, 3>& cell_areas, std::vector<Vec3>& out);

  std::size_t vertices_ = 0;
  bool clean_ = true;  ///< all sums are 0
  std::vector<SignedSum> sums_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace lamella::software
