#pragma once

#include <tiny_gltf.h>

#include "io/formats.hpp"

namespace lamella::io {

/// A glTF document and its buffers, parsed by tinygltf.
///
/// tinygltf trusts its input in places, so the text is looked through first: nesting is limited (it recurses), every
/// top-level section that is of no use here is hidden (images would be opened and decoded), and a GLB's chunks are
/// checked. Buffers come from the file itself or from files in its folder, never from elsewhere. References between
/// the parts (accessor to view to buffer, node to mesh) are not checked here.
struct GltfDocument {
  tinygltf::Model model;
  std::uint64_t bytes = 0;  ///< of the file and its buffers: what an honest mesh's size is measured against
};

[[nodiscard]] GltfDocument load_gltf(const Source& source);
[[nodiscard]] GltfDocument load_glb(const Source& source);

}  // namespace lamella::io
