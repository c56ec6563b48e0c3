#pragma once

#include <string_view>

#include "lamella/mesh.hpp"

namespace lamella::python {

/// Whether a path stands for a built-in model: "model:NAME" or "model:NAME:FACES", as on the command line.
[[nodiscard]] bool is_model(std::string_view path);
/// Throws Error for an unknown name or a number of faces that is none.
[[nodiscard]] Mesh make_model(std::string_view path);

}  // namespace lamella::python
