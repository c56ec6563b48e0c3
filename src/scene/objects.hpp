#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/broad_phase.hpp"
#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "lamella/repair.hpp"
#include "lamella/scene.hpp"
#include "scene/grouping.hpp"

namespace lamella {

/// The objects of a scene: meshes, poses, boxes, and placed positions of those that were asked for.
///
/// What is sampled together is placed relative to one origin near it, so that floats are fine enough far from the
/// origin of the world. An object that is sampled in several places may be placed several times; placed() lists all of
/// a frame: the first of each object by its slot, the others behind them.
class SceneObjects {
 public:
  /// Returns the number of its ObjectId. `close`: close the holes of the mesh.
  std::uint32_t add(MeshView mesh, const Transform& pose, bool close);
  std::uint32_t add(ObjectId like, const Transform& pose);
  void remove(ObjectId id);
  void move(ObjectId id, const Transform& pose);
  void deform(ObjectId id, std::span<const Vec3> positions);
  void fix(ObjectId id, bool fixed);
  void ignore(ObjectId a, ObjectId b, bool ignored);

  /// Makes room for so many objects and near pairs; not for meshes.
  void reserve(std::size_t objects, std::size_t pairs);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] const Transform& pose(ObjectId id) const { return objects_[slot(id)]->pose; }
  [[nodiscard]] const Transform& pose_in(std::uint32_t slot) const { return objects_[slot]->pose; }
  /// As it was given, without fans.
  [[nodiscard]] MeshView mesh(ObjectId id) const { return objects_[slot(id)]->own_mesh(); }
  /// Adds what was closed of an object; returns the number of edges.
  std::uint64_t report_holes(std::uint32_t slot, Health& health) const;

  /// Pairs of slots whose loose boxes share a volume, ascending; a rotated object's loose box is a little too large.
  /// Includes pairs that tested() refuses. Throws Error when there are more than `most`.
  std::span<const BoxPair> near_pairs(std::size_t most);
  [[nodiscard]] bool tested(std::uint32_t slot_a, std::uint32_t slot_b) const;

  /// Whether two objects of near_pairs() may still meet by their bounding spheres and oriented boxes, as placed() has
  /// them afterwards. Costs no pass over vertices.
  [[nodiscard]] bool bounds_meet(std::uint32_t slot_a, std::uint32_t slot_b);

  /// The world box of what bounds_meet() was called for; not exact.
  [[nodiscard]] const WideBox& wide_box_of(std::uint32_t slot) const { return objects_[slot]->wide; }

  /// The number that the broad phase has for an object. Throws Error for one that is not in the scene.
  [[nodiscard]] std::uint32_t slot(ObjectId id) const;
  /// The same as wide_box_of(), brought up to date.
  [[nodiscard]] const WideBox& world_box(std::uint32_t slot);
  /// An object with its fans, in the world, for a query between frames: positions relative to `origin`, in `room`,
  /// which must stay as long as the view is used.
  [[nodiscard]] MeshView placed_at(std::uint32_t slot, Vec3d origin, std::vector<Vec3>& room) const;

  /// An origin for a pair alone, near what they share: at multiples of a power of two, 4 to 8 times the size of the
  /// smaller object, so that neighbours often have the same one, and near the origin of the world it is 0. Floats then
  /// lose no more than 2^-22 of that size. For objects that bounds_meet() was called for.
  [[nodiscard]] Vec3d pair_origin(std::uint32_t slot_a, std::uint32_t slot_b) const;
  /// The same for an object alone.
  [[nodiscard]] Vec3d own_origin(std::uint32_t slot);

  /// Asks for an object relative to an origin in this frame, which near_pairs() begins. Returns its index in placed().
  std::uint32_t ask(std::uint32_t slot, Vec3d origin);
  /// Computes the positions of all that were asked for, where that is not done yet.
  void place(Workers& workers);
  /// What was asked for in this frame; meshes and boxes are valid after place().
  [[nodiscard]] std::span<const PlacedObject> placed() const { return placed_; }
  [[nodiscard]] std::size_t slot_count() const { return objects_.size(); }
  [[nodiscard]] bool used(std::uint32_t slot) const { return objects_[slot] != nullptr; }
  /// Triangles with vertices that are not finite or too large.
  [[nodiscard]] std::uint32_t broken_triangles(std::uint32_t slot) const { return objects_[slot]->broken; }

 private:
  /// Positions relative to one origin.
  struct Copy {
    Vec3d origin;
    std::uint64_t frame = 0;  ///< in which it was last asked for
    std::uint32_t index = 0;  ///< in placed(), in that frame
    bool placed = false;
    std::uint32_t broken = 0;  ///< unusable triangles as placed
    Aabb box;
    std::vector<Vec3> positions;  ///< not used where placing changes nothing
  };
  struct Object {
    std::shared_ptr<const std::vector<Triangle>> triangles;
    std::shared_ptr<std::vector<Vec3>> positions;  ///< changed only when no other object has them
    std::shared_ptr<const Closure> closure;        ///< null: no holes. Fans and their points come last
    std::size_t own_triangles = 0;                 ///< without fans
    bool close = false;                            ///< holes are to be closed
    Transform pose;
    Vec3d origin;  ///< what `positions` are relative to
    bool identity = true, fixed = false, moved = true;
    bool closed = false;                       ///< see closes()
    bool bounded = false;                      ///< its sphere and boxes are up to date
    Aabb box;                                  ///< of the mesh in its own frame
    double radius = 0;                         ///< around the box's centre
    std::uint32_t own_broken = 0, broken = 0;  ///< unusable triangles: as given, as placed
    WideBox wide;                              ///< in the world; see wide_box_of()
    std::vector<Copy> copies;

    [[nodiscard]] MeshView mesh() const { return {.positions = *positions, .triangles = *triangles, .origin = origin}; }
    [[nodiscard]] std::size_t own_vertices() const { return closure ? closure->vertex_count : positions->size(); }
    [[nodiscard]] MeshView own_mesh() const {
      return {.positions = std::span(*positions).first(own_vertices()),
              .triangles = std::span(*triangles).first(own_triangles),
              .origin = origin};
    }
    void take(const PositionFacts& facts);  ///< of the mesh's positions
    void changed();                         ///< its pose or its positions
    /// Finds the holes of the mesh's own triangles, and closes them; `own` are its vertices, to be followed by points.
    void close_holes(std::vector<Vec3>& own);
    void place_fans(std::vector<Vec3>& all) const;  ///< their points, behind the mesh's own; there is a closure
  };
  std::uint32_t put(std::unique_ptr<Object> object, const Transform& pose);
  [[nodiscard]] Aabb loose_box(const Object& o) const;
  void choose_broad_origin();
  void bound(std::uint32_t slot);
  void place_copy(const Object& o, Copy& copy);

  std::vector<std::unique_ptr<Object>> objects_;                ///< by slot, which is the number in the broad phase
  std::vector<PlacedObject> placed_;                            ///< by slot, then further placements of the frame
  std::vector<std::pair<std::uint32_t, std::uint32_t>> asked_;  ///< slot and copy, of the frame
  std::uint64_t frame_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> slots_;
  std::unordered_set<std::uint64_t> ignored_;  ///< ids, the smaller in the high half
  std::vector<std::uint32_t> moved_;           ///< slots whose boxes are out of date
  std::uint32_t next_id_ = 0;
  Vec3d broad_origin_;  ///< what the boxes of the broad phase are relative to
  BroadPhase broad_;
};

/// The two ids of a pair, a < b, as one number that orders like them.
constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
}

}  // namespace lamella
