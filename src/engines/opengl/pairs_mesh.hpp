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
  /// Keeps the faces that may cover a sample of their object's window, for draw(). The grid's sampling block must be
  /// bound.
  void cull();
  /// Lists for draw() only the faces that shaders/pairs_narrow.comp chooses for a round, of all objects or of two. The
  /// round's block, columns and layers must be bound.
  void narrow(const Candidate* two);
  /// Draws objects in order. A program and the sampling block must be bound.
  void draw() const;

  /// Box of the finite coordinates.
  [[nodiscard]] const Aabb& box() const { return box_; }
  /// Number of faces of each object that cull() could not place, in the device's memory.
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
  VertexArray array_;  ///< without attributes: the shader fetches vertices itself
  Aabb box_;
  std::size_t object_count_ = 0, block_count_ = 0;
  std::vector<std::size_t> first_vertex_;  ///< of each object, then the total number
  std::vector<std::array<std::uint32_t, 4>> block_table_;
  std::atomic<std::size_t> wrong_object_{0};
};

}  // namespace lamella::opengl
