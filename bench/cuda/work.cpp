#include "bench/cuda/work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lamella/engine.hpp"

namespace lamella::bench {

MovingMeshes::MovingMeshes(CudaDevice& device, std::vector<Mesh> meshes, std::vector<std::vector<Vec3>> sets)
    : device_(device), meshes_(std::move(meshes)), sets_(std::move(sets)) {
  std::size_t vertices = 0, triangles = 0;
  for (const Mesh& mesh : meshes_) {
    first_vertex_.push_back(vertices);
    first_triangle_.push_back(triangles);
    vertices += mesh.positions.size();
    triangles += mesh.triangles.size();
  }
  positions_ = device.allocate<Vec3>(vertices);
  triangles_ = device.allocate<Triangle>(triangles);
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    device.write(triangles_ + first_triangle_[i], meshes_[i].triangles.data(),
                 meshes_[i].triangles.size() * sizeof(Triangle));
  }
  for (const auto& set : sets_) device_sets_.push_back(device.upload<Vec3>(set));
  place(0);
}

std::uint64_t MovingMeshes::bytes() const { return sets_[0].size() * sizeof(Vec3) + face_count() * sizeof(Triangle); }

std::size_t MovingMeshes::face_count() const { return first_triangle_.back() + meshes_.back().triangles.size(); }

void MovingMeshes::place(std::size_t set) {
  device_.copy(positions_, device_sets_[set], sets_[set].size() * sizeof(Vec3));
}

cuda::DeviceMesh MovingMeshes::on_device(std::size_t mesh) const {
  return {.positions = positions_ + first_vertex_[mesh],
          .triangles = triangles_ + first_triangle_[mesh],
          .vertex_count = static_cast<std::uint32_t>(meshes_[mesh].positions.size()),
          .triangle_count = static_cast<std::uint32_t>(meshes_[mesh].triangles.size())};
}

MeshView MovingMeshes::view(std::size_t mesh, std::size_t set) const {
  const std::span<const Vec3> all = sets_[set];
  return {all.subspan(first_vertex_[mesh], meshes_[mesh].positions.size()), meshes_[mesh].triangles};
}

std::vector<std::vector<Vec3>> make_sets(const std::vector<Mesh>& meshes, std::size_t count,
                                         const std::function<void(std::span<const Vec3> rest, std::size_t mesh,
                                                                  std::size_t set, std::span<Vec3> out)>& motion) {
  std::size_t vertices = 0;
  for (const Mesh& mesh : meshes) vertices += mesh.positions.size();
  std::vector<std::vector<Vec3>> sets(count);
  for (std::size_t s = 0; s < count; ++s) {
    sets[s].resize(vertices);
    std::size_t first = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      motion(meshes[i].positions, i, s, std::span(sets[s]).subspan(first, meshes[i].positions.size()));
      first += meshes[i].positions.size();
    }
  }
  return sets;
}

bool same_volume(double x, double y) { return std::abs(x - y) <= kSameVolume * std::max(std::abs(x), std::abs(y)); }

std::string hardware_engine(const std::string& name) {
  for (const auto& known : {engines(), scene_engines()}) {
    for (const EngineInfo& info : known) {
      if (info.name == name && info.available && info.hardware) return name;
    }
  }
  return "";
}

}  // namespace lamella::bench
