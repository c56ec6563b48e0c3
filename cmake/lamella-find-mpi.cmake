# Makes MPI::MPI_CXX where MPI is found: its C interface, which is all that the component uses.
if(NOT TARGET MPI::MPI_CXX)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
