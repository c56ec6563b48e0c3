#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "core/window.hpp"
#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/timings.hpp"

// What the scene hands to an engine, and what it gets back. A group is a set of objects that can touch, sampled
// together on one grid.

namespace lamella {

/// Faces are numbered through the group. Every object's numbers start at a multiple of this, so that a table tells
/// whose a face is.
inline constexpr std::uint32_t kFaceBlock = 256;

/// An object of a group, in the world.
struct GroupObject {
  MeshView mesh;
  Window window;  ///< around all of its ObjectWindows
  std::uint32_t first_face = 0;
  /// Number of its ObjectId: triangles of one number never change, while a scene lives. ~0: not an object of a scene.
  std::uint32_t id = ~0u;
};

/// Cells where an object can meet another.
struct ObjectWindow {
  std::uint32_t object = 0;  ///< place in the group
  Window window;
};

/// Two objects of a group whose boxes share a volume, by their places in the group; a < b.
struct Candidate {
  std::uint32_t a = 0, b = 0;
  bool points = true;  ///< whether its collision points are wanted; not where a group is a pair's second view

  friend constexpr auto operator<=>(const Candidate& x, const Candidate& y) {
    return x.a != y.a ? x.a <=> y.a : x.b <=> y.b;
  }
  friend constexpr bool operator==(const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; }
};

struct Group {
  Grid grid;  ///< along the rays its box holds all objects whole, with a little to spare: no crossing is cut off
  std::vector<GroupObject> objects;
  /// Where objects need sampling, ascending by object; those of one object do not overlap.
  std::vector<ObjectWindow> windows;
  std::vector<std::uint32_t> object_of_block;  ///< face / kFaceBlock to place in `objects`
  std::vector<Candidate> candidates;           ///< ascending
  std::vector<std::uint32_t> first_candidate;  ///< of object i: candidates[first_candidate[i] ..)

  [[nodiscard]] std::uint32_t object_of(std::uint32_t face) const { return object_of_block[face / kFaceBlock]; }
};

/// A surface that a ray passes: depth, facing, and which face.
struct Surface {
  Crossing crossing;
  std::uint32_t face = 0;  ///< numbered through the group
};

/// A stretch of a ray that is inside both objects of a candidate pair, and the two surfaces that would have to pass one
/// another for them to come apart along the ray, by the shorter of the two ways: a front of the one, a back of the
/// other. For a stretch that the surfaces themselves bound these are its ends.
struct PairSpan {
  std::uint32_t candidate = 0;
  std::uint32_t column = 0;
  float begin = 0, end = 0;
  Surface a, b;
};

/// Two surfaces of a candidate pair close to one another on a ray.
struct PairPoint {
  std::uint32_t candidate = 0;
  std::uint32_t column = 0;
  Surface a, b;
};

/// What an engine is asked for.
struct GroupQuery {
  float thickness = 0;  ///< spans not longer than this do not count; a depth
  float threshold = 0;  ///< of collision points; a depth
  bool points = true;
};

/// What one object contributes beside its pairs.
struct ObjectFacts {
  std::uint32_t open_columns = 0;
  std::uint32_t skipped_triangles = 0;
  double self_length = 0;  ///< of rays with winding 2 or more
};

/// What an engine finds in one group. Memory is reused.
struct GroupAnswer {
  std::vector<PairSpan> spans;       ///< ascending by candidate, then by column, then by depth
  std::vector<PairPoint> points;     ///< likewise
  std::vector<ObjectFacts> objects;  ///< one for each of the group's
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
  std::uint64_t dropped_crossings = 0;
  std::uint32_t round_count = 0;  ///< gl-pairs: of peeling
  std::uint64_t read_back_bytes = 0;
  Timings ms;
};

/// What one group saw of a pair.
struct PairView {
  const Group* group = nullptr;
  Candidate candidate;
  std::span<const PairSpan> spans;
};

/// The cell of a column, for columns that come in ascending order: divides once a row.
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

/// Of records that ascend by a member, those where it is `value`.
template <class Record>
std::span<const Record> equal_by(std::span<const Record> records, std::uint32_t value, std::uint32_t Record::*member) {
  const auto begin = std::lower_bound(records.begin(), records.end(), value,
                                      [=](const Record& r, std::uint32_t v) { return r.*member < v; });
  const auto end =
      std::upper_bound(begin, records.end(), value, [=](std::uint32_t v, const Record& r) { return v < r.*member; });
  return {begin, end};
}

/// An engine for groups. Keeps its memory between calls; use one from one thread at a time.
class PairFinder {
 public:
  virtual ~PairFinder() = default;
  virtual void find(const Group& group, const GroupQuery& query, GroupAnswer& out) = 0;
  /// Whether it works on the CPU: then small groups are shared out among threads, each with a finder of its own.
  [[nodiscard]] virtual bool on_cpu() const { return false; }
  /// Whether spans cover all of what two objects share, so that they sum to a volume.
  [[nodiscard]] virtual bool gives_volumes() const = 0;
};

}  // namespace lamella
