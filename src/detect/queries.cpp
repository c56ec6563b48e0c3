// The one-off queries: each closes the holes of its meshes, makes an engine and runs one query.

#include "lamella/query.hpp"

#include "detect/holes.hpp"
#include "engines/checks.hpp"
#include "lamella/engine.hpp"

namespace lamella {
namespace {

/// A mesh as it is sampled: with its holes closed, if it has any and the caller agrees.
struct Asked {
  Asked(MeshView mesh, const Options& options)
      : given(mesh), holes(options.close_holes ? close_holes(mesh) : nullptr) {}

  [[nodiscard]] MeshView view() const { return holes ? holes->view() : given; }
  [[nodiscard]] HoledSide side() const {
    return {holes.get(), {}, [this] { return rounded_view(); }};
  }

 private:
  [[nodiscard]] MeshView rounded_view() const {
    if (view().wide.empty()) return view();
    copy = rounded(view());
    return copy;
  }

  MeshView given;
  std::unique_ptr<ClosedMesh> holes;
  mutable Mesh copy;
};

/// With `strict`, answers are refused once the holes are known too.
QueryOptions lenient(const Options& options) {
  QueryOptions query = options.for_query();
  query.explain = query.explain || query.strict;
  query.strict = false;
  return query;
}

template <class Points, class... Box>
Containment contains_in(MeshView mesh, Points points, const Options& options, const Box&... box) {
  const Asked asked(mesh, options);
  Containment out;
  make_engine(options)->contains(asked.view(), points, box..., lenient(options), out);
  if (const ClosedMesh* holes = asked.side().holes) holes->report(out.health);
  require_health(out.health, options.strict);
  return out;
}

}  // namespace

Overlap intersect(MeshView a, MeshView b, const Options& options) {
  const Asked asked_a(a, options), asked_b(b, options);
  Overlap out;
  make_engine(options)->intersect(asked_a.view(), asked_b.view(), lenient(options), out);
  judge_holes(asked_a.side(), asked_b.side(), out);
  require_answer(out, options.strict);
  return out;
}

SelfOverlap self_intersect(MeshView mesh, const Options& options) {
  const Asked asked(mesh, options);
  SelfOverlap out;
  make_engine(options)->self_intersect(asked.view(), lenient(options), out);
  judge_holes(asked.side(), out);
  require_answer(out, options.strict);
  return out;
}

OverlapGradient volume_gradient(MeshView a, MeshView b, const Options& options, const GradientOptions& parts) {
  const Asked asked_a(a, options), asked_b(b, options);
  OverlapGradient out;
  make_engine(options)->volume_gradient(asked_a.view(), asked_b.view(), lenient(options), parts, out);
  judge_holes(asked_a.side(), asked_b.side(), out);
  fold_gradients(asked_a.side(), out.vertices_a);
  fold_gradients(asked_b.side(), out.vertices_b);
  require_answer(out, options.strict);
  return out;
}

SelfGradient self_gradient(MeshView mesh, const Options& options, const GradientOptions& parts) {
  const Asked asked(mesh, options);
  SelfGradient out;
  make_engine(options)->self_gradient(asked.view(), lenient(options), parts, out);
  judge_holes(asked.side(), out);
  fold_gradients(asked.side(), out.vertices);
  require_answer(out, options.strict);
  return out;
}

Containment contains(MeshView mesh, std::span<const Vec3> points, const Options& options) {
  return contains_in(mesh, points, options);
}

Containment contains(MeshView mesh, std::span<const Vec3d> points, const Options& options) {
  return contains_in(mesh, points, options);
}

Containment contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box, const Options& options) {
  return contains_in(mesh, points, options, box);
}

Containment contains(MeshView mesh, std::span<const Vec3d> points, const Aabb& box, const Options& options) {
  return contains_in(mesh, points, options, box);
}

VerticesInside vertices_inside(MeshView a, MeshView b, const Options& options) {
  const Asked asked_a(a, options), asked_b(b, options);
  VerticesInside out;
  make_engine(options)->vertices_inside(asked_a.view(), asked_b.view(), lenient(options), out);
  for (const Asked* asked : {&asked_a, &asked_b})
    if (const ClosedMesh* holes = asked->side().holes) holes->report(out.health);
  drop_fan_points(asked_a.side().holes, out.a_in_b);
  drop_fan_points(asked_b.side().holes, out.b_in_a);
  require_health(out.health, options.strict);
  return out;
}

}  // namespace lamella
