#pragma once

// Assemblies and sweeps that outgrow one machine, on MPI. Everything here is collective: every process of the job calls
// it, with the same arguments.
//
// Optional: find_package(lamella COMPONENTS mpi), target lamella::mpi. docs/mpi.md.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lamella/clash.hpp"
#include "lamella/export.hpp"
#include "lamella/job_sweep.hpp"

namespace lamella::mpi {

/// Starts MPI, and ends it in the destructor. Make one in each process, in main(). Does nothing when MPI was started
/// already; that must have been done with MPI_THREAD_FUNNELED at least, by the thread that makes the calls below.
class LAMELLA_MPI_API Session {
 public:
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  /// Ends all processes of the job, after an error of one of them that has been reported: the others could only wait
  /// for it.
  [[noreturn]] static void abort(int status);

 private:
  bool started_ = false;
  int rank_ = 0, size_ = 1;
};

/// An assembly that no process holds as a whole. Counts and `keeper` are the same on every process.
struct PartSource {
  std::uint64_t part_count = 0;  ///< below 2^32
  std::uint32_t mesh_count = 0;
  /// Returns a part by its number. A process asks only for its share: part_share().
  std::function<AssemblyPart(std::uint64_t part)> part;
  /// Returns a mesh by its number, from a file or made in memory. It is called once in the whole job for each mesh that
  /// a part needs, by the process that keeps the mesh. The other processes of its node use the mesh there, in place;
  /// every other node fetches it once.
  std::function<Mesh(std::uint32_t mesh)> mesh;
  /// Called only on rank 0; where the job has several nodes, on another thread than the caller's, and it must not call
  /// MPI there. May be empty.
  std::function<std::string(std::uint32_t mesh)> mesh_name{};
  /// The process that keeps a mesh: for example the one that read its file. Empty: each keeps a consecutive range of
  /// the meshes.
  std::function<int(std::uint32_t mesh)> keeper{};
};

/// Numbers from `begin` up to, but not including, `end`.
struct PartRange {
  std::uint64_t begin = 0, end = 0;
};
/// The parts that a process asks its source for.
[[nodiscard]] constexpr PartRange part_share(std::uint64_t part_count, int rank, int size) {
  const auto n = static_cast<std::uint64_t>(size), r = static_cast<std::uint64_t>(rank);
  return {part_count * r / n, part_count * (r + 1) / n};
}

/// Gives every process what each of the others has for it, by rank: for sources that one process must prepare for
/// all. `to_each`: one for each process. Throws Error on all processes when one has no memory for what it gets.
[[nodiscard]] LAMELLA_MPI_API std::vector<std::vector<char>> exchange(const std::vector<std::vector<char>>& to_each);
/// Returns what rank 0 passed, on every process.
[[nodiscard]] LAMELLA_MPI_API std::vector<char> broadcast(std::vector<char> of_rank_0);

/// How meshes came to the processes that tested pairs, summed over all processes. One use is one mesh for one block of
/// pairs, or, with a cache, for its digest.
struct MeshTravels {
  std::uint64_t in_place = 0;       ///< uses of meshes that a process of the same node keeps
  std::uint64_t fetched = 0;        ///< meshes that came from another node
  std::uint64_t fetched_bytes = 0;  ///< of these
  std::uint64_t shared = 0;         ///< uses of meshes that had been fetched, by any process of the node
  std::uint64_t dropped = 0;        ///< fetched meshes that had to make room for others
  std::uint64_t unshared = 0;       ///< fetched meshes that found no room: kept for one process and one block
};

/// What find_clashes() found, on rank 0. On the other processes all is empty except `complete`.
struct GatheredClashes {
  /// The parts of the report's pairs, and those that could not be tested, ascending as in the source, with their
  /// meshes: small where there are few clashes.
  Assembly assembly;
  std::vector<std::uint32_t> part_numbers;  ///< in the source, of the assembly's parts
  ClashReport report;                       ///< pairs name parts of `assembly`; counts are of the whole assembly
  MeshTravels travels{};
};

struct ShareOptions {
  bool meshes = true;  ///< bring the meshes of the report's parts to rank 0, for pictures and solids
  /// Path of a ClashCache, which each process opens with its rank, instead of ClashOptions::cache; empty: none.
  std::filesystem::path cache{};
  /// Bytes for meshes of other nodes, for each process of a node. They are fetched into memory that all processes of
  /// the node share; when it is full, those fetched first make room. 0: as much as the node's own share of the meshes,
  /// but at least 32 MB for each process.
  std::uint64_t mesh_memory = 0;
};

/// lamella::find_clashes() of an assembly that is divided in space: each process has the parts in its region and around
/// it, tests the pairs that belong to the region, and sends the answers to rank 0. The answers are those of one
/// process, to the bit.
///
/// Memory: a process keeps its share of the meshes, in memory that its node shares, and 8 bytes for each of all meshes,
/// or 12 with a `keeper`; where there are several nodes, each of them has another 16 bytes for each mesh.
///
/// Errors: an error of one process is thrown on all, after the others have tested their pairs: they do not stop before.
/// If MPI has no shared memory for the meshes, or a process fails while others wait for it, the job ends, with a line
/// on the standard error.
///
/// Where ClashOptions::threads is 0, the processes of a node share its cores; with engine "cuda" each takes a GPU of
/// its node. ClashOptions::stop is called on every process, for its own share, and ::progress on rank 0, for its own
/// share; where the job has several nodes, both are called on another thread than the caller's, and must not call MPI.
[[nodiscard]] LAMELLA_MPI_API GatheredClashes find_clashes(const PartSource& source, const ClashOptions& options = {},
                                                           const ShareOptions& share = {});

/// lamella::sweep_file() with the jobs divided among all processes: a process gets the next block when it is free. Rank
/// 0 reads jobs and writes answers: the file is byte for byte that of one process. One process of each node reads a
/// mesh, when a job first needs it, and the others copy it from memory that they share; Error is thrown if two nodes
/// read different meshes for a name. SweepFileOptions::mesh_memory is for each process, but its default is divided
/// among the processes of a node. When a process dies, MPI ends the others; what was answered is in the file, and the
/// same call continues. An error is thrown on rank 0, when the blocks before it are in the file; a process that fails
/// where others wait for it ends the job, with a line on the standard error. When SweepFileOptions::stop returns true
/// on any process, the sweep ends early. The report is that of rank 0; the other processes get an empty one.
LAMELLA_MPI_API SweepReport sweep_file(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                                       const SweepFileOptions& options = {});

}  // namespace lamella::mpi
