#pragma once

#include <cstdint>
#include <limits>

#include "lamella/mesh_io.hpp"

namespace lamella::io {

/// Calls ReadOptions::progress about every 8 MiB, and never for a file smaller than that.
class Progress {
 public:
  Progress(const ReadOptions& options, std::uint64_t total) : options_(options), total_(total) {
    if (options.progress && total >= kStep) next_ = kStep;
  }

  void at(std::uint64_t done) {
    if (done >= next_) [[unlikely]] {
      options_.progress(done, total_);
      next_ = done + kStep;
    }
  }

  void finish() {
    if (next_ != kNever) options_.progress(total_, total_);
  }

 private:
  static constexpr std::uint64_t kStep = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  const ReadOptions& options_;
  std::uint64_t total_;
  std::uint64_t next_ = kNever;
};

}  // namespace lamella::io
