#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "lamella/mesh.hpp"
#include "mpi/node_memory.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

/// The meshes that the processes of a node need, each read by one of them and kept once, in memory that all share.
class NodeMeshes {
 public:
  /// Collective over the node. `needed`: the numbers of the meshes that this process wants, ascending. An Error of
  /// `load` is thrown on every process of the node. Where one process fails alone after that, the job ends.
  NodeMeshes(const Node& node, std::span<const std::uint32_t> needed, const std::function<Mesh(std::uint32_t)>& load);

  /// Of a mesh that was asked for by some process of the node.
  [[nodiscard]] MeshView view(std::uint32_t mesh) const { return views_.at(mesh); }

 private:
  std::optional<NodeMemory> memory_;
  std::map<std::uint32_t, MeshView> views_;
};

}  // namespace lamella::mpi
