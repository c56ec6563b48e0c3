#include "lamella/detector.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "core/check_pose.hpp"
#include "core/placement.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// A rigid mesh and where it stands.
struct Rigid {
  RigidMesh sampled;
  Transform pose;
  bool placed = true;  ///< whether the engine's mesh stands there too
};

/// A mesh that the engine keeps.
struct Entry {
  std::unique_ptr<KeptMesh> mesh;
  std::unique_ptr<Rigid> rigid;  ///< null for a mesh that may deform
};

}  // namespace

struct Detector::State {
  Options options;
  QueryOptions query;
  std::unique_ptr<Engine> engine;
  std::unordered_map<std::uint32_t, Entry> meshes;  // destroyed before their engine
  std::uint32_t next_id = 0;
  Overlap overlap;
  SelfOverlap self_overlap;
  Containment containment;
  VerticesInside vertices;
  std::vector<Vec3> placed;

  Entry& entry(ObjectId id) {
    const auto found = meshes.find(id.number);
    if (found == meshes.end())
      throw Error(fmt::format("this detector keeps no mesh {}: it was removed, or added to another", id.number));
    return found->second;
  }
  Rigid& rigid(ObjectId id) {
    Entry& e = entry(id);
    if (!e.rigid) throw Error(fmt::format("mesh {} is not rigid: add it with add_rigid(), or deform it", id.number));
    return *e.rigid;
  }
  /// The mesh where it stands.
  KeptMesh& kept(ObjectId id) {
    Entry& e = entry(id);
    if (e.rigid && !e.rigid->placed) {
      placed.resize(e.rigid->sampled.vertices.size());
      place_positions(e.rigid->sampled.vertices, placement_of(e.rigid->pose), placed.data());
      e.mesh->deform(placed);
      e.rigid->placed = true;
    }
    return *e.mesh;
  }
  ObjectId add(Entry e) {
    const ObjectId id{next_id++};
    meshes.emplace(id.number, std::move(e));
    return id;
  }
  const Overlap& intersect(MeshRef a, MeshRef b) {
    engine->intersect(a, b, query, overlap);
    return overlap;
  }
  const SelfOverlap& self_intersect(MeshRef mesh) {
    engine->self_intersect(mesh, query, self_overlap);
    return self_overlap;
  }
  const Containment& contains(MeshRef mesh, std::span<const Vec3> points) {
    engine->contains(mesh, points, query, containment);
    return containment;
  }
  const Containment& contains(MeshRef mesh, std::span<const Vec3> points, const Aabb& box) {
    engine->contains(mesh, points, box, query, containment);
    return containment;
  }
  const VerticesInside& vertices_inside(MeshRef a, MeshRef b) {
    engine->vertices_inside(a, b, query, vertices);
    return vertices;
  }
};

Detector::Detector(Options options) : state_(std::make_unique<State>()) {
  state_->engine = make_engine(options);
  state_->query = options.for_query();
  state_->options = std::move(options);
}
Detector::Detector(std::unique_ptr<Engine> engine, const QueryOptions& options) : state_(std::make_unique<State>()) {
  if (!engine) throw Error("the engine of a Detector must not be null");
  state_->options.engine = engine->name();
  state_->options.resolution = options.resolution;
  state_->options.axis = options.axis;
  state_->options.strict = options.strict;
  state_->options.min_thickness = options.min_thickness;
  state_->query = options;
  state_->engine = std::move(engine);
}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const Overlap& Detector::intersect(MeshView a, MeshView b) { return state_->intersect(a, b); }
const SelfOverlap& Detector::self_intersect(MeshView mesh) { return state_->self_intersect(mesh); }
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points) {
  return state_->contains(mesh, points);
}
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box) {
  return state_->contains(mesh, points, box);
}
const VerticesInside& Detector::vertices_inside(MeshView a, MeshView b) { return state_->vertices_inside(a, b); }

ObjectId Detector::add(MeshView mesh) { return state_->add({state_->engine->keep(mesh), nullptr}); }

void Detector::deform(ObjectId mesh, std::span<const Vec3> positions) {
  Entry& e = state_->entry(mesh);
  if (e.rigid) throw Error(fmt::format("mesh {} is rigid: move it, or add it with add()", mesh.number));
  e.mesh->deform(positions);
}

void Detector::remove(ObjectId mesh) {
  (void)state_->entry(mesh);
  state_->meshes.erase(mesh.number);
}

ObjectId Detector::add_rigid(MeshView mesh, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  Entry e{state_->engine->keep(mesh), std::make_unique<Rigid>()};
  state_->engine->sample_rigid(*e.mesh, state_->query, e.rigid->sampled);
  e.rigid->pose = pose;
  e.rigid->placed = is_identity(pose);
  return state_->add(std::move(e));
}

void Detector::move(ObjectId rigid, const Transform& pose) {
  Rigid& r = state_->rigid(rigid);
  check_pose(pose, kPoseTolerance);
  r.pose = pose;
  r.placed = false;
}

const RigidMesh& Detector::rigid(ObjectId rigid) const { return state_->rigid(rigid).sampled; }

const Overlap& Detector::intersect(ObjectId a, ObjectId b) {
  return state_->intersect(state_->kept(a), state_->kept(b));
}
const SelfOverlap& Detector::self_intersect(ObjectId mesh) { return state_->self_intersect(state_->kept(mesh)); }
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points) {
  const Entry& e = state_->entry(mesh);
  if (!e.rigid) return state_->contains(*e.mesh, points);
  state_->engine->contains(e.rigid->sampled, e.rigid->pose, points, state_->query, state_->containment);
  return state_->containment;
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points, const Aabb& box) {
  return state_->contains(state_->kept(mesh), points, box);
}

const VerticesInside& Detector::vertices_inside(ObjectId a, ObjectId b) {
  const Entry &ea = state_->entry(a), &eb = state_->entry(b);
  Engine& engine = *state_->engine;
  VerticesInside& out = state_->vertices;
  if (ea.rigid && eb.rigid) {
    engine.vertices_inside(ea.rigid->sampled, ea.rigid->pose, eb.rigid->sampled, eb.rigid->pose, state_->query, out);
  } else if (eb.rigid) {
    engine.vertices_inside(*ea.mesh, eb.rigid->sampled, eb.rigid->pose, state_->query, out);
  } else if (ea.rigid) {
    engine.vertices_inside(*eb.mesh, ea.rigid->sampled, ea.rigid->pose, state_->query, out);
    std::swap(out.a_in_b, out.b_in_a);
  } else {
    return state_->vertices_inside(*ea.mesh, *eb.mesh);
  }
  return out;
}

const Options& Detector::options() const { return state_->options; }

}  // namespace lamella
