#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "clash/patterns.hpp"
#include "lamella/clash.hpp"

namespace lamella::clash {

/// Whether a part is in a set of ClashRule: by its name, or by its group or layer.
[[nodiscard]] bool in_set(std::string_view set, const AssemblyPart& part);

/// Many sets, by what of a part they are about.
struct SetPatterns {
  Patterns names, groups, layers;

  /// Keeps a view of the set.
  void add(std::string_view set, std::uint32_t number);
};

}  // namespace lamella::clash
