// The engines of the CPU against each other, on meshes where degenerate contact is common. What CONTRIBUTING.md
// promises: signs of columns are those of `reference`, depths agree within a few roundings, columns of closed meshes
// close, and the software engine gives the same bits for any number of threads, for kept meshes, and with the memory of
// earlier frames.

#include "lamella/engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/mesh_check.hpp"
#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/ldi_query.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

std::unique_ptr<Engine> engine_of(const char* name, unsigned threads = 1) {
  return make_engine({.engine = name, .threads = threads});
}

/// A grid whose box may cut the mesh anywhere.
Grid take_grid(Input& input, const Places& places) {
  Grid g;
  g.box = extend(extend({}, places.take(input)), places.take(input));
  for (int k = 0; k < 3; ++k)
    if (g.box.min[k] == g.box.max[k]) g.box.max[k] += places.scale;
  g.axis = static_cast<Axis>(input.below(3));
  const std::size_t most = input.below(8) == 0 ? 70 : 12;
  g.columns = static_cast<std::uint32_t>(1 + input.below(most));
  g.rows = static_cast<std::uint32_t>(1 + input.below(most));
  return g;
}

/// Signs agree exactly, depths of entries and of exits within `tolerance`, sorted separately: depths that are nearly
/// equal may be in another order.
void check_same_columns(const Ldi& ldi, const Ldi& expected, float tolerance) {
  require(ldi.grid == expected.grid && validate(ldi).well_formed, "an image is well formed");
  require(ldi.skipped_triangles <= expected.skipped_triangles, "no other triangles are skipped");
  std::vector<float> depths[2][2];
  for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) {
    for (auto& of : depths) of[0].clear(), of[1].clear();
    for (const Crossing c : ldi.column(i)) depths[0][c.entry() ? 1 : 0].push_back(c.depth());
    for (const Crossing c : expected.column(i)) depths[1][c.entry() ? 1 : 0].push_back(c.depth());
    for (int entry = 0; entry < 2; ++entry) {
      const auto &got = depths[0][entry], &want = depths[1][entry];
      require(got.size() == want.size(), "a column has the crossings of the reference");
      for (std::size_t k = 0; k < got.size(); ++k)
        require(std::abs(got[k] - want[k]) <= tolerance, "depths agree with the reference");
    }
  }
}

bool within_sides(const Mesh& mesh, const Grid& grid) {
  return std::all_of(mesh.positions.begin(), mesh.positions.end(), [&](Vec3 p) {
    return p[grid.u()] >= grid.box.min[grid.u()] && p[grid.u()] <= grid.box.max[grid.u()] &&
           p[grid.v()] >= grid.box.min[grid.v()] && p[grid.v()] <= grid.box.max[grid.v()];
  });
}

void columns(Input& input) {
  const Places places(input);
  MadeMesh made = take_mesh(input, places);
  if (!made.indices_exist) return;
  const Grid grid = take_grid(input, input.below(4) == 0 ? Places(input) : places);
  Ldi expected, ldi, again, clipped;
  engine_of("reference")->build(made.mesh, grid, expected);
  const auto software = engine_of("software");
  software->build(made.mesh, grid, ldi);
  check_same_columns(ldi, expected, depth_tolerance(made.mesh, grid));
  require(ldi.skipped_triangles >= count_broken(made.mesh), "triangles that cannot be used are skipped");
  if (made.closed && ldi.skipped_triangles == 0)
    require(validate(ldi).open_columns == 0, "columns of a closed mesh close");

  software->build(made.mesh, grid, again);
  require(same(ldi, again), "the same engine builds the same image again");
  const auto kept = software->keep(made.mesh);
  software->build(*kept, grid, again);
  require(same(ldi, again), "a kept mesh has the same image");
  engine_of("software", 3)->build(made.mesh, grid, again);
  require(same(ldi, again), "the number of threads does not matter");

  const auto wscg = engine_of("software-wscg");
  wscg->build(made.mesh, grid, clipped);
  require(validate(clipped).well_formed && clipped.skipped_triangles == expected.skipped_triangles,
          "software-wscg makes a well-formed image");
  if (within_sides(made.mesh, grid)) check_same_columns(clipped, expected, depth_tolerance(made.mesh, grid));
  if (made.closed && clipped.skipped_triangles == 0)
    require(validate(clipped).open_columns == 0, "columns of a closed mesh close, also where it is clipped");
}

/// Frames of two deforming meshes: engines, detectors and batches with the memory of earlier frames answer as fresh
/// ones do, and as the images say.
void frames(Input& input) {
  const Places places(input);
  MadeMesh a = take_mesh(input, places), b = take_mesh(input, places);
  if (!a.indices_exist || !b.indices_exist) return;
  Options options{.engine = "software", .resolution = static_cast<std::uint32_t>(1 + input.below(12)), .threads = 2};
  options.close_holes = false;  // engines take meshes as they are
  if (const std::size_t axis = input.below(6); axis < 3) options.axis = static_cast<Axis>(axis);
  Detector detector(options);
  Batch batch(options);
  const ObjectId kept_a = detector.add(a.mesh), kept_b = detector.add(b.mesh);
  const BatchPair pair{batch.add(a.mesh), batch.add(b.mesh), {}, {}};
  const auto reference = engine_of("reference");
  for (int frame = 0; frame < 4; ++frame) {
    const Overlap expected = intersect(a.mesh, b.mesh, options);
    require(same(detector.intersect(a.mesh, b.mesh), expected), "a detector with memory answers as a new one");
    require(same(detector.intersect(kept_a, kept_b), expected), "kept meshes have the answer of views");
    const auto answers = batch.intersect({&pair, 1});
    require(answers[0].grid == expected.grid && answers[0].volume == expected.volume &&
                answers[0].span_count == expected.spans.size() && same(answers[0].health, expected.health),
            "a batch with memory answers as intersect() does");
    const VerticesInside vertices = vertices_inside(a.mesh, b.mesh, options);
    require(same(detector.vertices_inside(kept_a, kept_b), vertices), "and about vertices");

    if (expected.grid.column_count() != 0) {
      const auto fresh = engine_of("software");
      Ldi of_a, of_b, plain_a, plain_b;
      fresh->build(a.mesh, expected.grid, of_a);
      fresh->build(b.mesh, expected.grid, of_b);
      Overlap from_images;
      intersect(of_a, of_b, options.min_thickness, from_images);
      require(same(from_images, expected), "the answer is that of the images");
      reference->build(a.mesh, expected.grid, plain_a);
      reference->build(b.mesh, expected.grid, plain_b);
      check_same_columns(of_a, plain_a, depth_tolerance(a.mesh, expected.grid));
      check_same_columns(of_b, plain_b, depth_tolerance(b.mesh, expected.grid));
      Options plain = options;
      plain.engine = "reference";
      const Overlap by_reference = intersect(a.mesh, b.mesh, plain);
      const double tolerance =
          static_cast<double>(std::max(depth_tolerance(a.mesh, expected.grid), depth_tolerance(b.mesh, expected.grid)));
      // Each span may be that much longer, and one that is just too thin may count.
      const auto spans = static_cast<double>(of_a.crossings.size() + of_b.crossings.size());
      require(std::abs(expected.volume - by_reference.volume) <=
                  spans * (2 * tolerance + 0x1p-19 * static_cast<double>(expected.grid.depth())) *
                      expected.grid.cell_area(),
              "the volume is that of the reference");
    }
    if (input.empty()) return;
    for (Vec3& p : a.mesh.positions)
      if (input.below(4) == 0) p = places.take(input);
    for (Vec3& p : b.mesh.positions)
      if (input.below(4) == 0) p = places.take(input);
    detector.deform(kept_a, a.mesh.positions);
    detector.deform(kept_b, b.mesh.positions);
    batch.deform(pair.a, a.mesh.positions);
    batch.deform(pair.b, b.mesh.positions);
  }
}

/// A rigid mesh at a pose has the flags of its image where the placed points lie.
void rigid(Input& input) {
  const Places places(input);
  const MadeMesh made = take_mesh(input, places);
  if (!made.indices_exist) return;
  const QueryOptions options{.resolution = static_cast<std::uint32_t>(1 + input.below(12))};
  const auto software = engine_of("software", 2);
  RigidMesh sampled;
  software->sample_rigid(made.mesh, options, sampled);
  const std::vector<Vec3> points = take_points(input, places);
  Containment unmoved, moved, views;
  software->contains(sampled, {}, points, options, unmoved);
  software->contains(made.mesh, points, options, views);
  require(same(unmoved, views), "a rigid mesh that was not moved answers as the mesh does");
  // Halves and quarters of whole numbers turn and move without rounding.
  Transform pose;
  const Vec3 by = places.take(input);
  if (places.scale != 1 && places.scale != 0.125f) return;
  pose.translation = to_double(by);
  if (input.flag()) pose.rotation = {0, 0, 1, 0};
  if (input.flag()) pose.rotation = {1, 0, 0, 0};
  const bool exact = std::all_of(points.begin(), points.end(), [&](Vec3 p) {
    return std::abs(p.x) < 0x1p10f && std::abs(p.y) < 0x1p10f && std::abs(p.z) < 0x1p10f &&
           p == to_float(to_double(p + Vec3{2048, 2048, 2048}) - Vec3d{2048, 2048, 2048});
  });
  if (!exact) return;
  const std::vector<Vec3> placed = placed_positions({points, {}}, pose);
  software->contains(sampled, pose, placed, options, moved);
  require(moved.inside == unmoved.inside && same(moved.health, unmoved.health), "flags move with the mesh");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  constexpr void (*kChecks[])(Input&) = {columns, frames, rigid};
  kChecks[input.below(std::size(kChecks))](input);
  return 0;
}
