#include "solid/point_bits.hpp"

namespace lamella::solid {

EdgeNumbers::EdgeNumbers(const PointBits& bits, int axis, Workers& workers) : bits_(bits), axis_(axis) {
  const std::uint32_t planes = bits.points(0), rows = bits.points(1), words = bits.words();
  plane_.resize(planes + 1);
  rank_.resize(std::size_t{planes} * rows * words);
  // Edges that have one end inside do not begin in the last plane, and it has no neighbour to be compared with.
  const std::uint32_t end_x = planes - (axis == 0 ? 1 : 0), end_y = rows - (axis == 1 ? 1 : 0);
  workers.for_chunks(end_x, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto x = static_cast<std::uint32_t>(begin); x < end; ++x) {
      std::uint32_t count = 0;
      std::uint32_t* rank = &rank_[std::size_t{x} * rows * words];
      for (std::uint32_t y = 0; y < end_y; ++y)
        for (std::uint32_t w = 0; w < words; ++w) {
          rank[std::size_t{y} * words + w] = count;
          count += static_cast<std::uint32_t>(std::popcount(bits.edges(axis, x, y, w)));
        }
      plane_[x + 1] = count;
    }
  });
  for (std::uint32_t x = 0; x < planes; ++x) plane_[x + 1] += plane_[x];
}

}  // namespace lamella::solid
