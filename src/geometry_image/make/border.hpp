#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry_image/make/open_disc.hpp"
#include "geometry_image/make/surface.hpp"
#include "lamella/math.hpp"

// The cut on the border of the square. A place on the border is measured in samples, counter-clockwise from (0, 0): the
// corners are 0, N, 2N, 3N, with N = 2^n.

namespace lamella::gi {

/// A path of the cut and how it is spread over samples; each of its two copies takes `intervals` of them.
struct BorderPath {
  std::vector<std::uint32_t> vertices;  ///< of the surface, from node to node
  std::vector<double> places;           ///< of each, from 0 to intervals, strictly ascending
  std::uint32_t intervals = 0;
};

/// One copy of a path on the border.
struct BorderSide {
  std::uint32_t path = 0;
  bool backwards = false;
  std::uint32_t start = 0;  ///< where it begins, below 4N
};

struct Border {
  int n = 0;
  std::vector<BorderPath> paths;
  std::vector<BorderSide> sides;  ///< in order around the square, each path twice

  [[nodiscard]] std::uint32_t size() const { return 4u << n; }
  [[nodiscard]] std::uint32_t quarter() const { return 1u << n; }
};

/// The pixel of an image at a place on its border.
[[nodiscard]] std::size_t border_pixel(int n, std::uint32_t place);

/// How much of the border a part of the cut gets for its length: a factor for each vertex of the surface.
using CutWeights = std::vector<double>;

/// The fewest samples that all paths of the cut together need.
[[nodiscard]] std::uint32_t fewest_intervals(const Surface& s);

/// Spreads the cut over the border: every path gets a whole number of samples in proportion to its weighted length, and
/// nodes are on samples. Throws Error when 4N samples are too few for the cut.
[[nodiscard]] Border lay_border(const Surface& s, const CutWeights& weights, int n);

/// Shifts of the border, in samples, with which the image is closed. (With others, for example, a dead end of the cut
/// on a corner of the square would fold that corner flat.) At most `most`, spread over a quarter turn; of near ones the
/// one with the best corners. Empty when there is none.
[[nodiscard]] std::vector<std::uint32_t> turns_that_close(const Surface& s, const Border& border, std::uint32_t most);

/// Weights for a cut that is one long path along a tube: the tube's two ends, each `end` of the path's length, get a
/// whole side of the square each, so that rings around the tube run straight from side to side.
[[nodiscard]] CutWeights tube_weights(const Surface& s, double end);

/// Shifts the border and splits edges of the surface: cut edges with a corner of the square inside them, and edges
/// between two vertices on the same side of the square.
void turn_border(Surface& s, Border& border, std::uint32_t turn);

/// Opens the surface and maps its boundary to that of the unit square.
[[nodiscard]] OpenSurface open_on_square(const Surface& s, const Border& border);

/// Opens the surface and maps its boundary to a circle of area 1, by weighted length.
[[nodiscard]] OpenSurface open_on_circle(const Surface& s, const CutWeights& weights);

/// Overwrites the border of an image's positions with points of the cut. Copies of a point have the same bits; no two
/// points are equal, nor become equal in a file. All other positions must be set before: a file's codes depend on the
/// box of all.
void write_border(const Surface& s, const Border& border, std::vector<Vec3>& positions);

}  // namespace lamella::gi
