#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/mesh_scan.hpp"
#include "engines/opengl/session.hpp"
#include "lamella/engine.hpp"

namespace lamella::opengl {

/// A mesh in the device's memory, ready to be drawn. Members need the session's context current.
class GpuMesh {
 public:
  explicit GpuMesh(Session& session);

  /// Throws Error for an index out of range.
  void assign(MeshView mesh);
  /// New positions for the triangles of the last assign(), which the caller still has.
  void assign_positions(MeshView mesh);

  [[nodiscard]] const Aabb& box() const { return facts_.box; }
  /// Triangles that have a vertex nothing can be computed with.
  [[nodiscard]] std::uint32_t broken_triangles() const { return skipped_; }
  /// Those, and what the last cull() found too far away for its grid.
  [[nodiscard]] std::uint32_t skipped_triangles() const { return skipped_ + far_; }

  /// Leaves for the draws that follow only the triangles that may cover a sample of the grid, whose sampling block is
  /// in place.
  void cull(const Program& program, const Grid& grid);
  /// With a program and the sampling block in place.
  void draw() const;
  /// Binds what shaders/mesh.glsl names: positions, and the triangles that cull() left.
  void bind() const;

  /// How many layers of front and of back faces the last drawing had; a guess for the next. Of gl-unordered alone.
  std::array<std::uint32_t, 2> layers = {1, 1};

 private:
  void upload_triangles(std::span<const Triangle> triangles);

  Session* session_;
  Buffer positions_, triangles_, kept_, command_;
  VertexArray array_;
  PositionFacts facts_;
  std::size_t count_ = 0;      ///< triangles in the device's list
  std::uint32_t skipped_ = 0;  ///< triangles left out of it: a vertex is NaN, infinite or absurdly far away
  std::uint32_t far_ = 0;      ///< triangles that the last cull() dropped: beyond the grid's lattice
  std::vector<Triangle> filtered_;
};

}  // namespace lamella::opengl
