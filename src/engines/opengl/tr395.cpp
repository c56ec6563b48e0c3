// Heidelberger, Teschner, Gross: "Volumetric Collision Detection for Deformable Objects", ETH TR 395 (2003), sections
// 2.1, 2.2 and 3. Front and back faces are drawn together, without depth test and culling. Pass 1 keeps the first
// fragment of every pixel, and the stencil counts them all: n_p, of which the largest is n_max. Pass n up to n_max
// keeps the n-th fragment. Depth and stencil are read back as one 32-bit word. The first n_p depths of a pixel are
// sorted on the CPU; from the outside face on they are an entry, an exit, an entry and so on. The view is the paper's:
// the near plane is the object's outside face, so the two objects of a pair are seen from opposite sides.
//
// Where it departs from the paper:
// - A compute shader first drops the triangles that fall between the rays; they cover no pixel.
// - Vertices are moved to the driver's sub-pixel lattice by the vertex shader, so that all regions of the target see
//   the same fragments (tr395.vert).
// - Every word has the stencil of its own pass, which must be n in pass n. Where it is not, the passes did not see the
//   same fragments; the crossing is left out and counted as dropped.
// - When the target cannot hold all layers, passes 2 to n_max are read back in several turns.
// - A grid that cuts a single mesh (the paper has none) is seen from in front of the whole mesh; crossings beyond the
//   box are then moved onto its faces, as in the other engines.

#include <atomic>
#include <cmath>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/layer_engine.hpp"
#include "engines/opengl/shaders.hpp"
#include "engines/opengl/stencil_count.hpp"

namespace lamella::opengl {
namespace {

constexpr std::size_t kTargetBytes = std::size_t{256} << 20;
constexpr double kDeepest = 0xffffff;  ///< the far plane in 24 bits

/// A pixel as it is read back: GL_UNSIGNED_INT_24_8.
struct Word {
  std::uint32_t bits = 0;
  [[nodiscard]] std::uint32_t depth() const { return bits >> 8; }
  [[nodiscard]] std::uint32_t stencil() const { return bits & 0xff; }
};
static_assert(sizeof(Word) == 4);

/// Where the eye is, along the ray axis.
struct View {
  float near = 0;   ///< coordinate of the near plane
  float range = 1;  ///< from there to the far plane
  bool from_high = false;

  /// From the low face of the grid's box.
  [[nodiscard]] float decode(std::uint32_t z, const Grid& grid) const {
    const double distance = z / kDeepest * range;
    const double depth = static_cast<double>(near) - grid.box.min[grid.w()] + (from_high ? -distance : distance);
    return std::clamp(static_cast<float>(depth), 0.0f, grid.depth()) + 0.0f;
  }
};

View choose_view(const Grid& grid, const Aabb& mesh, std::optional<End> outside) {
  const float low = grid.box.min[grid.w()], high = grid.box.max[grid.w()];
  if (outside == End::high) return {high, grid.depth(), true};
  if (outside || mesh.empty()) return {low, grid.depth(), false};
  const float near = std::min(low, mesh.min[grid.w()]);
  return {near, std::max(high, mesh.max[grid.w()]) - near, false};
}

/// The largest scale by which nothing within the range gets beyond 2, the depth of clip space: a face on the far plane
/// is not clipped.
float clip_scale(float range) {
  float scale = 2 / range;
  while (range * scale > 2) scale = std::nextafter(scale, 0.0f);
  return scale;
}

/// Regions of the target, side by side.
struct Tiling {
  std::size_t across = 1, down = 1;
  [[nodiscard]] std::size_t count() const { return across * down; }
};

/// For up to `wanted` regions; fewer when the target may not be that large.
Tiling tile(const Grid& grid, std::size_t wanted, std::size_t max_image) {
  const std::size_t fit = std::max<std::size_t>(kTargetBytes / (grid.column_count() * sizeof(Word)), 1);
  wanted = std::min(wanted, fit);
  Tiling t;
  t.across = std::min(wanted, max_image / grid.columns);
  t.down = std::min((wanted + t.across - 1) / t.across, max_image / grid.rows);
  return t;
}

/// One layer in memory.
struct Region {
  const Word* first = nullptr;
  std::size_t stride = 0;  ///< from row to row
  [[nodiscard]] Word at(std::size_t u, std::size_t v) const { return first[v * stride + u]; }
};

class Tr395Engine final : public LayerEngine {
 public:
  explicit Tr395Engine(const EngineOptions& options) : LayerEngine("gl-tr395", options) {}
  ~Tr395Engine() override { stop(); }

  [[nodiscard]] std::vector<DepthLayer> layers(MeshRef mesh, const Grid& grid) override;

 protected:
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override;

 private:
  struct Objects {
    explicit Objects(const Gl& gl);
    Program program;
    Framebuffer target;
    Texture image;
    std::size_t width = 0, height = 0;  ///< of the image
    Query any;
    SharedBuffer first, rest;  ///< words of pass 1, and of all others
  };

  void make_objects(Session& session) override {
    LayerEngine::make_objects(session);
    objects_.emplace(session.context.gl());
  }
  void drop_objects() override {
    LayerEngine::drop_objects();
    objects_.reset();
    regions_.clear();
  }
  void make_layers(const Job& job, Ldi& out) override;
  void begin_passes(const Job& job);
  void clear(const Job& job, const Tiling& tiling);
  void draw_pass(const Job& job, std::uint32_t number, std::size_t column, std::size_t row);
  void read_back(const Job& job, const Tiling& tiling, std::size_t used, const SharedBuffer& to, std::size_t at);
  std::uint32_t draw_first(const Job& job);
  void draw_rest(const Job& job, std::uint32_t n_max);
  void refuse_more(const Job& job);
  std::size_t gather(std::size_t u, std::size_t v, std::uint32_t* depths) const;
  void alternate(const Job& job, Ldi& out) const;

  std::optional<Objects> objects_;
  std::vector<Region> regions_;  ///< of the last drawing, in the shared buffers
  View view_;
};

Tr395Engine::Objects::Objects(const Gl& gl)
    : program(gl, "tr395",
              {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::tr395_vert}},
               {GL_FRAGMENT_SHADER, {shaders::tr395_frag}}}),
      target(make_framebuffer(gl)),
      any(make_query(gl, GL_ANY_SAMPLES_PASSED)),
      first(gl),
      rest(gl) {
  gl.NamedFramebufferDrawBuffer(target.id(), GL_NONE);
  gl.NamedFramebufferReadBuffer(target.id(), GL_NONE);
}

void Tr395Engine::begin_passes(const Job& job) {
  const Gl& gl = job.session.context.gl();
  const GLuint program = objects_->program.id();
  begin_drawing(gl, job.grid, objects_->target.id());
  begin_counting(gl);
  gl.Enable(GL_SCISSOR_TEST);
  gl.UseProgram(program);
  gl.ProgramUniform1f(program, 0, view_.near);
  gl.ProgramUniform1f(program, 1, view_.from_high ? -1.0f : 1.0f);
  gl.ProgramUniform1f(program, 2, clip_scale(view_.range));
  gl.ProgramUniform1f(program, 3, std::ldexp(1.0f, job.session.context.facts().subpixel_bits));
}

/// Makes the target large enough for the regions and empties it.
void Tr395Engine::clear(const Job& job, const Tiling& tiling) {
  const Gl& gl = job.session.context.gl();
  Objects& o = *objects_;
  const std::size_t width = tiling.across * job.grid.columns, height = tiling.down * job.grid.rows;
  if (o.width < width || o.height < height) {
    o.width = o.height = 0;  // until the new one is known to exist
    o.image = make_texture(gl, GL_TEXTURE_2D);
    gl.TextureStorage2D(o.image.id(), 1, GL_DEPTH24_STENCIL8, static_cast<GLsizei>(width),
                        static_cast<GLsizei>(height));
    gl.NamedFramebufferTexture(o.target.id(), GL_DEPTH_STENCIL_ATTACHMENT, o.image.id(), 0);
    job.session.context.check("making room for layers");
    o.width = width;
    o.height = height;
  }
  gl.Scissor(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
  gl.ClearNamedFramebufferfi(o.target.id(), GL_DEPTH_STENCIL, 0, kNoDepth, 0);
}

/// The paper's stencil functions: in pass n the first n fragments pass, and the last of them stays. Only pass 1 counts
/// on.
void Tr395Engine::draw_pass(const Job& job, std::uint32_t number, std::size_t column, std::size_t row) {
  const Gl& gl = job.session.context.gl();
  const auto x = static_cast<GLint>(column * job.grid.columns), y = static_cast<GLint>(row * job.grid.rows);
  const auto width = static_cast<GLsizei>(job.grid.columns), height = static_cast<GLsizei>(job.grid.rows);
  gl.Viewport(x, y, width, height);
  gl.Scissor(x, y, width, height);
  gl.StencilFunc(GL_GREATER, static_cast<GLint>(number), 0xff);
  gl.StencilOp(number == 1 ? GL_INCR : GL_KEEP, GL_INCR, GL_INCR);
  job.mesh.draw();
}

/// Fetches the first `used` regions, depth and stencil together, to byte `at`; adds them to regions_.
void Tr395Engine::read_back(const Job& job, const Tiling& tiling, std::size_t used, const SharedBuffer& to,
                            std::size_t at) {
  const Gl& gl = job.session.context.gl();
  const std::size_t width = std::min(used, tiling.across) * job.grid.columns;
  const std::size_t height = (used + tiling.across - 1) / tiling.across * job.grid.rows;
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, to.id());
  gl.ReadPixels(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height), GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8,
                reinterpret_cast<void*>(at));
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  const Word* const words = reinterpret_cast<const Word*>(to.data() + at);
  for (std::size_t i = 0; i < used; ++i)
    regions_.push_back(
        {words + (i / tiling.across * job.grid.rows * width + i % tiling.across * job.grid.columns), width});
  timer_->mark(1);
  job.session.wait("drawing layers");
  read_back_ += width * height * sizeof(Word);
}

/// Pass 1. Returns the largest count.
std::uint32_t Tr395Engine::draw_first(const Job& job) {
  objects_->first.reserve(job.grid.column_count() * sizeof(Word));
  clear(job, {});
  draw_pass(job, 1, 0, 0);
  read_back(job, {}, 1, objects_->first, 0);
  std::uint32_t n_max = 0;
  for (std::size_t v = 0; v < job.grid.rows; ++v)
    for (std::size_t u = 0; u < job.grid.columns; ++u) n_max = std::max(n_max, regions_[0].at(u, v).stencil());
  return n_max;
}

/// Passes 2 to n_max, all in regions of one target where it can be large enough.
void Tr395Engine::draw_rest(const Job& job, std::uint32_t n_max) {
  const std::size_t layer_bytes = job.grid.column_count() * sizeof(Word);
  if (n_max * layer_bytes > kMostLayerBytes)
    throw device_error(too_many_layers_message(n_max, job.grid.columns, job.grid.rows));
  const auto max_image = static_cast<std::size_t>(job.session.context.facts().max_image);
  const Tiling tiling = tile(job.grid, n_max - 1, max_image);
  const std::size_t turns = (n_max - 1 + tiling.count() - 1) / tiling.count();
  objects_->rest.reserve(turns * tiling.count() * layer_bytes);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const std::size_t done = turn * tiling.count(), used = std::min(tiling.count(), n_max - 1 - done);
    clear(job, tiling);
    for (std::size_t i = 0; i < used; ++i)
      draw_pass(job, static_cast<std::uint32_t>(done + i + 2), i % tiling.across, i / tiling.across);
    read_back(job, tiling, used, objects_->rest, done * layer_bytes);
  }
}

/// Throws when the stencil reached its maximum: the real count may be higher.
void Tr395Engine::refuse_more(const Job& job) {
  const Gl& gl = job.session.context.gl();
  clear(job, {});
  gl.Viewport(0, 0, static_cast<GLsizei>(job.grid.columns), static_cast<GLsizei>(job.grid.rows));
  pass_beyond_count(gl);
  if (any_passes(gl, objects_->any, [&] { job.mesh.draw(); })) throw device_error(beyond_count_message(""));
}

/// The depths of a pixel in the order of drawing; returns how many. Pass n must have seen n fragments if pass 1 counted
/// as many; depths of passes that did not are left out.
std::size_t Tr395Engine::gather(std::size_t u, std::size_t v, std::uint32_t* depths) const {
  const std::uint32_t counted = regions_[0].at(u, v).stencil();
  std::size_t n = 0;
  for (std::uint32_t k = 0; k < counted; ++k) {
    const Word word = regions_[k].at(u, v);
    if (k == 0 || word.stencil() == k + 1) depths[n++] = word.depth();
  }
  return n;
}

/// Sorts every pixel's depths from the near plane on, and labels them in turn.
void Tr395Engine::alternate(const Job& job, Ldi& out) const {
  const Grid& grid = job.grid;
  const auto for_pixels = [&](const auto& body) {
    const std::size_t rows = std::max<std::size_t>(1, kColumnChunk / grid.columns);
    job.session.workers.for_chunks(grid.rows, rows, [&](std::size_t begin, std::size_t end, unsigned) {
      std::uint32_t depths[kMostCounted];
      for (std::size_t v = begin; v < end; ++v)
        for (std::size_t u = 0; u < grid.columns; ++u) body(v * grid.columns + u, depths, gather(u, v, depths), u, v);
    });
  };
  out.offsets.assign(grid.column_count() + 1, 0);
  std::atomic<std::uint64_t> dropped{0};
  for_pixels([&](std::size_t i, const std::uint32_t*, std::size_t count, std::size_t u, std::size_t v) {
    out.offsets[i + 1] = static_cast<std::uint32_t>(count);
    if (const std::size_t lost = regions_[0].at(u, v).stencil() - count; lost != 0) dropped += lost;
  });
  out.dropped_crossings = dropped;
  place_columns(max_crossings(), out);
  for_pixels([&](std::size_t i, std::uint32_t* depths, std::size_t count, std::size_t, std::size_t) {
    sort_few(depths, count);
    Crossing* const column = out.crossings.data() + out.offsets[i];
    // The first one enters. Seen from the high end, that is a place where the ray leaves.
    for (std::size_t k = 0; k < count; ++k)
      column[k] = Crossing::make(view_.decode(depths[k], grid), (k % 2 == 0) != view_.from_high);
    sort_few(column, count);
  });
}

void Tr395Engine::make_layers(const Job& job, Ldi& out) {
  view_ = choose_view(job.grid, job.mesh.box(), job.outside);
  regions_.clear();
  begin_passes(job);
  const std::uint32_t n_max = draw_first(job);
  if (n_max == kMostCounted) refuse_more(job);
  if (n_max > 1) draw_rest(job, n_max);
  out.alternating = true;
  alternate(job, out);
}

std::vector<DepthLayer> Tr395Engine::layers(MeshRef mesh, const Grid& grid) {
  Ldi ldi;
  build(mesh, grid, ldi);
  std::vector<DepthLayer> images;
  if (ldi.crossings.empty()) return images;
  for (std::size_t k = 0; k < regions_.size(); ++k) {
    DepthLayer image{true, std::vector<float>(grid.column_count(), -1.0f), true};
    for (std::size_t v = 0; v < grid.rows; ++v)
      for (std::size_t u = 0; u < grid.columns; ++u)
        if (k < regions_[0].at(u, v).stencil())
          image.depth[v * grid.columns + u] = view_.decode(regions_[k].at(u, v).depth(), grid);
    images.push_back(std::move(image));
  }
  return images;
}

void Tr395Engine::find_self_overlap(MeshRef, const QueryOptions&, SelfOverlap&) {
  throw Error(
      "gl-tr395 cannot find where a mesh overlaps itself: it does not know which way a surface faces, and assumes that "
      "entries and exits alternate, as published in TR 395; use another engine, for example \"software\" or "
      "\"gl-unordered\"");
}

}  // namespace

std::unique_ptr<Engine> make_tr395_engine(const EngineOptions& options) {
  return std::make_unique<Tr395Engine>(options);
}

}  // namespace lamella::opengl
