#pragma once

#include <string_view>

#include "io/formats.hpp"
#include "io/gltf_model.hpp"

namespace lamella::io {

/// Reads the JSON text of a glTF 2.0 document, which lies at byte `offset` of the source. Data URIs are decoded;
/// buffers in files are not opened. Throws Error: for JSON that is broken or nested deeper than 128, for another
/// version of glTF, for a member of the wrong type.
[[nodiscard]] GltfModel read_gltf_json(const Source& source, std::string_view text, std::size_t offset);

}  // namespace lamella::io
