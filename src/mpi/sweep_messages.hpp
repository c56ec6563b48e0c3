#pragma once

// What the processes of a sweep say to each other. Rank 0 sends names of meshes, blocks and the end, the others
// answers.

#include <climits>
#include <string>
#include <vector>

#include "lamella/error.hpp"
#include "lamella/job_sweep.hpp"
#include "mpi/processes.hpp"

namespace lamella::mpi {

constexpr int kHello = 10, kMeshes = 11, kBlock = 12, kEnd = 13, kAnswers = 14, kBye = 15;

/// MPI counts in ints.
[[nodiscard]] inline int message_size(const Bytes& bytes) {
  if (bytes.size() > INT_MAX)
    throw Error("a message between processes would have more than 2^31 - 1 bytes; split the file of jobs");
  return static_cast<int>(bytes.size());
}

inline void send(const Processes& all, int to, int tag, const Bytes& bytes) {
  MPI_Send(bytes.data(), message_size(bytes), MPI_BYTE, to, tag, all.comm());
}

/// Whether a message of this tag waits.
[[nodiscard]] inline bool has_message(const Processes& all, int from, int tag) {
  int there = 0;
  MPI_Iprobe(from, tag, all.comm(), &there, MPI_STATUS_IGNORE);
  return there != 0;
}

/// The next message from `from`; returns its tag.
inline int receive(const Processes& all, int from, Bytes& bytes) {
  MPI_Status status;
  MPI_Probe(from, MPI_ANY_TAG, all.comm(), &status);
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  bytes.resize(static_cast<std::size_t>(count));
  MPI_Recv(bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, all.comm(), MPI_STATUS_IGNORE);
  return status.MPI_TAG;
}

inline void put(Bytes& to, const JobBlock& block) {
  put(to, block.first);
  put_all(to, std::span<const PairJob>(block.jobs));
  put(to, std::string_view(block.file));
  put_all(to, std::span<const std::uint64_t>(block.lines));
}

inline void take(Taker& from, JobBlock& block) {
  from.take(block.first);
  from.take_all(block.jobs);
  block.file = from.take_text();
  from.take_all(block.lines);
}

/// What a process read for a mesh.
struct ReadMesh {
  std::uint64_t digest = 0;
  std::uint32_t mesh = 0;  ///< its number
};

/// The answers of a block, or why there are none.
struct BlockAnswers {
  std::uint64_t first = 0;  ///< JobBlock::first
  bool stopped = false;     ///< the process was asked to stop: not answered
  std::string failure;      ///< empty: answered
  Error::Kind kind{};
  double seconds = 0;  ///< that it took
  std::vector<PairOverlap> answers;
  std::vector<ReadMesh> read;  ///< meshes of the block that no earlier block of this process used
};

/// Answers blocks; whatever is thrown becomes a part of the answer.
class BlockAnswerer {
 public:
  explicit BlockAnswerer(Sweep& sweep) : sweep_(sweep) {}
  [[nodiscard]] BlockAnswers answer(const JobBlock& block);

 private:
  void note_meshes(const JobBlock& block, BlockAnswers& out);

  Sweep& sweep_;
  std::vector<bool> told_;  ///< by the numbers of meshes
};

inline void put(Bytes& to, const BlockAnswers& a) {
  put(to, a.first);
  put(to, a.stopped);
  put(to, std::string_view(a.failure));
  put(to, a.kind);
  put(to, a.seconds);
  put_all(to, std::span<const PairOverlap>(a.answers));
  put_all(to, std::span<const ReadMesh>(a.read));
}

inline void take(Taker& from, BlockAnswers& a) {
  from.take(a.first);
  from.take(a.stopped);
  a.failure = from.take_text();
  from.take(a.kind);
  from.take(a.seconds);
  from.take_all(a.answers);
  from.take_all(a.read);
}

}  // namespace lamella::mpi
