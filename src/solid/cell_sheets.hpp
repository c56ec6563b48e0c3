#pragma once

// The sheets of surface in one cell of a lattice whose corners are inside or outside.
//
// Each face of the cell cuts the surface into segments between edges that have one end inside; the segments form loops,
// and each loop bounds one sheet. Where the corners of a face alternate, the segments may run in two ways. Both cells
// at the face must agree: those corners that are inside are joined, unless the face is turned.
//
// With a vertex for each sheet the surface is manifold (Nielson, "Dual Marching Cubes", 2004), except where both
// segments of such a face join the same two sheets, so that two vertices have two edges in common. There the face is
// turned. That splits the sheet of both cells in two, as the segments of a loop run around it in one sense: turning a
// face never joins sheets, so no other face can need it because of that, and one pass over all faces suffices.

#include <array>
#include <cstdint>

namespace lamella::solid {

inline constexpr unsigned kCellEdges = 12;

/// Edge 4 a + k runs along axis a. Bits 0 and 1 of k: whether it is at the far side along the axes a + 1 and a + 2.
constexpr unsigned cell_edge(int axis, unsigned far_u, unsigned far_v) {
  return static_cast<unsigned>(axis) * 4 + far_u + far_v * 2;
}

/// Corner bits of an edge's lower and upper end.
constexpr std::array<unsigned, 2> edge_corners(unsigned edge) {
  const unsigned a = edge / 4, u = (a + 1) % 3, v = (a + 2) % 3;
  const unsigned low = ((edge & 1u) << u) | (((edge >> 1) & 1u) << v);
  return {low, low | (1u << a)};
}

struct CellSheets {
  std::uint8_t count = 0;
  std::array<std::uint8_t, kCellEdges> of_edge{};  ///< kNone: both its ends are on one side
  std::uint8_t alternating = 0;                    ///< a bit for each face: 2 a + s is at side s of axis a

  static constexpr std::uint8_t kNone = 0xff;
};

/// `corners`: the inside ones, a bit each. `turned`: faces, a bit each as in CellSheets::alternating.
[[nodiscard]] CellSheets find_sheets(unsigned corners, unsigned turned);

/// The same from a table, with no face turned.
[[nodiscard]] const CellSheets& sheets_of(unsigned corners);

/// The edges of a face in order around it, from that at the low side of v = axis + 2.
[[nodiscard]] std::array<unsigned, 4> face_edges(int axis, unsigned side);

/// Whether both segments of an alternating face are of one sheet.
[[nodiscard]] bool is_one_sheet(const CellSheets& cell, int axis, unsigned side);

}  // namespace lamella::solid
