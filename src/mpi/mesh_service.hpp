#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <vector>

#include "mpi/processes.hpp"

namespace lamella::mpi {

/// Memory of one process that others ask for while it goes on with its own work: that has a thread of its own, and the
/// caller's thread sends and receives. By messages, since one-sided access between machines is not there in every MPI.
class MeshService {
 public:
  explicit MeshService(const Processes& all);
  ~MeshService();
  MeshService(const MeshService&) = delete;
  MeshService& operator=(const MeshService&) = delete;

  /// Bytes of another process, from `begin` on in what it serves; `done` is set to `value` when they are at `to`.
  struct Fetch {
    int from = 0;
    std::uint64_t begin = 0, bytes = 0;  ///< a multiple of kLine
    char* to = nullptr;
    std::atomic<std::uint32_t>* done = nullptr;
    std::uint32_t value = 0;
  };

  /// Collective: does the work, and serves the others until the work of all is done. `memory`: what this process
  /// serves. Throws what `work` throws, then.
  void run(const char* memory, const std::function<void()>& work);
  using Batch = std::list<std::vector<Fetch>>;
  /// For `work`: begins to fetch, and leaves the batch empty. The work must not end before all of it is there.
  void fetch(Batch& some) noexcept;

 private:
  struct Range {
    std::uint64_t begin = 0, bytes = 0;
  };
  struct Asked {  ///< on its way to a process
    std::vector<Range> ranges;
    MPI_Request sent = MPI_REQUEST_NULL;
  };

  void serve(const char* memory, const std::atomic<bool>& worked);
  bool answer(const char* memory);
  bool ask();
  bool finish();

  const Processes& all_;
  MPI_Datatype line_ = MPI_DATATYPE_NULL;  ///< kLine bytes: counts of MPI are ints
  std::mutex mutex_;
  Batch wanted_;  ///< not yet asked for
  std::list<Asked> asked_;
  std::vector<MPI_Request> moving_;  ///< meshes on their way, and what comes here with them
  std::vector<Fetch> coming_;        ///< by place in moving_; without `done` for those that go
};

/// Waits a moment, longer each time: for those who look again and again whether there is something to do.
class Pause {
 public:
  void wait();
  void reset() { micros_ = kFirst; }

 private:
  static constexpr int kFirst = 10, kMost = 500;
  int micros_ = kFirst;
};

}  // namespace lamella::mpi
