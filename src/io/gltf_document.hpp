#pragma once

#include "io/formats.hpp"
#include "io/gltf_model.hpp"

namespace lamella::io {

// A glTF document with the contents of its buffers, which come from the file itself or from files in its folder, never
// from elsewhere: not by "..", an absolute path, a URI of another kind or a symbolic link. The model may refer to the
// source's bytes. References between its parts (accessor to view to buffer, node to mesh) are not checked here.
[[nodiscard]] GltfModel load_gltf(const Source& source);
[[nodiscard]] GltfModel load_glb(const Source& source);

}  // namespace lamella::io
