#include <mpi.h>

#include <cstdlib>

#include "lamella/mpi.hpp"

namespace lamella::mpi {

/// Threads of the library compute, and never call MPI.
Session::Session(int& argc, char**& argv) {
  int running = 0;
  MPI_Initialized(&running);
  if (running == 0) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    started_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Session::~Session() {
  if (started_) MPI_Finalize();
}

void Session::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

}  // namespace lamella::mpi
