// Ordered LDI: Heidelberger, Teschner, Gross, "Detection of Collisions and Self-collisions Using Image-space
// Techniques", WSCG 2004, section 3.2: depth peeling. Front and back faces are peeled in separate sequences. Each pass
// keeps the nearest of the fragments behind the previous layer; an occlusion query that counts no fragments ends the
// sequence.
//
// Where it departs from the paper:
// - The second depth test is a comparison in the fragment shader, not a shadow map.
// - Layers stay on the device until both sequences are complete, and are read back together.
// - Both objects of a pair are seen from the same side; the LDI records which end of the box is outside.
// - Surfaces that face the same way at exactly the same depth become one, as published. One more pass counts all
//   fragments, so that the loss is known.

#include <fmt/format.h>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/layer_engine.hpp"
#include "engines/opengl/shaders.hpp"

namespace lamella::opengl {
namespace {

/// A guard against a driver whose depth test never ends the peeling.
constexpr std::size_t kMostLayers = 16384;

class OrderedEngine final : public LayerEngine {
 public:
  OrderedEngine(const EngineOptions& options, int depth_bits)
      : LayerEngine("gl-ordered", options), depth_bits_(depth_bits) {}
  ~OrderedEngine() override { stop(); }

 private:
  struct Objects {
    explicit Objects(const Gl& gl);
    Program peel, count;
    Framebuffer target;
    Query any, all;
    std::vector<Texture> images;
    std::uint32_t columns = 0, rows = 0;  ///< of the images
    SharedBuffer read_back;
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
  std::size_t peel(const Job& job, bool front, std::size_t first);
  bool peel_one(const Job& job, bool front, std::size_t image, bool first);
  Texture& image(const Job& job, std::size_t i);
  void count_fragments(const Job& job);

  std::optional<Objects> objects_;
  int depth_bits_;
};

OrderedEngine::Objects::Objects(const Gl& gl)
    : peel(gl, "peel",
           {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::sample_vert}},
            {GL_FRAGMENT_SHADER,
             {"#define PEEL\n", shaders::sampling_glsl, shaders::mesh_glsl, shaders::crossing_glsl,
              shaders::layer_frag}}}),
      count(gl, "count",
            {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::sample_vert}},
             {GL_FRAGMENT_SHADER,
              {shaders::sampling_glsl, shaders::mesh_glsl, shaders::crossing_glsl, shaders::count_frag}}}),
      target(make_framebuffer(gl)),
      any(make_query(gl, GL_ANY_SAMPLES_PASSED)),
      all(make_query(gl, GL_SAMPLES_PASSED)),
      read_back(gl) {
  gl.NamedFramebufferDrawBuffer(target.id(), GL_NONE);
  gl.NamedFramebufferReadBuffer(target.id(), GL_NONE);
}

Texture& OrderedEngine::image(const Job& job, std::size_t i) {
  if (i == objects_->images.size()) {
    const Gl& gl = job.session.context.gl();
    Texture made = make_texture(gl, GL_TEXTURE_2D);
    gl.TextureStorage2D(made.id(), 1, depth_bits_ == 32 ? GL_DEPTH_COMPONENT32F : GL_DEPTH_COMPONENT24,
                        static_cast<GLsizei>(job.grid.columns), static_cast<GLsizei>(job.grid.rows));
    gl.TextureParameteri(made.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TextureParameteri(made.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    job.session.context.check("making room for another layer");
    objects_->images.push_back(std::move(made));
  }
  return objects_->images[i];
}

/// Draws into the next image what lies behind the previous one. Returns whether there was any.
bool OrderedEngine::peel_one(const Job& job, bool front, std::size_t i, bool first) {
  const Gl& gl = job.session.context.gl();
  const GLuint program = objects_->peel.id();
  gl.NamedFramebufferTexture(objects_->target.id(), GL_DEPTH_ATTACHMENT, image(job, i).id(), 0);
  gl.ClearNamedFramebufferfv(objects_->target.id(), GL_DEPTH, 0, &kNoDepth);
  gl.ProgramUniform1i(program, 0, front ? 1 : 0);
  gl.ProgramUniform1i(program, 1, first ? 1 : 0);
  gl.ProgramUniform1f(program, 2, depth_bits_ == 32 ? 0.0f : static_cast<float>((1 << depth_bits_) - 1));
  gl.BindTextureUnit(0, first ? 0 : objects_->images[i - 1].id());
  return any_passes(gl, objects_->any, [&] { job.mesh.draw(); });
}

/// One sequence, into the images from `first` on. Returns its number of layers.
std::size_t OrderedEngine::peel(const Job& job, bool front, std::size_t first) {
  std::size_t n = 0;
  const std::size_t fit = std::min(kMostLayers, kMostLayerBytes / (job.grid.column_count() * sizeof(float)));
  while (peel_one(job, front, first + n, n == 0))
    if (first + ++n > fit)
      throw device_error(
          fmt::format("more than {} layers of {} x {} columns are too many for this method; use the engine "
                      "\"gl-lists\" or \"software\"",
                      fit, job.grid.columns, job.grid.rows));
  return n;
}

void OrderedEngine::count_fragments(const Job& job) {
  const Gl& gl = job.session.context.gl();
  gl.Disable(GL_DEPTH_TEST);
  gl.UseProgram(objects_->count.id());
  gl.BeginQuery(GL_SAMPLES_PASSED, objects_->all.id());
  job.mesh.draw();
  gl.EndQuery(GL_SAMPLES_PASSED);
}

void OrderedEngine::make_layers(const Job& job, Ldi& out) {
  const Gl& gl = job.session.context.gl();
  if (objects_->columns != job.grid.columns || objects_->rows != job.grid.rows) objects_->images.clear();
  objects_->columns = job.grid.columns;
  objects_->rows = job.grid.rows;
  begin_drawing(gl, job.grid, objects_->target.id());
  gl.Enable(GL_DEPTH_TEST);
  gl.DepthFunc(GL_LESS);
  gl.UseProgram(objects_->peel.id());
  const std::size_t fronts = peel(job, true, 0);
  const std::size_t layers = fronts + peel(job, false, fronts);
  count_fragments(job);

  const std::size_t columns = job.grid.column_count(), bytes = columns * sizeof(float);
  objects_->read_back.reserve(layers * bytes);
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, objects_->read_back.id());
  std::vector<Layer> made;
  for (std::size_t i = 0; i < layers; ++i) {
    gl.GetTextureSubImage(objects_->images[i].id(), 0, 0, 0, 0, static_cast<GLsizei>(job.grid.columns),
                          static_cast<GLsizei>(job.grid.rows), 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                          static_cast<GLsizei>(bytes), reinterpret_cast<void*>(i * bytes));
    made.push_back({reinterpret_cast<const float*>(objects_->read_back.data()) + i * columns, i < fronts,
                    static_cast<std::uint32_t>(i < fronts ? i : i - fronts)});
  }
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  timer_->mark(1);
  job.session.wait("peeling layers");
  read_back_ += layers * bytes;
  assemble(made, job.code, max_crossings(), job.session.workers, out);
  GLuint64 fragments = 0;
  gl.GetQueryObjectui64v(objects_->all.id(), GL_QUERY_RESULT, &fragments);
  out.dropped_crossings = fragments - std::min<std::uint64_t>(fragments, out.crossings.size());
}

}  // namespace

std::unique_ptr<Engine> make_ordered_engine(const EngineOptions& options) {
  return std::make_unique<OrderedEngine>(options, 32);
}
std::unique_ptr<Engine> make_coarse_ordered_engine(const EngineOptions& options) {
  return std::make_unique<OrderedEngine>(options, 24);
}

}  // namespace lamella::opengl
