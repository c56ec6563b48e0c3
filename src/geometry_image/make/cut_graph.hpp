#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// Marks a short cut that opens the surface, one component of any genus, to a disc. Without handles: a path between two
/// points about as far apart as possible. With handles: a graph without dead ends that cuts all of them.
void cut_to_disc(Surface& s);

/// For a surface with handles: moves each path of the cut graph, its ends included, to where it is shortest given the
/// others, and repeats while that pays. The surface stays cut to a disc; dead ends are removed.
void straighten_cut(Surface& s);

/// Number of cut edges at each vertex.
[[nodiscard]] std::vector<std::uint32_t> cut_degrees(const Surface& s);

/// A path of the cut from node to node; a node is a vertex with more or fewer than two cut edges.
using CutPath = std::vector<std::uint32_t>;  ///< half-edges, in order

/// The path through cut half-edge h, in its direction.
[[nodiscard]] CutPath path_through(const Surface& s, const std::vector<std::uint32_t>& degrees, std::uint32_t h);

/// Each path once.
[[nodiscard]] std::vector<CutPath> cut_paths(const Surface& s);

[[nodiscard]] double length_of(const Surface& s, const std::vector<std::uint32_t>& half_edges);

}  // namespace lamella::gi
