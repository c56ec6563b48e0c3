#include "geometry_image/limits.hpp"

#include <algorithm>
#include <limits>

namespace lamella::gi {

bool Limits::look() {
  if (deadline_ == Clock::time_point::max()) {
    visits_ = std::numeric_limits<int>::max();
    return false;
  }
  const Clock::time_point now = now_();
  if (now >= deadline_) return true;
  const auto left = static_cast<double>((deadline_ - now).count());
  const auto taken = static_cast<double>((now - looked_).count());
  // At most twice as many as last time: the first visits, with cold caches, tell little about the pace.
  const double most = std::min(kMostVisits, std::max(1, 2 * stride_));
  const double in_half_the_time = stride_ == 0 || taken <= 0 ? 1 : left / 2 * stride_ / taken;
  visits_ = stride_ = static_cast<int>(std::clamp(in_half_the_time, 1.0, most));
  looked_ = now;
  return false;
}

Limits::Clock::time_point deadline_after(std::chrono::nanoseconds budget) {
  using Clock = Limits::Clock;
  if (budget.count() == 0) return Clock::time_point::max();
  const Clock::time_point now = Clock::now();
  if (budget.count() < 0) return now;
  return budget < Clock::time_point::max() - now ? now + budget : Clock::time_point::max();
}

}  // namespace lamella::gi
