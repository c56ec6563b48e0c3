#include "engines/opengl/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

[[noreturn]] void fail_memory(const Gl& gl, std::size_t bytes) {
  clear_errors(gl);
  throw Error(fmt::format("the graphics driver cannot allocate {} MiB of memory: lower the resolution, or use the "
                          "engine \"software\"",
                          (bytes >> 20) + 1),
              Error::Kind::device);
}

[[noreturn]] void fail(const char* name, GLuint id, PFNGLGETSHADERINFOLOGPROC get_log) {
  char log[2000] = "";
  get_log(id, sizeof log, nullptr, log);
  throw Error(fmt::format("this OpenGL driver rejects the program \"{}\": {}", name, log), Error::Kind::device);
}

GLuint compile(const Gl& gl, const char* name, const Stage& stage) {
  const GLuint shader = gl.CreateShader(stage.kind);
  std::vector<const char*> texts{"#version 450 core\n"};
  texts.insert(texts.end(), stage.texts.begin(), stage.texts.end());
  gl.ShaderSource(shader, static_cast<GLsizei>(texts.size()), texts.data(), nullptr);
  gl.CompileShader(shader);
  GLint done = GL_FALSE;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done != GL_TRUE) fail(name, shader, gl.GetShaderInfoLog);
  return shader;
}

}  // namespace

void clear_errors(const Gl& gl) {
  // A lost context returns an error at every call.
  for (int i = 0; i < 16 && gl.GetError() != GL_NO_ERROR; ++i) {
  }
}

void dispatch(const Gl& gl, const Program& program, std::uint64_t items, std::uint32_t per_group) {
  constexpr std::uint64_t kAcross = 32768;  // every driver allows 65535
  const std::uint64_t groups = (items + per_group - 1) / per_group;
  if (groups == 0) return;
  gl.UseProgram(program.id());
  gl.DispatchCompute(static_cast<GLuint>(std::min(groups, kAcross)),
                     static_cast<GLuint>((groups + kAcross - 1) / kAcross), 1);
}

Texture make_texture(const Gl& gl, GLenum target) {
  GLuint id = 0;
  gl.CreateTextures(target, 1, &id);
  return {gl, id};
}

Framebuffer make_framebuffer(const Gl& gl) {
  GLuint id = 0;
  gl.CreateFramebuffers(1, &id);
  return {gl, id};
}

VertexArray make_vertex_array(const Gl& gl) {
  GLuint id = 0;
  gl.CreateVertexArrays(1, &id);
  return {gl, id};
}

Query make_query(const Gl& gl, GLenum target) {
  GLuint id = 0;
  gl.CreateQueries(target, 1, &id);
  return {gl, id};
}

Buffer::Buffer(const Gl& gl) : gl_(&gl) {
  GLuint id = 0;
  gl.CreateBuffers(1, &id);
  name_ = {gl, id};
}

bool Buffer::reserve(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 16);
  if (bytes <= size_) return false;
  size_ = 0;  // the old contents are lost in any case
  gl_->NamedBufferData(id(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
  if (gl_->GetError() != GL_NO_ERROR) fail_memory(*gl_, bytes);
  size_ = bytes;
  return true;
}

bool SharedBuffer::reserve(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 4096);
  if (bytes <= size_) return false;
  GLuint id = 0;
  gl_->CreateBuffers(1, &id);
  name_ = {*gl_, id};
  const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  gl_->NamedBufferStorage(id, static_cast<GLsizeiptr>(bytes), nullptr, access | GL_CLIENT_STORAGE_BIT);
  data_ = static_cast<std::byte*>(gl_->MapNamedBufferRange(id, 0, static_cast<GLsizeiptr>(bytes), access));
  size_ = data_ != nullptr ? bytes : 0;
  if (data_ == nullptr) fail_memory(*gl_, bytes);
  return true;
}

Program::Program(const Gl& gl, const char* name, std::initializer_list<Stage> stages) : gl_(&gl) {
  id_ = gl.CreateProgram();
  for (const Stage& stage : stages) {
    const GLuint shader = compile(gl, name, stage);
    gl.AttachShader(id_, shader);
    gl.DeleteShader(shader);  // freed with the program
  }
  gl.LinkProgram(id_);
  GLint done = GL_FALSE;
  gl.GetProgramiv(id_, GL_LINK_STATUS, &done);
  if (done != GL_TRUE) fail(name, id_, gl.GetProgramInfoLog);
}

Program::~Program() { gl_->DeleteProgram(id_); }

}  // namespace lamella::opengl
