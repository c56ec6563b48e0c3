#include "mpi/node_memory.hpp"

#include <string>

namespace lamella::mpi {

/// Where there is no room, perhaps not all processes of the node learn it: so the job ends.
NodeMemory::NodeMemory(const Processes& node, std::uint64_t bytes, const MemoryUse& use) : node_(node.comm()) {
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  const int failure = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node_, &mine_, &window_);
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_ARE_FATAL);
  if (failure != MPI_SUCCESS)
    end_job("MPI gave no shared memory for " + std::string(use.meshes) + " (this process asked for " +
            std::to_string(bytes) + " bytes); " + std::string(use.remedy) +
            "enlarge /dev/shm (a container's: --shm-size)");
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

NodeMemory::~NodeMemory() {
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

char* NodeMemory::piece(int rank_on_node) const {
  MPI_Aint bytes = 0;
  int unit = 0;
  char* begin = nullptr;
  MPI_Win_shared_query(window_, rank_on_node, &bytes, &unit, &begin);
  return begin;
}

void NodeMemory::publish() const {
  MPI_Win_sync(window_);
  MPI_Barrier(node_);
  MPI_Win_sync(window_);
}

}  // namespace lamella::mpi
