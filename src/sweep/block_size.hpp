#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lamella::sweep_parts {

/// How long a block should take: a run that is interrupted ends after one, and one that is killed loses some.
inline constexpr double kBlockSeconds = 0.25;

/// Jobs that a GPU answers together, whose batches are planned for their largest pair. Tests make it smaller.
extern std::size_t gpu_unit;

/// Jobs from `first` up to the next multiple of `unit`, but no more than `most`; all where the unit is 1.
[[nodiscard]] inline std::size_t up_to_unit(std::uint64_t first, std::size_t unit, std::size_t most) {
  return unit == 1 ? most : std::min(most, static_cast<std::size_t>(unit - first % unit));
}

/// How many jobs the next block should have, after one of `jobs` took `seconds`. No more than four times as many: the
/// next ones may be slower. `fewest`: one for each thread, as a job is answered by one of them.
[[nodiscard]] inline std::size_t next_block(std::size_t jobs, double seconds, std::size_t fewest, std::size_t most) {
  const double wanted = kBlockSeconds * static_cast<double>(jobs) / std::max(seconds, 1e-6);
  const std::size_t largest = std::max(fewest, std::min(4 * jobs, most));
  return static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(fewest), static_cast<double>(largest)));
}

}  // namespace lamella::sweep_parts
