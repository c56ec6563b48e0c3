// Arrays of any content through every query: one-off, kept by a Detector, in a Batch. Every option is varied, wrong
// ones too. Only Error may be thrown, and only where the interface says so.

#include "lamella/query.hpp"

#include <optional>

#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

/// A pair of meshes, and whether queries of them must succeed.
struct Arguments {
  MadeOptions made;
  Places places;
  MadeMesh a, b;

  explicit Arguments(Input& input)
      : made(take_options(input)), places(input), a(take_mesh(input, places)), b(take_mesh(input, places)) {}

  [[nodiscard]] const Options& options() const { return made.options; }
  [[nodiscard]] bool good(const MadeMesh& mesh) const { return made.good && !made.may_throw && mesh.indices_exist; }
  [[nodiscard]] bool good() const { return good(a) && good(b); }
  /// A mesh with an index out of range must not be sampled.
  void check_sampled(const Grid& grid, bool exist) const {
    require(made.good, "wrong options are refused");
    if (grid.column_count() != 0) require(exist, "an index out of range is refused");
  }
  /// Of a mesh that was sampled in a box that surrounds it: all columns close, unless triangles are missing.
  void check_closed(const Health& health, bool closed) const {
    if (closed && health.skipped_triangles == 0) require(health.open_columns == 0, "columns of a closed mesh close");
    require(!options().strict || health.ok(), "a strict answer is healthy");
  }
};

void check_prisms(const Overlap& o) {
  const Mesh mesh = prisms(o.grid, o.spans);
  require(mesh.positions.size() == 8 * o.spans.size() && mesh.triangles.size() == 12 * o.spans.size(),
          "a span is a box");
  if (o.spans.empty()) return;
  const MeshReport report = inspect(mesh);
  require(report.closed && report.components == o.spans.size(), "boxes of spans are closed");
  double largest = 0, side = std::max({o.grid.cell_u(), o.grid.cell_v(), static_cast<double>(o.grid.depth())});
  for (const Vec3 p : mesh.positions)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, static_cast<double>(std::abs(p[k])));
  const double rounding = static_cast<double>(o.spans.size()) * 0x1p-22 * largest * 6 * side * side;
  require(std::abs(signed_volume(mesh) - o.volume) <= rounding + 1e-9 * o.volume, "boxes have the volume of the spans");
}

void intersect_pair(Input& input) {
  const Arguments args(input);
  const auto& [mesh_a, mesh_b] = std::pair<const Mesh&, const Mesh&>(args.a.mesh, args.b.mesh);
  const std::size_t triangles = mesh_a.triangles.size() + mesh_b.triangles.size();
  const auto overlap = answer_of(args.good(), [&] { return intersect(mesh_a, mesh_b, args.options()); });
  const auto swapped = answer_of(args.good(), [&] { return intersect(mesh_b, mesh_a, args.options()); });
  if (!overlap || !swapped) return;
  args.check_sampled(overlap->grid, args.a.indices_exist && args.b.indices_exist);
  args.check_closed(overlap->health, args.a.closed && args.b.closed);
  check_overlap(*overlap, args.options().min_thickness, triangles);
  check_overlap(*swapped, args.options().min_thickness, triangles);
  require(overlap->engine == args.options().engine, "the answer names its engine");
  // Two boxes may be equally shallow; then the order decides which is sampled.
  if (overlap->grid == swapped->grid)
    require(same(*overlap, *swapped), "the order of the meshes does not matter");
  else
    require(overlap->grid.depth() == swapped->grid.depth(), "either order samples the shallowest box");
  check_prisms(*overlap);
  Options other = args.options();
  other.threads = 4 - other.threads;
  require(same(*overlap, intersect(mesh_a, mesh_b, other)), "the number of threads does not matter");
}

void one_mesh(Input& input) {
  const Arguments args(input);
  const Mesh& mesh = args.a.mesh;
  const auto self = answer_of(args.good(args.a), [&] { return self_intersect(mesh, args.options()); });
  if (self) {
    args.check_sampled(self->grid, args.a.indices_exist);
    args.check_closed(self->health, args.a.closed);
    check_self_overlap(*self, args.options().min_thickness, mesh.triangles.size());
    check_prisms(*self);
    require(same(*self, self_intersect(mesh, args.options())), "the same question has the same answer");
  }
  const std::vector<Vec3> points = take_points(input, args.places);
  const auto inside = answer_of(args.good(args.a), [&] { return contains(mesh, points, args.options()); });
  if (!inside) return;
  args.check_sampled(inside->grid, args.a.indices_exist);
  args.check_closed(inside->health, args.a.closed);
  check_containment(*inside, points, bounds(mesh), mesh.triangles.size());
  require(!inside->box && inside->not_looked_at == 0, "without a box every point is looked at");

  Aabb box = extend(extend({}, args.places.take(input)), args.places.take(input));
  if (input.below(8) == 0) box.max.z = input.take<float>();
  const Vec3 e = extent(box);
  const bool encloses = !box.empty() && e.x > 0x1p-80f && e.y > 0x1p-80f && e.z > 0x1p-80f && std::isfinite(e.z);
  const auto in_box =
      answer_of(args.good(args.a) && encloses, [&] { return contains(mesh, points, box, args.options()); });
  if (!in_box) return;
  args.check_sampled(in_box->grid, args.a.indices_exist);
  require(encloses, "a box without volume is refused");
  require(in_box->box == box, "the answer names its box");
  check_containment(*in_box, points, bounds(mesh), mesh.triangles.size());
}

/// What exact arithmetic says does not depend on order, threads or engine, and sampling does not contradict it.
void proofs(Input& input) {
  Arguments args(input);
  const Mesh &a = args.a.mesh, &b = args.b.mesh;
  Options options = args.options();
  options.strict = false;
  options.close_holes = false;
  const Options plain = options;
  options.certify = true;
  const auto proved = answer_of(args.good(), [&] { return intersect(a, b, options); });
  if (proved && proved->certificate.certain) {
    const Certificate& c = proved->certificate;
    require(proved->verdict != Verdict::undecided, "what is certain is decided");
    require(proved->colliding() == c.witness.has_value(), "a collision has a witness, and nothing else has");
    require(!c.touching || !proved->colliding(), "what collides does more than touch");
    const auto swapped = answer_of(args.good(), [&] { return intersect(b, a, options); });
    const auto sampled = answer_of(args.good(), [&] { return intersect(a, b, plain); });
    if (swapped && swapped->certificate.certain)
      require(swapped->verdict == proved->verdict, "the order does not matter");
    if (sampled && proved->verdict == Verdict::clear)
      require(sampled->verdict != Verdict::colliding, "sampling proves no collision of what is proved to be clear");
  }
  if (proved) require(std::isfinite(proved->volume_error) && proved->volume_error >= 0, "an error bar is a volume");
  const auto self = answer_of(args.good(args.a), [&] { return self_intersect(a, options); });
  if (self && self->certificate.certain) require(self->verdict != Verdict::undecided, "what is certain is decided");

  const std::vector<Vec3> points = take_points(input, args.places);
  options.certify = false;
  options.exact = true;
  const auto flags = answer_of(args.good(args.a), [&] { return contains(a, points, options); });
  if (!flags) return;
  require(flags->inside.size() == points.size(), "one flag a point");
  Options other = options;
  other.resolution = 1 + input.below(9);
  other.threads = 4 - options.threads;
  const auto again = answer_of(args.good(args.a), [&] { return contains(a, points, other); });
  if (again && args.a.closed && flags->health.skipped_triangles == 0 && again->health.skipped_triangles == 0)
    require(again->inside == flags->inside, "exact flags depend neither on columns nor on threads");
}

void pair_vertices(Input& input) {
  const Arguments args(input);
  const Mesh &a = args.a.mesh, &b = args.b.mesh;
  const auto found = answer_of(args.good(), [&] { return vertices_inside(a, b, args.options()); });
  if (!found) return;
  args.check_sampled(found->a_in_b.grid, args.a.indices_exist && args.b.indices_exist);
  args.check_closed(found->health, args.a.closed && args.b.closed);
  check_health(found->health, found->a_in_b.grid, a.triangles.size() + b.triangles.size(), 2);
  check_vertices(found->a_in_b, a.positions, args.options().min_thickness, false);
  check_vertices(found->b_in_a, b.positions, args.options().min_thickness, false);
  require(found->any() == (!found->a_in_b.inside.empty() || !found->b_in_a.inside.empty()), "any is one of both");
  require(same(*found, vertices_inside(a, b, args.options())), "the same question has the same answer");
}

/// Placed relative to the origin of the world: what detectors and batches place near it, too.
Mesh in_world_floats(const Mesh& mesh, const Transform& pose) { return {placed_positions(mesh, pose), mesh.triangles}; }

/// What a detector should keep.
struct Kept {
  ObjectId id;
  MadeMesh made;
  std::optional<Transform> pose;  ///< of a rigid mesh
  bool removed = false;

  [[nodiscard]] Mesh placed() const {
    return pose && !(pose->translation == Vec3d{} && pose->rotation.w == 1) ? in_world_floats(made.mesh, *pose)
                                                                            : made.mesh;
  }
};

/// Adds, moves, deforms, removes and queries. Every answer is that of the one-off query on the meshes as they are.
void detector(Input& input) {
  const MadeOptions made = take_options(input);
  const Options& options = made.options;
  const Places places(input);
  auto detector = std::optional<Detector>();
  const bool can_be_made = options.engine != "soft\nware";
  try {
    detector.emplace(options);
  } catch (const Error&) {
    require(!can_be_made, "a detector of a known engine can be made");
    return;
  }
  require(can_be_made, "an unknown engine is refused");
  const bool good = made.good && !made.may_throw;
  std::vector<Kept> kept;
  for (int step = 0; step < 10 && !input.empty(); ++step) {
    const std::size_t action = input.below(10);
    if (kept.empty() || action == 0) {
      Kept k{{}, take_mesh(input, places), std::nullopt, false};
      k.id = detector->add(k.made.mesh);
      kept.push_back(std::move(k));
      continue;
    }
    if (action == 1) {
      const Transform pose = take_pose(input, places, true);
      Kept k{{}, take_mesh(input, places), pose, false};
      const auto id = answer_of(good && k.made.indices_exist && is_pose(pose),
                                [&] { return detector->add_rigid(k.made.mesh, pose); });
      if (!id) continue;
      require(is_pose(pose), "a pose that is none is refused");
      k.id = *id;
      kept.push_back(std::move(k));
      continue;
    }
    Kept &a = kept[input.below(kept.size())], &b = kept[input.below(kept.size())];
    const bool exist = !a.removed && !b.removed;
    const bool indices = a.made.indices_exist && b.made.indices_exist;
    const auto done = [&](bool must, const auto& call) {
      return answer_of(must, [&] {
        call();
        return true;
      });
    };
    switch (action) {
      case 2: {
        const auto ok = done(!a.removed, [&] { detector->remove(a.id); });
        require(!ok || !a.removed, "a mesh can be removed once");
        a.removed = true;
        break;
      }
      case 3: {
        const Transform pose = take_pose(input, places, true);
        if (done(!a.removed && a.pose && is_pose(pose), [&] { detector->move(a.id, pose); })) {
          require(!a.removed && a.pose && is_pose(pose), "only a rigid mesh can be moved, to a pose");
          a.pose = pose;
        }
        break;
      }
      case 4: {
        std::vector<Vec3> positions = a.made.mesh.positions;
        for (Vec3& p : positions)
          if (input.flag()) p = places.take(input);
        if (input.below(8) == 0) positions.emplace_back();
        const bool can = !a.removed && !a.pose && positions.size() == a.made.mesh.positions.size();
        if (done(can, [&] { detector->deform(a.id, positions); })) {
          require(can, "only a mesh that is kept as it is can be deformed");
          a.made.mesh.positions = positions;
        }
        break;
      }
      case 5: {
        const auto got = answer_of(good && exist && indices, [&] { return detector->intersect(a.id, b.id); });
        if (!got) break;
        require(exist, "a mesh that was removed is not found");
        if (got->origin == Vec3d{})
          require(same(*got, intersect(a.placed(), b.placed(), options)),
                  "a detector answers as the one-off query does");
        break;
      }
      case 6: {
        const auto got =
            answer_of(good && !a.removed && a.made.indices_exist, [&] { return detector->self_intersect(a.id); });
        if (!got) break;
        if (got->origin == Vec3d{})
          require(same(*got, self_intersect(a.placed(), options)), "a detector answers as the one-off query does");
        break;
      }
      case 7: {
        const std::vector<Vec3> points = take_points(input, places);
        const auto got =
            answer_of(good && !a.removed && a.made.indices_exist, [&] { return detector->contains(a.id, points); });
        if (!got) break;
        if (!a.pose) {
          require(same(*got, contains(a.made.mesh, points, options)), "a detector answers as the one-off query does");
          break;
        }
        // In the mesh's own frame, so only the counts can be compared.
        require(got->inside.size() == points.size() && got->inside_count <= points.size(), "one flag a point");
        require(got->inside_count == static_cast<std::uint64_t>(std::count(got->inside.begin(), got->inside.end(), 1)),
                "the count is that of the flags");
        break;
      }
      case 8: {
        const auto got = answer_of(good && exist && indices, [&] { return detector->vertices_inside(a.id, b.id); });
        if (!got) break;
        if (!a.pose && !b.pose) {
          require(same(*got, vertices_inside(a.made.mesh, b.made.mesh, options)),
                  "a detector answers as the query does");
          break;
        }
        check_vertices(got->a_in_b, a.made.mesh.positions, options.min_thickness, true);
        check_vertices(got->b_in_a, b.made.mesh.positions, options.min_thickness, true);
        break;
      }
      default: {
        const auto rigid = done(!a.removed && a.pose, [&] { (void)detector->rigid(a.id); });
        require(!rigid || (!a.removed && a.pose), "only a rigid mesh was sampled");
        if (!rigid) break;
        const RigidMesh& sampled = detector->rigid(a.id);
        if (sampled.ldi.grid.column_count() != 0)
          require(validate(sampled.ldi).well_formed, "its image is well formed");
        require(sampled.vertices.size() == a.made.mesh.positions.size(), "all its vertices are kept");
        break;
      }
    }
  }
}

void batch(Input& input) {
  MadeOptions made = take_options(input);
  Options& options = made.options;
  if (options.engine == "reference" || options.engine == "software-wscg") options.engine = "software";
  const Places places(input);
  std::optional<Batch> batch;
  try {
    batch.emplace(options);
  } catch (const Error&) {
    return require(!made.good, "good options are accepted");
  }
  require(made.good, "wrong options are refused");
  std::vector<MadeMesh> meshes;
  for (std::size_t count = 1 + input.below(4); count > 0; --count) {
    MadeMesh mesh = take_mesh(input, places);
    const auto id = answer_of(mesh.indices_exist, [&] { return batch->add(mesh.mesh); });
    require(id.has_value() == mesh.indices_exist, "an index out of range is refused");
    if (!id) continue;
    require(id->number == meshes.size(), "meshes are numbered in order");
    meshes.push_back(std::move(mesh));
  }
  require(batch->mesh_count() == meshes.size(), "meshes are counted");
  if (meshes.empty()) return;
  std::vector<BatchPair> pairs(1 + input.below(5));
  bool good = !made.may_throw;
  for (BatchPair& p : pairs) {
    p.a.number = static_cast<std::uint32_t>(input.below(meshes.size() + (input.below(16) == 0 ? 1 : 0)));
    p.b.number = static_cast<std::uint32_t>(input.below(meshes.size()));
    p.pose_a = take_pose(input, places, true);
    p.pose_b = take_pose(input, places);
    good = good && p.a.number < meshes.size() && is_pose(p.pose_a);
  }
  try {
    const auto answers = batch->intersect(pairs);
    require(good || made.may_throw, "a pair that is none is refused");
    require(answers.size() == pairs.size(), "one answer a pair");
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const BatchPair& p = pairs[i];
      const Overlap o = intersect(in_world_floats(meshes[p.a.number].mesh, p.pose_a),
                                  in_world_floats(meshes[p.b.number].mesh, p.pose_b), options);
      const PairOverlap& got = answers[i];
      if (got.origin != Vec3d{}) continue;  // rounded elsewhere
      require(got.grid == o.grid && got.volume == o.volume && got.centroid == o.centroid &&
                  got.span_count == o.spans.size() && same(got.health, o.health),
              "a batch answers as intersect() does");
    }
  } catch (const Error&) {
    require(!good, "good pairs are accepted");
  }
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  constexpr void (*kChecks[])(Input&) = {intersect_pair, one_mesh, pair_vertices, detector, batch, proofs};
  kChecks[input.below(std::size(kChecks))](input);
  return 0;
}
