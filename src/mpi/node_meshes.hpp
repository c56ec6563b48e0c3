#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// The meshes that the processes of a node need, each read by one of them and kept once, in memory that all share.
class NodeMeshes {
 public:
  /// Collective over the node. `needed`: the numbers of the meshes that this process wants, ascending. An Error of
  /// `load` is thrown on every process of the node.
  NodeMeshes(const Node& node, std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load);
  ~NodeMeshes();
  NodeMeshes(const NodeMeshes&) = delete;
  NodeMeshes& operator=(const NodeMeshes&) = delete;

  /// Of a mesh that was asked for by some process of the node.
  [[nodiscard]] MeshView view(std::uint32_t mesh) const { return views_.at(mesh); }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::map<std::uint32_t, MeshView> views_;
};

}  // namespace lamella::mpi
