#include "cli/launcher.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/common.hpp"

namespace lamella::cli {

int become_mpi_program(int processes, char** argv) {
  std::error_code failure;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path other = own.parent_path() / "lamella-mpi";
  if (!failure) ::execv(other.c_str(), argv);
  complain(fmt::format("{} processes were started, and {}: {}", processes, other.string(), std::strerror(errno)),
           "start one process without mpirun, or install a build with MPI (Debian: libopenmpi-dev openmpi-bin)");
  return kDeviceFailure;
}

}  // namespace lamella::cli
