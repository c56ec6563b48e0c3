#include "scene/objects.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/check_pose.hpp"
#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/placement.hpp"
#include "lamella/error.hpp"
#include "scene/separation.hpp"

namespace lamella {
namespace {

/// How far from their origin the objects of a pair may be, in sizes of the smaller one: floats then lose 2^-22 of it.
constexpr double kNear = 4;
/// The same for the boxes of the broad phase and all objects: those boxes are only looked through.
constexpr double kNearForBoxes = 16;

/// The nearest of origins that are kNear to 2 kNear times `size` apart.
Vec3d lattice_origin(Vec3d middle, double size) {
  const double reach = std::max({std::abs(middle.x), std::abs(middle.y), std::abs(middle.z)});
  if (!std::isfinite(reach) || !std::isfinite(size) || reach == 0) return {};
  const double step = std::ldexp(2 * kNear, std::ilogb(std::max(size, reach * 0x1p-40)));
  return {std::round(middle.x / step) * step, std::round(middle.y / step) * step, std::round(middle.z / step) * step};
}

/// A pose that places what is relative to `from`, with the result relative to `to`.
Transform between(const Transform& pose, Vec3d from, Vec3d to) {
  return {placement_between(pose, from, to).translation, pose.rotation};
}

bool is_usable(Vec3d p) {
  return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate && std::abs(p.z) <= kMaxCoordinate;
}

}  // namespace

std::uint32_t SceneObjects::slot(ObjectId id) const {
  const auto found = slots_.find(id.number);
  if (found == slots_.end())
    throw Error(fmt::format("this scene has no object {}: it was removed, or added to another", id.number));
  return found->second;
}

std::uint32_t SceneObjects::add(MeshView mesh, const Transform& pose, bool close) {
  check_pose(pose, kPoseTolerance);
  auto o = std::make_unique<Object>();
  o->origin = mesh.wide.empty() ? mesh.origin : origin_for(wide_box(mesh));
  if (!is_usable(o->origin)) throw Error("a mesh's origin is not finite, or too large to compute with");
  o->positions = std::make_shared<std::vector<Vec3>>(mesh.positions.begin(), mesh.positions.end());
  if (!mesh.wide.empty()) {
    o->positions->resize(mesh.wide.size());
    place_mesh(mesh, {}, o->origin, o->positions->data());
  }
  check_indices({.positions = *o->positions, .triangles = mesh.triangles});
  o->triangles = std::make_shared<const std::vector<Triangle>>(mesh.triangles.begin(), mesh.triangles.end());
  o->own_triangles = mesh.triangles.size();
  o->close = close;
  if (close) o->close_holes(*o->positions);
  o->closed = closes(*o->triangles);
  o->take(inspect_positions(*o->positions));
  return put(std::move(o), pose);
}

std::uint32_t SceneObjects::add(ObjectId like, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  const Object& other = *objects_[slot(like)];
  auto o = std::make_unique<Object>();
  o->positions = other.positions;
  o->origin = other.origin;
  o->triangles = other.triangles;
  o->closure = other.closure;
  o->own_triangles = other.own_triangles;
  o->close = other.close;
  o->closed = other.closed;
  o->box = other.box;
  o->radius = other.radius;
  o->broken = o->own_broken = other.own_broken;
  return put(std::move(o), pose);
}

std::uint32_t SceneObjects::put(std::unique_ptr<Object> o, const Transform& pose) {
  o->pose = pose;
  o->changed();
  const std::uint32_t at = broad_.add(Aabb{});
  placed_.resize(objects_.size());  // forget the last frame's further placements
  if (at == objects_.size()) {
    objects_.emplace_back();
    placed_.emplace_back();
  }
  objects_[at] = std::move(o);
  placed_[at] = {};
  placed_[at].slot = at;
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
  o.changed();
  if (!o.moved) moved_.push_back(at);
  o.moved = true;
}

void SceneObjects::deform(ObjectId id, std::span<const Vec3> positions) {
  const std::uint32_t at = slot(id);
  Object& o = *objects_[at];
  check_vertex_count(o.own_vertices(), positions.size());
  auto mine = o.positions;
  if (mine.use_count() > 2) mine = std::make_shared<std::vector<Vec3>>(o.positions->size());  // others have them too
  PositionFacts facts = copy_positions(positions, mine->data());
  // Triangles that were broken and are not any more, or the other way round: the holes are others.
  const bool others = o.close && (o.own_broken != 0 || !facts.usable);
  if (others) {
    mine->resize(positions.size());
    o.close_holes(*mine);
    o.closed = closes(*o.triangles);
  } else if (o.closure) {
    o.place_fans(*mine);
  }
  if (others || o.closure) facts = inspect_positions(*mine);
  o.positions = std::move(mine);
  o.take(facts);
  o.changed();
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

void SceneObjects::Object::close_holes(std::vector<Vec3>& own) {
  const auto mine = std::span(*triangles).first(own_triangles);
  Closure found = find_closure({.positions = own, .triangles = mine});
  if (found.empty() && !closure) return;
  std::vector<Triangle> all(mine.begin(), mine.end());
  all.insert(all.end(), found.fans.begin(), found.fans.end());
  triangles = std::make_shared<const std::vector<Triangle>>(std::move(all));
  closure = found.empty() ? nullptr : std::make_shared<const Closure>(std::move(found));
  if (!closure) return;
  own.resize(closure->vertex_count + closure->point_count);
  place_fans(own);
}

void SceneObjects::Object::place_fans(std::vector<Vec3>& all) const {
  const auto own = std::span(all).first(closure->vertex_count);
  closure->place_points(own, all.data() + own.size());
}

std::uint64_t SceneObjects::report_holes(std::uint32_t at, Health& health) const {
  const Object& o = *objects_[at];
  if (!o.closure) return 0;
  const ClosureFacts facts = closure_facts(*o.closure, o.own_mesh().positions);
  health.closed_edges += facts.edges;
  health.fan_area += facts.fan_area;
  health.closing_volume += facts.rim_box_volume;
  return facts.edges;
}

void SceneObjects::Object::take(const PositionFacts& facts) {
  box = facts.box;
  radius = box.empty() ? 0 : reach_from(center(box), *positions);
  broken = own_broken = facts.usable ? 0 : static_cast<std::uint32_t>(count_broken(mesh()));
}

void SceneObjects::Object::changed() {
  identity = is_identity(pose) && origin == Vec3d{};
  bounded = false;
  for (Copy& copy : copies) copy.placed = false;
}

bool SceneObjects::tested(std::uint32_t slot_a, std::uint32_t slot_b) const {
  if (objects_[slot_a]->fixed && objects_[slot_b]->fixed) return false;
  return ignored_.empty() || !ignored_.contains(pair_key(placed_[slot_a].id, placed_[slot_b].id));
}

Aabb SceneObjects::loose_box(const Object& o) const {
  if (o.identity && broad_origin_ == Vec3d{}) return o.box;
  return placed_box(o.box, between(o.pose, o.origin, broad_origin_), o.radius);
}

/// The broad phase works on floats: where all objects are far away together, it takes their boxes relative to an origin
/// among them. Where some are far from others, its boxes are loose, and bounds_meet() decides.
void SceneObjects::choose_broad_origin() {
  WideBox all;
  for (std::uint32_t at = 0; at < objects_.size(); ++at) {
    if (!used(at)) continue;
    bound(at);
    const WideBox& w = objects_[at]->wide;
    if (!w.empty()) all = unite(all, w);
  }
  const Vec3d origin = origin_for(all, kNearForBoxes);
  if (origin == broad_origin_) return;
  broad_origin_ = origin;
  for (std::uint32_t at = 0; at < objects_.size(); ++at) {
    if (!used(at) || objects_[at]->moved) continue;
    objects_[at]->moved = true;
    moved_.push_back(at);
  }
}

std::span<const BoxPair> SceneObjects::near_pairs(std::size_t most) {
  ++frame_;
  asked_.clear();
  placed_.resize(objects_.size());
  if (!moved_.empty()) choose_broad_origin();
  for (const std::uint32_t at : moved_) {
    Object& o = *objects_[at];
    broad_.move(at, loose_box(o));
    o.moved = false;
  }
  moved_.clear();
  return broad_.update(most);
}

/// The bounding sphere, the oriented box and the box in the world.
void SceneObjects::bound(std::uint32_t at) {
  Object& o = *objects_[at];
  PlacedObject& out = placed_[at];
  if (o.bounded) return;
  const Vec3d middle = to_double(center(o.box)) + o.origin;
  out.center = o.identity ? middle : apply(o.pose, middle);
  o.wide = o.identity ? wide_box(o.box) : wide_box(wide_box(o.box, o.origin), o.pose);
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

const WideBox& SceneObjects::world_box(std::uint32_t at) {
  bound(at);
  return objects_[at]->wide;
}

MeshView SceneObjects::placed_at(std::uint32_t at, Vec3d origin, std::vector<Vec3>& room) const {
  const Object& o = *objects_[at];
  room.resize(o.positions->size());
  place_mesh(o.mesh(), o.pose, origin, room.data());
  return {.positions = room, .triangles = *o.triangles, .origin = origin};
}

Vec3d SceneObjects::pair_origin(std::uint32_t slot_a, std::uint32_t slot_b) const {
  const Object &a = *objects_[slot_a], &b = *objects_[slot_b];
  if (a.wide.empty() || b.wide.empty()) return {};
  const WideBox shared = shared_box(a.wide, b.wide);  // its middle is between them even where it is empty
  return lattice_origin((shared.min + shared.max) * 0.5, 2 * std::min(a.radius, b.radius));
}

Vec3d SceneObjects::own_origin(std::uint32_t at) {
  bound(at);
  const Object& o = *objects_[at];
  return o.wide.empty() ? Vec3d{} : lattice_origin((o.wide.min + o.wide.max) * 0.5, 2 * o.radius);
}

std::uint32_t SceneObjects::ask(std::uint32_t at, Vec3d origin) {
  Object& o = *objects_[at];
  bound(at);
  std::size_t free = o.copies.size(), mine = free;
  bool first = true;
  for (std::size_t i = 0; i < o.copies.size(); ++i) {
    const bool asked = o.copies[i].frame == frame_;
    if (o.copies[i].origin == origin) mine = i;
    if (!asked) free = i;
    first = first && !asked;
  }
  if (mine == o.copies.size()) {
    mine = free;
    if (mine == o.copies.size()) o.copies.emplace_back();
    o.copies[mine].origin = origin;
    o.copies[mine].placed = false;
  }
  Copy& copy = o.copies[mine];
  if (copy.frame == frame_) return copy.index;
  copy.frame = frame_;
  copy.index = at;
  if (!first) {
    copy.index = static_cast<std::uint32_t>(placed_.size());
    placed_.push_back(PlacedObject(placed_[at]));
  }
  asked_.emplace_back(at, static_cast<std::uint32_t>(mine));
  return copy.index;
}

void SceneObjects::place_copy(const Object& o, Copy& copy) {
  PlacedObject& out = placed_[copy.index];
  out.origin = copy.origin;
  const bool as_given = o.identity && copy.origin == Vec3d{};
  if (!copy.placed && as_given) {
    copy.box = o.box;
    copy.broken = o.own_broken;
  } else if (!copy.placed) {
    copy.positions.resize(o.positions->size());
    const PositionFacts facts = place_mesh(o.mesh(), o.pose, copy.origin, copy.positions.data());
    copy.box = facts.box;
    // A pose can move vertices beyond the largest usable coordinate.
    copy.broken =
        facts.usable
            ? 0
            : static_cast<std::uint32_t>(count_broken({.positions = copy.positions, .triangles = *o.triangles}));
  }
  copy.placed = true;
  out.mesh = {.positions = as_given ? *o.positions : copy.positions, .triangles = *o.triangles};
  out.closure = o.closure.get();
  out.box = copy.box;
  out.closed = o.closed && copy.broken == 0;
}

void SceneObjects::place(Workers& workers) {
  constexpr std::size_t kFew = 16;
  workers.for_chunks(asked_.size(), kFew, [&](std::size_t begin, std::size_t end, unsigned) {
    for (const auto& [at, copy] : std::span(asked_).subspan(begin, end - begin))
      place_copy(*objects_[at], objects_[at]->copies[copy]);
  });
  for (const auto& [at, copy] : asked_) objects_[at]->broken = objects_[at]->copies[copy].broken;
}

}  // namespace lamella
