#include "bench/cuda/work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lamella/engine.hpp"

namespace lamella::bench {

MovingMeshes::MovingMeshes(CudaDevice& device, std::vector<Mesh> meshes, std::size_t sets, const Motion& motion)
    : device_(device), meshes_(std::move(meshes)), sets_(sets) {
  for (const Mesh& mesh : meshes_) {
    first_vertex_.push_back(first_vertex_.back() + mesh.positions.size());
    first_triangle_.push_back(first_triangle_.back() + mesh.triangles.size());
  }
  positions_ = device.allocate<Vec3>(first_vertex_.back());
  triangles_ = device.allocate<Triangle>(first_triangle_.back());
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    device.write(triangles_ + first_triangle_[i], meshes_[i].triangles.data(),
                 meshes_[i].triangles.size() * sizeof(Triangle));
  }
  for (std::size_t s = 0; s < sets; ++s) {
    sets_[s].resize(first_vertex_.back());
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      const std::span<const Vec3> rest = meshes_[i].positions;
      motion(rest, i, s, std::span(sets_[s]).subspan(first_vertex_[i], rest.size()));
    }
    device_sets_.push_back(device.upload<Vec3>(sets_[s]));
  }
  place(0);
}

std::uint64_t MovingMeshes::bytes() const {
  return first_vertex_.back() * sizeof(Vec3) + first_triangle_.back() * sizeof(Triangle);
}

void MovingMeshes::place(std::size_t set) {
  device_.copy(positions_, device_sets_[set], sets_[set].size() * sizeof(Vec3));
}

cuda::DeviceMesh MovingMeshes::on_device(std::size_t mesh) const {
  return {.positions = positions_ + first_vertex_[mesh],
          .triangles = triangles_ + first_triangle_[mesh],
          .vertex_count = static_cast<std::uint32_t>(meshes_[mesh].positions.size()),
          .triangle_count = static_cast<std::uint32_t>(meshes_[mesh].triangles.size())};
}

std::vector<cuda::DeviceMesh> MovingMeshes::all_on_device() const {
  std::vector<cuda::DeviceMesh> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(on_device(i));
  return all;
}

MeshView MovingMeshes::view(std::size_t mesh, std::size_t set) const {
  const std::span<const Vec3> all = sets_[set];
  return {all.subspan(first_vertex_[mesh], meshes_[mesh].positions.size()), meshes_[mesh].triangles};
}

bool same_volume(double x, double y) {
  constexpr double kPart = 1e-9;
  return std::abs(x - y) <= kPart * std::max(std::abs(x), std::abs(y));
}

std::string hardware_engine(const std::string& name) {
  for (const auto& known : {engines(), scene_engines()}) {
    for (const EngineInfo& info : known) {
      if (info.name == name && info.available && info.hardware) return name;
    }
  }
  return "";
}

}  // namespace lamella::bench
