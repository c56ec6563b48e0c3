#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lamella/clash.hpp"

namespace lamella::scenes {

/// A pair that find_clashes() must report, with what is known about it.
struct PlantedClash {
  std::string a, b;  ///< names of the parts, in any order
  ClashClass kind = ClashClass::overlapping;
  bool allowed = false;                         ///< by the assembly's rules
  std::optional<double> volume = std::nullopt;  ///< shared, in closed form
  std::optional<double> distance = std::nullopt;
  std::size_t regions = 1;  ///< where a volume is shared
  std::string why{};        ///< what went wrong, or why it is allowed
};

/// An assembly with its rules and the truth: the planted pairs, and no others, are less than clear.
struct SampleAssembly {
  Assembly assembly;
  double clearance = 0, touch = 0;  ///< ClashOptions of the same names
  std::vector<ClashRule> rules;
  std::vector<PlantedClash> truth;
};

/// Options with the assembly's rules, clearance and touch.
[[nodiscard]] inline ClashOptions clash_options(const SampleAssembly& sample) {
  ClashOptions options;
  options.clearance = sample.clearance;
  options.touch = sample.touch;
  options.rules = sample.rules;
  return options;
}

/// A gearbox with two stages, of about 230 parts and 60 meshes, in millimetres: shafts along x, z up. Some of its parts
/// clash, in every way that ClashClass has. The same bits everywhere.
[[nodiscard]] SampleAssembly gearbox();

}  // namespace lamella::scenes
