#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "cli/clash/packed.hpp"

namespace lamella::cli {

using Messages = std::vector<std::vector<char>>;  ///< one for each process, or from each

[[nodiscard]] std::size_t processes();
[[nodiscard]] std::size_t this_process();

/// What rank 0 makes, on all processes, for content_of(); or its Error. Collective.
[[nodiscard]] std::vector<char> from_rank_0(const std::function<void(Packer&)>& make);
[[nodiscard]] Unpacker content_of(std::span<const char> bytes);

/// A call of rank 0 alone; all processes throw its Error: none goes on to where it would wait for rank 0. Collective.
void on_rank_0(const std::function<void()>& call);

}  // namespace lamella::cli
