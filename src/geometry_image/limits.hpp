#pragma once

#include <chrono>
#include <cstdint>

namespace lamella::gi {

/// When a query must end: after so many tests, or at a time. Reading the clock takes a fifth of the time of a visit, so
/// it is read before the first visit, and then so rarely that half of the time left passes in between, by the pace so
/// far: every 16 visits while there is much time left, before each of the last ones.
class Limits {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  /// `max_tests`: 0 for any number. `now`: another clock, for tests.
  Limits(std::uint64_t max_tests, Clock::time_point deadline, Now now = &Clock::now)
      : max_tests_(max_tests != 0 ? max_tests : ~std::uint64_t{0}), deadline_(deadline), now_(now) {}

  /// To be called before every visit, with the tests made so far.
  bool reached(std::uint64_t tests) { return tests >= max_tests_ || (--visits_ <= 0 && look()); }
  /// A visit that may take as long as several.
  void long_visit() { visits_ -= kLongVisit; }
  /// The next call of reached() reads the clock.
  void look_next() { visits_ = 1; }

 private:
  static constexpr int kMostVisits = 16;  ///< per reading of the clock: a microsecond or two
  static constexpr int kLongVisit = 4;

  bool look();

  std::uint64_t max_tests_;
  Clock::time_point deadline_;
  Now now_;
  Clock::time_point looked_ = {};  ///< when the clock was last read
  int visits_ = 1;                 ///< until the clock is read; the first call reads it
  int stride_ = 0;                 ///< visits since it was last read
};

/// The time `budget` from now: never for 0 or beyond the clock's range, now for a negative budget.
[[nodiscard]] Limits::Clock::time_point deadline_after(std::chrono::nanoseconds budget);

}  // namespace lamella::gi
