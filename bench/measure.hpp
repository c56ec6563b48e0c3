#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bench/row.hpp"
#include "cli/stopwatch.hpp"

// The one way in which benchmarks measure: repeat, then take medians.

namespace lamella::bench {

/// How often something is repeated: `least` times in any case, then until `budget_ms` are spent, `most` times at most.
struct Repeat {
  std::size_t least = 1, most = 1;
  double budget_ms = 0;
  double patience_ms = std::numeric_limits<double>::infinity();  ///< beyond which a single time must do
};

/// Calls run(i) with i = 0, 1, 2 and so on; returns how often.
template <class Run>
std::size_t repeat(const Repeat& how, const Run& run) {
  const cli::Stopwatch watch;
  const auto more = [&](std::size_t done) {
    if (done == 0) return true;
    if (watch.ms() > how.patience_ms) return false;
    return done < how.least || (done < how.most && watch.ms() < how.budget_ms);
  };
  std::size_t done = 0;
  for (; more(done); ++done) run(done);
  return done;
}

/// A GPU that was idle takes this long to clock itself up.
inline constexpr double kGpuWarmUpMs = 400;

/// Of a list that is not empty.
[[nodiscard]] double median(std::vector<double> values);
/// The value below which this part of them lies, from 0 to 1.
[[nodiscard]] double percentile(std::vector<double> values, double part);

/// Samples of a motion's frames, each a row of numbers with the same keys. Something that stands still is one frame.
class Samples {
 public:
  explicit Samples(std::size_t frames) : by_frame_(frames) {}

  void add(std::size_t frame, Row sample) { by_frame_[frame].push_back(std::move(sample)); }
  /// What was added so far was to warm up.
  void clear();
  /// Leaves out the frames from there on.
  void cut(std::size_t frames) { by_frame_.resize(frames); }

  [[nodiscard]] std::size_t frames() const { return by_frame_.size(); }
  [[nodiscard]] std::size_t runs() const;
  /// Every key's mean over the frames of each frame's median.
  [[nodiscard]] Row typical() const;
  /// Least and largest median of a frame.
  [[nodiscard]] double least(const std::string& key) const;
  [[nodiscard]] double largest(const std::string& key) const;

 private:
  [[nodiscard]] std::vector<double> frame_medians(const std::string& key) const;

  std::vector<std::vector<Row>> by_frame_;
};

/// Milliseconds for which this thread ran since it was made: what other programs take does not count. Reading it costs
/// most of a microsecond.
class CpuStopwatch {
 public:
  CpuStopwatch();
  [[nodiscard]] double ms() const;

 private:
  double start_ms_;
};

/// How often this thread was stopped so far for another to run; always 0 where the system does not tell.
[[nodiscard]] std::uint64_t interruptions();

}  // namespace lamella::bench
