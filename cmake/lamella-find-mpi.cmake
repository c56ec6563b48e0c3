# Makes MPI::MPI_CXX where MPI is found: its C interface, which is all that the component uses. lamella_mpi_found says
# whether it is, not the target: CMake makes that before it tries whether MPI compiles.
set(lamella_mpi_found TRUE)
if(NOT TARGET MPI::MPI_CXX OR DEFINED MPI_CXX_FOUND)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  set(lamella_mpi_found ${MPI_CXX_FOUND})
endif()
