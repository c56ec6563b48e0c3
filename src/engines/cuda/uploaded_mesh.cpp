#include "engines/cuda/uploaded_mesh.hpp"

#include <algorithm>

#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

constexpr std::size_t kChunk = 8192;
/// Vertices per upload: the device fetches one piece while the next is copied.
constexpr std::size_t kPiece = 32 * kChunk;

}  // namespace

PositionFacts Upload::put(std::span<const Vec3> positions, const char* for_what) {
  taken_.wait();
  count_ = 0;
  device_.reserve(positions.size(), for_what);
  staged_.reserve(positions.size(), for_what);
  FactsCollector collector;
  for (std::size_t first = 0; first < positions.size(); first += kPiece) {
    const auto piece = positions.subspan(first, std::min(kPiece, positions.size() - first));
    workers_.for_chunks(piece.size(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      collector.add(copy_positions(piece.subspan(begin, end - begin), staged_.data() + first + begin));
    });
    check(cudaMemcpyAsync(device_.data() + first, staged_.data() + first, piece.size_bytes(), cudaMemcpyHostToDevice,
                          stream_),
          "upload positions");
  }
  taken_.record(stream_);
  count_ = positions.size();
  return collector.facts();
}

void UploadedMesh::assign(MeshView mesh) {
  if (mesh.positions.size() > 0xffffffffu) throw Error("a mesh may have at most 2^32 - 1 vertices; split it");
  check_indices(mesh, workers_);
  uploaded_ = false;
  triangles_.reserve(mesh.triangles.size(), "triangles");
  vertex_count_ = static_cast<std::uint32_t>(mesh.positions.size());
  triangle_count_ = static_cast<std::uint32_t>(mesh.triangles.size());
  assign_positions(mesh.positions);
  uploaded_ = false;
  if (!mesh.triangles.empty())
    check(cudaMemcpyAsync(triangles_.data(), mesh.triangles.data(), mesh.triangles.size_bytes(), cudaMemcpyHostToDevice,
                          stream_),
          "upload triangles");
  check(cudaStreamSynchronize(stream_), "upload triangles");
  uploaded_ = true;
}

void UploadedMesh::assign_positions(std::span<const Vec3> positions) {
  uploaded_ = false;
  facts_ = positions_.put(positions, "vertices");
  uploaded_ = true;
}

DeviceMesh UploadedMesh::on_device() const {
  if (!uploaded_)
    throw Error("the mesh is not on the GPU, which had no room for it: add it again, or deform it",
                Error::Kind::device);
  return {positions_.on_device(), triangles_.data(), vertex_count_, triangle_count_};
}

}  // namespace lamella::cuda
