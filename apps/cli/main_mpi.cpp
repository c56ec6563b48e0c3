// The program `lamella-mpi`: `lamella`, whose commands sweep and clash spread their work over the processes of an MPI
// job. Rank 0 prints and writes; the others are silent, unless they alone fail.

#include <fmt/core.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/launcher.hpp"
#include "lamella/mpi.hpp"

namespace lamella::cli {
namespace {

int rank_of_job = 0, size_of_job = 1;

/// For all_arrive() alone: the others may be in the midst of something that all do together.
MPI_Comm at_the_end = MPI_COMM_NULL;

/// What a process other than rank 0 would print on stderr.
class KeptMessages {
 public:
  KeptMessages() : real_(stderr) { stderr = open_memstream(&text_, &size_); }
  ~KeptMessages() {
    std::fclose(stderr);
    stderr = real_;
    std::free(text_);
  }
  KeptMessages(const KeptMessages&) = delete;
  KeptMessages& operator=(const KeptMessages&) = delete;

  void print(int rank) const {
    std::fflush(stderr);
    fmt::print(real_, "lamella: process {} failed, and the job ends:\n{}", rank, std::string_view(text_, size_));
    std::fflush(real_);
  }

 private:
  std::FILE* real_;
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

/// Whether all processes come here: within ten seconds, where this one failed. Processes that fail for the same
/// reason come far apart on a machine that has too much to do. Those that answered wait for the others.
bool all_arrive(bool failed) {
  constexpr std::chrono::seconds kMost{10};
  MPI_Request barrier;
  MPI_Ibarrier(at_the_end, &barrier);
  const auto start = std::chrono::steady_clock::now();
  for (int there = 0;;) {
    MPI_Test(&barrier, &there, MPI_STATUS_IGNORE);
    if (there != 0) return true;
    if (failed && std::chrono::steady_clock::now() - start > kMost) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool is_error(int status) { return status == kBadInput || status == kDeviceFailure; }
bool is_signal(int status) { return status > 128; }

int run_on_rank_0(int argc, char** argv) {
  const int status = run_program(argc, argv);
  if (all_arrive(is_error(status) || is_signal(status))) return status;
  if (is_signal(status)) std::_Exit(status);  // the others are gone, or on their way
  mpi::Session::abort(status);
}

int run_elsewhere(int argc, char** argv) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr) return kBadInput;
  const KeptMessages messages;
  const int status = run_program(argc, argv);
  // Rank 0 may write for long, after a signal too: the launcher would end it if this process ended without MPI's word.
  if (!all_arrive(is_error(status))) {
    messages.print(rank_of_job);
    mpi::Session::abort(status);
  }
  return kAnswered;  // what it is, rank 0 says
}

bool spreads(std::string_view command) {
  return command == "sweep" || command == "clash" || command == "help" || command.starts_with("-");
}

}  // namespace

int job_rank() { return rank_of_job; }
int job_size() { return size_of_job; }

std::vector<std::vector<char>> job_exchange(const std::vector<std::vector<char>>& to_each) {
  return mpi::exchange(to_each);
}
std::vector<char> job_broadcast(std::vector<char> of_rank_0) { return mpi::broadcast(std::move(of_rank_0)); }

SweepReport distributed_sweep(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                              const SweepFileOptions& options) {
  return mpi::sweep_file(jobs, answers, options);
}

mpi::GatheredClashes distributed_clash(const mpi::PartSource& source, const ClashOptions& options,
                                       const mpi::ShareOptions& share) {
  return mpi::find_clashes(source, options, share);
}

}  // namespace lamella::cli

int main(int argc, char** argv) {
  using namespace lamella::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a message, as a full disk is
  lamella::mpi::Session session(argc, argv);
  rank_of_job = session.rank();
  size_of_job = session.size();
  if (const int launched = launched_processes(); size_of_job == 1 && launched > 1) {
    if (launched_rank() == 0)
      complain(fmt::format("{} processes were started, but MPI sees one: each would do all of the work", launched),
               "use the launcher of the MPI that lamella-mpi was built with; with Slurm: srun --mpi=pmix");
    return kDeviceFailure;
  }
  if (size_of_job > 1 && argc > 1 && !spreads(argv[1])) {
    if (rank_of_job == 0)
      complain(fmt::format("{}: works on one process; only sweep and clash spread over several", argv[1]),
               "start it without mpirun");
    return kBadInput;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &at_the_end);
  const int status = rank_of_job == 0 ? run_on_rank_0(argc, argv) : run_elsewhere(argc, argv);
  MPI_Comm_free(&at_the_end);
  return status;
}
