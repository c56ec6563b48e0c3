#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/clash/file_plan.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::cli {

struct MeshSize {
  explicit MeshSize(const Mesh& mesh)
      : vertices(mesh.positions.size()), triangles(mesh.triangles.size()), doubles(mesh.wide.size()) {}
  MeshSize() = default;

  [[nodiscard]] std::uint64_t bytes() const {
    return vertices * sizeof(Vec3) + triangles * sizeof(Triangle) + doubles * sizeof(Vec3d);
  }

  std::uint64_t vertices = 0, triangles = 0, doubles = 0;
};

/// What rank 0 is told of a file.
struct FileFacts {
  std::uint32_t request = 0;
  std::string said;                    ///< complaints while it was read
  std::optional<std::string> failure;  ///< in place of what follows
  Error::Kind kind = Error::Kind::input;
  std::vector<MeshSize> sizes;
  std::vector<std::string> mesh_names;
  std::vector<MeshInstance> instances;
};

/// What a process read, by request.
using MeshesHere = std::unordered_map<std::uint32_t, std::vector<Mesh>>;

/// This process's files, up to the first that fails: those after it are not asked for. Rank 0 gets the facts of
/// all, by request. Collective.
[[nodiscard]] std::unordered_map<std::uint32_t, FileFacts> read_files(const FilePlan& plan, MeshesHere& here);

}  // namespace lamella::cli
