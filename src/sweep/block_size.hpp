#pragma once

#include <algorithm>
#include <cstddef>

namespace lamella::sweep_parts {

/// How long a block should take: a run that is interrupted ends after one, and one that is killed loses some.
inline constexpr double kBlockSeconds = 0.25;

/// How many jobs the next block should have, after one of `jobs` took `seconds`. No more than four times as many: the
/// next ones may be slower. `fewest`: one for each thread, as a job is answered by one of them.
[[nodiscard]] inline std::size_t next_block(std::size_t jobs, double seconds, std::size_t fewest, std::size_t most) {
  const double wanted = kBlockSeconds * static_cast<double>(jobs) / std::max(seconds, 1e-6);
  const std::size_t largest = std::max(fewest, std::min(4 * jobs, most));
  return static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(fewest), static_cast<double>(largest)));
}

}  // namespace lamella::sweep_parts
