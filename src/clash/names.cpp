#include <algorithm>
#include <array>

#include "lamella/clash.hpp"

namespace lamella {
namespace {

constexpr std::array<std::string_view, kClashClasses> kNames{"clear",    "near",      "touching", "overlapping",
                                                             "piercing", "contained", "duplicate"};

}  // namespace

std::string_view to_string(ClashClass kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<ClashClass> parse_clash_class(std::string_view word) {
  const auto found = std::find(kNames.begin(), kNames.end(), word);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ClashClass>(found - kNames.begin());
}

}  // namespace lamella
