#include "lamella/detector.hpp"

#include "lamella/engine.hpp"

namespace lamella {

struct Detector::State {
  Options options;
  std::unique_ptr<Engine> engine;
  Overlap overlap;
  SelfOverlap self_overlap;
  Containment containment;
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
