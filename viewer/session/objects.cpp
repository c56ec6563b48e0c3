#include "session/objects.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "lamella/error.hpp"
#include "lamella/repair.hpp"

namespace lamella::session {
namespace {

constexpr std::size_t kLongestName = 512;
constexpr float kMaxCoordinate = 0x1p100f;  ///< what queries can use, as inspect() counts it

bool is_identity(const Transform& pose) {
  const Quaternion& r = pose.rotation;
  return pose.translation == Vec3d{} && r.x == 0 && r.y == 0 && r.z == 0;
}

bool usable(Vec3 p) {
  return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate && std::abs(p.z) <= kMaxCoordinate;
}

std::uint64_t next_shape() {
  static std::atomic<std::uint64_t> last{0};  // of all sessions
  return ++last;
}

}  // namespace

void Object::shape_changed() {
  shape = next_shape();
  placed_.reset();
  facts.volume = signed_volume(mesh);
  facts.bounds = bounds(mesh);
  facts.nonfinite_vertices = static_cast<std::size_t>(
      std::count_if(mesh.positions.begin(), mesh.positions.end(), [](Vec3 p) { return !usable(p); }));
  solid_.reset();
}

void Object::deform(std::vector<Vec3> positions) {
  if (as_read.empty()) as_read = std::move(mesh.positions);
  mesh.positions = std::move(positions);
  shape_changed();
}

void Object::reset() {
  before_pull.clear();
  if (as_read.empty()) return;
  mesh.positions = std::move(as_read);
  as_read.clear();
  shape_changed();
}

void Object::replace(Mesh other) {
  mesh = std::move(other);
  as_read.clear();
  before_pull.clear();
  placed_.reset();
  solid_.reset();
  inspect(*this);
}

void Object::set_pose(const Pose& to) {
  pose = to;
  placed_.reset();
}

MeshView Object::placed() {
  const Transform where = pose.used();
  if (is_identity(where)) return mesh;
  if (!placed_) placed_ = transformed({.positions = mesh.positions, .triangles = {}, .origin = mesh.origin}, where);
  return {.positions = placed_->positions, .triangles = mesh.triangles, .origin = placed_->origin};
}

bool Object::solid() {
  // Triangles that match by their indices do so wherever the vertices are, as long as all can be used.
  if (!solid_) solid_ = (facts.closed && facts.nonfinite_vertices == 0) || is_closed(mesh);
  return *solid_;
}

Object& Objects::add(std::string name, Mesh mesh, Json source) {
  Object object;
  object.id = next_id_;
  object.name = free_name(short_name(name));
  object.source = std::move(source);
  object.mesh = std::move(mesh);
  inspect(object);
  return put(std::move(object));
}

Object& Objects::put(Object object) {
  if (objects_.size() >= kMostObjects) throw Error("there are 100,000 objects already, the most there can be");
  const std::uint32_t id = object.id;
  if (id == 0 || id == ~std::uint32_t{0} || objects_.count(id) != 0)
    throw Error("an object has the number " + std::to_string(id) + ", which is none or is another's");
  next_id_ = std::max(next_id_, id + 1);
  return objects_.emplace(id, std::move(object)).first->second;
}

Object& Objects::at(std::uint32_t id) {
  const auto found = objects_.find(id);
  if (found == objects_.end()) throw Error("there is no object " + std::to_string(id));
  return found->second;
}

void Objects::remove(std::uint32_t id) {
  (void)at(id);
  objects_.erase(id);
}

std::vector<Object*> Objects::all() {
  std::vector<Object*> out;
  for (auto& [id, object] : objects_) out.push_back(&object);
  return out;
}

std::uint64_t Objects::faces() const {
  std::uint64_t sum = 0;
  for (const auto& [id, object] : objects_) sum += object.mesh.triangles.size();
  return sum;
}

std::string Objects::free_name(const std::string& name) const {
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(objects_.begin(), objects_.end(), [&](const auto& o) { return o.second.name == wanted; });
  };
  constexpr int kTries = 100;           // of files with very many parts of one name, the rest may be alike
  constexpr std::size_t kMany = 2'000;  // nobody reads so many names
  if (objects_.size() > kMany) return name;
  std::string free = name;
  for (int i = 2; i < kTries && taken(free); ++i) free = name + " " + std::to_string(i);
  return free;
}

void inspect(Object& object) {
  if (object.mesh.triangles.empty()) throw Error("'" + object.name + "' has no faces");
  object.facts = lamella::inspect(object.mesh);
  object.facts.defects.clear();
  object.facts.volume = signed_volume(object.mesh);  // rounded as after a deformation
  object.shape = next_shape();
}

Json source_json(std::uint64_t faces, std::optional<double> volume) {
  if (faces == 0) return nullptr;
  Json out{{"faces", faces}};
  if (volume) out["volume"] = *volume;
  return out;
}

Json object_json(const Object& o) {
  const MeshReport& f = o.facts;
  Json out{{"id", o.id},
           {"name", o.name},
           {"faces", o.mesh.triangles.size()},
           {"vertices", o.mesh.positions.size()},
           {"volume", f.volume},
           {"bounds", answer::to_json(f.bounds, o.mesh.origin)},
           {"origin", answer::to_json(o.mesh.origin)},
           {"pose", pose_json(o.pose)},
           {"closed", f.closed},
           {"boundary_edges", f.boundary_edges},
           {"nonmanifold_edges", f.nonmanifold_edges},
           {"inconsistent_edges", f.inconsistent_edges},
           {"degenerate_triangles", f.degenerate_triangles},
           {"components", f.components},
           {"unusable_vertices", f.nonfinite_vertices},
           {"open_edges", f.open_edges},
           {"holes", f.holes},
           {"inside_out_components", f.inside_out_components},
           {"deformed", o.deformed()},
           {"source", o.source}};
  if (o.pose.as_is) out["pose_as_is"] = true;
  out["simplified"] = source_json(o.source_faces, o.source_volume);
  return out;
}

Json objects_json(std::span<Object* const> objects) {
  Json out = Json::array();
  for (const Object* object : objects) out.push_back(object_json(*object));
  return out;
}

std::string short_name(std::string_view name) {
  if (name.size() <= kLongestName) return std::string(name);
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return std::string(name.substr(0, end));
}

}  // namespace lamella::session
