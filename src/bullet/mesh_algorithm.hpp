#pragma once

#include <btBulletCollisionCommon.h>

#include "lamella/bullet.hpp"

namespace lamella::bullet {

struct PairContacts;

/// Converts the scene's contacts of one pair of MeshShapes to Bullet's manifolds. A concave pair can touch in several
/// places, so there are enough manifolds of four points for all contacts that the scene reports, and as many again for
/// those it reported before.
class MeshAlgorithm : public btCollisionAlgorithm {
 public:
  static constexpr unsigned kManifolds = 4;
  static constexpr unsigned kMaxContacts = kManifolds * MANIFOLD_CACHE_SIZE / 2;  ///< of SceneOptions::max_contacts

  struct CreateFunc : public btCollisionAlgorithmCreateFunc {
    explicit CreateFunc(Dispatcher::State& owner) : state(owner) {}
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* first,
                                                   const btCollisionObjectWrapper* second) override;
    Dispatcher::State& state;
  };

  MeshAlgorithm(const btCollisionAlgorithmConstructionInfo& info, Dispatcher::State& state,
                const btCollisionObject* first, const btCollisionObject* second);
  ~MeshAlgorithm() override;

  void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                        const btDispatcherInfo& info, btManifoldResult* out) override;
  /// There is no continuous detection.
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray& manifolds) override;

 private:
  void fill(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, const PairContacts& found);
  /// A manifold with less than four points, or -1.
  [[nodiscard]] int with_room(const btCollisionObject& one, const btCollisionObject& other);
  void release();
  void pass_on(const PairContacts& found, btManifoldResult& out) const;
  [[nodiscard]] btScalar rest_depth() const;

  Dispatcher::State& state_;
  btPersistentManifold* manifolds_[kManifolds] = {};  ///< the first always exists, the others are made when needed
};

}  // namespace lamella::bullet
