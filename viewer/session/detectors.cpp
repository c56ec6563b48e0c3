#include "session/detectors.hpp"

#include <algorithm>
#include <initializer_list>

namespace lamella::session {
namespace {

constexpr std::size_t kMostKept = 4;

/// As far as requests can differ.
bool same(const Options& a, const Options& b) {
  return a.engine == b.engine && a.resolution == b.resolution && a.axis == b.axis && a.threads == b.threads &&
         a.keep_spans == b.keep_spans && a.tolerance == b.tolerance && a.certify == b.certify && a.exact == b.exact &&
         a.explain == b.explain && a.max_crossings == b.max_crossings && a.min_thickness == b.min_thickness &&
         a.around_points == b.around_points && a.close_holes == b.close_holes;
}

/// A detector takes meshes as they are, which is what one-off queries do of solids, and of others where no hole is to
/// be closed.
bool as_they_are(const Options& options, std::initializer_list<Object*> objects) {
  return !options.close_holes ||
         std::all_of(objects.begin(), objects.end(), [](Object* object) { return object->solid(); });
}

}  // namespace

Detector& Detectors::of(const Options& options) {
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const Detector& d) { return same(d.options(), options); });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    kept_.emplace_front(options);
    if (kept_.size() > kMostKept) kept_.pop_back();
  }
  return kept_.front();
}

const Overlap& Detectors::intersect(Object& a, Object& b, const Options& options) {
  if (as_they_are(options, {&a, &b})) return of(options).intersect(a.placed(), b.placed());
  return overlap_ = lamella::intersect(a.placed(), b.placed(), options);
}

const SelfOverlap& Detectors::self_intersect(Object& object, const Options& options) {
  if (as_they_are(options, {&object})) return of(options).self_intersect(object.placed());
  return self_overlap_ = lamella::self_intersect(object.placed(), options);
}

const OverlapGradient& Detectors::volume_gradient(Object& a, Object& b, const Options& options) {
  if (as_they_are(options, {&a, &b})) return of(options).volume_gradient(a.placed(), b.placed());
  return gradient_ = lamella::volume_gradient(a.placed(), b.placed(), options);
}

const SelfGradient& Detectors::self_gradient(Object& object, const Options& options) {
  if (as_they_are(options, {&object})) return of(options).self_gradient(object.placed());
  return self_gradient_ = lamella::self_gradient(object.placed(), options);
}

const Containment& Detectors::contains(Object& object, std::span<const Vec3d> points, const Options& options) {
  if (as_they_are(options, {&object})) return of(options).contains(object.placed(), points);
  return containment_ = lamella::contains(object.placed(), points, options);
}

}  // namespace lamella::session
