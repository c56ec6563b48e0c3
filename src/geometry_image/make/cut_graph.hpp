#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

/// Marks a short cut after which the surface, one component of any genus, is a disc. Without handles: a path between
/// two points about as far apart as there are. With handles: a graph without dead ends that goes through all of them.
void cut_to_disc(Surface& s);

/// Lays every path of a cut graph of a surface with handles where it is shortest, given the others, ends included,
/// over and over while that pays. It stays a cut to a disc; dead ends are dropped.
void straighten_cut(Surface& s);

/// Number of cut edges at each vertex.
[[nodiscard]] std::vector<std::uint32_t> cut_degrees(const Surface& s);

/// A path of the cut from node to node, a node being a vertex where not just two cut edges meet.
using CutPath = std::vector<std::uint32_t>;  ///< half-edges, in order

/// The path through cut half-edge h, running its way.
[[nodiscard]] CutPath path_through(const Surface& s, const std::vector<std::uint32_t>& degrees, std::uint32_t h);

/// Each path once.
[[nodiscard]] std::vector<CutPath> cut_paths(const Surface& s);

[[nodiscard]] double length_of(const Surface& s, const std::vector<std::uint32_t>& half_edges);

}  // namespace lamella::gi
