#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "lamella/query.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// Answers as pictures: the objects shaded and translucent, overlap red, self-overlap green, inside-out violet, points
// inside red and the others small and grey. `scene` has the picture's size, view and captions. `close_holes`: as in the
// options of the answer.

[[nodiscard]] picture::Image draw_intersect(MeshView a, MeshView b, const Overlap& overlap, picture::Picture scene,
                                            unsigned threads, bool close_holes = true);

[[nodiscard]] picture::Image draw_self(MeshView mesh, const SelfOverlap& overlap, picture::Picture scene,
                                       unsigned threads, bool close_holes = true);

/// The shared volume red, and what each mesh covers more than once green: of the first mesh, or of both.
[[nodiscard]] picture::Image draw_intersect_and_self(MeshView a, MeshView b, const Overlap& overlap,
                                                     std::span<const SelfOverlap> own, picture::Picture scene,
                                                     unsigned threads, bool close_holes = true);

/// Of more than 10,000 points outside an even part is drawn, and a caption says so.
[[nodiscard]] picture::Image draw_contain(MeshView mesh, std::span<const Vec3> points, const Containment& containment,
                                          picture::Picture scene, unsigned threads);

/// The meshes, and their vertices inside the other red.
[[nodiscard]] picture::Image draw_vertices(MeshView a, MeshView b, const VerticesInside& vertices,
                                           picture::Picture scene, unsigned threads);

// How an answer comes about, with a legend below the captions.

/// What the meshes of a pair are called in the legend.
using PairNames = std::array<std::string, 2>;

/// Each mesh with its box, the volume of interest in dark lines, on it the face that is outside each mesh in the mesh's
/// colour, and the shared volume. Without a volume of interest, the boxes alone.
[[nodiscard]] picture::Image draw_boxes(MeshView a, MeshView b, const Overlap& overlap, const PairNames& names,
                                        picture::Picture scene, unsigned threads, bool close_holes = true);

/// The first layer of a mesh's spans is blue, that of an overlap red as its volume is.
enum class SpanColors { mesh, overlap };

/// Spans as sticks along their rays, the first of every column in one colour, the second in another, and so on; the
/// grid's box in dark lines. The meshes are drawn faintly around them; none is drawn that has no triangles.
[[nodiscard]] picture::Image draw_spans(std::span<const MeshView> meshes, const Grid& grid, std::span<const Span> spans,
                                        SpanColors colors, picture::Picture scene, unsigned threads);

/// Both meshes' own spans in the volume of interest, each in its mesh's colour: what an overlap is computed from.
[[nodiscard]] picture::Image draw_pair_spans(const Grid& grid, std::span<const Span> a, std::span<const Span> b,
                                             const PairNames& names, picture::Picture scene, unsigned threads);

}  // namespace lamella::cli
