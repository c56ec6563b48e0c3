// The engine gl-lists: queries on the GPU, which TR 395 (section 5.2) names as future work. Compute shaders answer from
// sorted lists of crossings (crossing_lists.cpp), and only the answer is read back.

#include "engines/opengl/lists.hpp"
#include "core/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engines/checks.hpp"
#include "engines/opengl/crossing_lists.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/opengl/gl_engine.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"
#include "query/ldi_queries.hpp"

namespace lamella::opengl {
namespace {

constexpr std::uint32_t kSpanGroup = 128, kPointGroup = 64 * 4;

struct Objects {
  Objects(const Gl& gl, const Program& cull, std::uint64_t max_crossings);

  CrossingLists lists;
  Program total, contain;
  Program pair_sums, pair_spans, self_sums, self_spans, health;
  Buffer groups, counts;
  SharedBuffer spans, inside_out, points, flags;
};

Objects::Objects(const Gl& gl, const Program& cull, std::uint64_t max_crossings)
    : lists(gl, cull, max_crossings),
      total(list_program(gl, "total", "", shaders::total_comp)),
      contain(list_program(gl, "contain", "", shaders::contain_comp)),
      pair_sums(list_program(gl, "pair sums", "#define PAIR\n", shaders::spans_comp)),
      pair_spans(list_program(gl, "pair spans", "#define PAIR\n#define WRITE\n", shaders::spans_comp)),
      self_sums(list_program(gl, "self sums", "#define SELF\n", shaders::spans_comp)),
      self_spans(list_program(gl, "self spans", "#define SELF\n#define WRITE\n", shaders::spans_comp)),
      health(list_program(gl, "health", "#define HEALTH\n", shaders::spans_comp)),
      groups(gl),
      counts(gl),
      spans(gl),
      inside_out(gl),
      points(gl),
      flags(gl) {
  for (SharedBuffer* b : {&spans, &inside_out}) b->reserve(4096 * sizeof(Span));
}

class ListsEngine final : public GlEngine {
 public:
  explicit ListsEngine(const EngineOptions& options) : GlEngine("gl-lists", options) {}
  ~ListsEngine() override { stop(); }

  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;

 private:
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) override;
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override;
  void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) override;

  void make_objects(Session& session) override {
    objects_.emplace(session.context.gl(), cull_program(), max_crossings());
  }
  void drop_objects() override { objects_.reset(); }

  template <class Result>
  std::optional<ListFrame> frame_in_own_box(Session& session, GpuMesh& mesh, const QueryOptions& options,
                                            float min_thickness, Stopwatch& watch, Result& out);
  ListFrame make_frame(Session& session, const Grid& grid, std::vector<GpuMesh*> meshes, float min_thickness);
  void set_span_capacities(Asked& asked) const;
  void sum_columns(const ListFrame& frame, const Program& sums);
  const Answer& find_spans(ListFrame& frame, const Program& sums, const Program& write);
  bool grow_spans(const ListFrame& frame, const Answer& answer);
  void flag_points(const ListFrame& frame, std::size_t count);
  void finish(Stopwatch& watch, Timings& ms) const;
  void take_sums(const Grid& grid, const Answer& answer);

  std::optional<Objects> objects_;
  QueryScratch sums_;
};

ListFrame ListsEngine::make_frame(Session& session, const Grid& grid, std::vector<GpuMesh*> meshes,
                                  float min_thickness) {
  check_grid(grid);
  const auto columns = static_cast<std::uint32_t>(grid.column_count());
  Asked asked{.thickness = min_thickness * grid.depth(), .column_count = columns};
  asked.second = meshes.size() == 2 ? columns : 0;
  asked.group_count = (columns + kSpanGroup - 1) / kSpanGroup;
  asked.cells_per_u = static_cast<float>(1 / grid.cell_u());
  asked.cells_per_v = static_cast<float>(1 / grid.cell_v());
  const std::uint64_t counts = std::uint64_t{columns} * 2 * sizeof(std::uint32_t);
  if (counts > static_cast<std::uint64_t>(session.context.facts().max_storage_bytes))
    throw storage_error(session.context.facts(), fmt::format("{} x {} columns", grid.columns, grid.rows), counts);
  objects_->counts.reserve(counts);
  objects_->groups.reserve(asked.group_count * sizeof(Sums));
  return {session, grid, std::move(meshes), asked};
}

/// Returns nullopt when the box encloses no volume: there is nothing to query. Sets the skipped triangles: in its own
/// box, no mesh reaches beyond the lattice.
template <class Result>
std::optional<ListFrame> ListsEngine::frame_in_own_box(Session& session, GpuMesh& mesh, const QueryOptions& options,
                                                       float min_thickness, Stopwatch& watch, Result& out) {
  const auto axis = choose_axis(mesh.box());
  watch.lap(out.ms.voi);
  out.health.skipped_triangles = mesh.broken_triangles();
  if (!axis) return std::nullopt;
  return make_frame(session, square_grid(mesh.box(), options.axis.value_or(*axis), options.resolution), {&mesh},
                    min_thickness);
}

void ListsEngine::set_span_capacities(Asked& asked) const {
  asked.span_capacity = static_cast<std::uint32_t>(objects_->spans.size() / sizeof(Span));
  asked.inside_out_capacity = static_cast<std::uint32_t>(objects_->inside_out.size() / sizeof(Span));
}

/// Computes the sums over all columns, and where each column's spans go.
void ListsEngine::sum_columns(const ListFrame& frame, const Program& sums) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, o.groups.id());
  gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, o.counts.id());
  dispatch(gl, sums, frame.asked.column_count, kSpanGroup);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  dispatch(gl, o.total, 1, 1);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

const Answer& ListsEngine::find_spans(ListFrame& frame, const Program& sums, const Program& write) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  set_span_capacities(frame.asked);
  const auto passes = [&] {
    sum_columns(frame, sums);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, o.spans.id());
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, o.inside_out.id());
    dispatch(gl, write, frame.asked.column_count, kSpanGroup);
  };
  return o.lists.run(frame, passes, [&](const Answer& answer) {
    const bool grown = grow_spans(frame, answer);
    set_span_capacities(frame.asked);
    return !grown;
  });
}

/// Returns whether there were more spans than fit; then makes room for them.
bool ListsEngine::grow_spans(const ListFrame& frame, const Answer& answer) {
  const DeviceFacts& facts = frame.session.context.facts();
  bool grown = false;
  const auto grow = [&](SharedBuffer& buffer, std::uint32_t count) {
    const std::size_t bytes = std::size_t{count} * sizeof(Span);
    if (bytes <= buffer.size()) return;
    const auto limit = static_cast<std::size_t>(facts.max_storage_bytes);
    if (bytes > limit) throw storage_error(facts, fmt::format("{} spans", count), bytes);
    buffer.reserve(std::min(bytes + bytes / 4, limit));
    grown = true;
  };
  grow(objects_->spans, answer.total.spans);
  grow(objects_->inside_out, answer.total.inside_out_spans);
  return grown;
}

/// Stores the device's sums and spans as those of a single chunk.
void ListsEngine::take_sums(const Grid& grid, const Answer& answer) {
  const Sums& t = answer.total;
  sums_.chunks.resize(1);
  ChunkSums& sums = sums_.chunks.front();
  sums.clear();
  const auto spans = [](const SharedBuffer& buffer, std::uint32_t count) {
    return std::span(reinterpret_cast<const Span*>(buffer.data()), count);
  };
  const auto overlap = spans(objects_->spans, t.spans), inside_out = spans(objects_->inside_out, t.inside_out_spans);
  sums.spans.assign(overlap.begin(), overlap.end());
  sums.inside_out.assign(inside_out.begin(), inside_out.end());
  sums.totals = {t.length, t.moment_u, t.moment_v, t.moment_w, t.spans, t.low_u,
                 t.low_v,  t.high_u,   t.high_v,   t.low,      t.high};
  sums.inside_out_length = t.inside_out_length;
  sums.open_columns = t.open_columns;
  sums.occupied_columns = t.occupied_columns;
  sums.inside_out_columns = t.inside_out_columns;
  sums_.start_lines(grid, 1);
  sums_.lines.front().add(sums.spans);
}

/// The stages' times: the query as the device measured it, the rest of the wall clock for the sampling.
void ListsEngine::finish(Stopwatch& watch, Timings& ms) const {
  const GpuTimer& timer = objects_->lists.timer();
  double since = 0;
  watch.lap(since);
  ms.gpu = timer.between(0, 2);
  ms.query = std::min(timer.between(1, 2), since);
  ms.ldi = since - ms.query;
}

void ListsEngine::find_overlap(MeshRef ref_a, MeshRef ref_b, const QueryOptions& options, Overlap& out) {
  if (options.ends) refuse_ends(name());
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh &a = on_gpu(ref_a, 0), &b = on_gpu(ref_b, 1);
    const auto voi = choose_shared_voi(a.box(), b.box(), options.axis);
    watch.lap(out.ms.voi);
    out.health.skipped_triangles = a.broken_triangles() + b.broken_triangles();
    if (!voi) return;
    ListFrame frame =
        make_frame(session, square_grid(voi->box, voi->axis, options.resolution), {&a, &b}, options.min_thickness);
    const Answer& answer = find_spans(frame, objects_->pair_sums, objects_->pair_spans);
    out.health.skipped_triangles = a.skipped_triangles() + b.skipped_triangles();
    take_sums(frame.grid, answer);
    combine(frame.grid, sums_, out);
    out.read_back_bytes = sizeof(Answer) + out.spans.size() * sizeof(Span);
    finish(watch, out.ms);
  });
}

void ListsEngine::find_self_overlap(MeshRef ref, const QueryOptions& options, SelfOverlap& out) {
  if (options.ends) refuse_ends(name());
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    auto frame = frame_in_own_box(session, mesh, options, options.min_thickness, watch, out);
    if (!frame) return;
    const Answer& answer = find_spans(*frame, objects_->self_sums, objects_->self_spans);
    take_sums(frame->grid, answer);
    combine(frame->grid, sums_, out);
    out.read_back_bytes = sizeof(Answer) + (out.spans.size() + out.inside_out.size()) * sizeof(Span);
    finish(watch, out.ms);
  });
}

/// In parts, each as large as the driver allows a shader to access.
void ListsEngine::flag_points(const ListFrame& frame, std::size_t count) {
  const Gl& gl = frame.session.context.gl();
  Objects& o = *objects_;
  const auto limit = static_cast<std::size_t>(frame.session.context.facts().max_storage_bytes);
  const std::size_t turn = points_at_once(limit);
  for (std::size_t first = 0; first < count; first += turn) {
    Asked asked = frame.asked;
    asked.point_count = static_cast<std::uint32_t>(std::min(turn, count - first));
    o.lists.set_asked(asked);
    gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 5, o.points.id(), static_cast<GLintptr>(first * sizeof(Vec3)),
                       static_cast<GLsizeiptr>(asked.point_count * sizeof(Vec3)));
    gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 6, o.flags.id(), static_cast<GLintptr>(first),
                       static_cast<GLsizeiptr>((asked.point_count + 3) / 4 * 4));
    dispatch(gl, o.contain, asked.point_count, kPointGroup);
  }
}

void ListsEngine::find_inside(MeshRef ref, std::span<const Vec3> points, const QueryOptions& options,
                              Containment& out) {
  Stopwatch watch;
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    const auto frame = frame_in_own_box(session, mesh, options, QueryOptions{}.min_thickness, watch, out);
    if (!frame) return;
    Objects& o = *objects_;
    o.points.reserve(points.size_bytes());
    o.flags.reserve((points.size() + 3) / 4 * 4);
    session.workers.for_chunks(points.size_bytes(), Session::kUploadChunk, [&](std::size_t i, std::size_t j, unsigned) {
      std::memcpy(o.points.data() + i, std::as_bytes(points).data() + i, j - i);
    });
    const auto passes = [&] {
      sum_columns(*frame, o.health);
      flag_points(*frame, points.size());
    };
    const Answer& answer = o.lists.run(*frame, passes, [](const Answer&) { return true; });
    std::transform(o.flags.data(), o.flags.data() + points.size(), out.inside.begin(),
                   [](std::byte flag) { return std::to_integer<std::uint8_t>(flag); });
    out.grid = frame->grid;
    out.inside_count = answer.inside;
    out.health.open_columns = answer.total.open_columns;
    out.health.occupied_columns = answer.total.occupied_columns;
    out.health.inside_out_columns = answer.total.inside_out_columns;
    out.health.untrusted_points = answer.untrusted;
    out.read_back_bytes = sizeof(Answer) + points.size();
    finish(watch, out.ms);
  });
}

void ListsEngine::build(MeshRef ref, const Grid& grid, Ldi& out) {
  on_device([&](Session& session) {
    GpuMesh& mesh = on_gpu(ref, 0);
    const ListFrame frame = make_frame(session, grid, {&mesh}, 0);
    CrossingLists& lists = objects_->lists;
    const Answer& answer = lists.run(
        frame, [] {}, [](const Answer&) { return true; });
    const Gl& gl = session.context.gl();
    std::vector<std::uint32_t> heads(grid.column_count());
    std::vector<Node> nodes(answer.node_count);
    gl.GetNamedBufferSubData(lists.heads().id(), 0, static_cast<GLsizeiptr>(heads.size() * sizeof heads[0]),
                             heads.data());
    gl.GetNamedBufferSubData(lists.nodes().id(), 0, static_cast<GLsizeiptr>(nodes.size() * sizeof nodes[0]),
                             nodes.data());
    session.context.check("reading lists back");
    gpu_cost_.read_back_bytes += sizeof(Answer) + heads.size() * sizeof heads[0] + nodes.size() * sizeof nodes[0];
    out.grid = grid;
    out.outside = End::both;
    out.skipped_triangles = mesh.skipped_triangles();
    out.dropped_crossings = 0;
    out.alternating = false;
    out.offsets.assign(1, 0);
    out.crossings.clear();
    for (std::uint32_t node : heads) {
      for (; node != 0; node = nodes[node - 1].next) out.crossings.push_back({nodes[node - 1].key});
      out.offsets.push_back(static_cast<std::uint32_t>(out.crossings.size()));
    }
  });
}

}  // namespace

std::unique_ptr<Engine> make_lists_engine(const EngineOptions& options) {
  return std::make_unique<ListsEngine>(options);
}

}  // namespace lamella::opengl
