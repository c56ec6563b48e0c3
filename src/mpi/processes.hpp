#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/error.hpp"
#include "mpi/bytes.hpp"

namespace lamella::mpi {

/// An error that every process throws at the same place: none is left waiting for the others.
struct FailedTogether : Error {
  using Error::Error;
};

/// The processes of a job, or those of one node.
class Processes {
 public:
  explicit Processes(MPI_Comm comm);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Gives every process what each of the others has for it; pieces in the order of the senders. This and gather()
  /// throw Error on all processes when one has no memory for what it gets.
  [[nodiscard]] std::vector<Bytes> exchange(const std::vector<Bytes>& to_each) const;
  /// Rank 0 gets what every process has, in the order of the ranks; the others nothing.
  [[nodiscard]] std::vector<Bytes> gather(const Bytes& mine) const;

  /// What rank 0 has, on every process; what the others give does not count. Throws as exchange() does.
  [[nodiscard]] Bytes broadcast(Bytes of_rank_0) const;

  /// What every process has, one after the other, on each of them. Throws FailedTogether when that is too much for MPI.
  [[nodiscard]] std::vector<std::uint64_t> all_of(std::span<const std::uint64_t> mine) const;

  /// By rank in `others`: the rank here; below 0 for those that are not here.
  [[nodiscard]] std::vector<int> ranks_here(const Processes& others) const;

  void sum(std::span<std::uint64_t> values) const;  ///< over all processes, in place
  void least(std::span<double> values) const;       ///< likewise
  [[nodiscard]] bool all(bool mine) const;

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

/// All processes, with messages of their own: none of another call is taken for one of this. Collective at both ends.
class Job {
 public:
  /// Nobody looks at what MPI's calls return: an error ends the job, whatever the caller has set for its own calls.
  Job() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
  }
  ~Job() { MPI_Comm_free(&comm_); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] Processes processes() const { return Processes(comm_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// For a failure of this process while others wait for it, who could only go on waiting: says why on the standard error
/// (its descriptor: programs redirect the stream), and ends all processes of the job.
[[noreturn]] void end_job(std::string_view why);

/// What was thrown, in words.
struct Failure {
  std::string text;
  Error::Kind kind = Error::Kind::input;
};
/// For handlers that catch all: callbacks of a caller may throw anything.
[[nodiscard]] Failure failure_caught();

/// Collective. Throws FailedTogether for the first process that has a failure.
void throw_first(const Processes& all, const std::optional<Failure>& failure);

/// Makes a call whose failure must end the job.
template <class Call>
auto or_end_job(const Call& call) {
  try {
    return call();
  } catch (...) {
    end_job(failure_caught().text);
  }
}

/// Which processes are one node, by rank; empty: those that share memory.
using NodeOf = std::function<int(int rank)>;

/// An error of one process ends the call on all of them, with the same message. Collective.
template <class Call>
void together(const Processes& all, const Call& call) {
  std::optional<Failure> failure;
  try {
    call();
  } catch (...) {
    failure = failure_caught();
  }
  throw_first(all, failure);
}

/// The processes that share this one's memory.
class Node {
 public:
  explicit Node(const Processes& all, const NodeOf& node_of = {});
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  [[nodiscard]] Processes processes() const { return Processes(comm_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace lamella::mpi
