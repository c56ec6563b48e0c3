// Unordered LDI: Heidelberger, Teschner, Gross, "Detection of Collisions and Self-collisions Using Image-space
// Techniques", WSCG 2004, section 3.3. No depth test: the stencil counts the fragments of a pixel as they are drawn,
// and pass n keeps the n-th. Every pass of a facing also gives the number of fragments. Columns are sorted on the CPU.
//
// Where it departs from the paper:
// - A layer is an image of an array; the paper uses a region of one frame buffer.
// - As many passes are drawn at once as the mesh needed the last time, both facings together; the paper waits for
//   the first pass of each. When that was enough there is one read-back, otherwise two.
// - The largest stencil is found on the device.
// - Only the n-th fragment is written; in the paper, all up to the n-th write in turn. The result is the same.
// - Both objects of a pair are seen from the same side; the LDI records which end of the box is outside.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/layer_engine.hpp"
#include "engines/opengl/shaders.hpp"
#include "engines/opengl/stencil_count.hpp"

namespace lamella::opengl {
namespace {

/// Memory for the images of layers. If more layers are needed than fit, they are drawn in several turns.
constexpr std::size_t kArrayBytes = std::size_t{512} << 20, kPixelBytes = 8;
constexpr std::size_t kGuessedBytes = std::size_t{256} << 20;
/// Every driver accepts multiples of this as the offset of a buffer range.
constexpr std::size_t kRangeStep = 256;
constexpr std::uint32_t kGatherGroup = 16;

/// One layer: fragment `number` (from 0) of every pixel.
struct Pass {
  bool front = false;
  std::uint32_t number = 0;
};

class UnorderedEngine final : public LayerEngine {
 public:
  explicit UnorderedEngine(const EngineOptions& options) : LayerEngine("gl-unordered", options) {}
  ~UnorderedEngine() override { stop(); }

  [[nodiscard]] std::vector<DepthLayer> layers(MeshRef mesh, const Grid& grid) override;

 private:
  struct Objects {
    explicit Objects(const Gl& gl);
    Program layer, gather;
    Framebuffer target;
    Query any;
    Texture images, stencils;             ///< the same memory, viewed as depths and as stencils
    std::uint32_t columns = 0, rows = 0;  ///< of the images
    std::size_t count = 0;                ///< of images
    Buffer most;
    SharedBuffer most_back, guessed, rest;
  };

  void make_objects(Session& session) override {
    LayerEngine::make_objects(session);
    objects_.emplace(session.context.gl());
  }
  void drop_objects() override {
    LayerEngine::drop_objects();
    objects_.reset();
  }
  void make_layers(const Job& job, Ldi& out) override;
  void begin_passes(const Job& job);
  void reserve_images(const Job& job, std::size_t count);
  void draw_layer(const Job& job, std::size_t image, Pass pass);
  void gather(const Job& job, std::span<const Pass> passes, const SharedBuffer& to, std::size_t at);
  void draw_all(const Job& job, std::span<const Pass> passes, SharedBuffer& to);
  void refuse_more(const Job& job, bool front);

  std::optional<Objects> objects_;
  std::vector<Pass> passes_;
  std::vector<Layer> layers_;  ///< of the last drawing; the depths are in the shared buffers
  DepthCode code_;
};

UnorderedEngine::Objects::Objects(const Gl& gl)
    : layer(gl, "layer",
            {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::sample_vert}},
             {GL_FRAGMENT_SHADER,
              {shaders::sampling_glsl, shaders::mesh_glsl, shaders::crossing_glsl, shaders::layer_frag}}}),
      gather(gl, "gather", {{GL_COMPUTE_SHADER, {shaders::sampling_glsl, shaders::gather_comp}}}),
      target(make_framebuffer(gl)),
      any(make_query(gl, GL_ANY_SAMPLES_PASSED)),
      most(gl),
      most_back(gl),
      guessed(gl),
      rest(gl) {
  gl.NamedFramebufferDrawBuffer(target.id(), GL_NONE);
  gl.NamedFramebufferReadBuffer(target.id(), GL_NONE);
  most.reserve(2 * sizeof(std::uint32_t));
  most_back.reserve(2 * sizeof(std::uint32_t));
}

void UnorderedEngine::reserve_images(const Job& job, std::size_t count) {
  Objects& o = *objects_;
  if (o.columns == job.grid.columns && o.rows == job.grid.rows && o.count >= count) return;
  const Gl& gl = job.session.context.gl();
  const auto layers = static_cast<GLsizei>(count);
  o.count = 0;  // until the new ones are known to exist
  o.images = make_texture(gl, GL_TEXTURE_2D_ARRAY);
  gl.TextureStorage3D(o.images.id(), 1, GL_DEPTH32F_STENCIL8, static_cast<GLsizei>(job.grid.columns),
                      static_cast<GLsizei>(job.grid.rows), layers);
  GLuint view = 0;
  gl.GenTextures(1, &view);
  gl.TextureView(view, GL_TEXTURE_2D_ARRAY, o.images.id(), GL_DEPTH32F_STENCIL8, 0, 1, 0, static_cast<GLuint>(count));
  o.stencils = Texture(gl, view);
  gl.TextureParameteri(view, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
  for (const GLuint id : {o.images.id(), view}) {
    gl.TextureParameteri(id, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TextureParameteri(id, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  job.session.context.check("making room for layers");
  o.columns = job.grid.columns;
  o.rows = job.grid.rows;
  o.count = count;
}

void UnorderedEngine::begin_passes(const Job& job) {
  const Gl& gl = job.session.context.gl();
  begin_drawing(gl, job.grid, objects_->target.id());
  begin_counting(gl);
  gl.StencilOp(GL_INCR, GL_INCR, GL_INCR);
  gl.UseProgram(objects_->layer.id());
}

void UnorderedEngine::draw_layer(const Job& job, std::size_t image, Pass pass) {
  const Gl& gl = job.session.context.gl();
  const GLuint target = objects_->target.id();
  gl.NamedFramebufferTextureLayer(target, GL_DEPTH_STENCIL_ATTACHMENT, objects_->images.id(), 0,
                                  static_cast<GLint>(image));
  gl.ClearNamedFramebufferfi(target, GL_DEPTH_STENCIL, 0, kNoDepth, 0);
  gl.StencilFunc(GL_EQUAL, static_cast<GLint>(pass.number), 0xff);
  gl.ProgramUniform1i(objects_->layer.id(), 0, pass.front ? 1 : 0);
  job.mesh.draw();
}

/// Copies the images of the passes into host memory from byte `at` on. Counts fragments in the first image of each
/// facing.
void UnorderedEngine::gather(const Job& job, std::span<const Pass> passes, const SharedBuffer& to, std::size_t at) {
  const Gl& gl = job.session.context.gl();
  Objects& o = *objects_;
  int counted[2] = {-1, -1};  // images
  for (std::size_t i = 0; i < passes.size(); ++i)
    if (passes[i].number == 0) counted[passes[i].front ? 0 : 1] = static_cast<int>(i);
  gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, to.id(), static_cast<GLintptr>(at),
                     static_cast<GLsizeiptr>(passes.size() * job.grid.column_count() * sizeof(float)));
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, o.most.id());
  gl.BindTextureUnit(0, o.images.id());
  gl.BindTextureUnit(1, o.stencils.id());
  gl.ProgramUniform2i(o.gather.id(), 0, counted[0], counted[1]);
  gl.UseProgram(o.gather.id());
  const auto groups = [](std::uint32_t n) { return (n + kGatherGroup - 1) / kGatherGroup; };
  gl.DispatchCompute(groups(job.grid.columns), groups(job.grid.rows), static_cast<GLuint>(passes.size()));
  gl.BindTextureUnit(0, 0);
  gl.BindTextureUnit(1, 0);
  gl.UseProgram(o.layer.id());
}

/// Draws the passes and waits until their layers are in `to`; adds them to layers_.
void UnorderedEngine::draw_all(const Job& job, std::span<const Pass> passes, SharedBuffer& to) {
  const Gl& gl = job.session.context.gl();
  const DeviceFacts& facts = job.session.context.facts();
  const std::size_t columns = job.grid.column_count(), bytes = columns * sizeof(float);
  const auto limit = static_cast<std::size_t>(facts.max_storage_bytes);
  if (bytes > limit)
    throw storage_error(facts, fmt::format("layers of {} x {} columns", job.grid.columns, job.grid.rows), bytes);
  const std::size_t all = layers_.size() + passes.size();
  if (all * bytes > kMostLayerBytes) throw device_error(too_many_layers_message(all, job.grid.columns, job.grid.rows));
  const std::size_t fit = std::max<std::size_t>(
      std::min({kArrayBytes / (columns * kPixelBytes), static_cast<std::size_t>(facts.max_layers), limit / bytes}), 1);
  to.reserve(passes.size() * bytes + (passes.size() / fit + 1) * kRangeStep);
  std::size_t at = 0;
  for (std::size_t begin = 0; begin < passes.size(); begin += fit) {
    const std::size_t count = std::min(fit, passes.size() - begin);
    reserve_images(job, count);
    for (std::size_t i = 0; i < count; ++i) {
      draw_layer(job, i, passes[begin + i]);
      const Pass& pass = passes[begin + i];
      layers_.push_back({reinterpret_cast<const float*>(to.data() + at + i * bytes), pass.front, pass.number});
    }
    gather(job, passes.subspan(begin, count), to, at);
    at = (at + count * bytes + kRangeStep - 1) / kRangeStep * kRangeStep;
  }
  gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  gl.CopyNamedBufferSubData(objects_->most.id(), objects_->most_back.id(), 0, 0, 2 * sizeof(std::uint32_t));
  timer_->mark(1);
  job.session.wait("drawing layers");
  read_back_ += passes.size() * bytes + 2 * sizeof(std::uint32_t);
}

/// Throws when a stencil reached its maximum: the real count may be higher.
void UnorderedEngine::refuse_more(const Job& job, bool front) {
  const auto draw = [&] { draw_layer(job, 0, {front, kMostCounted}); };
  if (any_passes(job.session.context.gl(), objects_->any, draw))
    throw device_error(beyond_count_message(" of one facing"));
}

void UnorderedEngine::make_layers(const Job& job, Ldi& out) {
  const Gl& gl = job.session.context.gl();
  Objects& o = *objects_;
  const std::uint32_t zero = 0;
  gl.ClearNamedBufferSubData(o.most.id(), GL_R32UI, 0, 2 * sizeof zero, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  begin_passes(job);
  const auto add = [&](bool front, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t n = begin; n < end; ++n) passes_.push_back({front, n});
  };
  auto& guess = job.mesh.layers;
  // The last drawing may have been of another mesh or a coarser grid: do not allocate much memory for a guess.
  if ((guess[0] + guess[1]) * job.grid.column_count() * sizeof(float) > kGuessedBytes) guess = {1, 1};
  passes_.clear();
  layers_.clear();
  add(true, 0, guess[0]);
  add(false, 0, guess[1]);
  draw_all(job, passes_, o.guessed);
  std::array<std::uint32_t, 2> most{};
  std::memcpy(most.data(), o.most_back.data(), sizeof most);
  for (std::size_t facing = 0; facing < 2; ++facing)
    if (most[facing] == kMostCounted) refuse_more(job, facing == 0);

  passes_.clear();
  add(true, guess[0], most[0]);
  add(false, guess[1], most[1]);
  if (!passes_.empty()) draw_all(job, passes_, o.rest);
  // The guess may have been too high: the extra layers are empty.
  std::erase_if(layers_, [&](const Layer& layer) { return layer.number >= most[layer.entry ? 0 : 1]; });
  guess = {std::max(most[0], 1u), std::max(most[1], 1u)};
  code_ = job.code;
  assemble(layers_, job.code, max_crossings(), job.session.workers, out);
}

std::vector<DepthLayer> UnorderedEngine::layers(MeshRef mesh, const Grid& grid) {
  Ldi ldi;
  build(mesh, grid, ldi);
  std::vector<DepthLayer> images;
  for (const Layer& layer : layers_) {
    const auto decoded = [&](float z) {
      return z < kNoDepth ? std::clamp(code_.decode(z), 0.0f, grid.depth()) : -1.0f;
    };
    DepthLayer image{layer.entry, std::vector<float>(grid.column_count())};
    std::transform(layer.depths, layer.depths + grid.column_count(), image.depth.begin(), decoded);
    images.push_back(std::move(image));
  }
  // After drawing in two turns, a facing's layers may not be adjacent.
  std::stable_partition(images.begin(), images.end(), [](const DepthLayer& image) { return image.entry; });
  return images;
}

}  // namespace

std::unique_ptr<Engine> make_unordered_engine(const EngineOptions& options) {
  return std::make_unique<UnorderedEngine>(options);
}

}  // namespace lamella::opengl
