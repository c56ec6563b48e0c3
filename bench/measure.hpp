#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/detector.hpp"

namespace lamella::cli {

/// A GPU that was idle takes this long to clock itself up.
inline constexpr double kGpuWarmUpMs = 400;

/// Something to time: `run` answers the frame's question, with all it needs made beforehand.
struct Workload {
  std::size_t faces = 0;  ///< triangles of all its meshes
  std::size_t frames = 1;
  std::function<Sample(TimedDetector& detector, std::size_t frame)> run;

  [[nodiscard]] bool stands_still() const { return frames == 1; }
};

/// Medians over all runs; the parts are those of Sample.
struct Measured {
  double ldi = 0, query = 0, upload = 0, total = 0, gpu = 0, motion = 0;
  std::uint64_t read_back = 0;  ///< bytes
  double min = 0, max = 0;      ///< of the frames' median totals
  double answer = 0;            ///< of the frame where it is largest
  std::size_t runs = 0;
};

/// At least 15 runs after warm-up; more as long as they take little time. Every run is of the next frame.
[[nodiscard]] Measured measure(const Workload& workload, TimedDetector& detector);

/// Of a list that is not empty.
[[nodiscard]] double median(std::vector<double> values);

/// To a millionth: what a clock can tell, in fewer digits.
[[nodiscard]] double rounded(double value);

}  // namespace lamella::cli
