# Does what CMake's own module does where there is no MPI: it creates its target all the same.
if(NOT TARGET MPI::MPI_CXX)
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)
endif()
set(MPI_CXX_FOUND FALSE)
set(MPI_FOUND FALSE)
