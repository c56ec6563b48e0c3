// The drawing of gl-pairs; see pairs.cpp for the method.

#include "engines/opengl/pairs_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engines/checks.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr std::size_t kLayerBytes = std::size_t{256} << 20;  ///< for layers, unless four need more
constexpr std::size_t kTexelBytes = 16;
constexpr std::uint32_t kLeastLayers = 4;
constexpr std::uint32_t kColumnGroup = 256;
constexpr std::size_t kColumnWords = 4;
constexpr float kNothing = 1.0f;  ///< cleared depth; depths lie in the lower half
constexpr float kNoLayer[4] = {-1, 0, 0, 0};
/// How far from the box, in box depths, a vertex may be for its crossings to keep their exact order.
constexpr float kFar = 0x1p20f;

// Of Round::flags, as in shaders/pairs.glsl.
constexpr std::uint32_t kKeepSpans = 1, kPublished = 2, kKeepDoubles = 4;

constexpr const char* kReadKept = "#define OWN_CORNER\n#define KEPT readonly\n";

Program draw_program(const Gl& gl, const char* name, const char* more, const char* text) {
  return {gl,
          name,
          {{GL_VERTEX_SHADER, {kReadKept, shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::pairs_vert}},
           {GL_FRAGMENT_SHADER,
            {kReadKept, shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::crossing_glsl, shaders::pairs_glsl,
             shaders::pairs_face_glsl, more, text}}}};
}

/// Depths of all vertices fit the lower half of the depth buffer; the scale is a power of two and rounds nothing.
Sampling sampling_of(const Grid& grid, const Aabb& box) {
  Sampling sampling = make_sampling(grid);
  const float far = kFar * grid.depth(), origin = grid.box.min[grid.w()];
  float low = 0, high = grid.depth();
  if (!box.empty()) {
    low = std::clamp(box.min[grid.w()] - origin, -far, low);
    high = std::clamp(box.max[grid.w()] - origin, high, far);
  }
  sampling.low = low;
  int exponent = 0;
  (void)std::frexp(high - low, &exponent);
  sampling.z_scale = std::ldexp(0.5f, -exponent);
  return sampling;
}

}  // namespace

/// The uniform block of shaders/pairs.glsl.
struct PairRounds::Round {
  float thickness = 0, threshold = 0;
  std::uint32_t pair_capacity = 0, point_capacity = 0;
  std::int32_t first = 0, oldest = 0, slices = 0;
  std::uint32_t column_count = 0, out_capacity = 0, flags = 0;
  std::uint32_t padding[2] = {};
};

/// The beginning of the buffer of counters in shaders/pairs.glsl; `incomplete` follows.
struct PairRounds::Counters {
  std::uint32_t pair_count = 0, point_count = 0, out_count = 0, passed_over = 0;
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
  std::uint32_t padding = 0;
};

PairRounds::PairRounds(const Gl& gl, const PairLimits& limits, std::uint64_t max_records)
    : gl_(&gl),
      limits_(limits),
      max_records_(max_records),
      peel_(draw_program(gl, "pairs peel", shaders::pairs_layers_glsl, shaders::pairs_peel_frag)),
      sum_(draw_program(gl, "pairs sum", "", shaders::pairs_sum_frag)),
      count_(gl, "pairs columns",
             {{GL_COMPUTE_SHADER, {shaders::sampling_glsl, shaders::pairs_glsl, shaders::pairs_columns_comp}}}),
      open_(draw_program(gl, "pairs open", "", shaders::pairs_open_frag)),
      back_(draw_program(gl, "pairs back", shaders::pairs_layers_glsl, shaders::pairs_back_frag)),
      points_(gl, "pairs points",
              {{GL_VERTEX_SHADER, {kReadKept, shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::pairs_vert}},
               {GL_FRAGMENT_SHADER,
                {kReadKept, shaders::sampling_glsl, shaders::pairs_kept_glsl, shaders::crossing_glsl,
                 shaders::pairs_glsl, shaders::pairs_face_glsl, shaders::pairs_layers_glsl, shaders::pairs_match_glsl,
                 shaders::pairs_point_glsl, shaders::pairs_points_frag}}}),
      layers_target_(make_framebuffer(gl)),
      records_target_(make_framebuffer(gl)),
      sampling_(gl),
      round_(gl),
      counters_(gl),
      columns_words_(gl),
      pairs_(gl),
      pairs_back_(gl),
      out_back_(gl),
      counters_back_(gl),
      matches_(gl, limits, max_records),
      any_(make_query(gl, GL_ANY_SAMPLES_PASSED)),
      timer_(gl) {
  limits_.layers = std::max(limits_.layers, kLeastLayers);
  round_.reserve(sizeof(Round));
}

/// Images only grow: groups of many sizes share them.
void PairRounds::reserve_images(const PairJob& job) {
  const Grid& grid = job.group.grid;
  if (slices_ != 0 && columns_ >= grid.columns && rows_ >= grid.rows) return;
  const std::uint32_t columns = std::max(columns_, grid.columns), rows = std::max(rows_, grid.rows);
  const std::size_t fit = kLayerBytes / (std::size_t{columns} * rows * kTexelBytes);
  const auto slices = static_cast<std::uint32_t>(std::clamp<std::size_t>(fit, kLeastLayers, limits_.layers));
  slices_ = 0;  // until the new ones are known to exist
  layers_ = make_texture(*gl_, GL_TEXTURE_2D_ARRAY);
  gl_->TextureStorage3D(layers_.id(), 1, GL_RGBA32F, static_cast<GLsizei>(columns), static_cast<GLsizei>(rows),
                        static_cast<GLsizei>(slices));
  depths_ = make_texture(*gl_, GL_TEXTURE_2D);
  gl_->TextureStorage2D(depths_.id(), 1, GL_DEPTH_COMPONENT32F, static_cast<GLsizei>(columns),
                        static_cast<GLsizei>(rows));
  for (const GLuint id : {layers_.id(), depths_.id()}) {
    gl_->TextureParameteri(id, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_->TextureParameteri(id, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  gl_->NamedFramebufferTexture(layers_target_.id(), GL_DEPTH_ATTACHMENT, depths_.id(), 0);
  job.session.context.check("making room for layers");
  columns_ = columns;
  rows_ = rows;
  slices_ = slices;
}

void PairRounds::reserve_pairs(const PairJob& job, std::uint64_t count) {
  if (count <= pair_capacity_) return;
  const std::uint64_t wanted = room_for(job, max_records_, count, sizeof(PairRecord));
  pair_capacity_ = 0;
  pairs_.reserve(wanted * sizeof(PairRecord));
  pair_capacity_ = wanted;
}

void PairRounds::reserve_out(const PairJob& job, std::uint64_t count) {
  if (count <= out_capacity_) return;
  const std::uint64_t wanted = room_for(job, max_records_, count, sizeof(OpenRecord));
  out_capacity_ = 0;
  out_back_.reserve(wanted * sizeof(OpenRecord));
  out_capacity_ = wanted;
}

void PairRounds::set_round(const PairJob& job, std::uint32_t number) {
  const auto first = static_cast<std::int32_t>(2 * number), slices = static_cast<std::int32_t>(slices_);
  const std::uint32_t flags =
      (job.spans ? kKeepSpans : 0) | (job.query.published ? kPublished : 0) | (limits_.doubles ? kKeepDoubles : 0);
  const Round round{.thickness = job.query.thickness,
                    .threshold = job.query.threshold,
                    .pair_capacity = static_cast<std::uint32_t>(pair_capacity_),
                    .point_capacity = static_cast<std::uint32_t>(matches_.point_capacity()),
                    .first = first,
                    .oldest = std::max(0, first + 3 - slices),
                    .slices = slices,
                    .column_count = static_cast<std::uint32_t>(job.group.grid.column_count()),
                    .out_capacity = static_cast<std::uint32_t>(out_capacity_),
                    .flags = flags};
  gl_->NamedBufferSubData(round_.id(), 0, sizeof round, &round);
  gl_->BindBufferBase(GL_UNIFORM_BUFFER, 1, round_.id());
}

void PairRounds::bind_records() const {
  const GLuint buffers[] = {pairs_.id(), out_back_.id(), counters_.id(), columns_words_.id()};
  for (GLuint i = 0; i < std::size(buffers); ++i) gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
}

/// For passes that write only to memory.
void PairRounds::begin_records(const PairJob& job, const Program& program) const {
  begin_drawing(*gl_, job.group.grid, records_target_.id());
  gl_->UseProgram(program.id());
}

void PairRounds::begin(const PairJob& job) {
  const Grid& grid = job.group.grid;
  const std::size_t columns = grid.column_count(), objects = job.group.objects.size();
  const std::size_t bytes = kColumnWords * columns * sizeof(std::uint32_t);
  if (bytes > static_cast<std::uint64_t>(job.session.context.facts().max_storage_bytes))
    throw storage_error(job.session.context.facts(), fmt::format("{} x {} columns", grid.columns, grid.rows), bytes);
  reserve_images(job);
  // At most the allowed number; most groups need few.
  const std::uint64_t guess = std::min<std::uint64_t>(limits_.records, max_records_);
  reserve_pairs(job, guess);
  reserve_out(job, guess);
  if (job.spans) pairs_back_.reserve(pair_capacity_ * sizeof(PairRecord));
  columns_words_.reserve(bytes);
  counters_.reserve(sizeof(Counters) + objects * sizeof(std::uint32_t));
  counters_back_.reserve(sizeof(Counters) + 2 * objects * sizeof(std::uint32_t));
  clear_words(*gl_, columns_words_, 0, kColumnWords * columns);
  clear_words(*gl_, counters_, 0, sizeof(Counters) / 4 + objects);
  timer_.mark(0);
  matches_.begin(job);
  sampling_.set(sampling_of(grid, job.mesh.box()));
  job.mesh.cull();
  gl_->NamedFramebufferParameteri(records_target_.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, static_cast<GLint>(grid.columns));
  gl_->NamedFramebufferParameteri(records_target_.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, static_cast<GLint>(grid.rows));
  gl_->Scissor(0, 0, static_cast<GLsizei>(grid.columns), static_cast<GLsizei>(grid.rows));
  gl_->Enable(GL_SCISSOR_TEST);  // the images may be larger
  set_round(job, 0);
  bind_records();
  begin_records(job, sum_);
  job.mesh.draw();
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  dispatch(*gl_, count_, columns, kColumnGroup);
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

/// Front faces, into one layer.
void PairRounds::peel(const PairJob& job, std::uint32_t layer) {
  const GLuint target = layers_target_.id();
  gl_->NamedFramebufferTextureLayer(target, GL_COLOR_ATTACHMENT0, layers_.id(), 0, static_cast<GLint>(layer % slices_));
  gl_->ClearNamedFramebufferfv(target, GL_COLOR, 0, kNoLayer);
  gl_->ClearNamedFramebufferfv(target, GL_DEPTH, 0, &kNothing);
  gl_->ProgramUniform1i(peel_.id(), 0, layer == 0 ? -1 : static_cast<GLint>((layer - 1) % slices_));
  gl_->TextureBarrier();  // the previous layer is in the same texture
  job.mesh.draw();
}

/// Before a round is recorded: it may be repeated, so that counts over all rounds begin where the last one ended.
void PairRounds::set_counts(std::uint32_t points, std::uint32_t passed_over) const {
  const std::uint32_t counts[] = {0, points, 0, passed_over};
  gl_->NamedBufferSubData(counters_.id(), 0, sizeof counts, counts);
}

/// Back faces and, where asked for, collision points, from the layers of the round.
void PairRounds::record(const PairJob& job) {
  const std::size_t columns = job.group.grid.column_count();
  clear_words(*gl_, columns_words_, 3 * columns, columns);  // the heads
  bind_records();
  begin_records(job, back_);
  gl_->Enable(GL_CULL_FACE);
  gl_->CullFace(GL_FRONT);
  job.mesh.draw();
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  if (job.query.published) matches_.keep_single(columns);
  if (job.query.points) {
    matches_.bind();
    begin_records(job, points_);
    job.mesh.draw();
    gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
  matches_.report(job.spans ? pairs_back_ : out_back_, pair_capacity_);
}

void PairRounds::finish(const PairJob& job, const char* doing) {
  const std::size_t objects = job.group.objects.size();
  const auto bytes = static_cast<GLsizeiptr>(sizeof(Counters) + objects * sizeof(std::uint32_t));
  const auto skipped = static_cast<GLsizeiptr>(objects * sizeof(std::uint32_t));
  gl_->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  gl_->CopyNamedBufferSubData(counters_.id(), counters_back_.id(), 0, 0, bytes);
  gl_->CopyNamedBufferSubData(job.mesh.skipped().id(), counters_back_.id(), 0, bytes, skipped);
  timer_.mark(1);
  job.session.wait(doing);
  gpu_ms += timer_.between(0, 1);
  read_back_bytes += static_cast<std::uint64_t>(bytes + skipped);
}

const PairRounds::Counters& PairRounds::counters() const {
  return *reinterpret_cast<const Counters*>(counters_back_.data());
}

PairRounds::Result PairRounds::draw(const PairJob& job, std::uint32_t number, const Candidate* two) {
  if (number != 0 || two != nullptr) timer_.mark(0);  // else begin() set it
  const std::uint32_t first = 2 * number;
  set_round(job, number);
  bind_records();
  gl_->BindTextureUnit(0, layers_.id());
  job.mesh.narrow(two);
  bind_records();  // narrow() has bound other buffers there
  begin_drawing(*gl_, job.group.grid, layers_target_.id());
  gl_->Enable(GL_DEPTH_TEST);
  gl_->DepthFunc(GL_LESS);
  gl_->Enable(GL_CULL_FACE);
  gl_->CullFace(GL_BACK);
  gl_->UseProgram(peel_.id());
  if (number == 0) peel(job, first);
  peel(job, first + 1);
  gl_->BeginQuery(GL_ANY_SAMPLES_PASSED, any_.id());
  peel(job, first + 2);
  gl_->EndQuery(GL_ANY_SAMPLES_PASSED);
  gl_->TextureBarrier();
  // The last report is of this group only after its first round.
  const bool begins = number == 0 && two == nullptr;
  const std::uint32_t points = begins ? 0 : counters().point_count, passed = begins ? 0 : counters().passed_over;
  for (;;) {
    set_counts(points, passed);
    set_round(job, number);
    record(job);
    finish(job, "drawing pairs");
    const Counters& counted = counters();
    if (counted.pair_count <= pair_capacity_ && counted.point_count <= matches_.point_capacity()) break;
    reserve_pairs(job, counted.pair_count);
    if (job.spans) pairs_back_.reserve(pair_capacity_ * sizeof(PairRecord));
    matches_.reserve_points(job, counted.point_count, points);
    timer_.mark(0);
  }
  GLuint64 any = 0;
  gl_->GetQueryObjectui64v(any_.id(), GL_QUERY_RESULT, &any);
  const Counters& counted = counters();
  Result result{{}, std::uint64_t{counted.pair_count} + (counted.point_count - points), any != 0};
  if (job.spans) {
    result.pairs = {reinterpret_cast<const PairRecord*>(pairs_back_.data()), counted.pair_count};
    read_back_bytes += counted.pair_count * sizeof(PairRecord);
  }
  return result;
}

std::span<const PointRecord> PairRounds::gather(const PairJob& job) {
  const std::uint32_t found = counters().point_count;
  if (found == 0 && job.spans) return {};
  const std::size_t columns = job.group.grid.column_count();
  timer_.mark(0);
  clear_words(*gl_, columns_words_, 3 * columns, columns);
  bind_records();
  matches_.gather(job, found);
  if (!job.spans) matches_.fetch_sums();
  finish(job, "removing doubles of points");
  const std::uint32_t count = counters().out_count;
  read_back_bytes += count * sizeof(PointRecord) + (job.spans ? 0 : matches_.sum_bytes());
  return matches_.points(count);
}

void PairRounds::fetch_sums(const PairJob& job) {
  matches_.fetch_sums();
  job.session.wait("reading sums of pairs");
  read_back_bytes += matches_.sum_bytes();
}

PairRounds::Facts PairRounds::facts(const PairJob& job) const {
  const std::size_t objects = job.group.objects.size();
  const Counters& counted = counters();
  const auto* incomplete = reinterpret_cast<const std::uint32_t*>(counters_back_.data() + sizeof(Counters));
  return {counted.open_columns, counted.occupied_columns, counted.inside_out_columns,
          counted.passed_over,  {incomplete, objects},    {incomplete + objects, objects}};
}

std::span<const OpenRecord> PairRounds::open_crossings(const PairJob& job) {
  for (;;) {
    timer_.mark(0);
    set_counts(0, counters().passed_over);
    set_round(job, 0);
    job.mesh.cull();  // the last round listed fewer faces
    bind_records();
    begin_records(job, open_);
    job.mesh.draw();
    finish(job, "looking at open columns");
    const Counters& counted = counters();
    if (counted.out_count <= out_capacity_) {
      read_back_bytes += counted.out_count * sizeof(OpenRecord);
      return {reinterpret_cast<const OpenRecord*>(out_back_.data()), counted.out_count};
    }
    reserve_out(job, counted.out_count);
  }
}

}  // namespace lamella::opengl
