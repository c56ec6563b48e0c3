#pragma once

#include <cstdint>
#include <string_view>

namespace lamella::cli {

/// While it lives, the first Ctrl-C (SIGINT) or SIGTERM only asks to stop: whoever works frame by frame looks at
/// signal() after each and finishes what it has. A second one ends the program at once. A signal that the program was
/// started to ignore stays ignored. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that came, or 0.
  [[nodiscard]] int signal() const;
  /// `status`; or, when a signal came, 128 and its number as shells have it, after a line on stderr.
  [[nodiscard]] int status(int status, std::uint64_t done, std::uint64_t total, std::string_view noun) const;
};

}  // namespace lamella::cli
