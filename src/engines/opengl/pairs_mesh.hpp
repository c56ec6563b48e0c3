#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "engines/opengl/gpu_mesh.hpp"
#include "engines/pair_finder.hpp"

namespace lamella::opengl {

/// The objects of a group in the device's memory: one list of vertices, one of faces with the group's numbers. Members
/// need the session's context current.
class GroupMesh {
 public:
  explicit GroupMesh(Session& session);

  /// Uploads everything: 12 bytes per vertex and per face. Throws Error for an index out of range.
  void assign(const Group& group);
  /// Keeps the faces that may cover a sample of their object's window, for draw(). The grid's sampling block must be in
  /// place.
  void cull();
  /// Lists for draw() only what shaders/pairs_narrow.comp chooses for a round, whose block, columns and layers must be
  /// in place: of all objects, or of two.
  void narrow(const Candidate* two);
  /// With a program and the sampling block in place. Objects in order.
  void draw() const;

  /// Of the finite coordinates.
  [[nodiscard]] const Aabb& box() const { return box_; }
  /// Faces of each object that cull() could not place, a number each, in the device's memory.
  [[nodiscard]] const Buffer& skipped() const { return skipped_; }

 private:
  void upload_positions(const Group& group);
  void upload_faces(const Group& group);
  void copy_block(const Group& group, std::size_t block, std::uint32_t* to);
  void upload_blocks(const Group& group);
  void bind(std::initializer_list<const Buffer*> buffers, GLuint first) const;
  void dispatch_blocks(const Program& program) const;
  void list_chosen() const;

  Session* session_;
  Program cull_, narrow_, offsets_, list_;
  Buffer positions_, triangles_, blocks_, skipped_;
  /// See shaders/pairs_kept.glsl and pairs_blocks.glsl.
  Buffer kept_, corners_, chosen_, states_, listed_, command_;
  VertexArray array_;  ///< without attributes: the shader fetches
  Aabb box_;
  std::size_t object_count_ = 0, block_count_ = 0;
  std::vector<std::size_t> first_vertex_;  ///< of each object, and the number of all
  std::vector<std::array<std::uint32_t, 4>> block_table_;
  std::atomic<std::size_t> wrong_object_{0};
};

}  // namespace lamella::opengl
