#pragma once

#include <array>
#include <span>
#include <vector>

#include "lamella/ldi.hpp"
#include "lamella/result.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

// A layered depth image as a solid: what its columns have inside, as intervals of depth.

/// The intervals in which the winding along a column is not 0, ascending by column, then by depth. Columns that do not
/// close are left out. The layers may come in any order.
[[nodiscard]] std::vector<Span> inside_spans(const Grid& grid, std::span<const DepthLayer> layers);

/// The first span of every column, the second of every column, and so on. `spans` ascend by column, then by depth.
[[nodiscard]] std::vector<std::vector<Span>> by_layer(std::span<const Span> spans);

/// A bar for each span along its ray, closed, `part` of a cell wide: with less than 1 the columns stand apart. `shift`
/// moves all of them along the grid's columns, in cells, to make room for others.
[[nodiscard]] Mesh sticks(const Grid& grid, std::span<const Span> spans, double part, double shift = 0);

/// For the layers of a column from the first on; beyond the last they start over.
inline constexpr std::array<Rgb, 5> kLayerColors{{{0.20f, 0.42f, 0.72f},
                                                  {0.93f, 0.60f, 0.16f},
                                                  {0.22f, 0.62f, 0.40f},
                                                  {0.75f, 0.32f, 0.55f},
                                                  {0.45f, 0.40f, 0.36f}}};

}  // namespace lamella::picture
