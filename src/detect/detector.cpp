#include "lamella/detector.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "core/check_pose.hpp"
#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "detect/holes.hpp"
#include "engines/checks.hpp"
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
  std::unique_ptr<Rigid> rigid;       ///< null for a mesh that may deform
  std::unique_ptr<ClosedMesh> holes;  ///< null for a mesh without holes
  /// The mesh as given, while some of its triangles are broken: they are holes only until their vertices are mended.
  std::unique_ptr<Mesh> broken;
};

/// Keeps a mesh for one query.
struct OneQuery {
  OneQuery(Detector& d, MeshView mesh) : detector(d), id(d.add(mesh)) {}
  ~OneQuery() { detector.remove(id); }
  OneQuery(const OneQuery&) = delete;
  OneQuery& operator=(const OneQuery&) = delete;

  Detector& detector;
  const ObjectId id;
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
  OverlapGradient gradient;
  SelfGradient self_gradient;
  std::vector<Vec3> placed;
  std::vector<Vec3> read_a, read_b;  ///< positions that are only on a device

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
  /// Keeps a mesh as the engine does, with its origin and its holes closed.
  Entry keep(MeshView mesh) {
    if (!mesh.wide.empty()) return keep(rounded(mesh));
    Entry e;
    if (options.close_holes) {
      e.holes = close_holes(mesh);
      if (e.holes && count_broken(mesh) != 0) e.broken = std::make_unique<Mesh>(rounded(mesh));
    }
    e.mesh = engine->keep(e.holes ? e.holes->view() : mesh);
    e.mesh->set_origin(mesh.origin);
    return e;
  }
  void deform(Entry& e, std::span<const Vec3> positions, Vec3d origin) {
    if (e.broken) {
      check_vertex_count(e.broken->positions.size(), positions.size());
      Mesh mesh{{positions.begin(), positions.end()}, std::move(e.broken->triangles), origin};
      e = keep(mesh);
      return;
    }
    e.mesh->deform(e.holes ? e.holes->deform(positions) : positions);
    e.mesh->set_origin(origin);
    if (e.holes) e.holes->set_origin(origin);
  }
  /// With `strict`, answers are refused once the holes are known too.
  [[nodiscard]] QueryOptions lenient() const {
    QueryOptions q = query;
    q.explain = q.explain || q.strict;
    q.strict = false;
    return q;
  }
  [[nodiscard]] static HoledSide side(const Entry& e, std::vector<Vec3>& memory) {
    KeptMesh* const mesh = e.mesh.get();
    return {e.holes.get(), e.rigid ? e.rigid->pose : Transform{}, [mesh, &memory]() -> MeshView {
              if (!mesh->view().triangles.empty()) return MeshRef(*mesh).view;
              mesh->read_positions(memory);
              return {.positions = memory, .triangles = mesh->triangles(), .origin = mesh->origin()};
            }};
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
  const Containment& finish_points(const Entry& e) {
    if (e.holes && !e.rigid) e.holes->report(containment.health);  // a rigid mesh has it in its own health
    require_health(containment.health, query.strict);
    return containment;
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
  state_->options.tolerance = options.tolerance;
  state_->options.certify = options.certify;
  state_->options.exact = options.exact;
  state_->options.ends = options.ends;
  state_->query = options;
  state_->engine = std::move(engine);
}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

// Views with holes, if they are to be closed, are kept for one query.

const Overlap& Detector::intersect(MeshView a, MeshView b) {
  if (!state_->options.close_views) return state_->intersect(a, b);
  const OneQuery keep_a(*this, a), keep_b(*this, b);
  return intersect(keep_a.id, keep_b.id);
}
const SelfOverlap& Detector::self_intersect(MeshView mesh) {
  if (!state_->options.close_views) return state_->self_intersect(mesh);
  return self_intersect(OneQuery(*this, mesh).id);
}
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points) {
  if (!state_->options.close_views) return state_->contains(mesh, points);
  return contains(OneQuery(*this, mesh).id, points);
}
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3d> points) {
  if (!state_->options.close_views) return state_->contains(mesh, points);
  return contains(OneQuery(*this, mesh).id, points);
}
const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box) {
  if (!state_->options.close_views) return state_->contains(mesh, points, box);
  return contains(OneQuery(*this, mesh).id, points, box);
}
const VerticesInside& Detector::vertices_inside(MeshView a, MeshView b) {
  if (!state_->options.close_views) return state_->vertices_inside(a, b);
  const OneQuery keep_a(*this, a), keep_b(*this, b);
  return vertices_inside(keep_a.id, keep_b.id);
}

const OverlapGradient& Detector::volume_gradient(MeshView a, MeshView b, const GradientOptions& parts) {
  State& s = *state_;
  if (!s.options.close_views) {
    s.engine->volume_gradient(a, b, s.query, parts, s.gradient);
    return s.gradient;
  }
  const OneQuery keep_a(*this, a), keep_b(*this, b);
  return volume_gradient(keep_a.id, keep_b.id, parts);
}
const SelfGradient& Detector::self_gradient(MeshView mesh, const GradientOptions& parts) {
  State& s = *state_;
  if (!s.options.close_views) {
    s.engine->self_gradient(mesh, s.query, parts, s.self_gradient);
    return s.self_gradient;
  }
  return self_gradient(OneQuery(*this, mesh).id, parts);
}

ObjectId Detector::add(MeshView mesh) { return state_->add(state_->keep(mesh)); }

void Detector::deform(ObjectId mesh, std::span<const Vec3> positions) {
  Entry& e = state_->deformable(mesh);
  state_->deform(e, positions, e.mesh->origin());
}

void Detector::deform(ObjectId mesh, std::span<const Vec3d> positions) {
  Entry& e = state_->deformable(mesh);
  const MeshView wide{.positions = {}, .triangles = {}, .wide = positions};
  const Vec3d origin = origin_for(wide_box(wide));
  state_->placed.resize(positions.size());
  (void)place_mesh(wide, {}, origin, state_->placed.data());
  state_->deform(e, state_->placed, origin);
}

void Detector::remove(ObjectId mesh) {
  (void)state_->entry(mesh);
  state_->meshes.erase(mesh.number);
}

ObjectId Detector::add_rigid(MeshView mesh, const Transform& pose) {
  check_pose(pose, kPoseTolerance);
  Entry e = state_->keep(mesh);
  e.rigid = std::make_unique<Rigid>();
  state_->engine->sample_rigid(*e.mesh, state_->lenient(), e.rigid->sampled);
  if (e.holes) e.holes->report(e.rigid->sampled.health);
  require_health(e.rigid->sampled.health, state_->query.strict);
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
  KeptMesh& kept_b = state_->kept(eb, origin);
  Overlap& out = state_->overlap;
  state_->engine->intersect(kept_a, kept_b, state_->lenient(), out);
  judge_holes(State::side(ea, state_->read_a), State::side(eb, state_->read_b), out);
  require_answer(out, state_->query.strict);
  return out;
}
const SelfOverlap& Detector::self_intersect(ObjectId mesh) {
  Entry& e = state_->entry(mesh);
  SelfOverlap& out = state_->self_overlap;
  state_->engine->self_intersect(state_->kept(e, State::origin_of(e)), state_->lenient(), out);
  judge_holes(State::side(e, state_->read_a), out);
  require_answer(out, state_->query.strict);
  return out;
}
const OverlapGradient& Detector::volume_gradient(ObjectId a, ObjectId b, const GradientOptions& parts) {
  State& s = *state_;
  Entry &ea = s.entry(a), &eb = s.entry(b);
  const Vec3d origin = State::origin_of(ea, eb);
  KeptMesh& kept_a = s.kept(ea, origin);
  KeptMesh& kept_b = s.kept(eb, origin);
  s.engine->volume_gradient(kept_a, kept_b, s.lenient(), parts, s.gradient);
  if (ea.holes || eb.holes) {  // making the sides allocates
    const HoledSide side_a = State::side(ea, s.read_a), side_b = State::side(eb, s.read_b);
    judge_holes(side_a, side_b, s.gradient);
    fold_gradients(side_a, s.gradient.vertices_a);
    fold_gradients(side_b, s.gradient.vertices_b);
  }
  require_answer(s.gradient, s.query.strict);
  return s.gradient;
}
const SelfGradient& Detector::self_gradient(ObjectId mesh, const GradientOptions& parts) {
  State& s = *state_;
  Entry& e = s.entry(mesh);
  s.engine->self_gradient(s.kept(e, State::origin_of(e)), s.lenient(), parts, s.self_gradient);
  if (e.holes) {
    const HoledSide side = State::side(e, s.read_a);
    judge_holes(side, s.self_gradient);
    fold_gradients(side, s.self_gradient.vertices);
  }
  require_answer(s.self_gradient, s.query.strict);
  return s.self_gradient;
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points) {
  const Entry& e = state_->entry(mesh);
  if (e.rigid)
    state_->engine->contains(e.rigid->sampled, e.rigid->pose, points, state_->lenient(), state_->containment);
  else
    state_->engine->contains(*e.mesh, points, state_->lenient(), state_->containment);
  return state_->finish_points(e);
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3d> points) {
  const Entry& e = state_->entry(mesh);
  if (!e.rigid) {
    state_->engine->contains(*e.mesh, points, state_->lenient(), state_->containment);
    return state_->finish_points(e);
  }
  // In the mesh's own frame, where nothing is far away.
  const RigidMesh& own = e.rigid->sampled;
  const Quaternion back = conjugate(normalized(e.rigid->pose.rotation));
  auto& local = state_->placed;
  local.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    local[i] = to_float(rotate(back, points[i] - e.rigid->pose.translation) - own.origin);
  state_->engine->contains(own, {-own.origin, {}}, local, state_->lenient(), state_->containment);
  return state_->finish_points(e);
}
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points, const Aabb& box) {
  Entry& e = state_->entry(mesh);
  state_->engine->contains(state_->kept(e, State::origin_of(e)), points, box, state_->lenient(), state_->containment);
  return state_->finish_points(e);
}

const VerticesInside& Detector::vertices_inside(ObjectId a, ObjectId b) {
  const Entry &ea = state_->entry(a), &eb = state_->entry(b);
  Engine& engine = *state_->engine;
  const QueryOptions options = state_->lenient();
  VerticesInside& out = state_->vertices;
  if (ea.rigid && eb.rigid) {
    engine.vertices_inside(ea.rigid->sampled, ea.rigid->pose, eb.rigid->sampled, eb.rigid->pose, options, out);
  } else if (eb.rigid) {
    engine.vertices_inside(*ea.mesh, eb.rigid->sampled, eb.rigid->pose, options, out);
  } else if (ea.rigid) {
    engine.vertices_inside(*eb.mesh, ea.rigid->sampled, ea.rigid->pose, options, out);
    std::swap(out.a_in_b, out.b_in_a);
  } else {
    engine.vertices_inside(*ea.mesh, *eb.mesh, options, out);
  }
  for (const Entry* e : {&ea, &eb})
    if (e->holes && !e->rigid) e->holes->report(out.health);
  drop_fan_points(ea.holes.get(), out.a_in_b);
  drop_fan_points(eb.holes.get(), out.b_in_a);
  require_health(out.health, state_->query.strict);
  return out;
}

const Options& Detector::options() const { return state_->options; }

}  // namespace lamella
