#pragma once

// One query, run frame after frame: puts the kernels on a stream, as a graph once they stay the same, and repeats a
// frame for which there was not enough room.

#include <memory>

#include "engines/cuda/frame_memory.hpp"

namespace lamella::cuda {

/// Options that are fixed when a runner is made.
struct RunnerOptions {
  bool spans = false;
  bool strict = false;
  bool timed = false;  ///< gpu_ms() is wanted
  std::uint64_t max_crossings = 0;
};

class FrameRunner {
 public:
  /// Reads the members of `asked` up to column_count; fills in the rest. `memory` belongs to `device`, and must outlive
  /// the runner. The device must be current here and in all other members.
  FrameRunner(const DeviceFacts& device, FrameMemory& memory, const Frame& asked, const RunnerOptions& options);
  ~FrameRunner();

  /// Puts one frame on the stream. If it throws, the next launch starts again from the beginning.
  void launch(cudaStream_t stream);
  /// Waits for the frame, and repeats it on its stream while there was not enough room. Throws Error as Query::wait();
  /// the next launch works normally.
  const FrameReport& wait();

  [[nodiscard]] const Frame& frame() const { return frame_; }
  /// The query as it was given, without memory: for comparing.
  [[nodiscard]] const Frame& asked() const { return asked_; }
  [[nodiscard]] const FrameReport& report() const { return report_; }
  /// How often the last wait() repeated the frame.
  [[nodiscard]] unsigned repeats() const { return repeats_; }
  /// Milliseconds of the last frame by the device's own clock, repeats included; only when timed.
  [[nodiscard]] double gpu_ms() const { return gpu_ms_; }

  /// Starts with the sizes that another runner of the same kind and meshes needed.
  void learn_from(const FrameRunner& other);

 private:
  [[nodiscard]] FrameShape first_shape() const;
  [[nodiscard]] bool fits(std::uint32_t slots) const;
  void run(cudaStream_t stream);
  void put(cudaStream_t stream) const;
  void refuse(const FrameReport& report) const;
  [[nodiscard]] bool grow(const FrameReport& report);
  [[nodiscard]] bool grow_columns(const FrameReport& report);
  void drop_large_pass(const FrameReport& report);
  void leave_counted(const FrameReport& report);
  void start_anew();
  void change_shape() { generation_ = 0; }

  FrameMemory& memory_;
  RunnerOptions options_;
  Frame asked_, frame_;
  FrameShape shape_;
  bool shape_chosen_ = false;
  Graph graph_;
  Event begin_, done_;
  cudaStream_t stream_ = nullptr;
  std::uint64_t generation_ = 0;  ///< of the memory that frame_ points to; 0: not prepared
  unsigned same_frames_ = 0;      ///< launched since kernels or memory changed
  unsigned without_large_ = 0;    ///< frames in a row that had no large triangle
  unsigned shallow_ = 0;          ///< counted frames in a row that would have fit in slots
  bool keep_large_pass_ = false;  ///< it was dropped once, and was needed again
  bool launched_ = false;
  FrameReport report_;
  unsigned repeats_ = 0;
  double gpu_ms_ = 0;
};

}  // namespace lamella::cuda
