#pragma once

#include <filesystem>
#include <string>

#include "scenes/sample_assembly.hpp"

namespace lamella::cli {

/// Writes FOLDER/NAME.json, a scene file; its meshes, FOLDER/NAME/*.ply; FOLDER/NAME.rules.json, the rules of a clash
/// report; and, where something was planted, FOLDER/NAME.truth.json. Returns the scene file's name.
std::filesystem::path write_assembly(const std::filesystem::path& folder, const std::string& name,
                                     const scenes::SampleAssembly& sample);

}  // namespace lamella::cli
