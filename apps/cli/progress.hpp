#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/stopwatch.hpp"

namespace lamella::cli {

/// A bar on stderr while something takes long. Shows nothing in the first 300 ms, nor when stderr is no terminal, and
/// erases itself at the end. `at_once`: without the 300 ms, for what is known to take long between two updates.
class Progress {
 public:
  explicit Progress(std::string_view label, bool at_once = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `note` is written behind the bar.
  void update(std::uint64_t done, std::uint64_t total, std::string_view note = {});
  /// update() as a function, which must not outlive this object; empty when there is no terminal to draw on.
  [[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> callback();

 private:
  std::string label_;
  Stopwatch since_start_;
  double patience_ms_ = 0, drawn_at_ms_ = 0;
  bool terminal_ = false;
  bool drawn_ = false;
};

}  // namespace lamella::cli
