// How much room a frame needs is known only after it has run. So it runs in the room that the last frame needed; every
// kernel counts what it had no room for, and the host, which must read the report anyway, repeats the frame when there
// was too little. The sizes are kept, so that a simulation rarely repeats a frame.

#include "engines/cuda/frame_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/checks.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

/// An unchanged frame needs at most four repeats: for large triangles, columns, crossings, spans. If its vertices
/// change meanwhile, it may need more.
constexpr unsigned kMostRepeats = 8;
/// After this many frames without a large triangle, the pass over large triangles is left out: it costs a launch.
constexpr unsigned kFramesWithoutLarge = 16;
/// After this many counted frames that would have fit in slots, columns are in slots again.
constexpr unsigned kFramesShallow = 16;
/// Meshes with fewer triangles are likely to have large ones.
constexpr std::uint32_t kFewTriangles = 4096;
/// First guesses.
constexpr std::uint32_t kCountedCrossings = 1u << 16, kMostCountedCrossings = 1u << 25;
constexpr std::uint32_t kSpans = 1u << 12, kMostSpans = 1u << 20;

std::uint32_t with_reserve(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count + count / 8 + 1, 0xffffffffu));
}

/// With a margin, so that a few more layers in the next frame do not cause another repeat.
std::uint32_t slots_for(std::uint32_t layers) { return (layers + layers / 8 + 3) / 4 * 4; }

}  // namespace

FrameRunner::FrameRunner(const DeviceFacts& device, FrameMemory& memory, const Frame& asked,
                         const RunnerOptions& options)
    : memory_(memory), options_(options), asked_(asked), frame_(asked), begin_(options.timed), done_(options.timed) {
  asked_.multiprocessors = static_cast<std::uint32_t>(device.multiprocessors);
}

FrameRunner::~FrameRunner() {
  if (!launched_) return;
  // The graph must not be destroyed while it runs.
  try {
    done_.wait();
  } catch (const Error&) {
  }
}

bool FrameRunner::fits(std::uint32_t slots) const {
  const std::size_t crossing = (asked_.with_ends ? 2 : 1) * sizeof(std::uint32_t);
  return std::size_t{asked_.column_count} * slots * asked_.mesh_count * crossing <= memory_.key_budget();
}

FrameShape FrameRunner::first_shape() const {
  FrameShape shape;
  const std::uint32_t columns = asked_.column_count;
  if (asked_.kind == Kind::build || !fits(shape.slots)) shape.slots = 0;
  const auto crossings = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      options_.max_crossings,
      std::clamp<std::uint64_t>(2 * std::uint64_t{columns}, kCountedCrossings, kMostCountedCrossings)));
  shape.crossings = {crossings, crossings};
  shape.spans = {std::clamp(columns / 4, kSpans, kMostSpans), kSpans};
  return shape;
}

void FrameRunner::learn_from(const FrameRunner& other) {
  if (!other.shape_chosen_) return;
  shape_ = other.shape_;
  shape_chosen_ = true;
  // Whether slots fit depends on the number of columns, which may differ.
  if (asked_.kind == Kind::build || shape_.deep)
    shape_.slots = 0;
  else if (shape_.slots == 0 || !fits(shape_.slots))
    shape_.slots = first_shape().slots;
  change_shape();
}

/// Resets all learnt sizes: there may be no memory for what the last frames needed.
void FrameRunner::start_anew() {
  launched_ = shape_chosen_ = false;
  memory_.distrust_state();
  generation_ = 0;
  without_large_ = 0;
  graph_.clear();
  frame_ = asked_;
}

void FrameRunner::put(cudaStream_t stream) const {
  launch_inspect(frame_, stream);
  if (shape_.slots != 0) {
    launch_raster(frame_, frame_.with_ends ? Pass::slots_with_faces : Pass::slots, stream);
  } else {
    launch_raster(frame_, Pass::count, stream);
    launch_offsets(frame_, stream);
    launch_raster(frame_, frame_.with_ends ? Pass::scatter_with_faces : Pass::scatter, stream);
    launch_sort(frame_, stream);
  }
  launch_query(frame_, stream);
  if (options_.spans) launch_spans(frame_, stream);
  if (frame_.with_ends) launch_ends(frame_, stream);
}

void FrameRunner::run(cudaStream_t stream) {
  stream_ = stream;
  if (!shape_chosen_) shape_ = first_shape();
  shape_chosen_ = true;
  if (generation_ != memory_.generation()) {
    graph_.clear();
    same_frames_ = 0;
    frame_ = asked_;
    memory_.prepare(frame_, shape_, options_.spans);
    generation_ = memory_.generation();
  }
  memory_.zero_state(stream);
  if (options_.timed) begin_.record(stream);
  // Making a graph costs as much as several frames: it is made when a frame is launched a second time.
  if (same_frames_++ == 0) {
    put(stream);
  } else {
    if (graph_.empty()) graph_.capture([this](cudaStream_t captured) { put(captured); });
    graph_.launch(stream);
  }
  done_.record(stream);
  launched_ = true;
}

void FrameRunner::launch(cudaStream_t stream) {
  try {
    run(stream);
  } catch (...) {
    start_anew();
    throw;
  }
}

/// Throws for problems that a repeat cannot solve.
void FrameRunner::refuse(const FrameReport& report) const {
  if ((report.answer.status & kBadIndex) != 0)
    throw Error(asked_.mesh_count == 1
                    ? "a triangle names a vertex that the mesh does not have"
                    : "a triangle of one of the two meshes names a vertex that its mesh does not have");
  if (report.large_parts > 0xffffffffu)
    throw Error("the large triangles have more than 2^32 rows of samples in total: lower the resolution");
  const std::uint64_t most = std::min<std::uint64_t>(options_.max_crossings, 0xffffffffu);
  if (std::max(report.crossings[0], report.crossings[1]) > most) throw too_many_crossings(most);
}

/// Returns whether columns had too little room; then makes enough for the same frame.
bool FrameRunner::grow_columns(const FrameReport& report) {
  if (shape_.slots != 0) {
    if (report.most_layers <= shape_.slots) return false;
    const std::uint32_t wanted = std::min(slots_for(report.most_layers), kMaxSlots);
    const bool possible = report.most_layers <= kMaxSlots && fits(wanted);
    shape_.slots = possible ? wanted : 0;
    shape_.deep = report.most_layers > kMaxSlots;
    if (!possible)
      for (std::size_t m = 0; m < 2; ++m)
        shape_.crossings[m] = std::max(shape_.crossings[m], with_reserve(report.crossings[m]));
    return true;
  }
  bool grown = false;
  for (std::uint32_t m = 0; m < asked_.mesh_count; ++m) {
    if (report.crossings[m] <= frame_.columns[m].capacity) continue;
    shape_.crossings[m] = with_reserve(report.crossings[m]);
    grown = true;
  }
  return grown;
}

/// Returns whether the frame had too little room of any kind; then makes more.
bool FrameRunner::grow(const FrameReport& report) {
  bool grown = grow_columns(report);
  if (report.large_parts > 0 && !shape_.large_pass) {
    shape_.large_pass = keep_large_pass_ = grown = true;
  }
  if (report.large_parts > frame_.large_capacity) {
    shape_.large_parts = with_reserve(report.large_parts);
    grown = true;
  }
  if (!options_.spans) return grown;
  const std::uint64_t counts[2] = {report.answer.span_count, report.answer.inside_out_count};
  for (std::size_t k = 0; k < 2; ++k) {
    if (frame_.spans[k] == nullptr || counts[k] <= frame_.span_capacity[k]) continue;
    shape_.spans[k] = with_reserve(counts[k]);
    grown = true;
  }
  return grown;
}

void FrameRunner::drop_large_pass(const FrameReport& report) {
  without_large_ = report.large_parts == 0 ? without_large_ + 1 : 0;
  if (!shape_.large_pass || keep_large_pass_ || without_large_ < kFramesWithoutLarge) return;
  if (std::uint64_t{asked_.mesh[0].triangle_count} + asked_.mesh[1].triangle_count < kFewTriangles) return;
  shape_.large_pass = false;
  change_shape();
}

/// One deep frame must not make all later frames slow: counted columns take twice the work.
void FrameRunner::leave_counted(const FrameReport& report) {
  const std::uint32_t wanted = std::min(slots_for(report.deepest), kMaxSlots);
  shallow_ = shape_.deep && report.deepest <= kMaxSlots ? shallow_ + 1 : 0;
  if (shallow_ < kFramesShallow || !fits(wanted)) return;
  shape_.slots = std::max(wanted, FrameShape{}.slots);
  shape_.deep = false;
  shallow_ = 0;
  change_shape();
}

const FrameReport& FrameRunner::wait() {
  if (!launched_) throw Error("there is no frame to wait for: launch one first");
  try {
    gpu_ms_ = 0;
    for (repeats_ = 0;; ++repeats_) {
      done_.wait();
      if (options_.timed) gpu_ms_ += static_cast<double>(done_.since(begin_));
      report_ = *frame_.host_report;
      refuse(report_);
      if (!grow(report_)) break;
      if (repeats_ == kMostRepeats)
        throw Error(
            "a frame was repeated with more memory and still had too little: do not change vertices before "
            "wait() returns");
      change_shape();
      memory_.distrust_state();
      run(stream_);
    }
  } catch (...) {
    start_anew();
    throw;
  }
  if ((report_.answer.status & kNeedsMemory) != 0) {
    start_anew();
    throw Error("a frame reported too little memory, but not for what", Error::Kind::device);
  }
  drop_large_pass(report_);
  leave_counted(report_);
  require_health(report_.answer.health, options_.strict);
  return report_;
}

}  // namespace lamella::cuda
