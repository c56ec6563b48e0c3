#include "mpi/mesh_service.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <thread>

#include "mpi/mesh_bytes.hpp"

namespace lamella::mpi {
namespace {

constexpr int kAsk = 3, kMesh = 4;

int lines(std::uint64_t bytes) { return static_cast<int>(bytes / kLine); }

}  // namespace

void Pause::wait() {
  std::this_thread::sleep_for(std::chrono::microseconds(micros_));
  micros_ = std::min(kMost, micros_ * 2);
}

MeshService::MeshService(const Processes& all) : all_(all) {
  MPI_Type_contiguous(static_cast<int>(kLine), MPI_BYTE, &line_);
  MPI_Type_commit(&line_);
}

MeshService::~MeshService() { MPI_Type_free(&line_); }

void MeshService::run(const char* memory, const std::function<void()>& work) {
  std::exception_ptr failure;
  or_end_job([&] {  // what fails here leaves the others waiting
    std::atomic<bool> worked = false;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      worked = true;
    });
    or_end_job([&] { serve(memory, worked); });
    worker.join();
  });
  if (failure) std::rethrow_exception(failure);
}

/// Whose work is done asks for nothing any more: when all have come to the barrier, nobody does, and nothing is on its
/// way but to those who wait for it here.
void MeshService::serve(const char* memory, const std::atomic<bool>& worked) {
  MPI_Request all_worked = MPI_REQUEST_NULL;
  bool waits = false;
  for (Pause pause;;) {
    bool busy = answer(memory);
    busy = ask() || busy;
    busy = finish() || busy;
    if (!waits && worked) {
      MPI_Ibarrier(all_.comm(), &all_worked);
      waits = true;
    }
    int over = 0;
    if (waits) MPI_Test(&all_worked, &over, MPI_STATUS_IGNORE);
    if (over != 0 && moving_.empty() && asked_.empty()) return;
    busy ? pause.reset() : pause.wait();
  }
}

/// Sends what somebody asked for. Messages between two processes arrive in their order: who asked knows which mesh is
/// which.
bool MeshService::answer(const char* memory) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kAsk, all_.comm(), &there, &status);
  if (there == 0) return false;
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  std::vector<Range> ranges(static_cast<std::size_t>(bytes) / sizeof(Range));
  MPI_Recv(ranges.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kAsk, all_.comm(), MPI_STATUS_IGNORE);
  for (const Range& range : ranges) {
    coming_.emplace_back();
    MPI_Isend(memory + range.begin, lines(range.bytes), line_, status.MPI_SOURCE, kMesh, all_.comm(),
              &moving_.emplace_back());
  }
  return true;
}

void MeshService::fetch(Batch& some) noexcept {
  const std::lock_guard lock(mutex_);
  wanted_.splice(wanted_.end(), some);
}

/// One message for each process that has something.
bool MeshService::ask() {
  Batch wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted.swap(wanted_);
  }
  std::map<int, std::vector<Range>> ranges;
  for (const std::vector<Fetch>& batch : wanted)
    for (const Fetch& fetch : batch) {
      coming_.push_back(fetch);
      MPI_Irecv(fetch.to, lines(fetch.bytes), line_, fetch.from, kMesh, all_.comm(), &moving_.emplace_back());
      ranges[fetch.from].push_back({fetch.begin, fetch.bytes});
    }
  for (auto& [process, of_it] : ranges) {
    Asked& asked = asked_.emplace_back(Asked{std::move(of_it)});
    MPI_Isend(asked.ranges.data(), static_cast<int>(asked.ranges.size() * sizeof(Range)), MPI_BYTE, process, kAsk,
              all_.comm(), &asked.sent);
  }
  return !ranges.empty();
}

bool MeshService::finish() {
  std::vector<int> done(moving_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(moving_.size()), moving_.data(), &count, done.data(), MPI_STATUSES_IGNORE);
  if (count == MPI_UNDEFINED) count = 0;
  for (int i = 0; i < count; ++i) {
    const Fetch& fetch = coming_[static_cast<std::size_t>(done[static_cast<std::size_t>(i)])];
    if (fetch.done != nullptr) fetch.done->store(fetch.value, std::memory_order_release);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    if (moving_[i] == MPI_REQUEST_NULL) continue;
    moving_[kept] = moving_[i];
    coming_[kept++] = coming_[i];
  }
  moving_.resize(kept);
  coming_.resize(kept);
  const std::size_t asked = std::erase_if(asked_, [](Asked& one) {
    int sent = 0;
    MPI_Test(&one.sent, &sent, MPI_STATUS_IGNORE);
    return sent != 0;
  });
  return count != 0 || asked != 0;
}

}  // namespace lamella::mpi
