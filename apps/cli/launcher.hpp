#pragma once

#include <cstdlib>
#include <initializer_list>

namespace lamella::cli {

/// The number in the first of these environment variables that is set.
[[nodiscard]] inline int number_in_environment(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return otherwise;
}

/// How many processes a launcher of MPI (mpirun, srun, mpiexec) started this one with; 1 when none did. Looks at
/// environment variables alone: of Open MPI, of MPICH and its relatives, of Slurm's steps.
[[nodiscard]] inline int launched_processes() {
  return number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 1);
}
/// Which of them this one is, likewise.
[[nodiscard]] inline int launched_rank() {
  return number_in_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0);
}

/// Runs lamella-mpi, which is beside this program, in its place. Returns the exit status when that cannot be.
[[nodiscard]] int become_mpi_program(int processes, char** argv);

}  // namespace lamella::cli
