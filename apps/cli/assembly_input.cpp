#include "cli/assembly_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "scenes/crowded_assembly.hpp"

namespace lamella::cli {
namespace {

constexpr std::string_view kPrefix = "assembly:";
constexpr std::uint32_t kMostParts = 1'000'000;

constexpr std::array kAssemblies{
    BuiltInAssembly{"gearbox", 236, 61, "a gearbox of two stages, in mm, with clashes of every class and their truth"},
    BuiltInAssembly{"crowd", 10'000, 1'000,
                    "parts of 1,000 triangles; a third of them is close to another: to measure"}};

const BuiltInAssembly* find(std::string_view name) {
  const auto at = std::find_if(kAssemblies.begin(), kAssemblies.end(), [&](const auto& a) { return a.name == name; });
  return at == kAssemblies.end() ? nullptr : &*at;
}

std::string_view without_prefix(std::string_view input) {
  return is_assembly(input) ? input.substr(kPrefix.size()) : input;
}

}  // namespace

std::span<const BuiltInAssembly> built_in_assemblies() { return kAssemblies; }

bool is_assembly(std::string_view input) { return input.starts_with(kPrefix); }

bool names_assembly(std::string_view input) {
  const std::string_view asked = without_prefix(input);
  return is_assembly(input) || find(asked.substr(0, asked.find(':'))) != nullptr;
}

AssemblyInput parse_assembly(std::string_view input) {
  const std::string_view asked = without_prefix(input);
  const std::size_t colon = asked.find(':');
  const std::string_view name = asked.substr(0, colon);
  const BuiltInAssembly* kind = find(name);
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const BuiltInAssembly& known : kAssemblies) names.emplace_back(known.name);
    throw Error(fmt::format("{}: there is no assembly '{}'{}", input, name, suggestion(name, names, kPrefix)));
  }
  if (colon == std::string_view::npos) return {kind, kind->parts};
  if (kind->name != "crowd")
    throw Error(fmt::format("{}: only 'crowd' has a number of parts; type {}{}", input, kPrefix, name));
  return {kind, parse_count(fmt::format("{}: the parts", input), asked.substr(colon + 1), 1, kMostParts)};
}

std::string AssemblyInput::name() const {
  return kind->name == "crowd" ? fmt::format("crowd-{}", parts) : std::string(kind->name);
}

scenes::SampleAssembly AssemblyInput::make() const {
  if (!crowd()) return scenes::gearbox();
  scenes::SampleAssembly sample;
  sample.assembly = scenes::crowded_assembly(*crowd());
  sample.clearance = kCrowdClearance;
  return sample;
}

std::optional<scenes::CrowdedOptions> AssemblyInput::crowd() const {
  if (kind->name != "crowd") return std::nullopt;
  return scenes::CrowdedOptions{.parts = parts,
                                .meshes = static_cast<std::uint32_t>(std::max<std::size_t>(1, parts / 10))};
}

}  // namespace lamella::cli
