#pragma once

#include <string>
#include <vector>

#include "cli/figure/figures.hpp"
#include "cli/figure/panels.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella::cli {

/// The spans that a mesh has inside it on a grid, as the engine of the options samples it.
[[nodiscard]] std::vector<Span> sample_spans(MeshView mesh, const Grid& grid, const Options& options);

/// A panel: the whole mesh as spans in its own box.
[[nodiscard]] picture::Image draw_whole_spans(const Panels& panels, MeshView mesh, const std::string& title,
                                              const Options& options);

/// A panel: points anywhere in the mesh's box, those inside red.
[[nodiscard]] picture::Image draw_points_inside(const Panels& panels, MeshView mesh, std::size_t points,
                                                const Options& options);

}  // namespace lamella::cli
