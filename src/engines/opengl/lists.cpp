// Per-pixel lists: what WSCG 2004 names as future work of its two methods. One pass over the geometry puts every
// fragment into the linked list of its column (after Yang, Hensley, Grün, Thibieroz: "Real-Time Concurrent Linked List
// Construction on the GPU", 2010); compute shaders sort the lists and answer the queries; only the answer is read back.
//
// Both facings come in the same pass: a node carries the sign, so that coincident surfaces of any facing survive.
// Nothing is clipped along the rays: a crossing beyond the box is moved onto its face, and a column of a closed mesh
// closes.
//
// Memory for nodes is made for the crossings of the frames before. A frame that needs more counts them all the same,
// and is repeated with room for them: nothing is dropped.

#include "engines/opengl/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/gl_engine.hpp"
#include "engines/opengl/shaders.hpp"
#include "engines/whole_query.hpp"
#include "lamella/error.hpp"
#include "query/column_sums.hpp"

namespace lamella::opengl {
namespace {

constexpr std::uint32_t kSortGroup = 64, kSpanGroup = 128, kPointGroup = 64 * 4;
constexpr std::uint32_t kGroupsAcross = 32768;  ///< every driver allows 65535
/// Points in one dispatch are bounded, and a multiple of a number that every driver takes as the beginning of a range.
constexpr std::size_t kMostPointBytes = std::size_t{1} << 30, kPointStep = 1024;
constexpr std::uint64_t kMinCapacity = 1 << 16;

/// A program of one compute shader behind the common parts.
Program compute(const Gl& gl, const char* name, const char* defines, const char* text) {
  return {gl, name, {{GL_COMPUTE_SHADER, {defines, shaders::sampling_glsl, shaders::lists_glsl, text}}}};
}

Program depth_program(const Gl& gl) {
  return {gl,
          "depth",
          {{GL_COMPUTE_SHADER,
            {shaders::sampling_glsl, shaders::lists_glsl, shaders::mesh_glsl, shaders::crossing_glsl,
             shaders::depth_comp}}}};
}

/// Work groups for the depths of nodes, whose number only the device knows yet: enough for a few nodes per column and
/// to fill a large GPU; each takes more where there are more.
std::uint32_t depth_groups(std::uint32_t columns) { return std::clamp(columns / 16, 16u, 2048u); }

/// Where nothing is sampled, triangles count as skipped only when none could be placed.
std::uint32_t skipped_without_box(const GpuMesh& mesh) { return mesh.box().empty() ? mesh.skipped_triangles() : 0; }

struct Objects {
  explicit Objects(const Gl& gl);

  Program draw, depth, sort, total, contain;
  Program pair_sums, pair_spans, self_sums, self_spans, health;
  Framebuffer target;  ///< without an image: fragments write to memory
  SamplingBlock sampling;
  Buffer asked;
  Buffer heads, nodes, cells, answer, groups, counts;
  SharedBuffer answer_back, spans, inside_out, points, flags;
  GpuTimer timer;
};

Objects::Objects(const Gl& gl)
    : draw(gl, "list",
           {{GL_VERTEX_SHADER, {shaders::sampling_glsl, shaders::sample_vert}},
            {GL_FRAGMENT_SHADER, {shaders::sampling_glsl, shaders::lists_glsl, shaders::list_frag}}}),
      depth(depth_program(gl)),
      sort(compute(gl, "sort", "", shaders::sort_comp)),
      total(compute(gl, "total", "", shaders::total_comp)),
      contain(compute(gl, "contain", "", shaders::contain_comp)),
      pair_sums(compute(gl, "pair sums", "#define PAIR\n", shaders::spans_comp)),
      pair_spans(compute(gl, "pair spans", "#define PAIR\n#define WRITE\n", shaders::spans_comp)),
      self_sums(compute(gl, "self sums", "#define SELF\n", shaders::spans_comp)),
      self_spans(compute(gl, "self spans", "#define SELF\n#define WRITE\n", shaders::spans_comp)),
      health(compute(gl, "health", "#define HEALTH\n", shaders::spans_comp)),
      target(make_framebuffer(gl)),
      sampling(gl),
      asked(gl),
      heads(gl),
      nodes(gl),
      cells(gl),
      answer(gl),
      groups(gl),
      counts(gl),
      answer_back(gl),
      spans(gl),
      inside_out(gl),
      points(gl),
      flags(gl),
      timer(gl) {
  asked.reserve(sizeof(Asked));
  answer.reserve(sizeof(Answer));
  answer_back.reserve(sizeof(Answer));
  for (SharedBuffer* b : {&spans, &inside_out}) b->reserve(4096 * sizeof(Span));
}

class ListsEngine final : public GlEngine {
 public:
  explicit ListsEngine(const Options& options) : GlEngine("gl-lists", options) {}
  ~ListsEngine() override { stop(); }

  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;
  void intersect(MeshRef a, MeshRef b, const Options& options, Overlap& out) override;
  void self_intersect(MeshRef mesh, const Options& options, SelfOverlap& out) override;
  void contains(MeshRef mesh, std::span<const Vec3> points, const Options& options, Containment& out) override;

 private:
  void make_objects(Session& session) override { objects_.emplace(session.context.gl()); }
  void drop_objects() override {
    objects_.reset();
    capacity_ = 0;
  }

  /// What one drawing is of, and what is asked of it.
  struct Frame {
    Session& session;
    Grid grid;
    std::vector<GpuMesh*> meshes;  ///< one or two
    Asked asked;
  };
  Frame make_frame(Session& session, const Grid& grid, std::vector<GpuMesh*> meshes, float min_thickness);
  template <class Passes>
  const Answer& run(const Frame& frame, const Passes& passes);
  void reserve(const Frame& frame, std::uint64_t nodes, bool guess);
  void check_crossings(const Frame& frame, const Answer& answer) const;
  void draw_lists(const Frame& frame);
  void dispatch(const Frame& frame, const Program& program, std::uint64_t items, std::uint32_t per_group);
  void span_passes(const Frame& frame, const Program& sums, const Program* write);
  void flag_points(const Frame& frame, std::size_t count);
  bool grow_spans(const Frame& frame, const Answer& answer);
  void finish(Stopwatch& watch, Timings& ms) const;
  ChunkSums& take_sums(const Answer& answer);

  std::optional<Objects> objects_;
  std::uint64_t capacity_ = 0;  ///< nodes that there is room for
  QueryScratch sums_;
};

ListsEngine::Frame ListsEngine::make_frame(Session& session, const Grid& grid, std::vector<GpuMesh*> meshes,
                                           float min_thickness) {
  check_grid(grid);
  const auto columns = static_cast<std::uint32_t>(grid.column_count());
  Asked asked{.thickness = min_thickness * grid.depth(), .column_count = columns};
  asked.second = meshes.size() == 2 ? columns : 0;
  asked.group_count = (columns + kSpanGroup - 1) / kSpanGroup;
  asked.cells_per_u = static_cast<float>(1 / grid.cell_u());
  asked.cells_per_v = static_cast<float>(1 / grid.cell_v());
  return {session, grid, std::move(meshes), asked};
}

/// Room for the lists, within what the driver allows. As a guess `nodes` may be more than needed, and is then cut.
void ListsEngine::reserve(const Frame& frame, std::uint64_t nodes, bool guess) {
  const DeviceFacts& facts = frame.session.context.facts();
  const std::uint64_t heads = std::uint64_t{frame.asked.column_count} * frame.meshes.size() * sizeof(std::uint32_t);
  const std::uint64_t counts = std::uint64_t{frame.asked.column_count} * 2 * sizeof(std::uint32_t);
  const auto limit = static_cast<std::uint64_t>(facts.max_storage_bytes);
  if (guess) nodes = std::min(nodes, limit / sizeof(Node));
  const std::uint64_t needed = std::max({nodes * sizeof(Node), heads, counts});
  if (needed > limit)
    throw device_error(
        fmt::format("{} x {} columns{} need a buffer of {} MiB, and {} allows {} MiB: lower the "
                    "resolution, or use the engine \"software\"",
                    frame.grid.columns, frame.grid.rows, guess ? "" : fmt::format(" with {} crossings", nodes),
                    needed >> 20, facts.renderer, limit >> 20));
  Objects& o = *objects_;
  o.heads.reserve(heads);
  o.groups.reserve(frame.asked.group_count * sizeof(Sums));
  o.counts.reserve(counts);
  if (nodes > capacity_) {
    // A quarter more, so that a slowly growing scene does not repeat every frame.
    const std::uint64_t wanted = std::min(std::max(kMinCapacity, nodes + nodes / 4), limit / sizeof(Node));
    o.nodes.reserve(wanted * sizeof(Node));
    o.cells.reserve(wanted * sizeof(std::uint32_t));
    capacity_ = wanted;
  }
  frame.session.context.check("making room for crossings");
}

/// Options::max_crossings is of each mesh.
void ListsEngine::check_crossings(const Frame& frame, const Answer& answer) const {
  const std::uint64_t second = frame.meshes.size() == 2 ? answer.node_count - answer.first_node : 0;
  const std::uint64_t most = std::max(answer.node_count - second, second);
  if (most > max_crossings())
    throw Error(
        fmt::format("{} crossings are too many for the memory allowed: lower the resolution, or raise "
                    "Options::max_crossings",
                    most));
}

void ListsEngine::dispatch(const Frame& frame, const Program& program, std::uint64_t items, std::uint32_t per_group) {
  const Gl& gl = frame.session.context.gl();
  const auto groups = static_cast<std::uint32_t>((items + per_group - 1) / per_group);
  if (groups == 0) return;
  gl.UseProgram(program.id());
  gl.DispatchCompute(std::min(groups, kGroupsAcross), (groups + kGroupsAcross - 1) / kGroupsAcross, 1);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

/// Clears and fills the lists, and sorts them.
void ListsEngine::draw_lists(const Frame& frame) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  const std::size_t lists = std::size_t{frame.asked.column_count} * frame.meshes.size();
  const std::uint32_t zero = 0;
  gl.ClearNamedBufferSubData(o.heads.id(), GL_R32UI, 0, static_cast<GLsizeiptr>(lists * sizeof zero), GL_RED_INTEGER,
                             GL_UNSIGNED_INT, &zero);
  gl.ClearNamedBufferSubData(o.answer.id(), GL_R32UI, 0, sizeof(Answer), GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  const GLuint buffers[] = {o.heads.id(), o.nodes.id(), o.answer.id()};
  for (GLuint i = 0; i < std::size(buffers); ++i) gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
  Asked asked = frame.asked;
  asked.span_capacity = static_cast<std::uint32_t>(o.spans.size() / sizeof(Span));
  asked.inside_out_capacity = static_cast<std::uint32_t>(o.inside_out.size() / sizeof(Span));
  gl.NamedBufferSubData(o.asked.id(), 0, sizeof asked, &asked);
  gl.BindBufferBase(GL_UNIFORM_BUFFER, 1, o.asked.id());

  gl.NamedFramebufferParameteri(o.target.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, static_cast<GLint>(frame.grid.columns));
  gl.NamedFramebufferParameteri(o.target.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, static_cast<GLint>(frame.grid.rows));
  begin_drawing(gl, frame.grid, o.target.id());
  Sampling sampling = make_sampling(frame.grid);
  sampling.capacity = static_cast<std::uint32_t>(capacity_);
  for (std::size_t i = 0; i < frame.meshes.size(); ++i) {
    sampling.first_head = static_cast<std::uint32_t>(i) * frame.asked.column_count;
    o.sampling.set(sampling);
    GpuMesh& mesh = *frame.meshes[i];
    mesh.cull(cull_program());
    gl.UseProgram(o.draw.id());
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, o.cells.id());
    mesh.draw();
    gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    gl.UseProgram(o.depth.id());
    gl.DispatchCompute(depth_groups(frame.asked.column_count), 1, 1);
    gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (i == 0)
      gl.CopyNamedBufferSubData(o.answer.id(), o.answer.id(), offsetof(Answer, node_count),
                                offsetof(Answer, first_node), sizeof(std::uint32_t));
  }
  dispatch(frame, o.sort, lists, kSortGroup);
}

/// Draws, runs `passes` and waits for the answer; again with more room for as long as it takes.
template <class Passes>
const Answer& ListsEngine::run(const Frame& frame, const Passes& passes) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  const auto& answer = *reinterpret_cast<const Answer*>(o.answer_back.data());
  reserve(frame, 4 * std::uint64_t{frame.asked.column_count}, true);
  for (;;) {
    o.timer.mark(0);
    draw_lists(frame);
    o.timer.mark(1);
    passes();
    gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    gl.CopyNamedBufferSubData(o.answer.id(), o.answer_back.id(), 0, 0, sizeof(Answer));
    o.timer.mark(2);
    frame.session.wait("sampling into lists");
    check_crossings(frame, answer);
    const bool fits = answer.node_count <= capacity_;
    if (fits && !grow_spans(frame, answer)) return answer;
    if (!fits) reserve(frame, answer.node_count, false);
  }
}

/// Whether there were more spans than there was room for.
bool ListsEngine::grow_spans(const Frame& frame, const Answer& answer) {
  const DeviceFacts& facts = frame.session.context.facts();
  bool grown = false;
  const auto grow = [&](SharedBuffer& buffer, std::uint32_t count) {
    const std::size_t bytes = std::size_t{count} * sizeof(Span);
    if (bytes <= buffer.size()) return;
    const auto limit = static_cast<std::size_t>(facts.max_storage_bytes);
    if (bytes > limit)
      throw device_error(
          fmt::format("{} spans need a buffer of {} MiB, and {} allows {} MiB: lower the resolution, or "
                      "use the engine \"software\"",
                      count, bytes >> 20, facts.renderer, limit >> 20));
    grown = buffer.reserve(std::min(bytes + bytes / 4, limit));
  };
  grow(objects_->spans, answer.total.spans);
  grow(objects_->inside_out, answer.total.inside_out_spans);
  return grown;
}

void ListsEngine::span_passes(const Frame& frame, const Program& sums, const Program* write) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, o.groups.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, o.counts.id());
  dispatch(frame, sums, frame.asked.column_count, kSpanGroup);
  dispatch(frame, o.total, 1, 1);
  if (write == nullptr) return;
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, o.spans.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, o.inside_out.id());
  dispatch(frame, *write, frame.asked.column_count, kSpanGroup);
}

/// The device's sums and spans as those of a single chunk.
ChunkSums& ListsEngine::take_sums(const Answer& answer) {
  const Sums& t = answer.total;
  sums_.resize(1);
  ChunkSums& sums = sums_.front();
  sums.clear();
  const auto spans = [](const SharedBuffer& buffer, std::uint32_t count) {
    return std::span(reinterpret_cast<const Span*>(buffer.data()), count);
  };
  const auto overlap = spans(objects_->spans, t.spans), inside_out = spans(objects_->inside_out, t.inside_out_spans);
  sums.overlap.spans.assign(overlap.begin(), overlap.end());
  sums.inside_out.spans.assign(inside_out.begin(), inside_out.end());
  sums.overlap.length = t.length;
  sums.overlap.moment = {t.moment_u, t.moment_v, t.moment_w};
  sums.overlap.low_u = t.low_u;
  sums.overlap.low_v = t.low_v;
  sums.overlap.high_u = t.high_u;
  sums.overlap.high_v = t.high_v;
  sums.overlap.low = t.low;
  sums.overlap.high = t.high;
  sums.inside_out.length = t.inside_out_length;
  sums.open_columns = t.open_columns;
  sums.occupied_columns = t.occupied_columns;
  sums.inside_out_columns = t.inside_out_columns;
  return sums;
}

/// The stages' times: the query as the device measured it, the rest of the wall clock for the sampling.
void ListsEngine::finish(Stopwatch& watch, Timings& ms) const {
  const GpuTimer& timer = objects_->timer;
  double since = 0;
  watch.lap(since);
  ms.gpu = timer.between(0, 2);
  ms.query = std::min(timer.between(1, 2), since);
  ms.ldi = since - ms.query;
}

void ListsEngine::intersect(MeshRef ref_a, MeshRef ref_b, const Options& options, Overlap& out) {
  check_options(options);
  clear(out);
  out.engine = name();
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh &a = on_gpu(ref_a, 0), &b = on_gpu(ref_b, 1);
    const auto voi = choose_pair_voi(a.box(), b.box(), options.axis);
    watch.lap(out.ms.voi);
    if (!voi) {
      out.health.skipped_triangles = skipped_without_box(a) + skipped_without_box(b);
      return;
    }
    out.health.skipped_triangles = a.skipped_triangles() + b.skipped_triangles();
    const Frame frame =
        make_frame(session, make_grid(voi->box, voi->axis, options.resolution), {&a, &b}, options.min_thickness);
    const Answer& answer = run(frame, [&] { span_passes(frame, objects_->pair_sums, &objects_->pair_spans); });
    take_sums(answer);
    combine(frame.grid, sums_, out);
    out.read_back_bytes = sizeof(Answer) + out.spans.size() * sizeof(Span);
    finish(watch, out.ms);
  });
  require_health(out.health, options.strict);
}

void ListsEngine::self_intersect(MeshRef ref, const Options& options, SelfOverlap& out) {
  check_options(options);
  clear(out);
  out.engine = name();
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    const auto axis = choose_axis(mesh.box());
    watch.lap(out.ms.voi);
    out.health.skipped_triangles = axis ? mesh.skipped_triangles() : skipped_without_box(mesh);
    if (!axis) return;
    const Frame frame = make_frame(session, make_grid(mesh.box(), options.axis.value_or(*axis), options.resolution),
                                   {&mesh}, options.min_thickness);
    const Answer& answer = run(frame, [&] { span_passes(frame, objects_->self_sums, &objects_->self_spans); });
    const ChunkSums& sums = take_sums(answer);
    combine(frame.grid, sums_, out);
    out.inside_out = sums.inside_out.spans;
    out.inside_out_volume = sums.inside_out.length * frame.grid.cell_area();
    out.read_back_bytes = sizeof(Answer) + (out.spans.size() + out.inside_out.size()) * sizeof(Span);
    finish(watch, out.ms);
  });
  require_health(out.health, options.strict);
}

/// As many at a time as the driver lets a shader see.
void ListsEngine::flag_points(const Frame& frame, std::size_t count) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  const auto limit = static_cast<std::size_t>(frame.session.context.facts().max_storage_bytes);
  const std::size_t turn =
      std::max(std::min(limit, kMostPointBytes) / sizeof(Vec3) / kPointStep, std::size_t{1}) * kPointStep;
  for (std::size_t first = 0; first < count; first += turn) {
    Asked asked = frame.asked;
    asked.point_count = static_cast<std::uint32_t>(std::min(turn, count - first));
    gl.NamedBufferSubData(o.asked.id(), 0, sizeof asked, &asked);
    gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 5, o.points.id(), static_cast<GLintptr>(first * sizeof(Vec3)),
                       static_cast<GLsizeiptr>(asked.point_count * sizeof(Vec3)));
    gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 6, o.flags.id(), static_cast<GLintptr>(first),
                       static_cast<GLsizeiptr>((asked.point_count + 3) / 4 * 4));
    dispatch(frame, o.contain, asked.point_count, kPointGroup);
  }
}

void ListsEngine::contains(MeshRef ref, std::span<const Vec3> points, const Options& options, Containment& out) {
  check_options(options);
  clear(out, points.size());
  out.engine = name();
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    const auto axis = choose_axis(mesh.box());
    watch.lap(out.ms.voi);
    out.health.skipped_triangles = axis ? mesh.skipped_triangles() : skipped_without_box(mesh);
    if (!axis) return;
    const Frame frame = make_frame(session, make_grid(mesh.box(), options.axis.value_or(*axis), options.resolution),
                                   {&mesh}, Options{}.min_thickness);
    Objects& o = *objects_;
    o.points.reserve(points.size_bytes());
    o.flags.reserve((points.size() + 3) / 4 * 4);
    session.workers.for_chunks(points.size_bytes(), Session::kUploadChunk, [&](std::size_t i, std::size_t j, unsigned) {
      std::memcpy(o.points.data() + i, std::as_bytes(points).data() + i, j - i);
    });
    const Answer& answer = run(frame, [&] {
      span_passes(frame, o.health, nullptr);
      flag_points(frame, points.size());
    });
    std::transform(o.flags.data(), o.flags.data() + points.size(), out.inside.begin(),
                   [](std::byte flag) { return std::to_integer<std::uint8_t>(flag); });
    out.grid = frame.grid;
    out.count = answer.inside;
    out.health.open_columns = answer.total.open_columns;
    out.health.occupied_columns = answer.total.occupied_columns;
    out.health.inside_out_columns = answer.total.inside_out_columns;
    out.health.untrusted_points = answer.untrusted;
    out.read_back_bytes = sizeof(Answer) + points.size();
    finish(watch, out.ms);
  });
  require_health(out.health, options.strict);
}

void ListsEngine::build(MeshRef ref, const Grid& grid, Ldi& out) {
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    const Frame frame = make_frame(session, grid, {&mesh}, 0);
    const Answer& answer = run(frame, [] {});
    const Gl& gl = session.context.gl();
    std::vector<std::uint32_t> heads(grid.column_count());
    std::vector<Node> nodes(answer.node_count);
    gl.GetNamedBufferSubData(objects_->heads.id(), 0, static_cast<GLsizeiptr>(heads.size() * sizeof heads[0]),
                             heads.data());
    gl.GetNamedBufferSubData(objects_->nodes.id(), 0, static_cast<GLsizeiptr>(nodes.size() * sizeof nodes[0]),
                             nodes.data());
    session.context.check("reading lists back");
    out.grid = grid;
    out.outside = End::both;
    out.skipped_triangles = mesh.skipped_triangles();
    out.dropped_crossings = 0;
    out.offsets.assign(1, 0);
    out.crossings.clear();
    for (std::uint32_t node : heads) {
      for (; node != 0; node = nodes[node - 1].next) out.crossings.push_back({nodes[node - 1].key});
      out.offsets.push_back(static_cast<std::uint32_t>(out.crossings.size()));
    }
  });
}

}  // namespace

std::unique_ptr<Engine> make_lists_engine(const Options& options) { return std::make_unique<ListsEngine>(options); }

}  // namespace lamella::opengl
