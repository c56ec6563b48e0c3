#pragma once

// OpenGL objects that delete themselves. Make, use and delete them with their context current.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "engines/opengl/gl.hpp"

namespace lamella::opengl {

/// Owns one name; `Delete` is the member of Gl that deletes it.
template <auto Delete>
class Name {
 public:
  Name() = default;
  Name(const Gl& gl, GLuint id) : gl_(&gl), id_(id) {}
  Name(Name&& other) noexcept : gl_(other.gl_), id_(std::exchange(other.id_, 0)) {}
  Name& operator=(Name&& other) noexcept {
    std::swap(gl_, other.gl_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Name() {
    if (id_ != 0) (gl_->*Delete)(1, &id_);
  }
  [[nodiscard]] GLuint id() const { return id_; }

 private:
  const Gl* gl_ = nullptr;
  GLuint id_ = 0;
};

using Texture = Name<&Gl::DeleteTextures>;
using Framebuffer = Name<&Gl::DeleteFramebuffers>;
using VertexArray = Name<&Gl::DeleteVertexArrays>;
using Query = Name<&Gl::DeleteQueries>;

[[nodiscard]] Texture make_texture(const Gl& gl, GLenum target);
[[nodiscard]] Framebuffer make_framebuffer(const Gl& gl);
[[nodiscard]] VertexArray make_vertex_array(const Gl& gl);
[[nodiscard]] Query make_query(const Gl& gl, GLenum target);

/// Draws, and returns whether any fragment passed the tests. Waits for the device.
template <class Draw>
bool any_passes(const Gl& gl, const Query& any, const Draw& draw) {
  gl.BeginQuery(GL_ANY_SAMPLES_PASSED, any.id());
  draw();
  gl.EndQuery(GL_ANY_SAMPLES_PASSED);
  GLuint64 passed = 0;
  gl.GetQueryObjectui64v(any.id(), GL_QUERY_RESULT, &passed);
  return passed != 0;
}

/// Discards errors that nobody has read.
void clear_errors(const Gl& gl);

/// Memory on the device. Grows and never shrinks; growing loses the contents. Throws Error (device) when allocation
/// fails.
class Buffer {
 public:
  explicit Buffer(const Gl& gl);
  /// Returns whether the memory is new.
  bool reserve(std::size_t bytes);
  [[nodiscard]] GLuint id() const { return name_.id(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  const Gl* gl_;
  Name<&Gl::DeleteBuffers> name_;
  std::size_t size_ = 0;
};

/// Memory of the host that the device reads and writes in place. Grows like Buffer.
class SharedBuffer {
 public:
  explicit SharedBuffer(const Gl& gl) : gl_(&gl) {}
  bool reserve(std::size_t bytes);
  [[nodiscard]] GLuint id() const { return name_.id(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  const Gl* gl_;
  Name<&Gl::DeleteBuffers> name_;
  std::size_t size_ = 0;
  std::byte* data_ = nullptr;
};

struct Stage {
  GLenum kind = 0;                           ///< GL_VERTEX_SHADER and so on
  std::initializer_list<const char*> texts;  ///< concatenated after the version line
};

/// A linked program. Throws Error (device) with the driver's log when it does not compile.
class Program {
 public:
  Program(const Gl& gl, const char* name, std::initializer_list<Stage> stages);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();
  [[nodiscard]] GLuint id() const { return id_; }

 private:
  const Gl* gl_;
  GLuint id_ = 0;
};

/// Runs a compute shader over `items` items, in work groups of `per_group`. Groups are laid out in rows: a group's
/// number is its row times the row's length, plus its index in the row.
void dispatch(const Gl& gl, const Program& program, std::uint64_t items, std::uint32_t per_group);

}  // namespace lamella::opengl
