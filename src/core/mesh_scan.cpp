#include "core/mesh_scan.hpp"

#include <atomic>

#include "core/mesh_check.hpp"

namespace lamella {
namespace {

constexpr std::size_t kChunk = 8192;

}  // namespace

PositionFacts inspect_positions(std::span<const Vec3> positions, Workers& workers) {
  FactsCollector collector;
  workers.for_chunks(positions.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    collector.add(inspect_positions(positions.subspan(begin, end - begin)));
  });
  return collector.facts();
}

void check_indices(MeshView mesh, Workers& workers) {
  check_triangle_count(mesh);
  std::atomic<bool> wrong{mesh.positions.empty() && !mesh.triangles.empty()};
  workers.for_chunks(mesh.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    if (max_index(mesh.triangles.subspan(begin, end - begin)) >= mesh.positions.size()) wrong = true;
  });
  if (wrong) fail_index(mesh);
}

}  // namespace lamella
