#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/scene/file.hpp"
#include "lamella/scene.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// What all frames from `first` on show: the box of every object in every frame.
[[nodiscard]] Aabb view_of(const SceneFile& file, std::uint32_t first, std::uint32_t count);

/// What a picture shows of a scene.
struct SceneLook {
  bool contacts = false;             ///< collision points and normals in place of the shared volumes
  std::vector<std::string> names{};  ///< of the objects, to label those that collide with; empty: no labels
  std::optional<Aabb> view{};        ///< what frames are fitted to; without it, what is drawn fills the picture
};

/// Shared volumes red; objects that collide in colours, neighbours in different ones, and labelled; the others grey and
/// clear, clearest where they would hide a shared volume. At most 12 objects have labels, those that share most, and a
/// caption says how many have none. Objects so far away that the others would be tiny are left out, unless they
/// collide or a view is given; a caption says so. Contacts: all objects in colours, points red, normals dark.
/// `out` has the picture's size, direction and captions.
[[nodiscard]] picture::Image draw_scene(const Scene& scene, const SceneResult& result, const SceneLook& look,
                                        picture::Picture out, unsigned threads);

}  // namespace lamella::cli
