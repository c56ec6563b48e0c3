#pragma once

#include "core/digest.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Of what a query sees of a mesh.
[[nodiscard]] inline std::uint64_t digest_of(const MeshView& mesh, std::uint64_t seed = 0) {
  Digest digest(seed);
  const auto add = [&](const void* bytes, std::size_t size) { digest.add({static_cast<const char*>(bytes), size}); };
  const std::uint64_t counts[] = {mesh.vertex_count(), mesh.triangles.size()};
  add(counts, sizeof counts);
  add(&mesh.origin, sizeof mesh.origin);
  add(mesh.positions.data(), mesh.positions.size_bytes());
  add(mesh.wide.data(), mesh.wide.size_bytes());
  add(mesh.triangles.data(), mesh.triangles.size_bytes());
  return digest.value();
}

[[nodiscard]] inline WideDigest wide_digest_of(const MeshView& mesh) { return {digest_of(mesh), digest_of(mesh, 1)}; }

}  // namespace lamella
