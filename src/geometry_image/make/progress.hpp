#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "lamella/geometry_image.hpp"

namespace lamella::gi {

/// Tells the caller of make_geometry_images how far it is: never less than before, and all of it at the end. Each stage
/// has a fixed share of a component's steps, about its share of the time. Stages that are repeated, to repair a map, do
/// not count twice. Only the thread that made it calls the caller.
class Progress {
 public:
  enum Stage { kCut, kBorder, kTrials, kMap, kImage };

  Progress(const MakeImageOptions& options, std::size_t components)
      : report_(options.progress), total_(kEnds.back() * components) {}

  /// `part` of a stage is done, from 0 to 1.
  void at(Stage stage, double part) {
    if (!report_ || !here()) return;
    const std::uint64_t begin = stage == kCut ? 0 : kEnds[stage - 1];
    const auto steps =
        static_cast<std::uint64_t>(static_cast<double>(kEnds[stage] - begin) * std::clamp(part, 0.0, 1.0));
    const std::uint64_t done = before_ + begin + steps;
    if (done <= done_) return;
    done_ = done;
    report_(done_, total_);
  }
  /// The current component is done.
  void next_component() {
    at(kImage, 1);
    before_ += kEnds.back();
  }
  /// Whether this is the thread that made it.
  [[nodiscard]] bool here() const { return std::this_thread::get_id() == thread_; }

 private:
  static constexpr std::array<std::uint64_t, 5> kEnds{110, 250, 720, 970, 1000};

  const std::function<void(std::uint64_t, std::uint64_t)>& report_;
  std::thread::id thread_ = std::this_thread::get_id();
  std::uint64_t before_ = 0;  ///< steps of the components that are done
  std::uint64_t done_ = 0, total_;
};

}  // namespace lamella::gi
