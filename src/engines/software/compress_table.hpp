#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lamella::software {

/// For each choice of lanes, as bits: the numbers of the chosen ones, then of the others. Static: an inline one would
/// be a symbol of the shared library.
template <std::size_t kLanes>
static constexpr auto kCompressTable = [] {
  std::array<std::array<std::int32_t, kLanes>, std::size_t{1} << kLanes> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    std::size_t next = 0;
    for (const bool chosen : {true, false})
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        if (((bits >> lane) & 1) == (chosen ? 1 : 0)) table[bits][next++] = static_cast<std::int32_t>(lane);
  }
  return table;
}();

/// The same for vectors of four lanes by their bytes, as a shuffle of bytes takes them.
static constexpr auto kCompressBytes = [] {
  std::array<std::array<std::uint8_t, 16>, 16> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits)
    for (std::size_t byte = 0; byte < 16; ++byte)
      table[bits][byte] = static_cast<std::uint8_t>(4 * kCompressTable<4>[bits][byte / 4] + byte % 4);
  return table;
}();

}  // namespace lamella::software
