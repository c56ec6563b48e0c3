#pragma once

#include <memory>
#include <span>

#include "lamella/query.hpp"

namespace lamella {

/// The queries of query.hpp for every frame of a simulation: keeps engine and memory between calls, and allocates
/// nothing once warm. Results stay valid until the next call of the same query. Use one from one thread at a time.
class Detector {
 public:
  explicit Detector(Options options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  const Overlap& intersect(MeshView a, MeshView b);
  const SelfOverlap& self_intersect(MeshView mesh);
  const Containment& contains(MeshView mesh, std::span<const Vec3> points);

  [[nodiscard]] const Options& options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
