#include "scene/objects.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/check_pose.hpp"
#include "core/mesh_check.hpp"
#include "core/placement.hpp"
#include "lamella/error.hpp"
#include "scene/separation.hpp"

namespace lamella {

std::uint32_t SceneObjects::slot(ObjectId id) const {
  const auto found = slots_.find(id.number);
  if (found == slots_.end())
    throw Error(fmt::format("this scene has no object {}: it was removed, or added to another", id.number));
  return found->second;
}

std::uint32_t SceneObjects::add(MeshView mesh, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  check_indices(mesh);
  auto o = std::make_unique<Object>();
  o->positions = std::make_shared<std::vector<Vec3>>(mesh.positions.begin(), mesh.positions.end());
  o->triangles = std::make_shared<const std::vector<Triangle>>(mesh.triangles.begin(), mesh.triangles.end());
  o->closed = closes(*o->triangles);
  o->take(inspect_positions(*o->positions));
  return put(std::move(o), pose);
}

std::uint32_t SceneObjects::add(ObjectId like, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  const Object& other = *objects_[slot(like)];
  auto o = std::make_unique<Object>();
  o->positions = other.positions;
  o->triangles = other.triangles;
  o->closed = other.closed;
  o->box = other.box;
  o->radius = other.radius;
  o->broken = o->own_broken = other.own_broken;
  return put(std::move(o), pose);
}

std::uint32_t SceneObjects::put(std::unique_ptr<Object> o, const Transform& pose) {
  o->pose = pose;
  o->identity = is_identity(pose);
  const std::uint32_t at = broad_.add(Aabb{});
  if (at == objects_.size()) {
    objects_.emplace_back();
    placed_.emplace_back();
  }
  objects_[at] = std::move(o);
  placed_[at].id = next_id_;
  moved_.push_back(at);
  slots_.emplace(next_id_, at);
  return next_id_++;
}

void SceneObjects::remove(ObjectId id) {
  const std::uint32_t at = slot(id);
  broad_.remove(at);
  objects_[at].reset();
  placed_[at] = {};
  slots_.erase(id.number);
  std::erase(moved_, at);
  std::erase_if(ignored_, [&](std::uint64_t key) {
    return static_cast<std::uint32_t>(key) == id.number || key >> 32 == id.number;
  });
}

void SceneObjects::move(ObjectId id, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  const std::uint32_t at = slot(id);
  Object& o = *objects_[at];
  o.pose = pose;
  o.identity = is_identity(pose);
  o.placed = o.bounded = false;
  if (!o.moved) moved_.push_back(at);
  o.moved = true;
}

void SceneObjects::deform(ObjectId id, std::span<const Vec3> positions) {
  const std::uint32_t at = slot(id);
  Object& o = *objects_[at];
  check_vertex_count(o.positions->size(), positions.size());
  auto mine = o.positions;
  if (mine.use_count() > 2) mine = std::make_shared<std::vector<Vec3>>(positions.size());  // others have them too
  const PositionFacts facts = copy_positions(positions, mine->data());
  o.positions = std::move(mine);
  o.take(facts);
  o.placed = o.bounded = false;
  if (!o.moved) moved_.push_back(at);
  o.moved = true;
}

void SceneObjects::reserve(std::size_t objects, std::size_t pairs) {
  objects_.reserve(objects);
  placed_.reserve(objects);
  slots_.reserve(objects);
  moved_.reserve(objects);
  broad_.reserve(objects, pairs);
}

void SceneObjects::fix(ObjectId id, bool fixed) {
  const std::uint32_t at = slot(id);
  objects_[at]->fixed = placed_[at].fixed = fixed;
}

void SceneObjects::ignore(ObjectId a, ObjectId b, bool ignored) {
  (void)slot(a);
  (void)slot(b);
  if (ignored)
    ignored_.insert(pair_key(a.number, b.number));
  else
    ignored_.erase(pair_key(a.number, b.number));
}

void SceneObjects::Object::take(const PositionFacts& facts) {
  box = facts.box;
  radius = box.empty() ? 0 : reach_from(center(box), *positions);
  broken = own_broken = facts.usable ? 0 : static_cast<std::uint32_t>(count_broken(mesh()));
}

bool SceneObjects::tested(std::uint32_t slot_a, std::uint32_t slot_b) const {
  if (objects_[slot_a]->fixed && objects_[slot_b]->fixed) return false;
  return ignored_.empty() || !ignored_.contains(pair_key(placed_[slot_a].id, placed_[slot_b].id));
}

Aabb SceneObjects::loose_box(const Object& o) { return o.identity ? o.box : placed_box(o.box, o.pose, o.radius); }

std::span<const BoxPair> SceneObjects::near_pairs(std::size_t most) {
  for (const std::uint32_t at : moved_) {
    Object& o = *objects_[at];
    broad_.move(at, loose_box(o));
    o.moved = false;
  }
  moved_.clear();
  return broad_.update(most);
}

/// The bounding sphere and the oriented box.
void SceneObjects::bound(std::uint32_t at) {
  Object& o = *objects_[at];
  PlacedObject& out = placed_[at];
  if (o.bounded) return;
  const Vec3d middle = to_double(center(o.box));
  out.center = o.identity ? middle : apply(o.pose, middle);
  out.radius = o.radius;
  out.half = (to_double(o.box.max) - to_double(o.box.min)) * 0.5;
  const Placement p = placement_of(o.pose);
  for (int i = 0; i < 3; ++i) out.sides[i] = {p.rows[0][i], p.rows[1][i], p.rows[2][i]};
  o.bounded = true;
}

bool SceneObjects::bounds_meet(std::uint32_t slot_a, std::uint32_t slot_b) {
  bound(slot_a);
  bound(slot_b);
  return lamella::bounds_meet(placed_[slot_a], placed_[slot_b]);
}

void SceneObjects::place_one(std::uint32_t at) {
  Object& o = *objects_[at];
  PlacedObject& out = placed_[at];
  bound(at);
  if (o.identity) {
    out.mesh = o.mesh();
    out.box = o.box;
    o.broken = o.own_broken;
  } else {
    o.world.resize(o.positions->size());
    const PositionFacts facts = place_positions(*o.positions, placement_of(o.pose), o.world.data());
    out.mesh = {o.world, *o.triangles};
    out.box = facts.box;
    // A pose can move vertices beyond the largest usable coordinate.
    o.broken = facts.usable ? 0 : static_cast<std::uint32_t>(count_broken(out.mesh));
  }
  out.closed = o.closed && o.broken == 0;
  o.placed = true;
}

void SceneObjects::place(std::span<const std::uint32_t> slots, Workers& workers) {
  constexpr std::size_t kFew = 16;
  workers.for_chunks(slots.size(), kFew, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      if (!objects_[slots[i]]->placed) place_one(slots[i]);
  });
}

}  // namespace lamella
