// A contact is recognised from step to step by its id, and keeps the impulse that Bullet's solver starts from. A
// contact that the scene no longer reports stays as long as Bullet's own rule allows: until it is separated or shifted
// by a fraction of the body's size. Resting bodies separate by less than that in every other step, and would otherwise
// lose their contacts.

#include "bullet/mesh_algorithm.hpp"

#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>

#include <array>
#include <new>

#include "bullet/convert.hpp"
#include "bullet/state.hpp"

namespace lamella::bullet {
namespace {

constexpr int kPoints = MANIFOLD_CACHE_SIZE;

// Bullet's pool allocates blocks of its own largest algorithm's size, whatever size is asked for.
static_assert(sizeof(MeshAlgorithm) <= sizeof(btConvexConcaveCollisionAlgorithm));

/// The two surface points, moved apart by the rest depth; as Bullet has it, with the normal on the second body.
struct SurfacePoints {
  btVector3 normal, on_first, on_second;
  btScalar distance;
};

SurfacePoints surface_points(const Contact& contact, bool swapped, btScalar rest_depth) {
  const btVector3 normal = to_bullet(contact.normal) * btScalar(swapped ? -1 : 1);
  const btScalar distance = rest_depth - btScalar(contact.depth);
  const btVector3 half = normal * (distance / 2), middle = to_bullet(contact.position);
  return {normal, middle + half, middle - half, distance};
}

btManifoldPoint make_point(const Contact& contact, const PairContacts& found, btScalar rest_depth,
                           const btCollisionObject& first, const btCollisionObject& second) {
  const SurfacePoints place = surface_points(contact, found.swapped, rest_depth);
  btManifoldPoint point(first.getWorldTransform().invXform(place.on_first),
                        second.getWorldTransform().invXform(place.on_second), place.normal, place.distance);
  point.m_positionWorldOnA = place.on_first;
  point.m_positionWorldOnB = place.on_second;
  point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(&first, &second);
  point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(&first, &second);
  point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(&first, &second);
  point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(&first, &second);
  const int flags = first.getCollisionFlags() | second.getCollisionFlags();
  if (flags & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) {
    point.m_combinedContactDamping1 = btManifoldResult::calculateCombinedContactDamping(&first, &second);
    point.m_combinedContactStiffness1 = btManifoldResult::calculateCombinedContactStiffness(&first, &second);
    point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
  }
  if (flags & btCollisionObject::CF_HAS_FRICTION_ANCHOR) point.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
  btPlaneSpace1(place.normal, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
  point.m_partId0 = point.m_partId1 = static_cast<int>(contact.id);
  point.m_index0 = static_cast<int>(found.swapped ? contact.triangle_b : contact.triangle_a);
  point.m_index1 = static_cast<int>(found.swapped ? contact.triangle_a : contact.triangle_b);
  return point;
}

/// The points of a pair's manifolds, and which of them this step has confirmed.
class Slots {
 public:
  Slots(btPersistentManifold* const* manifolds, const btCollisionObjectWrapper& first,
        const btCollisionObjectWrapper& second)
      : manifolds_(manifolds), first_(first), second_(second) {}

  /// The point that this one continues: the same id, within `reach` or Bullet's own bound, whichever is larger. One
  /// further away belongs to another contact of the same id, from before the pair was left out for a while.
  [[nodiscard]] int continued_by(const btManifoldPoint& point, btScalar reach) const {
    return nearest(point, btMax(reach, manifolds_[0]->getContactBreakingThreshold()),
                   [&](const btManifoldPoint& p) { return p.m_partId0 == point.m_partId0; });
  }
  /// The nearest point that no other contact has taken, within Bullet's own bound for treating two points as one.
  [[nodiscard]] int near(const btManifoldPoint& point) const {
    return nearest(point, manifolds_[0]->getContactBreakingThreshold(), [](const btManifoldPoint&) { return true; });
  }
  /// The point with the smallest impulse in the last step.
  [[nodiscard]] int weakest() const {
    return best([](const btManifoldPoint& p) { return p.getAppliedImpulse(); });
  }

  void renew(int slot, const btManifoldPoint& point) {
    manifolds_[slot / kPoints]->replaceContactPoint(point, slot % kPoints);
    take(slot);
  }
  void put(int slot, const btManifoldPoint& point) {
    btManifoldPoint& old = manifolds_[slot / kPoints]->getContactPoint(slot % kPoints);
    manifolds_[slot / kPoints]->clearUserCache(old);
    old = point;
    take(slot);
  }
  void append(int manifold, const btManifoldPoint& point) {
    take(manifold * kPoints + manifolds_[manifold]->addManifoldPoint(point));
  }
  void drop_others() {
    for (int slot = kSlots - 1; slot >= 0; --slot) {
      btPersistentManifold* manifold = manifolds_[slot / kPoints];
      if (!manifold || slot % kPoints >= manifold->getNumContacts() || taken_[slot]) continue;
      // Bullet moves the last point into its place. Going backwards, all points after this one are taken.
      manifold->removeContactPoint(slot % kPoints);
    }
  }

 private:
  static constexpr int kSlots = kPoints * MeshAlgorithm::kManifolds;

  template <class Cost>
  [[nodiscard]] int best(Cost cost) const {
    int found = -1;
    btScalar least = BT_LARGE_FLOAT;
    for (int slot = 0; slot < kSlots; ++slot) {
      const btPersistentManifold* manifold = manifolds_[slot / kPoints];
      if (!manifold || slot % kPoints >= manifold->getNumContacts() || taken_[slot]) continue;
      const btScalar c = cost(manifold->getContactPoint(slot % kPoints));
      if (c < least) {
        least = c;
        found = slot;
      }
    }
    return found;
  }

  template <class Wanted>
  [[nodiscard]] int nearest(const btManifoldPoint& point, btScalar reach, Wanted wanted) const {
    return best([&](const btManifoldPoint& p) {
      const btScalar distance = (p.m_localPointA - point.m_localPointA).length2();
      return distance < reach * reach && wanted(p) ? distance : BT_LARGE_FLOAT;
    });
  }

  /// As btManifoldResult does: the user may set friction and the like of every point.
  void take(int slot) {
    taken_[slot] = true;
    const int flags =
        first_.getCollisionObject()->getCollisionFlags() | second_.getCollisionObject()->getCollisionFlags();
    if (!gContactAddedCallback || !(flags & btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK)) return;
    btManifoldPoint& point = manifolds_[slot / kPoints]->getContactPoint(slot % kPoints);
    gContactAddedCallback(point, &first_, point.m_partId0, point.m_index0, &second_, point.m_partId1, point.m_index1);
  }

  btPersistentManifold* const* manifolds_;
  const btCollisionObjectWrapper &first_, &second_;
  std::array<bool, kSlots> taken_{};
};

}  // namespace

btCollisionAlgorithm* MeshAlgorithm::CreateFunc::CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                                          const btCollisionObjectWrapper* first,
                                                                          const btCollisionObjectWrapper* second) {
  void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(MeshAlgorithm));
  return new (memory) MeshAlgorithm(info, state, first->getCollisionObject(), second->getCollisionObject());
}

MeshAlgorithm::MeshAlgorithm(const btCollisionAlgorithmConstructionInfo& info, Dispatcher::State& state,
                             const btCollisionObject* first, const btCollisionObject* second)
    : btCollisionAlgorithm(info), state_(state) {
  manifolds_[0] = m_dispatcher->getNewManifold(first, second);
}

MeshAlgorithm::~MeshAlgorithm() { release(); }

void MeshAlgorithm::release() {
  for (btPersistentManifold*& manifold : manifolds_) {
    if (manifold) m_dispatcher->releaseManifold(manifold);
    manifold = nullptr;
  }
}

void MeshAlgorithm::getAllContactManifolds(btManifoldArray& manifolds) {
  for (btPersistentManifold* manifold : manifolds_)
    if (manifold) manifolds.push_back(manifold);
}

btScalar MeshAlgorithm::rest_depth() const {
  return state_.options.rest_depth * manifolds_[0]->getContactBreakingThreshold();
}

void MeshAlgorithm::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                     const btDispatcherInfo&, btManifoldResult* out) {
  if (!manifolds_[0])
    manifolds_[0] = m_dispatcher->getNewManifold(first->getCollisionObject(), second->getCollisionObject());
  out->setPersistentManifold(manifolds_[0]);
  // A pose that is not finite: the step continues without the body, and without its points, through which the solver
  // would spread the NaN.
  if (state_.stepping && !(is_finite(first->getWorldTransform()) && is_finite(second->getWorldTransform()))) {
    for (btPersistentManifold* manifold : manifolds_)
      if (manifold) manifold->clearManifold();
    return;
  }
  if (const auto found = state_.find(first->getCollisionObject(), second->getCollisionObject())) {
    fill(*first, *second, *found);
    return;
  }
  const auto& one = static_cast<const MeshShape&>(*first->getCollisionShape());
  const auto& other = static_cast<const MeshShape&>(*second->getCollisionShape());
  try {
    pass_on(state_.probe(one, first->getWorldTransform(), other, second->getWorldTransform()), *out);
  } catch (...) {
    // contactPairTest does not free this algorithm then, and the dispatcher's manifolds must not outlive the bodies.
    release();
    throw;
  }
}

/// Adds points the way Bullet does, which recognises them by position only: for contacts without a history.
void MeshAlgorithm::pass_on(const PairContacts& found, btManifoldResult& out) const {
  for (const Contact& contact : found.contacts) {
    const SurfacePoints place = surface_points(contact, found.swapped, rest_depth());
    out.setShapeIdentifiersA(static_cast<int>(contact.id), static_cast<int>(contact.triangle_a));
    out.setShapeIdentifiersB(static_cast<int>(contact.id), static_cast<int>(contact.triangle_b));
    out.addContactPoint(place.normal, place.on_second, place.distance);
  }
  out.refreshContactPoints();
}

int MeshAlgorithm::with_room(const btCollisionObject& one, const btCollisionObject& other) {
  for (unsigned i = 0; i < kManifolds; ++i) {
    if (!manifolds_[i]) manifolds_[i] = m_dispatcher->getNewManifold(&one, &other);
    if (manifolds_[i]->getNumContacts() < kPoints) return static_cast<int>(i);
  }
  return -1;
}

void MeshAlgorithm::fill(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                         const PairContacts& found) {
  const btCollisionObject &one = *first.getCollisionObject(), &other = *second.getCollisionObject();
  for (btPersistentManifold* manifold : manifolds_)
    if (manifold) manifold->refreshContactPoints(one.getWorldTransform(), other.getWorldTransform());
  Slots slots(manifolds_, first, second);
  std::array<const Contact*, kManifolds * kPoints> rest{};
  std::size_t left = 0;
  const auto point_of = [&](const Contact& contact) { return make_point(contact, found, rest_depth(), one, other); };
  for (const Contact& contact : found.contacts) {
    const btManifoldPoint point = point_of(contact);
    if (const int slot = slots.continued_by(point, found.reach); slot >= 0)
      slots.renew(slot, point);
    else
      rest[left++] = &contact;
  }
  for (std::size_t i = 0; i < left; ++i) {
    const btManifoldPoint point = point_of(*rest[i]);
    if (const int slot = slots.near(point); slot >= 0)
      slots.renew(slot, point);
    else if (const int manifold = with_room(one, other); manifold >= 0)
      slots.append(manifold, point);
    else
      slots.put(slots.weakest(), point);
  }
  if (found.deformed) slots.drop_others();
}

}  // namespace lamella::bullet
