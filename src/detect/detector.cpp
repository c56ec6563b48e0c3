#include "lamella/detector.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "lamella/error.hpp"

namespace lamella {

struct Detector::State {
  Options options;
  QueryOptions query;
  std::unique_ptr<Engine> engine;
  std::unordered_map<std::uint32_t, std::unique_ptr<KeptMesh>> meshes;  // destroyed before their engine
  std::uint32_t next_id = 0;
  Overlap overlap;
  SelfOverlap self_overlap;
  Containment containment;

  KeptMesh& kept(ObjectId id) {
    const auto found = meshes.find(id.number);
    if (found == meshes.end())
      throw Error(fmt::format("this detector keeps no mesh {}: it was removed, or added to another", id.number));
    return *found->second;
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

ObjectId Detector::add(MeshView mesh) {
  const ObjectId id{state_->next_id++};
  state_->meshes.emplace(id.number, state_->engine->keep(mesh));
  return id;
}

void Detector::deform(ObjectId mesh, std::span<const Vec3> positions) { state_->kept(mesh).deform(positions); }

void Detector::remove(ObjectId mesh) {
  (void)state_->kept(mesh);
  state_->meshes.erase(mesh.number);
}

const Overlap& Detector::intersect(ObjectId a, ObjectId b) {
  return state_->intersect(state_->kept(a), state_->kept(b));
}
const SelfOverlap& Detector::self_intersect(ObjectId mesh) { return state_->self_intersect(state_->kept(mesh)); }
const Containment& Detector::contains(ObjectId mesh, std::span<const Vec3> points) {
  return state_->contains(state_->kept(mesh), points);
}

const Options& Detector::options() const { return state_->options; }

}  // namespace lamella
