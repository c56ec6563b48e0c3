// Run by mpirun with a folder and a number N: process 1 of a sweep has no memory for its N-th allocation, from 0, after
// its first message came. The job must end with a message: the others wait for that process.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include "lamella/error.hpp"
#include "lamella/mpi.hpp"
#include "scenes/models.hpp"

namespace {

thread_local bool counts = false;  // the thread that calls MPI, and no other
int allocations_left = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  if (counts && allocations_left-- == 0) {
    counts = false;
    throw std::bad_alloc();
  }
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  return memory != nullptr ? memory : throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

/// In place of MPI's own, as its profiling interface allows.
extern "C" int MPI_Recv(void* to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* found) {
  const int status = PMPI_Recv(to, count, type, from, tag, comm, found);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  counts = rank == 1 && allocations_left >= 0;
  return status;
}

int main(int argc, char** argv) {
  using namespace lamella;
  mpi::Session session(argc, argv);
  const std::filesystem::path folder = argv[1];
  allocations_left = std::atoi(argv[2]);
  if (session.rank() == 0) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "jobs.csv") << "mesh_a,mesh_b\none,two\ntwo,three\n";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  SweepFileOptions options{.query = {.engine = "software", .resolution = 16, .threads = 1}, .restart = true};
  options.load = [](const std::string& name) { return scenes::blob(300, static_cast<unsigned>(name.size())); };
  try {
    (void)mpi::sweep_file(folder / "jobs.csv", folder / "answers.csv", options);
  } catch (const Error& e) {  // rank 0, where process 1 could still tell it
    std::fprintf(stderr, "rank 0 was told: %s\n", e.what());
  }
}
