#pragma once

#include <array>

#include "engines/cuda/frame.hpp"
#include "engines/cuda/runtime.hpp"

// What a frame keeps on the device, and how much of it.

namespace lamella::cuda {

/// How columns are kept and how much room there is; adapted to what frames turn out to need.
struct FrameShape {
  std::uint32_t slots = 8;  ///< of a column; 0: counted
  bool deep = false;        ///< counted because a column has more crossings than slots can hold
  bool large_pass = true;
  std::uint32_t large_parts = 1u << 14;
  std::array<std::uint32_t, 2> crossings = {};  ///< of each mesh, when counted
  std::array<std::uint32_t, 2> spans = {};      ///< of overlap and of inside out, when wanted
};

/// Arrays that grow. One frame at a time uses them; queries that never run at the same time may share them. Must be
/// used and destroyed with its device current.
class FrameMemory {
 public:
  /// Room for the frame in this shape; fills in the frame's pointers and capacities. `spans`: whether they are wanted.
  /// Throws Error (device) when the device has not enough, and then keeps nothing at all.
  void prepare(Frame& frame, const FrameShape& shape, bool spans);

  /// Grows by one whenever something moved: who has pointers from before must prepare() again.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Makes sure, on this stream, that the state is all zero, as a frame must find it.
  void zero_state(cudaStream_t stream);
  /// After a frame that was not carried through.
  void distrust_state() { state_is_zero_ = false; }

  /// Bytes that columns in slots may take on this device now: they must leave room for meshes and answers.
  [[nodiscard]] std::size_t key_budget() const;
  /// Device memory held.
  [[nodiscard]] std::size_t device_bytes() const;
  void release();

 private:
  template <class Array>
  void reserve(Array& array, std::size_t count, const char* for_what);
  void prepare_columns(Frame& frame, const FrameShape& shape);
  void prepare_spans(Frame& frame, const FrameShape& shape, bool wanted);

  DeviceArray<FrameState> state_;
  DeviceArray<FrameReport> report_;
  PinnedArray<FrameReport> host_report_;
  DeviceArray<std::uint64_t> sums_;
  DeviceArray<LargePart> large_;
  DeviceArray<std::uint32_t> counts_[2], cursors_[2], keys_[2], codes_[2], span_begins_[2];
  DeviceArray<Span> spans_[2];
  DeviceArray<unsigned char> scratch_;
  DeviceArray<std::uint8_t> flags_;
  std::uint64_t generation_ = 1;
  bool state_is_zero_ = false;
};

}  // namespace lamella::cuda
