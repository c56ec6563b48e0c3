#pragma once

#include "engines/pair_finder.hpp"

namespace lamella {

/// Depth of a triangle where a column's ray crosses it, from the grid's low face, in double: with the same corners on
/// the lattice as the engines use, but without rounding the depths to floats from that face.
[[nodiscard]] double exact_depth(MeshView mesh, std::uint32_t triangle, const Grid& grid, std::uint32_t column);

/// Whether depths from the group's low face are too coarse for what the candidate's objects share: that is thin beside
/// the depth of the whole group.
[[nodiscard]] bool is_thin(const Group& group, const Candidate& candidate);

/// Least length of an engine's spans in a group, as a depth: above what rounding to floats makes. Spans are looked at
/// again in drop_thin().
[[nodiscard]] float span_thickness(const Group& group, float min_thickness);

/// Measures the spans of thin candidates again, from the triangles in double, and leaves out those that are not longer
/// than `min_thickness` times the depth of the box that the two objects share, as intersect() does.
void drop_thin(const Group& group, float min_thickness, GroupAnswer& answer);

}  // namespace lamella
