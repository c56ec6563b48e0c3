// The software generator of Heidelberger, Teschner, Gross: "Detection of Collisions and Self-collisions Using
// Image-space Techniques", WSCG 2004, section 3.4: cull against the volume of interest, rasterise every triangle once
// into its columns, sort each column.
//
// Where it departs from the paper:
// - Vertices are snapped to a sub-pixel lattice and coverage is decided in exact integers, so that a closed mesh closes
//   in every column.
// - Nothing is clipped. A crossing beyond the box's near or far face is moved onto that face instead of being dropped:
//   it then bounds no span inside the box, the winding is right from either end, and a hole anywhere along the column
//   still shows.
// - Culling is by cell code (kernels.hpp, CellCode): three loads and a few bit operations per triangle also drop
//   the triangles that fall between samples, most of a large mesh.

#include "engines/software/engines.hpp"

#include <algorithm>
#include <array>

#include "core/mesh_scan.hpp"
#include "core/stopwatch.hpp"
#include "engines/query_parts.hpp"
#include "engines/software/sampler.hpp"
#include "engines/software/tile_ends.hpp"
#include "engines/software/tile_points.hpp"
#include "engines/software/tile_queries.hpp"

namespace lamella::software {
namespace {

class SoftwareEngine final : public BoxedEngine {
 public:
  explicit SoftwareEngine(const EngineOptions& options)
      : BoxedEngine(options.threads),
        sampler_(options.threads, options.max_crossings),
        tiles_(options.threads, options.max_crossings, false),
        overlap_(tiles_.workers()),
        ends_(tiles_.workers()),
        views_(tiles_.workers(), ends_),
        points_(tiles_.workers()) {}

  [[nodiscard]] std::string_view name() const override { return "software"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;
  void set_box(const std::optional<Aabb>& box) override { box_ = box; }

 protected:
  [[nodiscard]] bool samples_on_lattice() const override { return true; }
  [[nodiscard]] bool replaces_spans() const override { return true; }
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) override;
  void find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) override;
  void find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                     OverlapGradient& out) override;
  void find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                          SelfGradient& out) override;
  void find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options, Containment& out) override;
  void find_inside_box(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const QueryOptions& options,
                       Containment& out) override;

 private:
  static constexpr std::size_t kMostPoints = 0xffffffffu;  ///< that tiles can number
  [[nodiscard]] std::optional<PairVoi> choose_pair_box(MeshRef a, MeshRef b, std::optional<Axis> axis);
  void split(Stopwatch& watch, Timings& ms) const;
  void find_spans(MeshRef a, MeshRef b, const QueryOptions& options, TileEnds* ends, Overlap& out);
  void find_self_spans(MeshRef mesh, const QueryOptions& options, TileEnds* ends, SelfOverlap& out);
  template <class Result>
  std::array<double, 3> sum_up_gradient(std::span<SampledMesh> meshes, const QueryOptions& options, Result& out);
  bool look_up(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const Aabb* mesh_box,
               const QueryOptions& options, Containment& out);

  std::optional<Aabb> box_;  ///< for pairs
  Sampler<Crossing> sampler_;
  TileSampler tiles_;
  OverlapTiles overlap_;
  TileEnds ends_;
  ViewTiles views_;
  PointTiles points_;
};

Aabb SoftwareEngine::bounds(MeshRef mesh) {
  check_owner(mesh);
  return inspect_positions(mesh.view.positions, sampler_.workers()).box;
}

void SoftwareEngine::build(MeshRef ref, const Grid& grid, Ldi& out) {
  check_owner(ref);
  const SampledMesh mesh{ref.view, whole(grid)};
  out.grid = grid;
  out.outside = End::both;
  out.dropped_crossings = 0;
  out.alternating = false;
  sampler_.sample({&mesh, 1}, grid, {out.offsets, out.crossings});
  out.skipped_triangles = sampler_.skipped(0);
}

// Whole queries: without an LDI in memory.

void SoftwareEngine::find_overlap(MeshRef a, MeshRef b, const QueryOptions& options, Overlap& out) {
  ends_.want(false, false);
  find_spans(a, b, options, options.ends ? &ends_ : nullptr, out);
}

void SoftwareEngine::find_self_overlap(MeshRef mesh, const QueryOptions& options, SelfOverlap& out) {
  ends_.want(false, false);
  find_self_spans(mesh, options, options.ends ? &ends_ : nullptr, out);
}

std::optional<PairVoi> SoftwareEngine::choose_pair_box(MeshRef a, MeshRef b, std::optional<Axis> axis) {
  const auto choose = [&](const Aabb& of_a, const Aabb& of_b) { return choose_shared_voi(of_a, of_b, axis); };
  return box_ ? choose(*box_, *box_) : choose(bounds(a), bounds(b));
}

/// `ends`: gets the ends of the spans; null where they are not wanted, which saves the faces of crossings.
void SoftwareEngine::find_spans(MeshRef a, MeshRef b, const QueryOptions& options, TileEnds* ends, Overlap& out) {
  Stopwatch watch;
  const auto voi = choose_pair_box(a, b, options.axis);
  watch.lap(out.ms.voi);
  if (!voi) {
    out.health.skipped_triangles = skipped_unsampled(a) + skipped_unsampled(b);
    return;
  }
  const Grid grid = square_grid(voi->box, voi->axis, options.resolution);
  const SampledMesh meshes[] = {{a.view, whole(grid), 0, 0}, {b.view, whole(grid), 0, 1}};
  if (ends != nullptr) ends->start_view(meshes, grid);
  overlap_.ask_pair(grid, options, out, ends);
  tiles_.keep_faces(ends != nullptr);
  tiles_.sample(meshes, grid, overlap_);
  overlap_.finish();
  overlap_.longest_spans(longest_spans_);
  out.health.skipped_triangles = tiles_.skipped(0) + tiles_.skipped(1);
  split(watch, out.ms);
}

void SoftwareEngine::find_self_spans(MeshRef mesh, const QueryOptions& options, TileEnds* ends, SelfOverlap& out) {
  Stopwatch watch;
  const Aabb box = bounds(mesh);
  const auto axis = choose_axis(box);
  watch.lap(out.ms.voi);
  if (!axis) {
    out.health.skipped_triangles = skipped_unsampled(mesh);
    return;
  }
  const Grid grid = square_grid(box, options.axis.value_or(*axis), options.resolution);
  const SampledMesh sampled{mesh.view, whole(grid)};
  if (ends != nullptr) ends->start_view({&sampled, 1}, grid);
  overlap_.ask_self(grid, options, out, ends);
  tiles_.keep_faces(ends != nullptr);
  tiles_.sample({&sampled, 1}, grid, overlap_);
  overlap_.finish();
  overlap_.longest_spans(longest_spans_);
  out.health.skipped_triangles = tiles_.skipped(0);
  split(watch, out.ms);
}

// Gradients: the view of the overlap itself, then those along the other two axes.

void SoftwareEngine::find_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                                   OverlapGradient& out) {
  SampledMesh meshes[] = {{a.view, {}, 0, 0}, {b.view, {}, 0, 1}};
  ends_.want(true, parts.vertices);
  ends_.start_vertices(meshes);
  find_spans(a, b, options, &ends_, out);
  const auto cell_areas = sum_up_gradient(meshes, options, out);
  if (!parts.vertices) return;
  ends_.write_vertices(0, cell_areas, out.vertices_a);
  ends_.write_vertices(1, cell_areas, out.vertices_b);
}

void SoftwareEngine::find_self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts,
                                        SelfGradient& out) {
  SampledMesh sampled{mesh.view, {}, 0, 0};
  ends_.want(true, parts.vertices);
  ends_.start_vertices({&sampled, 1});
  find_self_spans(mesh, options, &ends_, out);
  const auto cell_areas = sum_up_gradient({&sampled, 1}, options, out);
  if (parts.vertices) ends_.write_vertices(0, cell_areas, out.vertices);
}

/// After the view of the overlap itself: samples the other two, where something overlaps, and sums up all three.
/// Returns the area of a cell of each view, by axis.
template <class Result>
std::array<double, 3> SoftwareEngine::sum_up_gradient(std::span<SampledMesh> meshes, const QueryOptions& options,
                                                      Result& out) {
  std::array<double, 3> cell_areas{};
  if (out.span_count == 0) return cell_areas;
  ViewSums views[3] = {ends_.view_sums(), {}, {}};
  for (int i = 1; i < 3; ++i) {
    Stopwatch watch;
    const Grid grid = square_grid(out.grid.box, static_cast<Axis>((out.grid.w() + i) % 3), options.resolution);
    for (SampledMesh& m : meshes) m.window = whole(grid);
    ends_.start_view(meshes, grid);
    views_.ask(grid, options.min_thickness, meshes.size() == 1);
    tiles_.sample(meshes, grid, views_);
    views[i] = ends_.view_sums();
    Timings ms;
    split(watch, ms);
    out.ms += ms;
  }
  sum_up_views(views, out.centroid, out.sums);
  sum_up_moments(out.grid, overlap_.moments(), out.sums);
  for (const ViewSums& view : views) cell_areas[static_cast<std::size_t>(view.grid.w())] = view.grid.cell_area();
  return cell_areas;
}

/// Tiles are sampled and asked in turn: divides the time of both by what each took.
void SoftwareEngine::split(Stopwatch& watch, Timings& ms) const {
  double both = 0;
  watch.lap(both);
  ms.query = std::min(both, tiles_.consumer_ms());
  ms.ldi = both - ms.query;
}

/// Samples the mesh in a box, and looks the points up. False when the box encloses no volume.
bool SoftwareEngine::look_up(MeshRef mesh, std::span<const Vec3> points, const Aabb& box, const Aabb* mesh_box,
                             const QueryOptions& options, Containment& out) {
  const auto axis = choose_axis(box);
  if (!axis) {
    out.health.skipped_triangles = skipped_unsampled(mesh);
    return false;
  }
  const Grid grid = square_grid(box, options.axis.value_or(*axis), options.resolution);
  const SampledMesh sampled{mesh.view, whole(grid)};
  points_.ask(grid, points, mesh_box, out);
  tiles_.sample({&sampled, 1}, grid, points_);
  points_.finish();
  out.health.skipped_triangles = tiles_.skipped(0);
  return true;
}

void SoftwareEngine::find_inside(MeshRef mesh, std::span<const Vec3> points, const QueryOptions& options,
                                 Containment& out) {
  if (points.size() > kMostPoints) return Engine::find_inside(mesh, points, options, out);
  Stopwatch watch;
  const Aabb box = bounds(mesh);
  watch.lap(out.ms.voi);
  if (look_up(mesh, points, box, nullptr, options, out)) split(watch, out.ms);
}

void SoftwareEngine::find_inside_box(MeshRef mesh, std::span<const Vec3> points, const Aabb& box,
                                     const QueryOptions& options, Containment& out) {
  if (points.size() > kMostPoints) return Engine::find_inside_box(mesh, points, box, options, out);
  Stopwatch watch;
  const Aabb mesh_box = bounds(mesh);
  watch.lap(out.ms.voi);
  const bool sampled = look_up(mesh, points, shared_box(mesh_box, box), &mesh_box, options, out);
  note_box(points, box, out);
  if (sampled) split(watch, out.ms);
}

}  // namespace

std::unique_ptr<BoxedEngine> make_boxed_engine(const EngineOptions& options) {
  return std::make_unique<SoftwareEngine>(options);
}
std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return make_boxed_engine(options); }

}  // namespace lamella::software
