#pragma once

// Which triangles of a moving mesh may touch which of a fixed one first, without a tree.
//
// Cells are laid over the part of the image that both meshes cover. A triangle is filed by the box of its image, on the
// level where that covers at most 2 x 2 cells; cells of the next level are twice as large. Each cell knows the highest
// moving and the lowest fixed triangle: their distance bounds what can happen there. Cells are looked into by that
// bound, until it is beyond the first touch found: with surfaces far apart only a few cells are ever opened.

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// The box of a triangle in the view, at least as large as the triangle: x and y are the image, z is the motion's.
struct SweptBox {
  Vec3 min, max;
  std::uint32_t triangle = 0;
};

class SweepCells {
 public:
  /// Returns the shift at which the two triangles touch, infinite if never.
  using TestPair = std::function<double(std::uint32_t moving, std::uint32_t fixed)>;

  /// Tests every pair that may touch before the first touch that was found, or before `most`, and some more. The order
  /// depends on the boxes alone.
  void search(std::span<const SweptBox> moving, std::span<const SweptBox> fixed, double most, Workers& workers,
              const TestPair& test);

 private:
  /// A triangle among the cells of level 0.
  struct Filed {
    std::uint8_t first_u, first_v, last_u, last_v;
    std::uint8_t level;
  };
  struct Side {
    std::span<const SweptBox> boxes;
    std::vector<Filed> filed;
    std::vector<std::uint32_t> begin, of_cell;  ///< numbers of boxes, by cell
    std::vector<float> bound;                   ///< of each cell: the highest (moving) or the lowest (fixed) of its own
    std::vector<float> bound_above;             ///< the same with the cells of higher levels around it
  };

  void lay_out(std::size_t boxes, const Side& a, const Side& b);
  void file(Side& side, bool highest);
  void gather_bounds(Side& side, bool highest) const;
  void order_cells(double most);
  double open_cell(std::uint32_t level, std::uint32_t u, std::uint32_t v, double most, const TestPair& test);
  double meet(std::uint32_t moving_cell, std::uint32_t fixed_cell, std::uint32_t level, std::uint32_t u,
              std::uint32_t v, double most, const TestPair& test);
  [[nodiscard]] std::span<std::uint32_t> in_cell(Side& side, std::uint32_t cell) const;
  [[nodiscard]] std::uint32_t cell(std::uint32_t level, std::uint32_t u, std::uint32_t v) const;
  template <class Visit>
  void for_cells(const Filed& f, const Visit& visit) const;

  std::uint32_t levels_ = 1;                ///< level 0 has 2^(levels - 1) cells along either axis
  std::vector<std::uint32_t> level_begin_;  ///< first cell of each level
  double min_[2] = {}, scale_[2] = {};      ///< from the image to cells of level 0
  Side moving_, fixed_;
  struct Waiting {
    float bound;
    std::uint32_t level, u, v;
  };
  std::vector<Waiting> queue_;
};

}  // namespace lamella
