#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/broad_phase.hpp"
#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "lamella/scene.hpp"
#include "scene/grouping.hpp"

namespace lamella {

/// The objects of a scene: meshes, poses, boxes, and world positions of those that place() was called for.
class SceneObjects {
 public:
  std::uint32_t add(MeshView mesh, const Transform& pose);  ///< returns the number of its ObjectId
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
  [[nodiscard]] MeshView mesh(ObjectId id) const { return objects_[slot(id)]->mesh(); }

  /// Pairs of slots whose loose boxes share a volume, ascending; a rotated object's loose box is a little too large.
  /// Includes pairs that tested() refuses. Throws Error when there are more than `most`.
  std::span<const BoxPair> near_pairs(std::size_t most);
  [[nodiscard]] bool tested(std::uint32_t slot_a, std::uint32_t slot_b) const;

  /// Whether two objects of near_pairs() may still meet by their bounding spheres and oriented boxes, as placed() has
  /// them afterwards. Costs no pass over vertices.
  [[nodiscard]] bool bounds_meet(std::uint32_t slot_a, std::uint32_t slot_b);

  /// By slot. Valid for the slots given to place() since the object last moved; free slots have no mesh.
  [[nodiscard]] std::span<const PlacedObject> placed() const { return placed_; }
  [[nodiscard]] std::size_t slot_count() const { return objects_.size(); }
  [[nodiscard]] bool used(std::uint32_t slot) const { return objects_[slot] != nullptr; }
  /// Computes world positions of the objects in these slots, where that is not done yet.
  void place(std::span<const std::uint32_t> slots, Workers& workers);
  /// Triangles with vertices that are not finite or too large.
  [[nodiscard]] std::uint32_t broken_triangles(std::uint32_t slot) const { return objects_[slot]->broken; }

 private:
  struct Object {
    std::shared_ptr<const std::vector<Triangle>> triangles;
    std::shared_ptr<std::vector<Vec3>> positions;  ///< changed only when no other object has them
    Transform pose;
    bool identity = true, fixed = false, moved = true, placed = false;
    bool closed = false;                       ///< see closes()
    bool bounded = false;                      ///< its sphere and oriented box are up to date
    Aabb box;                                  ///< of the mesh in its own frame
    double radius = 0;                         ///< around the box's centre
    std::uint32_t own_broken = 0, broken = 0;  ///< unusable triangles: as given, as placed
    std::vector<Vec3> world;                   ///< positions; not used when the pose is the identity

    [[nodiscard]] MeshView mesh() const { return {*positions, *triangles}; }
    void take(const PositionFacts& facts);  ///< of the mesh's positions
  };
  std::uint32_t put(std::unique_ptr<Object> object, const Transform& pose);
  [[nodiscard]] std::uint32_t slot(ObjectId id) const;
  [[nodiscard]] static Aabb loose_box(const Object& o);
  void bound(std::uint32_t slot);
  void place_one(std::uint32_t slot);

  std::vector<std::unique_ptr<Object>> objects_;  ///< by slot, which is the number in the broad phase
  std::vector<PlacedObject> placed_;              ///< by slot
  std::unordered_map<std::uint32_t, std::uint32_t> slots_;
  std::unordered_set<std::uint64_t> ignored_;  ///< ids, the smaller in the high half
  std::vector<std::uint32_t> moved_;           ///< slots whose boxes are out of date
  std::uint32_t next_id_ = 0;
  BroadPhase broad_;
};

/// The two ids of a pair, a < b, as one number that orders like them.
constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
}

}  // namespace lamella
