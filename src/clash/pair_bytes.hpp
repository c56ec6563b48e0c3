#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lamella/clash.hpp"

namespace lamella::clash {

/// More than any answer takes: 64 regions, and doubts of every cause.
inline constexpr std::size_t kMostPairBytes = 8192;

/// Appends the answer of a pair as bytes: all but which parts and which rule it is of.
void append_bytes(std::string& to, const ClashPair& pair);
/// The same answer; nothing for bytes that are none.
[[nodiscard]] std::optional<ClashPair> pair_of(std::string_view bytes);

}  // namespace lamella::clash
