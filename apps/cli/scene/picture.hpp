#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/scene/file.hpp"
#include "lamella/scene.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// What all frames from `first` on show: the box of every object in every frame.
[[nodiscard]] Aabb view_of(const SceneFile& file, std::uint32_t first, std::uint32_t count);

/// Objects in colours, collision points as red dots, contact normals as dark strokes. `out` has the picture's
/// size, direction and captions.
[[nodiscard]] picture::Image draw_scene(const Scene& scene, const SceneResult& result, const Aabb& view,
                                        picture::Picture out, unsigned threads);

}  // namespace lamella::cli
