#include "engines/opengl/gpu_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr GLuint kPositions = 0;
constexpr std::uint32_t kCullGroup = 256;

/// OpenGL's indirect draw command, followed by a count that cull.comp writes.
struct DrawCommand {
  std::uint32_t index_count = 0, instance_count = 1, first_index = 0, base_vertex = 0, base_instance = 0;
  std::uint32_t far_triangles = 0;
};

/// Shaders read both arrays, so the storage limit applies; the index count must also fit a GLsizei.
void check_size(MeshView mesh, const DeviceFacts& facts) {
  const std::size_t bytes = std::max(mesh.positions.size_bytes(), mesh.triangles.size_bytes());
  if (bytes > std::min<std::size_t>(static_cast<std::size_t>(facts.max_storage_bytes), 1u << 31))
    throw storage_error(facts, fmt::format("{} triangles", mesh.triangles.size()), bytes);
}

/// Whether a vertex of the box may lie beyond the lattice, where the CPU engines skip it too.
bool leaves_lattice(const Aabb& box, const Grid& grid) {
  const Lattice lattice = make_lattice(grid);
  LatticeVertex placed;
  return !box.empty() && !(place(box.min, grid, lattice, placed) && place(box.max, grid, lattice, placed));
}

}  // namespace

GpuMesh::GpuMesh(Session& session)
    : session_(&session),
      positions_(session.context.gl()),
      triangles_(session.context.gl()),
      kept_(session.context.gl()),
      command_(session.context.gl()),
      array_(make_vertex_array(session.context.gl())) {
  const Gl& gl = session.context.gl();
  gl.EnableVertexArrayAttrib(array_.id(), kPositions);
  gl.VertexArrayAttribFormat(array_.id(), kPositions, 3, GL_FLOAT, GL_FALSE, 0);
  gl.VertexArrayAttribBinding(array_.id(), kPositions, 0);
  gl.VertexArrayVertexBuffer(array_.id(), 0, positions_.id(), 0, sizeof(Vec3));
  gl.VertexArrayElementBuffer(array_.id(), kept_.id());
  command_.reserve(sizeof(DrawCommand));
}

void GpuMesh::assign(MeshView mesh) {
  check_indices(mesh, session_->workers);
  check_size(mesh, session_->context.facts());
  count_ = 0;
  skipped_ = ~0u;  // differs from any count found below: the triangles are new
  assign_positions(mesh);
}

void GpuMesh::assign_positions(MeshView mesh) {
  static_assert(Session::kUploadChunk % sizeof(Vec3) == 0);
  positions_.reserve(mesh.positions.size_bytes());
  FactsCollector collector;
  session_->upload(mesh.positions.size_bytes(), positions_,
                   [&](std::size_t begin, std::size_t end, std::byte* to, unsigned) {
                     const auto chunk = mesh.positions.subspan(begin / sizeof(Vec3), (end - begin) / sizeof(Vec3));
                     collector.add(copy_positions(chunk, reinterpret_cast<Vec3*>(to)));
                   });
  facts_ = collector.facts();
  if (!facts_.usable) {
    filtered_.clear();
    std::copy_if(mesh.triangles.begin(), mesh.triangles.end(), std::back_inserter(filtered_),
                 [&](const Triangle& t) { return usable(mesh, t); });
    skipped_ = static_cast<std::uint32_t>(mesh.triangles.size() - filtered_.size());
    upload_triangles(filtered_);
  } else if (skipped_ != 0) {  // the device's list lacks triangles, or belongs to another mesh
    upload_triangles(mesh.triangles);
    skipped_ = 0;
  }
  session_->context.check("uploading a mesh");
}

void GpuMesh::upload_triangles(std::span<const Triangle> triangles) {
  triangles_.reserve(triangles.size_bytes());
  session_->upload(std::as_bytes(triangles), triangles_);
  count_ = triangles.size();
}

void GpuMesh::bind() const {
  const Gl& gl = session_->context.gl();
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, positions_.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, kept_.id());
}

void GpuMesh::cull(const Program& program, const Grid& grid) {
  const Context& context = session_->context;
  const Gl& gl = context.gl();
  kept_.reserve(count_ * sizeof(Triangle));
  const DrawCommand none;
  gl.NamedBufferSubData(command_.id(), 0, sizeof none, &none);
  far_ = 0;
  if (count_ == 0) return;
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, kept_.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, command_.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, positions_.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, triangles_.id());
  gl.ProgramUniform1ui(program.id(), 0, static_cast<GLuint>(count_));
  // Four times the sub-pixel step by which the driver may move a vertex.
  gl.ProgramUniform1f(program.id(), 1, std::ldexp(4.0f, -context.facts().subpixel_bits));
  dispatch(gl, program, count_, kCullGroup);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT |
                   GL_BUFFER_UPDATE_BARRIER_BIT);
  // Only broken data reaches this, so the cost of waiting does not matter.
  if (leaves_lattice(facts_.box, grid))
    gl.GetNamedBufferSubData(command_.id(), offsetof(DrawCommand, far_triangles), sizeof far_, &far_);
}

void GpuMesh::read_positions(std::span<Vec3> to) const {
  if (to.empty()) return;
  session_->context.gl().GetNamedBufferSubData(positions_.id(), 0, static_cast<GLsizeiptr>(to.size_bytes()), to.data());
}

void GpuMesh::draw() const {
  const Gl& gl = session_->context.gl();
  bind();
  gl.BindVertexArray(array_.id());
  gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.id());
  gl.DrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, nullptr);
}

}  // namespace lamella::opengl
