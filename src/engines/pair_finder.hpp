#pragma once

// What a scene passes to an engine, and what it gets back. A group is a set of objects that may collide, sampled
// together on one grid.

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "core/window.hpp"
#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/timings.hpp"

namespace lamella {

/// Faces are numbered through the whole group. Every object's numbers start at a multiple of this, so that a table
/// gives the object of a face.
inline constexpr std::uint32_t kFaceBlock = 256;

/// An object of a group, relative to the group's origin.
struct GroupObject {
  MeshView mesh;
  Window window;  ///< around all of its ObjectWindows
  std::uint32_t first_face = 0;
  /// Number of its ObjectId: the triangles of a number never change while the scene exists. ~0: not an object of a
  /// scene.
  std::uint32_t id = ~0u;
};

/// Cells where an object can meet another.
struct ObjectWindow {
  std::uint32_t object = 0;  ///< index in the group
  Window window;
};

/// Two objects of a group whose boxes share a volume, by their indices in the group; a < b.
struct Candidate {
  std::uint32_t a = 0, b = 0;
  bool points = true;  ///< whether its collision points are wanted; false when a group is a pair's second view
  float depth = 0;     ///< of the box that they share, along the rays

  friend constexpr auto operator<=>(const Candidate& x, const Candidate& y) {
    return x.a != y.a ? x.a <=> y.a : x.b <=> y.b;
  }
  friend constexpr bool operator==(const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; }
};

struct Group {
  Vec3d origin;  ///< what the grid and the objects are relative to
  Grid grid;     ///< along the rays, its box contains all objects with a small margin: no crossing is cut off
  std::vector<GroupObject> objects;
  /// Where objects need sampling, ascending by object; those of one object do not overlap.
  std::vector<ObjectWindow> windows;
  std::vector<std::uint32_t> object_of_block;  ///< face / kFaceBlock to index into `objects`
  std::vector<Candidate> candidates;           ///< ascending
  std::vector<std::uint32_t> first_candidate;  ///< of object i: candidates[first_candidate[i] ..)

  [[nodiscard]] std::uint32_t object_of(std::uint32_t face) const { return object_of_block[face / kFaceBlock]; }
};

/// A surface that a ray crosses: depth, facing and face.
struct Surface {
  Crossing crossing;
  std::uint32_t face = 0;  ///< numbered through the group
};

/// A stretch of a ray inside both objects of a candidate pair. Also the two surfaces that must pass each other to
/// separate the objects along the ray, in the shorter of the two directions: a front of one object, a back of the
/// other. If these surfaces bound the stretch, they are its ends.
struct PairSpan {
  std::uint32_t candidate = 0;
  std::uint32_t column = 0;
  float begin = 0, end = 0;
  Surface a, b;
  std::uint32_t begin_face = 0, end_face = 0;  ///< the surfaces that bound the stretch
  float length = 0;                            ///< end - begin, or closer to the truth than these floats
};

/// Two surfaces of a candidate pair close to each other on a ray.
struct PairPoint {
  std::uint32_t candidate = 0;
  std::uint32_t column = 0;
  Surface a, b;
};

/// Counts the spans of all groups of a scene, of which there may be as many as pairs times columns. Threads share it.
class SpanBudget {
 public:
  void start(std::uint64_t most) {
    most_ = most;
    taken_ = 0;
  }
  /// Throws Error when there are more than allowed.
  void take(std::uint64_t count) { refuse_above(taken_ += count); }
  /// Throws Error when that many could not be taken.
  void check(std::uint64_t count) const { refuse_above(taken_ + count); }

 private:
  void refuse_above(std::uint64_t count) const;

  std::uint64_t most_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;
};

/// Settings of a query on a group.
struct GroupQuery {
  float thickness = 0;  ///< spans not longer than this do not count; a depth
  float threshold = 0;  ///< of collision points; a depth
  bool points = true;
  bool keep_spans = true;  ///< false: sums of spans will do, and an engine may leave the spans out
  /// gl-pairs alone: what the paper finds, and no more; see GroupAnswer::passed_over.
  bool published = false;
  SpanBudget* spans = nullptr;  ///< to count the group's spans in; none: no limit

  void take_spans(std::uint64_t count) const {
    if (spans != nullptr) spans->take(count);
  }
};

/// Results for one object alone, besides its pairs.
struct ObjectFacts {
  std::uint32_t open_columns = 0;
  std::uint32_t inside_out_columns = 0;  ///< closed, with a winding below 0
  std::uint32_t skipped_triangles = 0;
  double self_length = 0;  ///< of spans with winding 2 or more that are longer than the thickness
};

/// Sums over the spans of a candidate, in one group.
struct PairSum {
  std::uint32_t spans = 0;
  double length = 0;
  Vec3d moment;  ///< sum of length times place: u and v in cells, w as a depth
};

/// The engine's results for one group. Memory is reused.
struct GroupAnswer {
  std::vector<PairSpan> spans;       ///< ascending by candidate, then by column, then by depth
  std::vector<PairSum> sums;         ///< by candidate, where spans were left out; otherwise empty
  std::vector<PairPoint> points;     ///< likewise
  std::vector<ObjectFacts> objects;  ///< one for each object of the group
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
  std::uint64_t dropped_crossings = 0;
  std::uint32_t round_count = 0;  ///< gl-pairs: rounds of peeling
  /// With GroupQuery::published: pairs of surfaces that the complete method records and the published one does not.
  std::uint64_t passed_over = 0;
  std::uint64_t read_back_bytes = 0;
  Timings ms;

  /// The results for a group of so many objects that has nothing to sample. Keeps the memory.
  void clear(std::size_t object_count) {
    spans.clear();
    sums.clear();
    points.clear();
    objects.assign(object_count, {});
    open_columns = occupied_columns = inside_out_columns = 0;
    dropped_crossings = passed_over = read_back_bytes = 0;
    round_count = 0;
    ms = {};
  }
};

/// The results for a pair from one group.
struct PairView {
  const Group* group = nullptr;
  Candidate candidate;
  std::span<const PairSpan> spans;
};

/// The cell of a column, for columns in ascending order: divides once per row.
class CellCursor {
 public:
  explicit CellCursor(const Grid& grid) : columns_(grid.columns) {}

  void move_to(std::uint32_t column) {
    if (column < row_begin_ || column - row_begin_ >= columns_) {
      v = column / columns_;
      row_begin_ = v * columns_;
    }
    u = column - row_begin_;
  }

  std::uint32_t u = 0, v = 0;

 private:
  std::uint32_t columns_, row_begin_ = 0;
};

/// From records sorted by a member, those where it equals `value`.
template <class Record>
std::span<const Record> equal_by(std::span<const Record> records, std::uint32_t value, std::uint32_t Record::*member) {
  const auto begin = std::lower_bound(records.begin(), records.end(), value,
                                      [=](const Record& r, std::uint32_t v) { return r.*member < v; });
  const auto end =
      std::upper_bound(begin, records.end(), value, [=](std::uint32_t v, const Record& r) { return v < r.*member; });
  return {begin, end};
}

/// An engine for groups. Keeps its memory between calls; use each from one thread at a time.
class PairFinder {
 public:
  virtual ~PairFinder() = default;
  virtual void find(const Group& group, const GroupQuery& query, GroupAnswer& out) = 0;
  /// Whether it runs on the CPU: small groups are then distributed over threads, each with its own finder.
  [[nodiscard]] virtual bool on_cpu() const { return false; }
  /// Whether spans cover all that two objects share, so that their sum is a volume.
  [[nodiscard]] virtual bool gives_volumes() const = 0;
};

}  // namespace lamella
