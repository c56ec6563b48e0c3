#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lamella/grid.hpp"

namespace lamella {

/// Most threads that any class of the library starts.
inline constexpr unsigned kMaxThreads = 1024;

/// What an engine is made with.
struct EngineOptions {
  unsigned threads = 0;                           ///< 0: all cores this process may use; at most kMaxThreads
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
  std::uint64_t max_crossings = std::uint64_t{1} << 28;
};

/// What may differ from one query of an engine to the next.
struct QueryOptions {
  std::uint32_t resolution = 128;
  std::optional<Axis> axis = std::nullopt;
  bool strict = false;
  float min_thickness = 0x1p-20f;
};

/// Options of every query; name the ones that matter: `{.resolution = 256}`.
struct Options {
  std::string engine = "automatic";         ///< a name from engines(); "automatic" picks the fastest that is available
  std::uint32_t resolution = 128;           ///< columns and rows of the grid, 1 to kMaxResolution
  std::optional<Axis> axis = std::nullopt;  ///< of the rays; the shallowest when not given
  unsigned threads = 0;                     ///< 0: all cores this process may use; at most kMaxThreads
  /// Which GPU an engine runs on: its number in that engine's EngineInfo::devices. The first that works when not given.
  /// With "automatic": in cuda's where that is available, else in gl-lists'.
  std::optional<unsigned> device = std::nullopt;
  bool strict = false;  ///< a result whose health is not ok becomes an Error
  /// Spans not longer than this part of the box's depth are no overlap: depth rounding alone could make them.
  float min_thickness = 0x1p-20f;
  /// Crossings of one LDI beyond which a build stops with an Error instead of taking all memory.
  std::uint64_t max_crossings = std::uint64_t{1} << 28;

  [[nodiscard]] EngineOptions for_engine() const { return {threads, device, max_crossings}; }
  [[nodiscard]] QueryOptions for_query() const { return {resolution, axis, strict, min_thickness}; }
};

}  // namespace lamella
