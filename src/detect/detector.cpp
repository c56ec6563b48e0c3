#include "lamella/detector.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella {

struct Detector::State {
  Options options;
  std::unique_ptr<Engine> engine;
  std::unordered_map<std::uint64_t, std::unique_ptr<KeptMesh>> meshes;  // go before their engine
  std::uint64_t last_id = 0;
  Overlap overlap;
  SelfOverlap self_overlap;
  Containment containment;

  KeptMesh& kept(MeshId id) {
    const auto found = meshes.find(id.number);
    if (found == meshes.end())
      throw Error(fmt::format("this detector keeps no mesh {}: it was removed, or added to another", id.number));
    return *found->second;
  }
};

Detector::Detector(Options options) : state_(std::make_unique<State>()) {
  state_->engine = make_engine(options);
  state_->options = std::move(options);
}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const Overlap& Detector::intersect(MeshView a, MeshView b) {
  state_->engine->intersect(a, b, state_->options, state_->overlap);
  return state_->overlap;
}

const SelfOverlap& Detector::self_intersect(MeshView mesh) {
  state_->engine->self_intersect(mesh, state_->options, state_->self_overlap);
  return state_->self_overlap;
}

const Containment& Detector::contains(MeshView mesh, std::span<const Vec3> points) {
  state_->engine->contains(mesh, points, state_->options, state_->containment);
  return state_->containment;
}

MeshId Detector::add(MeshView mesh) {
  const MeshId id{++state_->last_id};
  state_->meshes.emplace(id.number, state_->engine->keep(mesh));
  return id;
}

void Detector::update_vertices(MeshId mesh, std::span<const Vec3> positions) {
  state_->kept(mesh).update_vertices(positions);
}

void Detector::remove(MeshId mesh) {
  (void)state_->kept(mesh);
  state_->meshes.erase(mesh.number);
}

const Overlap& Detector::intersect(MeshId a, MeshId b) {
  state_->engine->intersect(state_->kept(a), state_->kept(b), state_->options, state_->overlap);
  return state_->overlap;
}

const SelfOverlap& Detector::self_intersect(MeshId mesh) {
  state_->engine->self_intersect(state_->kept(mesh), state_->options, state_->self_overlap);
  return state_->self_overlap;
}

const Containment& Detector::contains(MeshId mesh, std::span<const Vec3> points) {
  state_->engine->contains(state_->kept(mesh), points, state_->options, state_->containment);
  return state_->containment;
}

const Options& Detector::options() const { return state_->options; }

Overlap intersect(MeshView a, MeshView b, const Options& options) {
  Overlap out;
  make_engine(options)->intersect(a, b, options, out);
  return out;
}

SelfOverlap self_intersect(MeshView mesh, const Options& options) {
  SelfOverlap out;
  make_engine(options)->self_intersect(mesh, options, out);
  return out;
}

Containment contains(MeshView mesh, std::span<const Vec3> points, const Options& options) {
  Containment out;
  make_engine(options)->contains(mesh, points, options, out);
  return out;
}

}  // namespace lamella
