#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/cuda/work.hpp"

namespace lamella::cli {

/// Of many frames, in microseconds.
struct Spread {
  double median = 0, p10 = 0, p90 = 0;
  std::size_t frames = 0;
};

/// All that is known of one work, in microseconds for each of its units.
struct CudaFigures {
  std::string name, description, answer;
  double target = 0;
  std::uint32_t units = 1;
  std::uint64_t bytes = 0;
  double floor = 0;   ///< reading all inputs once, at the speed of a copy
  Spread device;      ///< by the device's clock, around the launch
  Spread latency;     ///< by the host's, from the launch until the answer is there
  Spread cold;        ///< by the device's, when caches hold nothing but the new vertices
  Spread software_1;  ///< on one thread; no frames when other engines were not asked
  Spread software;    ///< on all
  std::string opengl_engine;
  Spread opengl;  ///< by the host's clock, upload included; no frames without such an engine
  std::size_t sets = 0;
  std::size_t late = 0;     ///< frames that were not all on the stream when it went on; part of `device` all the same
  std::string differences;  ///< from the CPU's answers; empty when there are none

  [[nodiscard]] bool met() const { return device.median <= target; }
};

/// Makes the work, checks it on every set of vertices, measures it, and checks it again.
[[nodiscard]] CudaFigures measure_cuda(const CudaCase& work, const CudaBenchArgs& args, double bytes_per_second);

}  // namespace lamella::cli
