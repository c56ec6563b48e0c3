#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace lamella::cli {

/// The processes with how much they have; the least first.
class Loads {
 public:
  explicit Loads(std::vector<std::uint64_t> loads) {
    for (std::size_t i = 0; i < loads.size(); ++i) queue_.emplace(loads[i], i);
  }
  [[nodiscard]] std::uint64_t least() const { return queue_.top().first; }
  std::size_t give_to_least(std::uint64_t amount) {
    const auto [load, process] = queue_.top();
    queue_.pop();
    queue_.emplace(load + amount, process);
    return process;
  }

 private:
  using Load = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> queue_;
};

}  // namespace lamella::cli
