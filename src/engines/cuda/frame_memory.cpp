#include "engines/cuda/frame_memory.hpp"

#include <algorithm>

namespace lamella::cuda {
namespace {

constexpr std::size_t kMostKeyBytes = std::size_t{4} << 30;

std::uint32_t clamped(std::size_t count) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, 0xffffffffu));
}

}  // namespace

template <class Array>
void FrameMemory::reserve(Array& array, std::size_t count, const char* for_what) {
  if (count <= array.capacity()) return;
  ++generation_;
  array.reserve(count, for_what);
}

void FrameMemory::prepare(Frame& frame, const FrameShape& shape, bool spans) {
  try {
    if (state_.data() == nullptr) state_is_zero_ = false;
    reserve(state_, 1, "the state of a frame");
    reserve(report_, 1, "the report of a frame");
    reserve(host_report_, 1, "the report of a frame");
    reserve(sums_, kAllSumWords, "sums over columns");
    reserve(large_, shape.large_parts, "large triangles");
    prepare_columns(frame, shape);
    prepare_lines(frame);
    prepare_spans(frame, shape, spans);
    if (frame.with_ends) prepare_ends(frame);
    if (frame.kind == Kind::contains && frame.flags == nullptr) {
      reserve(flags_, frame.points.count, "the flags of points");
      frame.flags = flags_.data();
    }
  } catch (...) {
    // Memory for a frame that does not fit would take room from one that does.
    release();
    throw;
  }
  frame.state = state_.data();
  frame.report = report_.data();
  frame.host_report = host_report_.data();
  frame.sums = sums_.data();
  frame.large = large_.data();
  frame.large_capacity = clamped(large_.capacity());
  frame.large_pass = shape.large_pass;
}

void FrameMemory::prepare_columns(Frame& frame, const FrameShape& shape) {
  const bool counted = shape.slots == 0;
  const std::size_t columns = frame.column_count;
  for (std::uint32_t m = 0; m < frame.mesh_count; ++m) {
    ColumnStore& store = frame.columns[m];
    reserve(counts_[m], columns + 1, "the sizes of columns");
    if (counted) reserve(cursors_[m], columns + 1, "the sizes of columns");
    reserve(keys_[m], counted ? std::max(shape.crossings[m], 1u) : columns * shape.slots, "crossings");
    reserve(codes_[m], std::max(frame.mesh[m].vertex_count, 1u), "vertices");
    frame.codes[m] = codes_[m].data();
    store.counts = counts_[m].data();
    store.cursors = counted ? cursors_[m].data() : nullptr;
    store.keys = keys_[m].data();
    store.slots = shape.slots;
    store.stride = frame.column_count;
    store.capacity = counted ? clamped(keys_[m].capacity()) : 0;
  }
  if (counted) reserve(scratch_, counted_scratch_bytes(frame.column_count) * frame.mesh_count, "sorting columns");
  frame.scratch = counted ? scratch_.data() : nullptr;
}

void FrameMemory::prepare_lines(Frame& frame) {
  if (frame.kind != Kind::intersect && frame.kind != Kind::self_intersect) return;
  frame.lines = {nullptr, frame.resolution, frame.resolution};
  const std::size_t before = lines_.capacity();
  reserve(lines_, frame.lines.count(), "sums over lines");
  if (lines_.capacity() != before) state_is_zero_ = false;
  frame.lines.sums = lines_.data();
}

void FrameMemory::prepare_spans(Frame& frame, const FrameShape& shape, bool wanted) {
  const int kinds = frame.kind == Kind::self_intersect ? 2 : 1;
  for (int k = 0; k < 2; ++k) {
    if (k < kinds) reserve(span_begins_[k], kQueryBlocks, "the places of spans");
    if (wanted && k < kinds) reserve(spans_[k], std::max(shape.spans[k], 1u), "spans");
    frame.span_begins[k] = k < kinds ? span_begins_[k].data() : nullptr;
    frame.spans[k] = wanted && k < kinds ? spans_[k].data() : nullptr;
    frame.span_capacity[k] = wanted && k < kinds ? clamped(spans_[k].capacity()) : 0;
  }
}

/// After the columns and the spans, which faces and ends are in step with.
void FrameMemory::prepare_ends(Frame& frame) {
  for (std::uint32_t m = 0; m < frame.mesh_count; ++m) {
    ColumnStore& store = frame.columns[m];
    const bool counted = store.slots == 0;
    const std::size_t count = counted ? store.capacity : std::size_t{store.stride} * store.slots;
    reserve(faces_[m], count, "the triangles of crossings");
    if (counted) reserve(filed_[m], count, "crossings");
    store.faces = faces_[m].data();
    store.filed = counted ? filed_[m].data() : store.keys;
  }
  reserve(ends_, frame.span_capacity[0], "the ends of spans");
  frame.ends = ends_.data();
}

void FrameMemory::zero_state(cudaStream_t stream) {
  if (state_is_zero_) return;
  check(cudaMemsetAsync(state_.data(), 0, sizeof(FrameState), stream), "clear the state of a frame");
  if (lines_.data() != nullptr)
    check(cudaMemsetAsync(lines_.data(), 0, lines_.capacity() * sizeof(LineSum), stream), "clear the lines of a frame");
  state_is_zero_ = true;
}

std::size_t FrameMemory::key_budget() const {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "find out how much memory is free");
  std::size_t held = 0;
  for (int m = 0; m < 2; ++m) held += (keys_[m].capacity() + faces_[m].capacity()) * sizeof(std::uint32_t);
  return std::min((free + held) / 4, kMostKeyBytes);
}

std::size_t FrameMemory::device_bytes() const {
  std::size_t bytes = scratch_.capacity() + flags_.capacity();
  const auto add = [&bytes](const auto& array) { bytes += array.capacity() * sizeof(*array.data()); };
  add(state_);
  add(report_);
  add(sums_);
  add(lines_);
  add(large_);
  for (const auto* arrays : {&counts_, &cursors_, &keys_, &faces_, &filed_, &codes_, &span_begins_})
    for (const auto& array : *arrays) add(array);
  for (const auto& array : spans_) add(array);
  add(ends_);
  return bytes;
}

void FrameMemory::release() {
  ++generation_;
  state_is_zero_ = false;
  state_.release();
  report_.release();
  host_report_.release();
  sums_.release();
  lines_.release();
  large_.release();
  for (auto* arrays : {&counts_, &cursors_, &keys_, &faces_, &filed_, &codes_, &span_begins_})
    for (auto& array : *arrays) array.release();
  for (auto& array : spans_) array.release();
  ends_.release();
  scratch_.release();
  flags_.release();
}

}  // namespace lamella::cuda
