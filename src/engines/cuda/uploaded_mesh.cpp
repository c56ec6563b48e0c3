#include "engines/cuda/uploaded_mesh.hpp"

#include <atomic>
#include <vector>

#include "core/mesh_check.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

constexpr std::size_t kChunk = 8192;
/// Vertices after which the device begins to fetch: it does so while the next are being copied.
constexpr std::size_t kPiece = 32 * kChunk;

void check_indices(MeshView mesh, Workers& workers) {
  check_triangle_count(mesh);
  if (mesh.positions.size() > 0xffffffffu) throw Error("a mesh may have at most 2^32 - 1 vertices; split it");
  std::atomic<bool> wrong{mesh.positions.empty() && !mesh.triangles.empty()};
  workers.for_chunks(mesh.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    if (max_index(mesh.triangles.subspan(begin, end - begin)) >= mesh.positions.size()) wrong = true;
  });
  if (wrong) fail_index(mesh);
}

}  // namespace

PositionFacts Upload::put(std::span<const Vec3> positions, const char* for_what) {
  taken_.wait();
  count_ = 0;
  device_.reserve(positions.size(), for_what);
  staged_.reserve(positions.size(), for_what);
  std::vector<PositionFacts> facts(workers_.count());
  for (std::size_t first = 0; first < positions.size(); first += kPiece) {
    const auto piece = positions.subspan(first, std::min(kPiece, positions.size() - first));
    workers_.for_chunks(piece.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
      const auto copied = copy_positions(piece.subspan(begin, end - begin), staged_.data() + first + begin);
      facts[worker].box = unite(facts[worker].box, copied.box);
      facts[worker].usable = facts[worker].usable && copied.usable;
    });
    check(cudaMemcpyAsync(device_.data() + first, staged_.data() + first, piece.size_bytes(), cudaMemcpyHostToDevice,
                          stream_),
          "upload positions");
  }
  taken_.record(stream_);
  count_ = positions.size();
  PositionFacts all;
  for (const PositionFacts& f : facts) all = {unite(all.box, f.box), all.usable && f.usable};
  return all;
}

void UploadedMesh::assign(MeshView mesh) {
  check_indices(mesh, workers_);
  there_ = false;
  triangles_.reserve(mesh.triangles.size(), "triangles");
  vertex_count_ = static_cast<std::uint32_t>(mesh.positions.size());
  triangle_count_ = static_cast<std::uint32_t>(mesh.triangles.size());
  assign_positions(mesh.positions);
  there_ = false;
  if (!mesh.triangles.empty())
    check(cudaMemcpyAsync(triangles_.data(), mesh.triangles.data(), mesh.triangles.size_bytes(), cudaMemcpyHostToDevice,
                          stream_),
          "upload triangles");
  check(cudaStreamSynchronize(stream_), "upload triangles");
  there_ = true;
}

void UploadedMesh::assign_positions(std::span<const Vec3> positions) {
  there_ = false;
  facts_ = positions_.put(positions, "vertices");
  there_ = true;
}

DeviceMesh UploadedMesh::on_device() const {
  if (!there_)
    throw Error("the mesh is not on the GPU, which had no room for it: add it anew, or update its vertices",
                Error::Kind::device);
  return {positions_.on_device(), triangles_.data(), vertex_count_, triangle_count_};
}

}  // namespace lamella::cuda
