#pragma once

// A frame's memory on the device, and its sizes.

#include <array>

#include "engines/cuda/frame.hpp"
#include "engines/cuda/runtime.hpp"

namespace lamella::cuda {

/// How columns are stored and how much room there is; adapted to what frames need.
struct FrameShape {
  std::uint32_t slots = 8;  ///< of a column; 0: counted
  bool deep = false;        ///< counted because a column has more crossings than slots can hold
  bool large_pass = true;
  std::uint32_t large_parts = 1u << 14;
  std::array<std::uint32_t, 2> crossings = {};  ///< of each mesh, when counted
  std::array<std::uint32_t, 2> spans = {};      ///< of overlap and of inside out, when wanted
};

/// Arrays that grow. One frame at a time uses them; queries that never run at the same time may share them. Use and
/// destroy it with its device current.
class FrameMemory {
 public:
  /// Makes room for the frame in this shape; fills in the frame's pointers and capacities. `spans`: whether they are
  /// wanted. Throws Error (device) when there is not enough memory, and then keeps none.
  void prepare(Frame& frame, const FrameShape& shape, bool spans);

  /// Increases by one whenever an array moved: users of older pointers must call prepare() again.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Makes sure, on this stream, that the state and the lines are all zero, as a frame requires.
  void zero_state(cudaStream_t stream);
  /// Call after a frame that was not completed.
  void distrust_state() { state_is_zero_ = false; }

  /// Bytes that crossings in slots may use on this device now, leaving room for meshes and answers.
  [[nodiscard]] std::size_t key_budget() const;
  /// Device memory held, in bytes.
  [[nodiscard]] std::size_t device_bytes() const;
  void release();

 private:
  template <class Array>
  void reserve(Array& array, std::size_t count, const char* for_what);
  void prepare_columns(Frame& frame, const FrameShape& shape);
  void prepare_lines(Frame& frame);
  void prepare_spans(Frame& frame, const FrameShape& shape, bool wanted);
  void prepare_ends(Frame& frame);

  DeviceArray<FrameState> state_;
  DeviceArray<FrameReport> report_;
  PinnedArray<FrameReport> host_report_;
  DeviceArray<std::uint64_t> sums_;
  DeviceArray<LineSum> lines_;
  DeviceArray<LargePart> large_;
  DeviceArray<std::uint32_t> counts_[2], cursors_[2], keys_[2], codes_[2], span_begins_[2];
  DeviceArray<std::uint32_t> faces_[2], filed_[2];  ///< of frames with ends
  DeviceArray<Span> spans_[2];
  DeviceArray<SpanEnds> ends_;
  DeviceArray<unsigned char> scratch_;
  DeviceArray<std::uint8_t> flags_;
  std::uint64_t generation_ = 1;
  bool state_is_zero_ = false;
};

}  // namespace lamella::cuda
