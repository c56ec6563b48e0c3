// One pass over the geometry puts every fragment into the linked list of its column, after Yang, Hensley, Grün,
// Thibieroz: "Real-Time Concurrent Linked List Construction on the GPU", 2010; compute shaders find the depths and sort
// the lists.
//
// Both facings are drawn in the same pass: a node carries the sign, so that coincident surfaces of any facing are all
// kept. Nothing is clipped along the rays: a crossing beyond the box is moved onto its face, so that every column of a
// closed mesh closes.
//
// Memory for nodes is allocated from the crossings of earlier frames. A frame that needs more still counts all of them,
// and is repeated with enough room: nothing is dropped.

#include "engines/opengl/crossing_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "engines/checks.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr std::uint32_t kSortGroup = 64;
constexpr std::uint64_t kMinCapacity = 1 << 16;
/// Where list.frag stops counting.
constexpr std::uint64_t kMostNodes = 0xf0000000u;

Program depth_program(const Gl& gl) {
  return {gl,
          "depth",
          {{GL_COMPUTE_SHADER,
            {shaders::sampling_glsl, shaders::lists_glsl, shaders::mesh_glsl, shaders::crossing_glsl,
             shaders::depth_comp}}}};
}

/// Work groups for the depths of nodes, whose number only the device knows yet: enough for a few nodes per column and
/// to fill a large GPU. Each group processes more nodes if there are more.
std::uint32_t depth_groups(std::uint32_t columns) { return std::clamp(columns / 16, 16u, 2048u); }

void fill_zero(const Gl& gl, const Buffer& buffer, std::size_t bytes) {
  const std::uint32_t zero = 0;
  gl.ClearNamedBufferSubData(buffer.id(), GL_R32UI, 0, static_cast<GLsizeiptr>(bytes), GL_RED_INTEGER, GL_UNSIGNED_INT,
                             &zero);
}

}  // namespace

Program list_program(const Gl& gl, const char* name, const char* defines, const char* text) {
  return {gl, name, {{GL_COMPUTE_SHADER, {defines, shaders::sampling_glsl, shaders::lists_glsl, text}}}};
}

CrossingLists::CrossingLists(const Gl& gl, const Program& cull, std::uint64_t max_crossings)
    : gl_(&gl),
      cull_(&cull),
      max_crossings_(max_crossings),
      draw_(gl, "list",
            {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::sample_vert}},
             {GL_FRAGMENT_SHADER, {shaders::sampling_glsl, shaders::lists_glsl, shaders::list_frag}}}),
      depth_(depth_program(gl)),
      sort_(list_program(gl, "sort", "", shaders::sort_comp)),
      target_(make_framebuffer(gl)),
      sampling_(gl),
      asked_(gl),
      heads_(gl),
      nodes_(gl),
      cells_(gl),
      answer_(gl),
      answer_back_(gl),
      timer_(gl) {
  asked_.reserve(sizeof(Asked));
  answer_.reserve(sizeof(Answer));
  answer_back_.reserve(sizeof(Answer));
}

/// Reserves memory for the lists, within the driver's limits. A guess may be more than needed, and is cut to the limit.
void CrossingLists::reserve(const ListFrame& frame, std::uint64_t nodes, bool guess) {
  const DeviceFacts& facts = frame.session.context.facts();
  const std::uint64_t heads = std::uint64_t{frame.asked.column_count} * frame.meshes.size() * sizeof(std::uint32_t);
  const auto limit = static_cast<std::uint64_t>(facts.max_storage_bytes);
  const std::uint64_t most = std::min(limit / sizeof(Node), kMostNodes);
  if (guess) nodes = std::min({nodes, most, max_crossings_ * frame.meshes.size()});
  if (const std::uint64_t bytes = std::max(nodes * sizeof(Node), heads); bytes > limit || nodes > most)
    throw storage_error(facts,
                        fmt::format("{} x {} columns{}", frame.grid.columns, frame.grid.rows,
                                    guess ? "" : fmt::format(" with {} crossings", nodes)),
                        bytes);
  heads_.reserve(heads);
  if (nodes <= capacity_) return;
  // A quarter more, so that a slowly growing scene does not repeat every frame.
  const std::uint64_t wanted = std::min(std::max(kMinCapacity, nodes + nodes / 4), most);
  capacity_ = 0;
  nodes_.reserve(wanted * sizeof(Node));
  cells_.reserve(wanted * sizeof(std::uint32_t));
  capacity_ = wanted;
}

/// Options::max_crossings applies to each mesh.
void CrossingLists::check_crossings(const ListFrame& frame, const Answer& answer) const {
  const std::uint64_t second = frame.meshes.size() == 2 ? answer.node_count - answer.first_node : 0;
  const std::uint64_t most = std::max(answer.node_count - second, second);
  if (most > max_crossings_) throw too_many_crossings(max_crossings_);
}

void CrossingLists::set_asked(const Asked& asked) {
  gl_->NamedBufferSubData(asked_.id(), 0, sizeof asked, &asked);
  gl_->BindBufferBase(GL_UNIFORM_BUFFER, 1, asked_.id());
}

void CrossingLists::clear(const ListFrame& frame) {
  fill_zero(*gl_, heads_, std::size_t{frame.asked.column_count} * frame.meshes.size() * sizeof(std::uint32_t));
  fill_zero(*gl_, answer_, sizeof(Answer));
  const GLuint buffers[] = {heads_.id(), nodes_.id(), answer_.id()};
  for (GLuint i = 0; i < std::size(buffers); ++i) gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
  set_asked(frame.asked);
}

void CrossingLists::draw(const ListFrame& frame) {
  gl_->NamedFramebufferParameteri(target_.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, static_cast<GLint>(frame.grid.columns));
  gl_->NamedFramebufferParameteri(target_.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, static_cast<GLint>(frame.grid.rows));
  begin_drawing(*gl_, frame.grid, target_.id());
  Sampling sampling = make_sampling(frame.grid);
  sampling.capacity = static_cast<std::uint32_t>(capacity_);
  for (std::size_t i = 0; i < frame.meshes.size(); ++i) {
    sampling.first_head = static_cast<std::uint32_t>(i) * frame.asked.column_count;
    sampling_.set(sampling);
    GpuMesh& mesh = *frame.meshes[i];
    mesh.cull(*cull_, frame.grid);
    gl_->UseProgram(draw_.id());
    gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, cells_.id());
    mesh.draw();
    gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    gl_->UseProgram(depth_.id());
    gl_->DispatchCompute(depth_groups(frame.asked.column_count), 1, 1);
    gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (i == 0)
      gl_->CopyNamedBufferSubData(answer_.id(), answer_.id(), offsetof(Answer, node_count),
                                  offsetof(Answer, first_node), sizeof(std::uint32_t));
  }
  dispatch(*gl_, sort_, std::uint64_t{frame.asked.column_count} * frame.meshes.size(), kSortGroup);
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

const Answer& CrossingLists::run(const ListFrame& frame, const std::function<void()>& passes,
                                 const std::function<bool(const Answer&)>& enough) {
  const auto& answer = *reinterpret_cast<const Answer*>(answer_back_.data());
  reserve(frame, 4 * std::uint64_t{frame.asked.column_count}, true);
  for (;;) {
    timer_.mark(0);
    clear(frame);
    draw(frame);
    timer_.mark(1);
    passes();
    gl_->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    gl_->CopyNamedBufferSubData(answer_.id(), answer_back_.id(), 0, 0, sizeof(Answer));
    timer_.mark(2);
    frame.session.wait("sampling into lists");
    check_crossings(frame, answer);
    if (answer.node_count > capacity_)
      reserve(frame, answer.node_count, false);
    else if (enough(answer))
      return answer;
  }
}

}  // namespace lamella::opengl
