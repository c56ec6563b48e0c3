#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenes/crowded_assembly.hpp"
#include "scenes/sample_assembly.hpp"

namespace lamella::cli {

// Built-in assemblies as inputs of commands that take one: "assembly:gearbox", "assembly:crowd:PARTS".

struct BuiltInAssembly {
  std::string_view name;
  std::size_t parts = 0, meshes = 0;  ///< unless other numbers are asked for
  std::string_view summary;
};

[[nodiscard]] std::span<const BuiltInAssembly> built_in_assemblies();

[[nodiscard]] bool is_assembly(std::string_view input);

/// An assembly that was asked for, not made yet.
struct AssemblyInput {
  const BuiltInAssembly* kind = nullptr;
  std::size_t parts = 0;

  [[nodiscard]] std::string name() const;  ///< "gearbox", "crowd-10000": for files
  [[nodiscard]] scenes::SampleAssembly make() const;
  /// Of a crowd, which can be made part by part; nothing for others.
  [[nodiscard]] std::optional<scenes::CrowdedOptions> crowd() const;
  static constexpr double kCrowdClearance = 0.05;
};

/// Of "assembly:NAME[:PARTS]", or of the same without "assembly:". Throws Error for an unknown name, and for a number
/// of parts that is none.
[[nodiscard]] AssemblyInput parse_assembly(std::string_view input);

/// Whether a name without "assembly:" is one of theirs, so that commands that also take models can tell.
[[nodiscard]] bool names_assembly(std::string_view input);

}  // namespace lamella::cli
