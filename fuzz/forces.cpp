// Gradients of volumes, ends of spans and contact forces of arrays of any content. Whatever the meshes are, forces of a
// pair cancel, nothing is pushed where nothing overlaps, and no vertex gets a number that is none.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "lamella/gradient.hpp"
#include "lamella/query.hpp"
#include "lamella/soft.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

/// Mostly of the one engine on the CPU that has gradients.
MadeOptions take_gradient_options(Input& input) {
  MadeOptions made = take_options(input);
  const bool known = made.options.engine != "soft\nware";
  if (known && input.below(16) != 0) made.options.engine = "software";
  if (made.options.engine != "software") made.good = false;
  return made;
}

/// Sums of the vertices' gradients, and of their sizes.
struct VertexSum {
  Vec3d sum;
  double size = 0;

  explicit VertexSum(std::span<const Vec3> vertices) {
    for (const Vec3 v : vertices) {
      require(is_finite(to_double(v)), "a vertex's gradient is finite");
      sum += to_double(v);
      size += length(to_double(v));
    }
  }
};

void check_inner(const InnerSurface& inner) {
  require(std::isfinite(inner.area) && inner.area >= 0, "an inner surface has an area");
  require(is_finite(inner.normal) && length(inner.normal) <= 1 + 1e-6, "a mean normal is not longer than a normal");
}

void check_sums(const GradientSums& sums, bool nothing) {
  require(is_finite(sums.a.translation) && is_finite(sums.a.rotation), "a's gradient is finite");
  require(is_finite(sums.b.translation) && is_finite(sums.b.rotation), "b's gradient is finite");
  check_inner(sums.inner_a);
  check_inner(sums.inner_b);
  for (int i = 0; i < 3; ++i) {
    require(is_finite(sums.moments[i]), "moments are finite");
    require(sums.moments[i][i] >= 0, "a moment about a plane is not below 0");
    for (int k = 0; k < 3; ++k) require(sums.moments[i][k] == sums.moments[k][i], "the moments are symmetric");
  }
  if (!nothing) return;
  require(sums.a.translation == Vec3d{} && sums.a.rotation == Vec3d{} && sums.inner_a.area == 0,
          "what is clear has no gradient");
  require(sums.b.translation == Vec3d{} && sums.b.rotation == Vec3d{} && sums.inner_b.area == 0,
          "what is clear has no gradient");
}

bool equal(const MotionGradient& a, const MotionGradient& b) {
  return a.translation == b.translation && a.rotation == b.rotation;
}
bool equal(const GradientSums& a, const GradientSums& b) {
  return equal(a.a, b.a) && equal(a.b, b.b) && a.moments == b.moments && a.inner_a.area == b.inner_a.area &&
         a.inner_b.area == b.inner_b.area && a.inner_a.normal == b.inner_a.normal &&
         a.inner_b.normal == b.inner_b.normal;
}

/// A vertex that no usable triangle has does not matter.
void check_unused(const Mesh& mesh, std::span<const Vec3> gradient) {
  std::vector<bool> used(mesh.positions.size());
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) used[t[k]] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i] || !is_finite(to_double(mesh.positions[i])))
      require(gradient[i] == Vec3{}, "a vertex of no triangle changes no volume");
}

void pair_gradient(Input& input) {
  const MadeOptions made = take_gradient_options(input);
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  const GradientOptions parts{.vertices = input.below(4) != 0};
  const bool good = made.good && !made.may_throw && a.indices_exist && b.indices_exist;
  const auto found = answer_of(good, [&] { return volume_gradient(a.mesh, b.mesh, made.options, parts); });
  if (!found) return;
  check_overlap(*found, made.options.min_thickness, a.mesh.triangles.size() + b.mesh.triangles.size());
  require(made.options.engine == "software", "other engines have no gradients");
  const auto plain = answer_of(good, [&] { return intersect(a.mesh, b.mesh, made.options); });
  if (plain) {
    require(same(static_cast<const Overlap&>(*found), *plain), "the volume is that of intersect()");
    require(found->verdict == plain->verdict && found->volume_error == plain->volume_error,
            "verdict and error bar are those of intersect()");
  }
  check_sums(found->sums, found->grid.column_count() == 0);
  require(found->sums.a.translation == -found->sums.b.translation, "the gradients of a pair cancel exactly");
  require(found->sums.a.rotation == -found->sums.b.rotation, "the torques of a pair cancel exactly");
  require(found->vertices_a.size() == (parts.vertices ? a.mesh.positions.size() : 0) &&
              found->vertices_b.size() == (parts.vertices ? b.mesh.positions.size() : 0),
          "a gradient for each vertex, where they are wanted");
  const VertexSum of_a(found->vertices_a), of_b(found->vertices_b);
  if (parts.vertices) {
    require(length(of_a.sum - found->sums.a.translation) <= 1e-6 * of_a.size, "vertices sum up to their mesh");
    require(length(of_b.sum - found->sums.b.translation) <= 1e-6 * of_b.size, "vertices sum up to their mesh");
    if (a.indices_exist) check_unused(a.mesh, found->vertices_a);
    if (b.indices_exist) check_unused(b.mesh, found->vertices_b);
  }
  Options other = made.options;
  other.threads = 4 - other.threads;
  const auto again = answer_of(good, [&] { return volume_gradient(a.mesh, b.mesh, other, parts); });
  if (!again) return;
  require(equal(found->sums, again->sums) && found->vertices_a == again->vertices_a &&
              found->vertices_b == again->vertices_b,
          "the number of threads does not matter");
}

void one_gradient(Input& input) {
  const MadeOptions made = take_gradient_options(input);
  const Places places(input);
  const MadeMesh mesh = take_mesh(input, places);
  const bool good = made.good && !made.may_throw && mesh.indices_exist;
  const auto found = answer_of(good, [&] { return self_gradient(mesh.mesh, made.options); });
  if (!found) return;
  check_self_overlap(*found, made.options.min_thickness, mesh.mesh.triangles.size());
  const auto plain = answer_of(good, [&] { return self_intersect(mesh.mesh, made.options); });
  if (plain)
    require(same(static_cast<const SelfOverlap&>(*found), *plain) && found->verdict == plain->verdict,
            "the volume is that of self_intersect()");
  check_sums(found->sums, found->grid.column_count() == 0);
  require(found->vertices.size() == mesh.mesh.positions.size(), "a gradient for each vertex");
  const VertexSum sum(found->vertices);
  require(length(sum.sum) <= 1e-6 * sum.size, "a mesh cannot push itself");
  require(length(found->sums.a.translation) <= 1e-6 * sum.size, "a mesh cannot push itself");
  if (mesh.indices_exist) check_unused(mesh.mesh, found->vertices);
}

// ---- ends of spans

/// Where an end says it is, seen along the rays: in the column's cell, or as far off as the lattice moves vertices.
void check_place(const SpanEnd& end, const Mesh& mesh, const Grid& grid, std::uint32_t column) {
  require(end.triangle < mesh.triangles.size(), "an end lies on a triangle of its mesh");
  const float b = end.weight_b, c = end.weight_c;
  require(b >= 0 && c >= 0 && b + c <= 1 + 1e-6f, "an end lies on its triangle");
  const Triangle t = mesh.triangles[end.triangle];
  const Vec3d p = to_double(mesh.positions[t.a]) * (1.0 - b - c) +
                  to_double(mesh.positions[t.b]) * static_cast<double>(b) +
                  to_double(mesh.positions[t.c]) * static_cast<double>(c);
  require(is_finite(p), "no triangle that is left out ends a span");
  const Vec3d at = sample_position(grid, column, 0);
  const auto check = [&](int axis, double cell) {
    double size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, static_cast<double>(std::abs(mesh.positions[t[k]][axis])));
    require(std::abs(p[axis] - at[axis]) <= 0.01 * cell + 1e-6 * size, "an end lies on its ray");
  };
  check(grid.u(), grid.cell_u());
  check(grid.v(), grid.cell_v());
}

void check_ends(const Overlap& o, std::span<const Mesh* const> meshes) {
  require(o.ends.size() == o.spans.size(), "ends are in step with spans");
  for (std::size_t i = 0; i < o.ends.size(); ++i)
    for (const SpanEnd& end : {o.ends[i].begin, o.ends[i].end}) {
      require(end.mesh < meshes.size(), "an end belongs to a mesh of the query");
      check_place(end, *meshes[end.mesh], o.grid, o.spans[i].column);
    }
}

void span_ends(Input& input) {
  MadeOptions made = take_gradient_options(input);
  made.options.ends = true;
  if (input.below(16) == 0) made.options.keep_spans = made.good = false;
  const Places places(input);
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  const bool good = made.good && !made.may_throw;
  Options without = made.options;
  without.ends = false;
  const bool good_pair = good && a.indices_exist && b.indices_exist;
  if (const auto found = answer_of(good_pair, [&] { return intersect(a.mesh, b.mesh, made.options); })) {
    require(made.good, "ends that cannot be told are refused");
    check_ends(*found, std::array{&a.mesh, &b.mesh});
    require(same(*found, intersect(a.mesh, b.mesh, without)), "ends change nothing else");
  }
  if (const auto found = answer_of(good && a.indices_exist, [&] { return self_intersect(a.mesh, made.options); })) {
    check_ends(*found, std::array{&a.mesh});
    require(same(*found, self_intersect(a.mesh, without)), "ends change nothing else");
  }
}

// ---- forces of contacts

struct MadeContact {
  VolumeContactOptions options;
  bool good = true;
  bool may_throw = false;
};

MadeContact take_contact_options(Input& input, const Places& places) {
  MadeContact made;
  VolumeContactOptions& o = made.options;
  o.resolution = static_cast<std::uint32_t>(1 + input.below(14));
  o.threads = static_cast<unsigned>(1 + input.below(3));
  constexpr double kStiffness[] = {1000, 1, 0, 1e6};
  o.stiffness = kStiffness[input.below(4)];
  if (input.flag()) o.damping = o.stiffness / 10;
  if (input.below(4) == 0) o.cell = static_cast<double>(places.scale) * (0.4 + static_cast<double>(input.below(8)));
  o.passes = 1 + static_cast<unsigned>(input.below(3));
  o.iterations = 1 + static_cast<unsigned>(input.below(5));
  if (input.flag()) o.relaxation = 0.25;
  if (input.flag()) o.max_way = static_cast<double>(places.scale) / 4;
  if (input.flag()) o.friction = 0.5;
  const std::size_t wrong = input.below(64);
  if (wrong == 0) o.stiffness = input.take<double>();
  if (wrong == 1) o.damping = input.take<double>();
  if (wrong == 2) o.cell = -1;
  if (wrong == 3) o.relaxation = input.take<double>();
  if (wrong == 4) o.resolution = 0;
  if (wrong == 5) o.passes = 0;
  if (wrong == 6) o.max_way = input.take<double>();
  made.may_throw = wrong == 7;
  if (made.may_throw) o.strict = true;
  const auto at_least_0 = [](double x) { return x >= 0 && std::isfinite(x); };
  made.good = at_least_0(o.stiffness) && at_least_0(o.damping) && at_least_0(o.cell) && o.relaxation > 0 &&
              o.relaxation <= 1 && o.resolution > 0 && o.passes > 0 && o.max_way > 0;
  // What is finite can still become infinite where it is multiplied: rules about numbers need moderate ones.
  return made;
}

std::optional<VolumeContact> make_contact(const MadeContact& made) {
  return answer_of(made.good, [&] {
    VolumeContact contact(made.options);
    require(made.good, "wrong options are refused");
    return contact;
  });
}

Vec3d take_velocity(Input& input, const Places& places) {
  const Vec3 v = places.take(input) - Vec3{places.at(3), places.at(3), places.at(3)};
  return to_double(v);
}

struct ForceSum {
  Vec3d sum;
  double size = 0;

  void add(std::span<const Vec3d> forces) {
    for (const Vec3d f : forces) {
      require(is_finite(f), "a force is finite");
      sum += f;
      size += length(f);
    }
  }
};

void check_report(const ContactReport& r, double largest_triangles) {
  for (const double x : {r.volume, r.area, r.deepest, r.left, r.cell})
    require(std::isfinite(x) && x >= 0, "what a report says is finite and not below 0");
  require(r.energy >= 0, "energy is not below 0; a huge stiffness may make it infinite");
  require(is_finite(r.push), "the push is finite");
  require(r.health.skipped_triangles <= largest_triangles, "only triangles that exist are skipped");
  require(r.health.open_columns + r.health.inside_out_columns <= r.health.occupied_columns,
          "open and inside-out columns are different occupied ones");
  require((r.verdict == Verdict::colliding) <= (r.span_count > 0), "spans are what collides");
}

/// Cells that are tiny beside a mesh make the largest grid that there is: right, but too long for a fuzzer.
bool takes_long(const VolumeContactOptions& o, const Mesh& mesh) {
  const Aabb box = bounds(mesh);
  return o.cell > 0 && !box.empty() && length(to_double(box.max) - to_double(box.min)) > 512 * o.cell;
}

bool is_moderate(const VolumeContactOptions& o) { return o.stiffness <= 1e9 && o.damping <= 1e9; }

void check_unmoved(const MadeMesh& made, std::span<const Vec3d> forces) {
  for (std::size_t i = 0; i < forces.size(); ++i)
    if (!is_finite(to_double(made.mesh.positions[i])))
      require(forces[i] == Vec3d{}, "a vertex that is nowhere is left alone");
}

void contact_forces(Input& input) {
  const Places places(input);
  const MadeContact made = take_contact_options(input, places);
  auto contact = make_contact(made);
  if (!contact) return;
  const MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  if (takes_long(made.options, a.mesh) || takes_long(made.options, b.mesh)) return;
  std::vector<Vec3d> force_a(a.mesh.positions.size()), force_b(b.mesh.positions.size()), velocities_a, velocities_b;
  if (input.flag())
    for (std::size_t i = 0; i < force_a.size(); ++i) velocities_a.push_back(take_velocity(input, places));
  if (input.flag())
    for (std::size_t i = 0; i < force_b.size(); ++i) velocities_b.push_back(take_velocity(input, places));
  const bool good = !made.may_throw && a.indices_exist && b.indices_exist;
  const auto push = [&](VolumeContact& by, std::vector<Vec3d>& to_a, std::vector<Vec3d>& to_b) {
    return answer_of(good, [&] { return by.add_forces(a.mesh, b.mesh, to_a, to_b, velocities_a, velocities_b); });
  };
  const auto report = push(*contact, force_a, force_b);
  if (!report || !is_moderate(made.options)) return;
  check_report(*report, static_cast<double>(a.mesh.triangles.size() + b.mesh.triangles.size()));
  ForceSum of_a, both;
  of_a.add(force_a);
  both.add(force_a);
  both.add(force_b);
  require(length(both.sum) <= 1e-9 * both.size, "forces of a pair cancel");
  require(length(of_a.sum - report->push) <= 1e-9 * both.size, "the push is the force on a");
  if (report->span_count == 0) require(both.size == 0 && report->volume == 0, "what is clear is not pushed");
  check_unmoved(a, force_a);
  check_unmoved(b, force_b);

  MadeContact other = made;
  other.options.threads = 4 - made.options.threads;
  std::vector<Vec3d> again_a(force_a.size()), again_b(force_b.size());
  VolumeContact twin(other.options);
  (void)push(twin, again_a, again_b);
  require(again_a == force_a && again_b == force_b, "the number of threads does not matter");

  std::vector<Vec3d> self(force_a.size());
  const auto own = answer_of(good, [&] { return contact->add_self_forces(a.mesh, self, velocities_a); });
  if (!own) return;
  check_report(*own, static_cast<double>(a.mesh.triangles.size()));
  ForceSum sum;
  sum.add(self);
  require(length(sum.sum) <= 1e-9 * sum.size, "a mesh cannot push itself");
  check_unmoved(a, self);
}

/// A body that project() may move.
struct Soft {
  MadeMesh made;
  std::vector<Vec3d> positions, before;
  std::vector<double> inverse_masses;

  Soft(Input& input, const Places& places) : made(take_mesh(input, places)) {
    for (const Vec3 p : made.mesh.positions) positions.push_back(to_double(p));
    const std::size_t kind = input.below(4);
    if (kind != 0)
      for (std::size_t i = 0; i < positions.size(); ++i)
        inverse_masses.push_back(kind == 1 ? 1.0 : static_cast<double>(input.below(4)));
    if (input.flag()) {
      const Vec3d by = take_velocity(input, places);
      for (const Vec3d p : positions) before.push_back(p - by);
    }
  }
  [[nodiscard]] SoftMesh view() { return {made.mesh.triangles, positions, inverse_masses, before}; }

  /// What moved, times its mass; checks what must not move.
  [[nodiscard]] ForceSum moved(std::span<const Vec3d> was) const {
    ForceSum sum;
    for (std::size_t i = 0; i < was.size(); ++i) {
      const bool stays = inverse_masses.empty() || inverse_masses[i] == 0 || !is_finite(was[i]);
      if (stays) {
        require(std::memcmp(&was[i], &positions[i], sizeof was[i]) == 0, "what cannot move stays");
        continue;
      }
      require(is_finite(positions[i]), "a moved vertex is somewhere");
      const Vec3d way = (positions[i] - was[i]) * (1 / inverse_masses[i]);
      sum.sum += way;
      sum.size += length(way) + 1e-6 * length(was[i]) / inverse_masses[i];
    }
    return sum;
  }
};

void projected(Input& input) {
  const Places places(input);
  const MadeContact made = take_contact_options(input, places);
  auto contact = make_contact(made);
  if (!contact) return;
  Soft a(input, places), b(input, places);
  if (takes_long(made.options, a.made.mesh) || takes_long(made.options, b.made.mesh)) return;
  const bool alone = input.below(4) == 0;
  const std::vector<Vec3d> was_a = a.positions, was_b = b.positions;
  const bool good = !made.may_throw && a.made.indices_exist && (alone || b.made.indices_exist);
  const auto report =
      answer_of(good, [&] { return alone ? contact->project_self(a.view()) : contact->project(a.view(), b.view()); });
  if (!report) return;
  check_report(*report, static_cast<double>(a.made.mesh.triangles.size() + b.made.mesh.triangles.size()));
  const ForceSum of_a = a.moved(was_a), of_b = b.moved(was_b);
  const double size = of_a.size + of_b.size;
  const bool all_free = std::ranges::all_of(a.inverse_masses, [](double w) { return w > 0; }) &&
                        std::ranges::all_of(b.inverse_masses, [](double w) { return w > 0; }) &&
                        !a.inverse_masses.empty() && (alone || !b.inverse_masses.empty());
  if (all_free) require(length(of_a.sum + of_b.sum) <= 1e-6 * size, "momentum is kept");
  if (report->span_count == 0 && made.options.passes == 1) {
    require(report->volume == 0 && of_a.sum == Vec3d{} && of_b.sum == Vec3d{}, "what is clear is not moved");
  }
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  switch (input.below(5)) {
    case 0:
      pair_gradient(input);
      break;
    case 1:
      one_gradient(input);
      break;
    case 2:
      span_ends(input);
      break;
    case 3:
      contact_forces(input);
      break;
    default:
      projected(input);
  }
  return 0;
}
