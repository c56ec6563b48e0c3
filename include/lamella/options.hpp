#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lamella/grid.hpp"

namespace lamella {

/// The most threads that any class of the library starts.
inline constexpr unsigned kMaxThreads = 1024;

/// How far off a volume may be: by the larger of the two.
struct Tolerance {
  double relative = 0;  ///< of the volume: 0.001 is 0.1 %
  double absolute = 0;  ///< a volume

  [[nodiscard]] constexpr double of(double volume) const {
    const double part = relative * volume;
    return part < absolute ? absolute : part;
  }
  friend constexpr bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// Options that are fixed when an engine is made; members as in Options.
struct EngineOptions {
  unsigned threads = 0;                           ///< 0: all cores this process may use; at most kMaxThreads
  std::optional<unsigned> device = std::nullopt;  ///< as Options::device
  std::uint64_t max_crossings = std::uint64_t{1} << 28;
};

/// Options that may change from one query of an engine to the next; members as in Options.
struct QueryOptions {
  std::uint32_t resolution = 128;
  std::optional<Axis> axis = std::nullopt;
  bool strict = false;
  float min_thickness = 0x1p-20f;
  bool keep_spans = true;
  bool around_points = false;
  bool explain = false;
  std::optional<Tolerance> tolerance = std::nullopt;
  bool certify = false;
  bool exact = false;
  bool ends = false;
};

/// Options of every query. Set only those you need: `{.resolution = 256}`.
struct Options {
  std::string engine = "automatic";         ///< a name from engines(); "automatic" picks the fastest that is available
  std::uint32_t resolution = 128;           ///< columns and rows of the grid, 1 to kMaxResolution
  std::optional<Axis> axis = std::nullopt;  ///< of the rays; when not given, the one with the shallowest box
  unsigned threads = 0;                     ///< 0: all cores this process may use; at most kMaxThreads
  /// Which GPU an engine runs on: its index in that engine's EngineInfo::devices. When not given, the first that works.
  /// With "automatic": the index in cuda's list if cuda is available, else in gl-lists'.
  std::optional<unsigned> device = std::nullopt;
  bool strict = false;  ///< a result whose health is not ok, or whose verdict is undecided, becomes an Error
  /// 0 or more. Spans not longer than this fraction of the box's depth do not count: rounding alone could make them.
  float min_thickness = 0x1p-20f;
  /// Most crossings of a mesh that are kept at a time; with more, Error is thrown instead of using all memory. Those of
  /// one LDI. Whole queries of `software` make no LDI: there, those of one tile of at most 16,384 columns.
  std::uint64_t max_crossings = std::uint64_t{1} << 28;
  /// False: an overlap has its sums, but its spans are left out; only their number is given. At high resolutions most
  /// memory goes to spans, 12 bytes each.
  bool keep_spans = true;
  /// contains(): sample only the part of the mesh around the points, so that all columns go where the points are. By
  /// default the whole mesh is sampled, and points in a corner of it get few columns.
  bool around_points = false;

  /// Instead of `resolution`: how far off the volume may be. The axis and the number of columns are then chosen so that
  /// Overlap::volume_error is within it; if that fails, Overlap::tolerance_met is false. Overlaps only.
  std::optional<Tolerance> tolerance = std::nullopt;
  /// Prove the verdict of an overlap by exact arithmetic (Overlap::certificate): by a point inside both meshes, or by
  /// showing that no two triangles meet and neither mesh contains the other.
  bool certify = false;
  /// contains(): every flag by exact arithmetic, however close to the surface its point is. Inside is where the winding
  /// is at least 1, of the mesh's positions and at the point as they are sampled: floats relative to
  /// Containment::origin, of a rigid mesh in its own frame. A point on the surface is outside, as touching is not
  /// overlapping. kPointUnknown stays what it is: where the mesh is inside out, or open along the point's ray; a hole
  /// that no column shows is not looked for. Any engine can be asked; the CPU decides the points near the surface.
  bool exact = false;

  /// Also tell which triangles end each span, and where on them (Overlap::ends). Overlaps by `software` and `cuda`;
  /// with other engines an Error. Needs `keep_spans`.
  bool ends = false;

  /// Say of every doubt (Overlap::doubts) which mesh it is about, at the cost of sampling each mesh once more. When the
  /// verdict is undecided, and with `strict`, that is done anyway.
  bool explain = false;
  /// Meshes with holes are closed by fans of triangles before they are sampled (lamella/repair.hpp): meshes that are
  /// kept when they are added, meshes of one-off queries in each call. Health tells what was closed.
  bool close_holes = true;
  /// The same for the views that a Detector is given. Off: finding the holes costs more than the query itself.
  bool close_views = false;

  [[nodiscard]] EngineOptions for_engine() const { return {threads, device, max_crossings}; }
  [[nodiscard]] QueryOptions for_query() const {
    return {resolution, axis,      strict,  min_thickness, keep_spans, around_points,
            explain,    tolerance, certify, exact,         ends};
  }
};

}  // namespace lamella
