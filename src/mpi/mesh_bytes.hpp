#pragma once

// A mesh as one run of bytes: what a process keeps for others, who read it where it is, or get it as it is.

#include <cstdint>
#include <cstring>
#include <span>

#include "core/origin.hpp"
#include "lamella/mesh.hpp"

namespace lamella::mpi {

/// Runs begin and end at multiples of this from the start of a piece, whose own alignment is MPI's choice: Open MPI 4.1
/// gives 8 bytes, as much as doubles need.
constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t in_lines(std::uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

/// At the beginning; then come the positions, in doubles where the mesh has them, then the triangles.
struct MeshHead {
  std::uint64_t vertices = 0, triangles = 0, doubles = 0;
  Vec3d origin{};
};

[[nodiscard]] inline std::uint64_t bytes_of(const Mesh& mesh) {
  const MeshView view = exact_view(mesh);
  return in_lines(sizeof(MeshHead) + view.wide.size_bytes() + view.positions.size_bytes() +
                  view.triangles.size_bytes());
}

inline void write_mesh(char* to, const Mesh& mesh) {
  const auto write = [&](const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    to += bytes;
  };
  const MeshView view = exact_view(mesh);
  const MeshHead head{view.positions.size(), view.triangles.size(), view.wide.size(), view.origin};
  write(&head, sizeof head);
  write(view.wide.data(), view.wide.size_bytes());
  write(view.positions.data(), view.positions.size_bytes());
  write(view.triangles.data(), view.triangles.size_bytes());
}

[[nodiscard]] inline MeshView mesh_at(const char* memory) {
  MeshHead head;
  std::memcpy(&head, memory, sizeof head);
  const char* doubles = memory + sizeof head;
  const char* positions = doubles + head.doubles * sizeof(Vec3d);
  const char* triangles = positions + head.vertices * sizeof(Vec3);
  return {.positions = {reinterpret_cast<const Vec3*>(positions), head.vertices},
          .triangles = {reinterpret_cast<const Triangle*>(triangles), head.triangles},
          .origin = head.origin,
          .wide = {reinterpret_cast<const Vec3d*>(doubles), head.doubles}};
}

/// As it was when it was written, doubles included.
[[nodiscard]] inline Mesh copy_of(const MeshView& view) {
  Mesh mesh{.positions = {view.positions.begin(), view.positions.end()},
            .triangles = {view.triangles.begin(), view.triangles.end()},
            .origin = view.origin,
            .wide = {view.wide.begin(), view.wide.end()}};
  for (const Vec3d& p : mesh.wide) mesh.positions.push_back(narrow(p));
  return mesh;
}

}  // namespace lamella::mpi
