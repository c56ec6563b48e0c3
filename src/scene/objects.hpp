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

/// The objects of a scene: meshes, poses, boxes, and the vertices in the world of those that were asked for.
class SceneObjects {
 public:
  std::uint32_t add(MeshView mesh, const Transform& pose);  ///< returns the number of its ObjectId
  void remove(ObjectId id);
  void move(ObjectId id, const Transform& pose);
  void deform(ObjectId id, std::span<const Vec3> positions);
  void fix(ObjectId id, bool fixed);
  void ignore(ObjectId a, ObjectId b, bool ignored);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] const Transform& pose(ObjectId id) const { return objects_[slot(id)]->pose; }
  [[nodiscard]] const Transform& pose_in(std::uint32_t slot) const { return objects_[slot]->pose; }
  [[nodiscard]] MeshView mesh(ObjectId id) const { return objects_[slot(id)]->mesh; }

  /// Pairs by slot whose boxes, made a little too large where objects turned, share a volume; ascending. Pairs that are
  /// not to be tested are still among them.
  std::span<const BoxPair> near_pairs();
  [[nodiscard]] bool tested(std::uint32_t slot_a, std::uint32_t slot_b) const;

  /// Slots in use, each with its object if it was placed since it last moved; empty slots have no mesh.
  [[nodiscard]] std::span<const PlacedObject> placed() const { return placed_; }
  [[nodiscard]] std::size_t slot_count() const { return objects_.size(); }
  [[nodiscard]] bool used(std::uint32_t slot) const { return objects_[slot] != nullptr; }
  /// Brings the objects of these slots to the world, those that are not there yet.
  void place(std::span<const std::uint32_t> slots, Workers& workers);
  /// Triangles that nothing can be computed with.
  [[nodiscard]] std::uint32_t broken_triangles(std::uint32_t slot) const { return objects_[slot]->broken; }

 private:
  struct Object {
    Mesh mesh;
    Transform pose;
    bool identity = true, fixed = false, moved = true, placed = false;
    Aabb box;                                  ///< of the mesh in its own frame
    double radius = 0;                         ///< about the box's centre
    std::uint32_t own_broken = 0, broken = 0;  ///< triangles that cannot be computed with: as given, as placed
    std::vector<Vec3> world;                   ///< unless the pose is the identity

    void take(const PositionFacts& facts);  ///< of the mesh's positions
  };
  [[nodiscard]] std::uint32_t slot(ObjectId id) const;
  [[nodiscard]] static Aabb loose_box(const Object& o);
  void place_one(std::uint32_t slot);

  std::vector<std::unique_ptr<Object>> objects_;  ///< by slot, which is its number in the broad phase
  std::vector<PlacedObject> placed_;              ///< likewise
  std::unordered_map<std::uint32_t, std::uint32_t> slots_;
  std::unordered_set<std::uint64_t> ignored_;  ///< ids, the smaller in the high half
  std::vector<std::uint32_t> moved_;           ///< slots whose boxes are to be made again
  std::uint32_t next_id_ = 0;
  BroadPhase broad_;
};

/// The two ids of a pair, a < b, as one number that orders like them.
constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
}

}  // namespace lamella
