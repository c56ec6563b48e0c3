#pragma once

#include <list>

#include "lamella/detector.hpp"
#include "lamella/query.hpp"
#include "session/objects.hpp"

namespace lamella::session {

/// Queries of objects where they stand, with the answers of the one-off queries of lamella/query.hpp, to the bit. Keeps
/// detectors, so that a drag makes no engine and takes no memory in each frame. Answers are valid until the next query.
class Detectors {
 public:
  const Overlap& intersect(Object& a, Object& b, const Options& options);
  const SelfOverlap& self_intersect(Object& object, const Options& options);
  const OverlapGradient& volume_gradient(Object& a, Object& b, const Options& options);
  const SelfGradient& self_gradient(Object& object, const Options& options);
  const Containment& contains(Object& object, std::span<const Vec3d> points, const Options& options);

 private:
  Detector& of(const Options& options);

  std::list<Detector> kept_;  ///< the one used last is first
  // Of meshes with holes, which are closed in each query.
  Overlap overlap_;
  SelfOverlap self_overlap_;
  OverlapGradient gradient_;
  SelfGradient self_gradient_;
  Containment containment_;
};

}  // namespace lamella::session
