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

#include "core/mesh_scan.hpp"
#include "engines/software/sampler.hpp"

namespace lamella::software {
namespace {

class SoftwareEngine final : public Engine {
 public:
  explicit SoftwareEngine(const EngineOptions& options)
      : Engine(options.threads), sampler_(options.threads, options.max_crossings) {}

  [[nodiscard]] std::string_view name() const override { return "software"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;

 private:
  Sampler<Crossing> sampler_;
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

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineOptions& options) { return std::make_unique<SoftwareEngine>(options); }

}  // namespace lamella::software
