#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/scene/file.hpp"
#include "lamella/clash.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/mpi.hpp"

namespace lamella::cli {

/// What the command line says about the parts.
struct ClashInputArgs {
  std::vector<std::string> files;  ///< meshes, folders and models; or one scene file
  std::optional<double> scale;     ///< of meshes
  std::optional<Split> split;      ///< of meshes
  bool any_path = false;           ///< a scene file may name files anywhere
};

struct ClashInput {
  Assembly assembly;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;  ///< parts, that a scene file says not to test
  std::string title;
  /// When several processes share the work: `assembly` then has no meshes, and only rank 0's may have parts.
  std::optional<mpi::PartSource> source{};
  std::vector<ClashRule> rules{};  ///< of a built-in assembly, as are these lengths
  double clearance = 0, touch = 0;
  std::optional<std::uint32_t> resolution{};  ///< of a scene file
  std::vector<std::string> warnings{};        ///< what is not among the parts, or not as it may seem: a sentence each
};

/// Of an assembly that must stay where it is.
[[nodiscard]] mpi::PartSource source_of(const Assembly& assembly);

/// The unit of a built-in assembly: "mm" of the gearbox; empty where the input has none of its own. Throws Error for an
/// assembly that does not exist.
[[nodiscard]] std::string own_unit(const ClashInputArgs& args);

/// A mesh of an assembly: which of the scene's, and how large.
struct MeshUse {
  std::uint32_t mesh = 0;
  double scale = 1;
};

/// Of files: load_assembly() with another loader; `uses` gets one for each mesh of the assembly.
[[nodiscard]] ClashInput load_files(const ClashInputArgs& args, const MeshLoader& loader, std::vector<MeshUse>& uses);

/// Reads every file once, and keeps each mesh once for each scale that it is used with. A folder is all mesh files in
/// it and in the folders below it, by name. Of a scene file, frame 0. Of several processes of a job, each reads some of
/// the files (shared_input.hpp). Throws Error.
[[nodiscard]] ClashInput load_assembly(const ClashInputArgs& args);

}  // namespace lamella::cli
