#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lamella/mesh.hpp"

namespace lamella::scenes {
struct CatalogueModel;
}

namespace lamella::cli {

// Built-in models as inputs: wherever a command reads a mesh, "model:NAME" or "model:NAME:FACES" stands for one of
// scenes/catalogue.hpp. A file of such a name can still be read, as "./model:NAME".

/// What the help of an argument says that takes a mesh. The bash completion offers models where it stands.
inline constexpr std::string_view kMeshInputs = ".ply .obj .stl .off .gltf .glb, or model:NAME";

[[nodiscard]] bool is_model(const std::filesystem::path& input);

/// A model that was asked for, not made yet.
struct ModelInput {
  const scenes::CatalogueModel* model = nullptr;
  std::size_t faces = 0;

  [[nodiscard]] Mesh make() const;
  /// Whether it has more faces than models in memory may have.
  [[nodiscard]] bool is_large() const;
};

/// Of "model:NAME[:FACES]", or of the same without "model:". Throws Error for an unknown name, with the nearest and the
/// list, and for a number of faces that is none.
[[nodiscard]] ModelInput parse_model(std::string_view input);
/// The same for a model that is only written: those that can be written ring by ring may have 100 times as many faces.
[[nodiscard]] ModelInput parse_written_model(std::string_view input);

/// A name for a file made of this input: "hand" of "model:hand:5000", "part" of "parts/part.ply".
[[nodiscard]] std::string stem_of(const std::filesystem::path& input);

}  // namespace lamella::cli
