#include "lamella/detector.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "core/check_pose.hpp"
#include "core/origin.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// A rigid mesh and where it stands.
struct Rigid {
  RigidMesh sampled;
  Transform pose;
  bool placed = false;  ///< whether the engine's mesh stands there too, relative to its origin
};

/// A mesh that the engine keeps.
struct Entry {
  std::unique_ptr<KeptMesh> mesh;
  std::unique_ptr<Rigid> rigid;  ///< null for a mesh that may deform
};

WideBox box_of(const Rigid& rigid) {
  return wide_box(wide_box(rigid.sampled.bounds, rigid.sampled.origin), rigid.pose);
}

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
  /// The mesh where it stands; a rigid one relative to `origin`.
  KeptMesh& kept(Entry& e, Vec3d origin) {
    if (e.rigid && !(e.rigid->placed && e.mesh->origin() == origin)) {
      const RigidMesh& own = e.rigid->sampled;
      placed.resize(own.vertices.size());
      (void)place_mesh({.positions = own.vertices, .triangles = {}, .origin = own.origin}, e.rigid->pose, origin,
                       placed.data());
      e.mesh->deform(placed);
      e.mesh->set_origin(origin);
      e.rigid->placed = true;
    }
    return *e.mesh;
  }
  /// An origin for one mesh: its own, or where it stands.
  static Vec3d origin_of(const Entry& e) { return e.rigid ? origin_for(box_of(*e.rigid)) : e.mesh->origin(); }
  /// For two: that of one which may deform, or near what two rigid ones have in common.
  static Vec3d origin_of(const Entry& a, const Entry& b) {
    if (!a.rigid) return a.mesh->origin();
    if (!b.rigid) return b.mesh->origin();
    return origin_for(shared_box(box_of(*a.rigid), box_of(*b.rigid)));
  }
  /// Keeps a mesh as the engine does, with its origin.
  Entry keep(MeshView mesh) {
    if (mesh.wide.empty()) {
      Entry e{engine->keep(mesh), nullptr};
      e.mesh->set_origin(mesh.origin);
      return e;
    }
    return keep(rounded(mesh));
  }
  ObjectId add(Entry e) {
    const ObjectId id{next_id++};
    meshes.emplace(id.number, std::move(e));
    return id;
  }
  Entry& deformable(ObjectId id) {
    Entry& e = entry(id);
    if (e.rigid) throw Error(fmt::format("mesh {} is rigid: move it, or add it with add()", id.number));
    return e;
  }
  const Overlap& intersect(MeshRef a, MeshRef b) {
    engine->intersect(a, b, query, overlap);
    return overlap;
  }
  const SelfOverlap& self_intersect(MeshRef mesh) {
    engine->self_intersect(mesh, query, self_overlap);
    return self_overlap;
  }
  template <class Point>
  const Containment& contains(MeshRef mesh, std::span<const Point> points) {
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
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3d> points) {
  return state_->contains(mesh, points);
}
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box) {
  return state_->contains(mesh, points, box);
}
const VerticesInside& Detector::vertices_inside(MeshView a, MeshView b) { return state_->vertices_inside(a, b); }

ObjectId Detector::add(MeshView mesh) { return state_->add(state_->keep(mesh)); }

void Detector::deform(ObjectId mesh, std::span<const Vec3> positions) {
  state_->deformable(mesh).mesh->deform(positions);
}

void Detector::deform(ObjectId mesh, std::span<const Vec3d> positions) {
  KeptMesh& kept = *state_->deformable(mesh).mesh;
  const MeshView wide{.positions = {}, .triangles = {}, .wide = positions};
  const Vec3d origin = origin_for(wide_box(wide));
  state_->placed.resize(positions.size());
  (void)place_mesh(wide, {}, origin, state_->placed.data());
  kept.deform(state_->placed);
  kept.set_origin(origin);
}

void Detector::remove(ObjectId mesh) {
  (void)state_->entry(mesh);
  state_->meshes.erase(mesh.number);
}

ObjectId Detector::add_rigid(MeshView mesh, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  Entry e = state_->keep(mesh);
  e.rigid = std::make_unique<Rigid>();
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
  Entry &ea = state_->entry(a), &eb = state_->entry(b);
  const Vec3d origin = State::origin_of(ea, eb);
  KeptMesh& kept_a = state_->kept(ea, origin);
  return state_->intersect(kept_a, state_->kept(eb, origin));
}
const SelfOverlap& Detector::self_intersect(ObjectId mesh) {
  Entry& e = state_->entry(mesh);
  return state_->self_intersect(state_->kept(e, State::origin_of(e)));
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points) {
  const Entry& e = state_->entry(mesh);
  if (!e.rigid) return state_->contains(*e.mesh, points);
  state_->engine->contains(e.rigid->sampled, e.rigid->pose, points, state_->query, state_->containment);
  return state_->containment;
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3d> points) {
  const Entry& e = state_->entry(mesh);
  if (!e.rigid) return state_->contains(*e.mesh, points);
  // In the mesh's own frame, where nothing is far away.
  const RigidMesh& own = e.rigid->sampled;
  const Quaternion back = conjugate(normalized(e.rigid->pose.rotation));
  auto& local = state_->placed;
  local.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    local[i] = to_float(rotate(back, points[i] - e.rigid->pose.translation) - own.origin);
  const Transform own_frame{-own.origin, {}};
  state_->engine->contains(own, own_frame, local, state_->query, state_->containment);
  return state_->containment;
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points, const Aabb& box) {
  Entry& e = state_->entry(mesh);
  return state_->contains(state_->kept(e, State::origin_of(e)), points, box);
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
