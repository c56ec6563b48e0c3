#pragma once

#include <chrono>

namespace lamella {

/// Measures the times of successive stages.
class Stopwatch {
 public:
  void lap(double& ms) {
    const auto now = std::chrono::steady_clock::now();
    ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace lamella
