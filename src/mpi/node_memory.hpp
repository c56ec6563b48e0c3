#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "mpi/processes.hpp"

namespace lamella::mpi {

/// What memory is for, and what makes it less, for the message where there is none.
struct MemoryUse {
  std::string_view meshes = "the meshes of this machine";
  std::string_view remedy{};
};

/// Memory that the processes of a node share: a piece from each. Collective over the node at both ends.
class NodeMemory {
 public:
  /// `bytes`: of this process's piece.
  NodeMemory(const Processes& node, std::uint64_t bytes, const MemoryUse& use = {});
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] char* mine() const { return mine_; }
  [[nodiscard]] char* piece(int rank_on_node) const;
  /// Collective: all that was written before it is there for all after it.
  void publish() const;

 private:
  MPI_Comm node_;
  MPI_Win window_ = MPI_WIN_NULL;
  char* mine_ = nullptr;
};

}  // namespace lamella::mpi
