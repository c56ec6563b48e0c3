#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/ldi.hpp"
#include "lamella/timings.hpp"
#include "lamella/verdict.hpp"

namespace lamella {

/// An interval of depth in one column.
struct Span {
  std::uint32_t column = 0;  ///< row-major index into the grid
  float begin = 0;           ///< depth, from the box's low face
  float end = 0;             ///< above `begin`
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// The place on a surface where a span begins or ends.
struct SpanEnd {
  std::uint32_t triangle = 0;  ///< of its mesh
  std::uint32_t mesh = 0;      ///< 0: the first mesh, 1: the second
  float weight_b = 0;          ///< barycentric, of the triangle's corners b and c; that of a is 1 - weight_b - weight_c
  float weight_c = 0;
  friend constexpr bool operator==(const SpanEnd&, const SpanEnd&) = default;
};

/// Both ends of a span.
struct SpanEnds {
  SpanEnd begin, end;
  friend constexpr bool operator==(const SpanEnds&, const SpanEnds&) = default;
};

/// How far an answer can be trusted. Columns that do not close are left out of the answer. For a pair, gl-ordered,
/// gl-unordered, gl-tr395 and software-wscg sample a column only inside the box, as published; if the mesh goes on
/// beyond the box they cannot know whether the column closes.
struct Health {
  std::uint32_t open_columns = 0;        ///< columns of the grid where a mesh's winding does not return to 0
  std::uint32_t occupied_columns = 0;    ///< columns with at least one crossing
  std::uint32_t inside_out_columns = 0;  ///< closed columns with a winding below 0 (pair: closed in both)
  std::uint32_t skipped_triangles = 0;   ///< NaN, infinite or too far away
  std::uint64_t dropped_crossings = 0;   ///< lost by the engine's method (Ldi::dropped_crossings)
  /// Upper bound of the volume in the columns left out: their area times the box's depth.
  double untrusted_volume = 0;
  /// contains(), vertices_inside(): points that are kPointUnknown.
  std::uint64_t untrusted_points = 0;
  /// Spans that were left out because they are no longer than their own error: the surfaces touch, as far as rounding
  /// and the lattice let one see.
  std::uint64_t uncertain_spans = 0;
  std::uint64_t closed_edges = 0;  ///< edges of holes that were closed by fans (lamella/repair.hpp)
  double fan_area = 0;             ///< of those fans
  /// The most that other ways to close the holes could change: the volume of the boxes around the holes' rims.
  double closing_volume = 0;

  /// Whether nothing was left out and nothing was added: all columns close, none is inside out, no triangle and no
  /// crossing is missing, no hole was closed.
  [[nodiscard]] bool ok() const {
    return open_columns == 0 && inside_out_columns == 0 && skipped_triangles == 0 && dropped_crossings == 0 &&
           closed_edges == 0;
  }
};

/// Something about the meshes of a query that makes its answer doubtful.
struct Doubt {
  enum class Cause : std::uint8_t {
    open_columns,       ///< a mesh has holes that were not closed
    inside_out,         ///< faces of a mesh look inwards
    skipped_triangles,  ///< vertices that are not finite or too far away
    dropped_crossings,  ///< lost by the engine's method
    touching,           ///< spans no longer than their own error
    closed_holes,       ///< holes were closed by fans; undecided where the answer depends on how
  };
  Cause cause = Cause::open_columns;
  int mesh = -1;            ///< 0: the first mesh, 1: the second; -1: not known which, or both
  std::uint64_t count = 0;  ///< of columns, triangles, crossings, spans or edges
  friend constexpr bool operator==(const Doubt&, const Doubt&) = default;
};

/// One sentence on what is wrong and what to do about it. `names` are what to call the meshes, by Doubt::mesh.
[[nodiscard]] LAMELLA_API std::string describe(const Doubt& doubt, std::span<const std::string> names = {});

/// The proof of a verdict, made with Options::certify: by exact arithmetic, on the positions as they are sampled
/// (floats, relative to Overlap::origin).
struct Certificate {
  bool certain = false;   ///< the verdict is proved
  bool touching = false;  ///< of a pair that is clear: the surfaces share points, but nothing overlaps
  /// Colliding: a point inside both meshes, or one that the mesh covers twice; in world coordinates.
  std::optional<Vec3d> witness = std::nullopt;
  /// Two triangles that meet, where some were looked for: of the first and of the second mesh. Of one mesh: both of it,
  /// and they meet elsewhere than in vertices that they share.
  std::optional<std::array<std::uint32_t, 2>> triangles = std::nullopt;
};

/// A shared volume, as spans with their sums.
struct Overlap {
  Verdict verdict = Verdict::clear;
  std::vector<Doubt> doubts;  ///< why the verdict is `undecided`, or the health not ok
  /// What `grid` and `bounds` are relative to: not 0 only for meshes that have an origin of their own, are given as
  /// doubles or are placed far away. The centroid is in world coordinates.
  Vec3d origin{};
  Grid grid;                   ///< zero columns when the boxes share no volume: nothing was sampled
  std::vector<Span> spans;     ///< ascending by column, then by depth; empty without Options::keep_spans
  std::vector<SpanEnds> ends;  ///< in step with `spans`, with Options::ends; else empty
  std::uint64_t span_count = 0;
  double volume = 0;  ///< span lengths times the cell area
  /// The volume is off by no more than this in 95 of 100 cases, estimated from how the volume depends on where the rays
  /// are (docs/error-bars.md). 0 where the volume is 0: of what no ray met, it says nothing.
  double volume_error = 0;
  bool tolerance_met = true;  ///< false: `volume_error` is above Options::tolerance at the highest resolution
  Certificate certificate;    ///< with Options::certify
  Vec3d centroid;             ///< of the volume; the origin when there is none
  Aabb bounds;                ///< of the cells' prisms; empty when there is none
  Health health;
  Timings ms;
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for this answer
  std::string engine;                 ///< name of the engine that answered
  /// Entries and exits were assumed to alternate (Ldi::alternating). If a mesh overlaps itself, the answer is wrong,
  /// and the health cannot show it.
  bool alternating = false;

  [[nodiscard]] bool colliding() const { return verdict == Verdict::colliding; }
};

/// Where a mesh overlaps itself: winding 2 or more. Winding below 0 is reported separately.
struct SelfOverlap : Overlap {
  std::vector<Span> inside_out;  ///< winding below 0: faces point inwards there
  double inside_out_volume = 0;
};

// Flags of points.
inline constexpr std::uint8_t kPointOutside = 0;
inline constexpr std::uint8_t kPointInside = 1;   ///< the winding is at least 1
inline constexpr std::uint8_t kPointUnknown = 2;  ///< its column does not close, or the mesh is inside out there

/// One flag per point.
struct Containment {
  Grid grid;       ///< of a rigid mesh: in its own frame
  Vec3d origin{};  ///< what `grid` and `box` are relative to, as in Overlap
  /// For each point in order: kPointOutside, kPointInside or kPointUnknown.
  std::vector<std::uint8_t> inside;
  std::uint64_t inside_count = 0;  ///< points inside
  /// The box that contains() was limited to. A point outside it was not looked at: its flag is 0, which says nothing.
  std::optional<Aabb> box = std::nullopt;
  std::uint64_t not_looked_at = 0;  ///< points outside `box`
  Health health;
  Timings ms;
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for this answer
  std::string engine;
  bool alternating = false;  ///< as in Overlap
};

/// A vertex of one mesh inside another, and the ways out of the other along the vertex's ray: distances along the
/// grid's ray axis to where the ray leaves the solid, as sampled by the column that the vertex lies in.
struct VertexInside {
  std::uint32_t vertex = 0;  ///< index into its mesh's positions
  float back = 0;            ///< towards smaller coordinates; infinite when the surface lies beyond the grid's box
  float ahead = 0;           ///< towards larger coordinates; likewise

  /// The shorter way. One of both is always finite: each mesh has a face of the box that lies outside it. Where the
  /// other is infinite, it is at least as long as the way to the box's face.
  [[nodiscard]] float depth() const { return back < ahead ? back : ahead; }
  friend constexpr bool operator==(const VertexInside&, const VertexInside&) = default;
};

/// The vertices of one mesh that lie inside another.
struct VerticesOfOne {
  Grid grid;  ///< on which the other mesh was sampled, in its own frame if it is rigid; zero columns: nothing sampled
  std::vector<VertexInside> inside;  ///< ascending by vertex
  std::uint64_t looked_up = 0;       ///< vertices within the grid's box; the others cannot be inside
};

/// Which vertices of each mesh of a pair lie inside the other. Surfaces can cross although no vertex is inside: for a
/// verdict on the pair use intersect().
struct VerticesInside {
  VerticesOfOne a_in_b, b_in_a;
  Vec3d origin{};            ///< what the grids are relative to, as in Overlap; 0 with a rigid mesh
  Health health;             ///< of both meshes; columns of both are added up
  bool alternating = false;  ///< as in Overlap, for either mesh
  Timings ms;
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for this answer
  std::string engine;

  [[nodiscard]] bool any() const { return !a_in_b.inside.empty() || !b_in_a.inside.empty(); }
};

/// Where a ray crosses the surfaces of two objects close to each other, inside or just outside their shared volume:
/// near the intersection of the surfaces.
struct CollisionPoint {
  std::uint32_t pair = 0;                        ///< index into SceneResult::pairs
  Vec3d on_a, on_b;                              ///< on one ray, in world coordinates
  bool front_a = false, front_b = false;         ///< whether the ray enters the object there, or leaves it
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< of their meshes
};

}  // namespace lamella
