// The scene follows Bullet's broad phase: before Bullet processes its pairs, every body with a MeshShape in one of them
// is updated in the scene, pairs that Bullet will not ask for are ignored there, and one collide() answers for all.
// Bullet does not tell a dispatcher when a body is removed; a body that is in no pair any more is removed from the
// scene, and its pointer is not used.

#include <algorithm>
#include <string>
#include <utility>

#include "bullet/convert.hpp"
#include "bullet/state.hpp"
#include "lamella/error.hpp"

namespace lamella::bullet {
namespace {

const DispatcherOptions& checked(const DispatcherOptions& options) {
  if (options.scene.max_contacts < 1 || options.scene.max_contacts > MeshAlgorithm::kMaxContacts)
    throw Error("Dispatcher: max_contacts must be from 1 to " + std::to_string(MeshAlgorithm::kMaxContacts));
  if (!(options.rest_depth >= 0 && options.rest_depth < 1))
    throw Error("Dispatcher: rest_depth must be 0 or more and below 1");
  return options;
}

SceneOptions pair_options(SceneOptions options) {
  options.self_overlap = false;
  return options;
}

const MeshShape* mesh_shape(const btCollisionObject* object) {
  const btCollisionShape* shape = object->getCollisionShape();
  return shape && shape->getShapeType() == kMeshShapeType ? static_cast<const MeshShape*>(shape) : nullptr;
}

const btCollisionObject* object_of(const btBroadphaseProxy* proxy) {
  return static_cast<const btCollisionObject*>(proxy->m_clientObject);
}

std::uint64_t key_of(ObjectId a, ObjectId b) {
  const auto [low, high] = std::minmax(a.number, b.number);
  return std::uint64_t{low} << 32 | high;
}

/// The scene treats a contact as the same one within 3 cells of its first position on the body.
btScalar reach_of(const SceneGroup& group) {
  return static_cast<btScalar>(6 * std::max(group.grid.cell_u(), group.grid.cell_v()));
}

/// Adds an object to a scene for as long as this exists.
struct Visitor {
  Visitor(Scene& in, const MeshShape& shape, const btTransform& pose)
      : scene(in), id(in.add(shape.mesh(), to_transform(pose))) {}
  ~Visitor() { scene.remove(id); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  Scene& scene;
  const ObjectId id;
};

}  // namespace

Dispatcher::State::State(const DispatcherOptions& given)
    : options(checked(given)), scene(given.scene), pair_scene(pair_options(given.scene)) {}

std::uint32_t Dispatcher::State::meet(const btCollisionObject* object) {
  const MeshShape& shape = *mesh_shape(object);
  const auto known = place_.find(object);
  if (known != place_.end() && members[known->second].shape == shape.identity()) {
    Member& member = members[known->second];
    if (member.seen != step_) refresh(member, shape);
    return known->second;
  }
  // A body with a new shape, or a new body at the address of a deleted one: the old member is dropped as unseen.
  Member member{.object = object,
                .id = scene.add(shape.mesh(), to_transform(object->getWorldTransform())),
                .shape = shape.identity(),
                .revision = shape.revision(),
                .deformed = false,
                .fixed = object->isStaticOrKinematicObject(),
                .pose = object->getWorldTransform(),
                .seen = step_};
  if (member.fixed) scene.fix(member.id);
  const auto place = static_cast<std::uint32_t>(members.size());
  members.push_back(member);
  place_[object] = place;
  newcomers_.push_back(place);
  return place;
}

void Dispatcher::State::refresh(Member& member, const MeshShape& shape) {
  member.seen = step_;
  member.deformed = member.revision != shape.revision();
  if (member.deformed) {
    scene.deform(member.id, shape.mesh().positions);
    member.revision = shape.revision();
  }
  if (!(member.pose == member.object->getWorldTransform())) {
    scene.move(member.id, to_transform(member.object->getWorldTransform()));
    member.pose = member.object->getWorldTransform();
  }
  if (member.fixed != member.object->isStaticOrKinematicObject()) {
    member.fixed = !member.fixed;
    scene.fix(member.id, member.fixed);
  }
}

void Dispatcher::State::set_ignored(ObjectId a, ObjectId b, bool ignored) {
  const bool changed = ignored ? ignored_.insert(key_of(a, b)).second : ignored_.erase(key_of(a, b)) > 0;
  if (changed) scene.ignore(a, b, ignored);
}

/// Ignores pairs that groups and masks keep out of Bullet's cache.
void Dispatcher::State::leave_out_filtered(std::size_t newcomer, btOverlappingPairCache& cache) {
  const Member& member = members[newcomer];
  btBroadphaseProxy* proxy = const_cast<btCollisionObject*>(member.object)->getBroadphaseHandle();
  for (const Member& other : members) {
    if (other.id == member.id || (other.fixed && member.fixed)) continue;
    btBroadphaseProxy* its = const_cast<btCollisionObject*>(other.object)->getBroadphaseHandle();
    if (proxy && its && !cache.needsBroadphaseCollision(proxy, its)) set_ignored(member.id, other.id, true);
  }
}

void Dispatcher::State::drop_unseen() {
  const auto gone = [this](const Member& member) { return member.seen != step_; };
  if (std::none_of(members.begin(), members.end(), gone)) return;
  for (const Member& member : members) {
    if (!gone(member)) continue;
    scene.remove(member.id);
    std::erase_if(ignored_, [&](std::uint64_t key) {
      return key >> 32 == member.id.number || (key & 0xffffffffu) == member.id.number;
    });
  }
  std::erase_if(members, gone);
  place_.clear();
  for (std::uint32_t i = 0; i < members.size(); ++i) place_[members[i].object] = i;
}

void Dispatcher::State::begin_step(btOverlappingPairCache& cache, btCollisionDispatcher& dispatcher) {
  ++step_;
  pairs_.clear();
  newcomers_.clear();
  const btBroadphasePair* pair = cache.getOverlappingPairArrayPtr();
  for (int i = 0; i < cache.getNumOverlappingPairs(); ++i, ++pair) {
    const btCollisionObject *first = object_of(pair->m_pProxy0), *second = object_of(pair->m_pProxy1);
    if (!mesh_shape(first) || !mesh_shape(second)) continue;
    if (!is_finite(first->getWorldTransform()) || !is_finite(second->getWorldTransform())) continue;
    const std::uint32_t a = meet(first), b = meet(second);
    pairs_.push_back({.a = a, .b = b, .wanted = dispatcher.needsCollision(first, second)});
  }
  for (const MemberPair& p : pairs_)
    if (!(members[p.a].fixed && members[p.b].fixed)) set_ignored(members[p.a].id, members[p.b].id, !p.wanted);
  // Indices change when others leave, so remember ids.
  std::vector<ObjectId> ids;
  for (const std::uint32_t place : newcomers_) ids.push_back(members[place].id);
  drop_unseen();
  for (std::size_t i = 0; i < members.size() && !ids.empty(); ++i)
    if (std::find(ids.begin(), ids.end(), members[i].id) != ids.end()) leave_out_filtered(i, cache);
  result = &scene.collide();
}

std::optional<PairContacts> Dispatcher::State::find(const btCollisionObject* first,
                                                    const btCollisionObject* second) const {
  if (!stepping) return std::nullopt;
  const auto one = place_.find(first), other = place_.find(second);
  if (one == place_.end() || other == place_.end()) return std::nullopt;
  const Member &m = members[one->second], &n = members[other->second];
  PairContacts found{.contacts = {}, .swapped = n.id < m.id, .deformed = m.deformed || n.deformed, .reach = 0};
  const auto wanted = std::minmax(m.id, n.id);
  const auto before = [](const ScenePair& pair, const std::pair<ObjectId, ObjectId>& ids) {
    return std::pair(pair.a, pair.b) < ids;
  };
  const auto pair =
      std::lower_bound(result->pairs.begin(), result->pairs.end(), std::pair<ObjectId, ObjectId>(wanted), before);
  if (pair != result->pairs.end() && pair->a == wanted.first && pair->b == wanted.second) {
    found.contacts = result->contacts_of(*pair);
    found.reach = reach_of(result->groups[pair->group]);
  }
  return found;
}

PairContacts Dispatcher::State::probe(const MeshShape& first, const btTransform& first_pose, const MeshShape& second,
                                      const btTransform& second_pose) {
  const Visitor a(pair_scene, first, first_pose), b(pair_scene, second, second_pose);
  const SceneResult& answer = pair_scene.collide();
  PairContacts found;
  for (const ScenePair& pair : answer.pairs)
    if (pair.a == a.id && pair.b == b.id) found.contacts = answer.contacts_of(pair);
  return found;
}

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, const DispatcherOptions& options)
    : btCollisionDispatcher(configuration), state_(std::make_unique<State>(options)) {
  registerCollisionCreateFunc(kMeshShapeType, kMeshShapeType, &state_->create);
  registerClosestPointsCreateFunc(kMeshShapeType, kMeshShapeType, &state_->create);
}

Dispatcher::~Dispatcher() = default;

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                           btDispatcher* dispatcher) {
  state_->begin_step(*pairs, *this);
  const struct Stepping {
    bool& flag;
    ~Stepping() { flag = false; }
  } until_the_end{state_->stepping};
  state_->stepping = true;
  btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
}

const SceneResult& Dispatcher::result() const { return state_->result ? *state_->result : state_->nothing; }

const Scene& Dispatcher::scene() const { return state_->scene; }

std::optional<ObjectId> Dispatcher::object(const btCollisionObject& object) const {
  for (const Member& member : state_->members)
    if (member.object == &object) return member.id;
  return std::nullopt;
}

}  // namespace lamella::bullet
