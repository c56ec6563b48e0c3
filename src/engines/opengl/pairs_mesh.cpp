#include "engines/opengl/pairs_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mesh_check.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr std::size_t kCornerBytes = 3 * sizeof(Vec3), kKeptBytes = 16, kStateBytes = 16;
constexpr std::size_t kBlockBytes = kFaceBlock * sizeof(Triangle);
static_assert(Session::kUploadChunk % kBlockBytes == 0 && Session::kUploadChunk % sizeof(Vec3) == 0);
static_assert(kMaxResolution < 1u << 16, "a window's ends are packed into 16 bits each");

/// Shaders read all lists, so the storage limit applies to each.
void check_size(const DeviceFacts& facts, std::size_t vertices, std::size_t faces) {
  const std::size_t bytes = std::max(vertices * sizeof(Vec3), faces * kCornerBytes);
  if (bytes > std::min<std::size_t>(static_cast<std::size_t>(facts.max_storage_bytes), 1u << 31))
    throw storage_error(facts, fmt::format("groups of {} faces", faces), bytes);
}

}  // namespace

GroupMesh::GroupMesh(Session& session)
    : session_(&session),
      cull_(session.context.gl(), "pairs cull",
            {{GL_COMPUTE_SHADER,
              {"#define KEPT\n", shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::pairs_blocks_glsl,
               shaders::pairs_cull_comp}}}),
      narrow_(
          session.context.gl(), "pairs narrow",
          {{GL_COMPUTE_SHADER,
            {"#define KEPT readonly\n", shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::pairs_blocks_glsl,
             shaders::pairs_glsl, shaders::pairs_layers_glsl, shaders::pairs_narrow_comp}}}),
      offsets_(session.context.gl(), "pairs offsets",
               {{GL_COMPUTE_SHADER, {shaders::pairs_blocks_glsl, shaders::pairs_offsets_comp}}}),
      list_(session.context.gl(), "pairs list",
            {{GL_COMPUTE_SHADER, {shaders::pairs_blocks_glsl, shaders::pairs_list_comp}}}),
      positions_(session.context.gl()),
      triangles_(session.context.gl()),
      blocks_(session.context.gl()),
      skipped_(session.context.gl()),
      kept_(session.context.gl()),
      corners_(session.context.gl()),
      chosen_(session.context.gl()),
      states_(session.context.gl()),
      listed_(session.context.gl()),
      command_(session.context.gl()),
      array_(make_vertex_array(session.context.gl())) {
  command_.reserve(4 * sizeof(std::uint32_t));
}

void GroupMesh::assign(const Group& group) {
  object_count_ = group.objects.size();
  block_count_ = group.object_of_block.size();
  first_vertex_.assign(1, 0);
  for (const GroupObject& object : group.objects)
    first_vertex_.push_back(first_vertex_.back() + object.mesh.positions.size());
  check_size(session_->context.facts(), first_vertex_.back(), block_count_ * kFaceBlock);
  upload_positions(group);
  upload_faces(group);
  upload_blocks(group);
  skipped_.reserve(object_count_ * sizeof(std::uint32_t));
  const std::size_t faces = block_count_ * kFaceBlock;
  kept_.reserve(faces * kKeptBytes);
  corners_.reserve(faces * kCornerBytes);
  chosen_.reserve(faces * sizeof(std::uint32_t));
  listed_.reserve(faces * sizeof(std::uint32_t));
  states_.reserve(block_count_ * kStateBytes);
  session_->context.check("uploading a group of objects");
}

void GroupMesh::upload_positions(const Group& group) {
  const std::size_t bytes = first_vertex_.back() * sizeof(Vec3);
  positions_.reserve(bytes);
  FactsCollector collector;
  session_->upload(bytes, positions_, [&](std::size_t begin, std::size_t end, std::byte* to, unsigned) {
    auto* out = reinterpret_cast<Vec3*>(to);
    std::size_t at = begin / sizeof(Vec3);
    const std::size_t last = end / sizeof(Vec3);
    const auto next = std::upper_bound(first_vertex_.begin(), first_vertex_.end(), at);
    for (auto object = static_cast<std::size_t>(next - first_vertex_.begin()) - 1; at < last; ++object) {
      const std::size_t count = std::min(last, first_vertex_[object + 1]) - at;
      collector.add(
          copy_positions(group.objects[object].mesh.positions.subspan(at - first_vertex_[object], count), out));
      out += count;
      at += count;
    }
  });
  box_ = collector.facts().box;
}

/// Copies the faces of one block, with indices into the list of all vertices; fills the rest after an object's last
/// face.
void GroupMesh::copy_block(const Group& group, std::size_t block, std::uint32_t* to) {
  const std::uint32_t i = group.object_of_block[block];
  const GroupObject& object = group.objects[i];
  const std::size_t begin = block * kFaceBlock - object.first_face;
  const auto faces =
      object.mesh.triangles.subspan(begin, std::min<std::size_t>(kFaceBlock, object.mesh.triangles.size() - begin));
  if (max_index(faces) >= object.mesh.positions.size()) wrong_object_ = i;
  const auto base = static_cast<std::uint32_t>(first_vertex_[i]);
  const auto* from = reinterpret_cast<const std::uint32_t*>(faces.data());
  for (std::size_t k = 0; k < 3 * faces.size(); ++k) to[k] = from[k] + base;
  std::fill(to + 3 * faces.size(), to + 3 * kFaceBlock, ~0u);
}

void GroupMesh::upload_faces(const Group& group) {
  const std::size_t bytes = block_count_ * kBlockBytes;
  triangles_.reserve(bytes);
  wrong_object_ = group.objects.size();
  session_->upload(bytes, triangles_, [&](std::size_t begin, std::size_t end, std::byte* to, unsigned) {
    for (std::size_t at = begin; at < end; at += kBlockBytes)
      copy_block(group, at / kBlockBytes, reinterpret_cast<std::uint32_t*>(to + (at - begin)));
  });
  if (wrong_object_ < group.objects.size()) fail_index(group.objects[wrong_object_].mesh);
}

void GroupMesh::upload_blocks(const Group& group) {
  block_table_.resize(block_count_);
  for (std::size_t i = 0; i < block_count_; ++i) {
    const std::uint32_t object = group.object_of_block[i];
    const Window& w = group.objects[object].window;
    block_table_[i] = {object, 0, w.first_u | (w.first_v << 16), w.end_u | (w.end_v << 16)};
  }
  const std::size_t bytes = block_count_ * sizeof block_table_[0];
  blocks_.reserve(bytes);
  session_->upload(std::as_bytes(std::span(block_table_)), blocks_);
}

void GroupMesh::bind(std::initializer_list<const Buffer*> buffers, GLuint first) const {
  for (const Buffer* buffer : buffers)
    session_->context.gl().BindBufferBase(GL_SHADER_STORAGE_BUFFER, first++, buffer->id());
}

void GroupMesh::dispatch_blocks(const Program& program) const {
  const Gl& gl = session_->context.gl();
  gl.ProgramUniform1ui(program.id(), 0, static_cast<GLuint>(block_count_));
  dispatch(gl, program, block_count_ * kFaceBlock, kFaceBlock);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void GroupMesh::list_chosen() const {
  const Gl& gl = session_->context.gl();
  bind({&command_}, 0);
  gl.ProgramUniform1ui(offsets_.id(), 0, static_cast<GLuint>(block_count_));
  dispatch(gl, offsets_, 1, 1);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
  bind({&listed_}, 0);
  dispatch_blocks(list_);
}

void GroupMesh::cull() {
  const Gl& gl = session_->context.gl();
  const std::uint32_t zero = 0;
  gl.ClearNamedBufferSubData(skipped_.id(), GL_R32UI, 0, static_cast<GLsizeiptr>(object_count_ * sizeof zero),
                             GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  bind({&positions_, &triangles_, &blocks_, &skipped_, &kept_, &corners_, &chosen_, &states_}, 0);
  // Four times the sub-pixel step by which the driver may move a vertex.
  const float margin = std::ldexp(4.0f, -session_->context.facts().subpixel_bits);
  for (const Program* program : {&cull_, &narrow_}) gl.ProgramUniform1f(program->id(), 1, margin);
  dispatch_blocks(cull_);
  list_chosen();
}

void GroupMesh::narrow(const Candidate* two) {
  const Gl& gl = session_->context.gl();
  bind({&blocks_}, 0);
  bind({&kept_, &corners_, &chosen_, &states_}, 4);
  gl.ProgramUniform2i(narrow_.id(), 2, two != nullptr ? static_cast<GLint>(two->a) : -1,
                      two != nullptr ? static_cast<GLint>(two->b) : -1);
  dispatch_blocks(narrow_);
  list_chosen();
}

void GroupMesh::draw() const {
  const Gl& gl = session_->context.gl();
  bind({&kept_, &corners_, &listed_}, 4);
  gl.BindVertexArray(array_.id());
  gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.id());
  gl.DrawArraysIndirect(GL_TRIANGLES, nullptr);
}

}  // namespace lamella::opengl
