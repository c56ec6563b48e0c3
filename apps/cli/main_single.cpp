// The program `lamella`. Started as one of several processes of an MPI job it becomes lamella-mpi, which is beside it:
// so that who has no MPI needs none, and several processes never do the same work without a word.

#include <csignal>

#include "cli/distributed.hpp"
#include "cli/launcher.hpp"

namespace lamella::cli {

int job_rank() { return 0; }
int job_size() { return 1; }

std::vector<std::vector<char>> job_exchange(const std::vector<std::vector<char>>& to_each) { return to_each; }
std::vector<char> job_broadcast(std::vector<char> of_rank_0) { return of_rank_0; }

SweepReport distributed_sweep(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                              const SweepFileOptions& options) {
  return sweep_file(jobs, answers, options);
}

mpi::GatheredClashes distributed_clash(const mpi::PartSource& source, const ClashOptions& options,
                                       const mpi::ShareOptions&) {
  mpi::GatheredClashes all;
  for (std::uint64_t i = 0; i < source.part_count; ++i) all.assembly.parts.push_back(source.part(i));
  for (std::uint32_t i = 0; i < source.mesh_count; ++i) all.assembly.meshes.push_back(source.mesh(i));
  all.report = find_clashes(all.assembly, options);
  return all;
}

}  // namespace lamella::cli

int main(int argc, char** argv) {
  using namespace lamella::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a message, as a full disk is
  if (const int processes = launched_processes(); processes > 1) return become_mpi_program(processes, argv);
  return run_program(argc, argv);
}
