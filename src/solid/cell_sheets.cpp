#include "solid/cell_sheets.hpp"

namespace lamella::solid {
namespace {

/// Edges that are known to bound one sheet.
struct Links {
  std::array<std::uint8_t, kCellEdges> parent{};

  Links() {
    for (unsigned e = 0; e < kCellEdges; ++e) parent[e] = static_cast<std::uint8_t>(e);
  }
  [[nodiscard]] unsigned root(unsigned e) const {
    while (parent[e] != e) e = parent[e];
    return e;
  }
  void join(unsigned a, unsigned b) { parent[root(a)] = static_cast<std::uint8_t>(root(b)); }
};

bool is_crossed(unsigned corners, unsigned edge) {
  const auto ends = edge_corners(edge);
  return ((corners >> ends[0]) & 1u) != ((corners >> ends[1]) & 1u);
}

/// Whether the face's corner at the low sides of u and v is inside.
bool first_inside(unsigned corners, int axis, unsigned side) { return ((corners >> (side << axis)) & 1u) != 0; }

}  // namespace

std::array<unsigned, 4> face_edges(int axis, unsigned side) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  // Along u the other two axes are v, axis; along v they are axis, u.
  return {cell_edge(u, 0, side), cell_edge(v, side, 1), cell_edge(u, 1, side), cell_edge(v, side, 0)};
}

CellSheets find_sheets(unsigned corners, unsigned turned) {
  CellSheets cell;
  Links links;
  for (int axis = 0; axis < 3; ++axis)
    for (unsigned side = 0; side < 2; ++side) {
      const auto edges = face_edges(axis, side);
      std::array<unsigned, 4> crossed{};
      unsigned count = 0;
      for (const unsigned e : edges)
        if (is_crossed(corners, e)) crossed[count++] = e;
      if (count == 2) links.join(crossed[0], crossed[1]);
      if (count != 4) continue;
      const unsigned bit = 1u << (static_cast<unsigned>(axis) * 2 + side);
      cell.alternating = static_cast<std::uint8_t>(cell.alternating | bit);
      // Segments cut off either the first corner and the one across, or the other two: those that are outside.
      const bool cut_first = first_inside(corners, axis, side) == ((turned & bit) != 0);
      links.join(edges[0], edges[cut_first ? 3 : 1]);
      links.join(edges[2], edges[cut_first ? 1 : 3]);
    }
  std::array<std::uint8_t, kCellEdges> number{};
  number.fill(CellSheets::kNone);
  cell.of_edge.fill(CellSheets::kNone);
  for (unsigned e = 0; e < kCellEdges; ++e) {
    if (!is_crossed(corners, e)) continue;
    std::uint8_t& sheet = number[links.root(e)];
    if (sheet == CellSheets::kNone) sheet = cell.count++;
    cell.of_edge[e] = sheet;
  }
  return cell;
}

const CellSheets& sheets_of(unsigned corners) {
  static const auto kTable = [] {
    std::array<CellSheets, 256> table;
    for (unsigned c = 0; c < 256; ++c) table[c] = find_sheets(c, 0);
    return table;
  }();
  return kTable[corners];
}

bool is_one_sheet(const CellSheets& cell, int axis, unsigned side) {
  const auto edges = face_edges(axis, side);
  return cell.of_edge[edges[0]] == cell.of_edge[edges[2]];  // these two are always of different segments
}

}  // namespace lamella::solid
