#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lamella/clash.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/mpi.hpp"

// How a command's work is done: by this process (main_single.cpp, the program `lamella`), or by all processes of an MPI
// job (main_mpi.cpp, the program lamella-mpi).

namespace lamella::cli {

/// This process's number in the job; 0 for one alone. Only rank 0 prints and writes.
[[nodiscard]] int job_rank();
[[nodiscard]] int job_size();

/// mpi::exchange() and mpi::broadcast(), of all processes of the job.
[[nodiscard]] std::vector<std::vector<char>> job_exchange(const std::vector<std::vector<char>>& to_each);
[[nodiscard]] std::vector<char> job_broadcast(std::vector<char> of_rank_0);

/// lamella::sweep_file(), by all processes of the job.
[[nodiscard]] SweepReport distributed_sweep(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                                            const SweepFileOptions& options);

/// lamella::find_clashes() of the source's assembly, by all processes of the job.
[[nodiscard]] mpi::GatheredClashes distributed_clash(const mpi::PartSource& source, const ClashOptions& options,
                                                     const mpi::ShareOptions& share);

/// main() of either program.
int run_program(int argc, char** argv);

}  // namespace lamella::cli
