#pragma once

// A mesh as one run of bytes: what a process keeps for others, who read it where it is, or get it as it is.

#include <cstdint>
#include <cstring>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella::mpi {

/// Runs begin and end at multiples of this, so that all of them are aligned.
constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t in_lines(std::uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

/// At the beginning; then come the positions, then the triangles.
struct MeshHead {
  std::uint64_t vertices = 0, triangles = 0;
  Vec3d origin{};
};

[[nodiscard]] inline std::uint64_t bytes_of(const Mesh& mesh) {
  return in_lines(sizeof(MeshHead) + mesh.positions.size() * sizeof(Vec3) + mesh.triangles.size() * sizeof(Triangle));
}

inline void write_mesh(char* to, const Mesh& mesh) {
  const auto write = [&](const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    to += bytes;
  };
  const MeshHead head{mesh.positions.size(), mesh.triangles.size(), mesh.origin};
  write(&head, sizeof head);
  write(mesh.positions.data(), mesh.positions.size() * sizeof(Vec3));
  write(mesh.triangles.data(), mesh.triangles.size() * sizeof(Triangle));
}

[[nodiscard]] inline MeshView mesh_at(const char* memory) {
  MeshHead head;
  std::memcpy(&head, memory, sizeof head);
  const char* positions = memory + sizeof head;
  const char* triangles = positions + head.vertices * sizeof(Vec3);
  return {.positions = {reinterpret_cast<const Vec3*>(positions), head.vertices},
          .triangles = {reinterpret_cast<const Triangle*>(triangles), head.triangles},
          .origin = head.origin};
}

}  // namespace lamella::mpi
