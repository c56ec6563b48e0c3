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
  /// New positions for the triangles of the last assign(), which the caller must still have.
  void assign_positions(MeshView mesh);

  [[nodiscard]] const Aabb& box() const { return facts_.box; }
  /// Reads the positions back from the device: as many as were assigned last.
  void read_positions(std::span<Vec3> to) const;
  /// Triangles with a vertex that is not usable (see core/lattice.hpp).
  [[nodiscard]] std::uint32_t broken_triangles() const { return skipped_; }
  /// Those, and the triangles that the last cull() found too far away for its grid.
  [[nodiscard]] std::uint32_t skipped_triangles() const { return skipped_ + far_; }

  /// Keeps for the following draws only the triangles that may cover a sample of the grid. The grid's sampling block
  /// must be bound.
  void cull(const Program& program, const Grid& grid);
  /// A program and the sampling block must be bound.
  void draw() const;
  /// Binds what shaders/mesh.glsl names: positions, and the triangles that cull() left.
  void bind() const;

  /// How many layers of front and of back faces the last drawing had; a guess for the next. Only used by gl-unordered.
  std::array<std::uint32_t, 2> layers = {1, 1};

 private:
  void upload_triangles(std::span<const Triangle> triangles);

  Session* session_;
  Buffer positions_, triangles_, kept_, command_;
  VertexArray array_;
  PositionFacts facts_;
  std::size_t count_ = 0;      ///< triangles in the device's list
  std::uint32_t skipped_ = 0;  ///< triangles left out of it: a vertex is NaN, infinite or too large to compute with
  std::uint32_t far_ = 0;      ///< triangles that the last cull() dropped: beyond the grid's lattice
  std::vector<Triangle> filtered_;
};

}  // namespace lamella::opengl
