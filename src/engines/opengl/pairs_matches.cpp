// Pairs and collision points of gl-pairs on their way to the host; see pairs.cpp for the method. Only what the host
// needs crosses the bus: sums of each candidate, and every collision point once.

#include "engines/opengl/pairs_matches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/checks.hpp"
#include "engines/opengl/shaders.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

constexpr std::uint32_t kGroup = 256;
constexpr std::size_t kSumWords = 9;     ///< of a candidate, as in shaders/pairs_report.comp
constexpr double kUnits = 1 << 20;       ///< of the box's depth, as there
constexpr std::size_t kPointBytes = 32;  ///< of a point on the device, as in shaders/pairs_point.glsl

Program compute_program(const Gl& gl, const char* name, const char* more, const char* text) {
  return {gl, name, {{GL_COMPUTE_SHADER, {shaders::sampling_glsl, shaders::pairs_glsl, more, text}}}};
}

double number(const std::uint32_t* words) { return words[0] + 0x1p32 * words[1]; }

}  // namespace

std::uint64_t room_for(const PairJob& job, std::uint64_t max_records, std::uint64_t count, std::size_t size) {
  if (count > max_records) throw too_many_crossings(max_records, "pairs of surfaces");
  const DeviceFacts& facts = job.session.context.facts();
  const auto limit = static_cast<std::uint64_t>(facts.max_storage_bytes) / size;
  if (count > limit) throw storage_error(facts, fmt::format("{} pairs of surfaces", count), count * size);
  return std::min({count + count / 4, max_records, limit});
}

void clear_words(const Gl& gl, const Buffer& buffer, std::size_t first, std::size_t count) {
  const std::uint32_t zero = 0;
  gl.ClearNamedBufferSubData(buffer.id(), GL_R32UI, static_cast<GLintptr>(first * sizeof zero),
                             static_cast<GLsizeiptr>(count * sizeof zero), GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

PairMatches::PairMatches(const Gl& gl, const PairLimits& limits, std::uint64_t max_records)
    : gl_(&gl),
      max_records_(max_records),
      single_(compute_program(gl, "pairs single", "", shaders::pairs_single_comp)),
      report_(compute_program(gl, "pairs report", shaders::pairs_match_glsl, shaders::pairs_report_comp)),
      link_(compute_program(gl, "pairs link", shaders::pairs_point_glsl, shaders::pairs_link_comp)),
      unique_(compute_program(gl, "pairs unique", shaders::pairs_point_glsl, shaders::pairs_unique_comp)),
      matches_(gl),
      sums_(gl),
      points_(gl),
      sums_back_(gl),
      points_back_(gl),
      first_capacity_(limits.records) {}

void PairMatches::begin(const PairJob& job) {
  const Group& group = job.group;
  const auto objects = static_cast<std::uint32_t>(group.objects.size());
  table_.assign(1, objects);
  table_.insert(table_.end(), group.first_candidate.begin(), group.first_candidate.end());
  for (const Candidate& c : group.candidates) table_.push_back(c.b << 1 | (c.points ? 1u : 0u));
  const DeviceFacts& facts = job.session.context.facts();
  candidate_count_ = group.candidates.size();
  if (sum_bytes() > static_cast<std::uint64_t>(facts.max_storage_bytes))
    throw storage_error(facts, fmt::format("{} candidate pairs", candidate_count_), sum_bytes());
  matches_.reserve(table_.size() * sizeof table_[0]);
  job.session.upload(std::as_bytes(std::span(table_)), matches_);
  sums_.reserve(sum_bytes());
  sums_back_.reserve(sum_bytes());
  clear_words(*gl_, sums_, 0, kSumWords * candidate_count_);
  reserve_points(job, std::min<std::uint64_t>(first_capacity_, max_records_), 0);
}

void PairMatches::reserve_points(const PairJob& job, std::uint64_t count, std::uint64_t kept) {
  if (count <= capacity_) return;
  const std::uint64_t wanted = room_for(job, max_records_, count, kPointBytes);
  Buffer larger(*gl_);
  larger.reserve(wanted * kPointBytes);
  if (kept != 0)
    gl_->CopyNamedBufferSubData(points_.id(), larger.id(), 0, 0, static_cast<GLsizeiptr>(kept * kPointBytes));
  points_ = std::move(larger);
  capacity_ = wanted;
}

void PairMatches::bind() const {
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, points_.id());
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, matches_.id());
}

void PairMatches::keep_single(std::size_t columns) const {
  dispatch(*gl_, single_, columns, kGroup);
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void PairMatches::report(const SharedBuffer& out, std::uint64_t pair_capacity) const {
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out.id());
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, sums_.id());
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, matches_.id());
  dispatch(*gl_, report_, pair_capacity, kGroup);
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void PairMatches::gather(const PairJob& job, std::uint64_t point_count) {
  if (point_count == 0) return;
  points_back_.reserve(room_for(job, max_records_, point_count, sizeof(PointRecord)) * sizeof(PointRecord));
  const GLuint buffers[] = {points_back_.id(), points_.id()};
  for (GLuint i = 0; i < std::size(buffers); ++i) gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
  gl_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, sums_.id());
  dispatch(*gl_, link_, point_count, kGroup);
  gl_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  dispatch(*gl_, unique_, point_count, kGroup);
}

void PairMatches::fetch_sums() const {
  gl_->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  gl_->CopyNamedBufferSubData(sums_.id(), sums_back_.id(), 0, 0, static_cast<GLsizeiptr>(sum_bytes()));
}

std::span<const PointRecord> PairMatches::points(std::size_t count) const {
  if (count == 0) return {};
  return {reinterpret_cast<const PointRecord*>(points_back_.data()), count};
}

void PairMatches::sums(const Grid& grid, std::vector<PairSum>& out) const {
  const auto* words = reinterpret_cast<const std::uint32_t*>(sums_back_.data());
  const double unit = static_cast<double>(grid.depth()) / kUnits;
  out.resize(candidate_count_);
  for (PairSum& sum : out) {
    const double length = number(words + 1) * unit;
    sum.spans = words[0];
    sum.length = length;
    // Columns and rows count from a cell's corner there, from its middle here.
    sum.moment = {number(words + 3) * unit + 0.5 * length, number(words + 5) * unit + 0.5 * length,
                  number(words + 7) * unit * unit};
    words += kSumWords;
  }
}

std::uint64_t PairMatches::sum_bytes() const { return candidate_count_ * kSumWords * sizeof(std::uint32_t); }

}  // namespace lamella::opengl
