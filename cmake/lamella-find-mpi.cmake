# Makes MPI::MPI_CXX where MPI is found: its C interface, which is all that the component uses. Ask
# lamella_mpi_found, not for the target: CMake creates the target before it tests whether MPI works.
set(lamella_mpi_found TRUE)
if(NOT TARGET MPI::MPI_CXX OR DEFINED MPI_CXX_FOUND)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  set(lamella_mpi_found ${MPI_CXX_FOUND})
endif()
