#pragma once

#include <cstdint>

namespace lamella::cli {

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

}  // namespace lamella::cli
