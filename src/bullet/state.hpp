#pragma once

#include <btBulletCollisionCommon.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bullet/mesh_algorithm.hpp"
#include "lamella/bullet.hpp"

namespace lamella::bullet {

/// A body that is in the scene.
struct Member {
  const btCollisionObject* object = nullptr;  ///< may be gone when not seen in this step
  ObjectId id;
  std::uint64_t shape = 0, revision = 0;  ///< MeshShape's identity and revision in the last step
  bool deformed = false;                  ///< since the last step
  bool fixed = false;
  btTransform pose;
  std::uint64_t seen = 0;  ///< the last step in which it was in a pair
};

/// Two bodies of a pair that Bullet's broad phase found, by their places among the members.
struct MemberPair {
  std::uint32_t a = 0, b = 0;
  bool wanted = false;
};

/// Contacts of one pair of bodies.
struct PairContacts {
  std::span<const Contact> contacts;
  bool swapped = false;   ///< normals point from the first body to the second
  bool deformed = false;  ///< one of the bodies deformed since the last step
  btScalar reach = 0;     ///< how far a contact can move in a step and keep its id
};

struct Dispatcher::State {
  explicit State(const DispatcherOptions& given);

  void begin_step(btOverlappingPairCache& cache, btCollisionDispatcher& dispatcher);

  /// None when one of them is not in the scene, or outside a step.
  [[nodiscard]] std::optional<PairContacts> find(const btCollisionObject* first, const btCollisionObject* second) const;
  /// Contacts of two shapes alone, outside the scene; valid until the next call.
  [[nodiscard]] PairContacts probe(const MeshShape& first, const btTransform& first_pose, const MeshShape& second,
                                   const btTransform& second_pose);

  const DispatcherOptions options;
  bool stepping = false;
  Scene scene, pair_scene;
  const SceneResult* result = nullptr;
  SceneResult nothing;
  std::vector<Member> members;
  MeshAlgorithm::CreateFunc create{*this};

 private:
  std::uint32_t meet(const btCollisionObject* object);
  void refresh(Member& member, const MeshShape& shape);
  void leave_out_filtered(std::size_t member, btOverlappingPairCache& cache);
  void set_ignored(ObjectId a, ObjectId b, bool ignored);
  void drop_unseen();

  std::uint64_t step_ = 0;
  std::unordered_map<const btCollisionObject*, std::uint32_t> place_;
  std::vector<MemberPair> pairs_;
  std::vector<std::uint32_t> newcomers_;
  std::unordered_set<std::uint64_t> ignored_;  ///< both ids, the smaller in the high half
};

}  // namespace lamella::bullet
