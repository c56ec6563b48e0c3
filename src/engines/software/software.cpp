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

#include "engines/software/software.hpp"

#include "engines/software/kernels.hpp"
#include "engines/software/sampler.hpp"
#include "engines/whole_query.hpp"

namespace lamella::software {
namespace {

constexpr std::size_t kVertexChunk = 8192;

class SoftwareEngine final : public Engine {
 public:
  SoftwareEngine(unsigned threads, std::uint64_t max_crossings) : sampler_(threads, max_crossings) {}

  [[nodiscard]] std::string_view name() const override { return "software"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override;
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override;

 private:
  Sampler<Crossing> sampler_;
  std::vector<Aabb> boxes_;
};

Aabb SoftwareEngine::bounds(MeshRef ref) {
  const MeshView mesh = view_of(ref);
  Workers& workers = sampler_.workers();
  boxes_.assign(workers.count(), Aabb{});
  workers.for_chunks(mesh.positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    boxes_[worker] = unite(boxes_[worker], inspect_positions(mesh.positions.subspan(begin, end - begin)).box);
  });
  Aabb box;
  for (const Aabb& b : boxes_) box = unite(box, b);
  return box;
}

void SoftwareEngine::build(MeshRef ref, const Grid& grid, Ldi& out) {
  const SampledMesh mesh{view_of(ref), whole(grid)};
  out.grid = grid;
  out.outside = End::both;
  out.dropped_crossings = 0;
  sampler_.sample({&mesh, 1}, grid, {out.offsets, out.crossings});
  out.skipped_triangles = sampler_.skipped(0);
}

}  // namespace

std::unique_ptr<Engine> make_software_engine(unsigned threads, std::uint64_t max_crossings) {
  return std::make_unique<SoftwareEngine>(threads, max_crossings);
}

}  // namespace lamella::software
