#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "mpi/sweep_messages.hpp"

namespace lamella::mpi {

/// Answers blocks on a thread of its own, so that rank 0 computes while it deals.
class OwnThread {
 public:
  explicit OwnThread(Sweep& sweep);
  ~OwnThread();  ///< waits for the block that is being answered; drops those that wait

  void give(JobBlock block);
  /// The answers of a block, if one is ready.
  [[nodiscard]] bool take(BlockAnswers& out);

 private:
  void work(Sweep& sweep);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<JobBlock> waiting_;
  std::deque<BlockAnswers> ready_;
  std::exception_ptr failure_;  ///< of the thread itself
  bool ends_ = false;
  std::thread thread_;
};

/// Rank 0's part of a sweep: deals blocks to all processes as they get free, and hands the answers on in order.
class SweepDealer {
 public:
  SweepDealer(const Processes& all, SweepFiles& files);
  ~SweepDealer();  ///< tells the others that it is over, and waits until they know: no message is left on its way
  SweepDealer(const SweepDealer&) = delete;
  SweepDealer& operator=(const SweepDealer&) = delete;

  /// Until all jobs are answered, or `stop` says true here or on another process; then all that is there is saved.
  void run(const std::function<bool()>& stop);

 private:
  /// A block that was dealt, until its answers are handed on.
  struct Dealt {
    JobBlock block;
    int rank = 0;
    std::optional<BlockAnswers> answers;
  };

  /// What was read for a mesh first.
  struct FirstRead {
    std::uint64_t digest = 0;
    int rank = 0;
  };

  struct Posted {
    std::shared_ptr<const Bytes> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void announce(const std::vector<std::string>& names);
  [[nodiscard]] bool stopped();
  void deal_next();
  void deal(JobBlock block);
  void post(int rank, int tag, std::shared_ptr<const Bytes> bytes);
  [[nodiscard]] std::optional<int> free_process() const;
  void accept(BlockAnswers answers);
  bool receive_some();
  void wait();
  void hand_on();
  void compare_meshes(const Dealt& block);

  const Processes& all_;
  SweepFiles& files_;
  OwnThread own_;
  std::vector<std::optional<FirstRead>> read_;  ///< by the numbers of meshes
  std::map<std::uint64_t, Dealt> dealt_;        ///< by the blocks' first jobs
  std::vector<int> busy_;                       ///< blocks that each process has
  std::size_t last_;                            ///< process that got the last block
  /// Messages on their way. A process that computes takes in none, and may itself wait to be heard: rank 0 never waits
  /// for a message to be taken.
  std::list<Posted> posted_;
  std::size_t threads_;        ///< of a process; fewest jobs of a block
  std::size_t wanted_;         ///< jobs of the next block, where they need not always be the same
  std::uint64_t next_;         ///< job that is read next
  bool more_ = true;           ///< jobs, which may be read
  std::exception_ptr unread_;  ///< why a job could not be read
  std::function<bool()> stop_;
  bool stopped_ = false;
  Bytes bytes_;
};

}  // namespace lamella::mpi
