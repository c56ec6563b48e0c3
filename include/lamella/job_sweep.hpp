#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/answer_file.hpp"
#include "lamella/batch.hpp"
#include "lamella/export.hpp"
#include "lamella/job_file.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"

// Sweeps through millions of pairs, from a file of jobs to a file of answers. Not to be confused with lamella::sweep(),
// which moves one mesh along a line until it touches another (lamella/separation.hpp).

namespace lamella {

/// Returns the mesh for a name in a file of jobs; throws Error. Called once for each name, and again when the mesh had
/// to be dropped (kSweepMeshMemory).
using MeshLoader = std::function<Mesh(const std::string& name)>;

/// About how many bytes of meshes a sweep keeps by default. When the meshes and their copies, one for each resolution
/// in use, take more, all are dropped, and read again as jobs need them; digests show whether they are still the same.
/// One pair, or on a GPU one block, may take more.
inline constexpr std::uint64_t kSweepMeshMemory = std::uint64_t{4} << 30;

/// Answers blocks of jobs: a Batch for each resolution, and the meshes, read when a job first needs them.
///
/// An answer depends on its own job alone, not on the block around it: blocks may be answered in any order and by
/// several processes. For that, the engine is chosen once, "automatic" included, and blocks begin at multiples of
/// block_unit(). Use it from one thread at a time.
class LAMELLA_API Sweep {
 public:
  Sweep(Options options, MeshLoader load, std::uint64_t mesh_memory = kSweepMeshMemory);
  ~Sweep();
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;

  /// Names of meshes in the order of their numbers, which jobs may use from now on. May be called while another thread
  /// answers.
  void add_meshes(std::span<const std::string> names);
  /// Reads the meshes of these jobs that were not read yet; answer() does so itself. Throws Error, which names the job.
  void read_meshes(const JobBlock& block);
  /// One answer for each job, in the same order. Names of new meshes must have been added. Throws Error, which names
  /// the job.
  void answer(const JobBlock& block, std::vector<PairOverlap>& answers);

  /// Begin every block at a multiple of this, so that the last bits of answers do not depend on how the jobs are cut
  /// into blocks. software: 1, anywhere. cuda: 8192, as how a sum is split among threads depends on the largest mesh
  /// that is asked together with others: longer blocks are cut at its multiples.
  [[nodiscard]] std::size_t block_unit() const;

  /// Gives the next jobs: `most`, or fewer at the end; then none. Called on a thread of its own, one call at a time.
  using Source = std::function<void(JobBlock& block, std::size_t most)>;
  /// Takes the answers of a block, in the order of the jobs. Called on a thread of its own, one call at a time.
  using Sink = std::function<void(const JobBlock& block, std::span<const PairOverlap> answers)>;
  /// Answers all jobs of the source; adds the blocks' new meshes. One block is read and one written while one is
  /// answered: memory is that of three blocks of at most 32,768 jobs, about 60 MB. Blocks begin with a job for each
  /// thread, and grow or shrink so that one takes about a quarter of a second, or a job for each thread; with a
  /// block_unit() above 1 they are of that size. When `stop` says true after a block, no further ones are begun.
  /// `first`: the index of the first job that the source gives.
  void run(const Source& source, const Sink& sink, const std::function<bool()>& stop = {}, std::uint64_t first = 0);

  /// The options, with the engine that answers instead of "automatic".
  [[nodiscard]] const Options& options() const;
  /// All that changes answers, as SweepState::options has it.
  [[nodiscard]] std::string description() const;
  /// What was added so far, with the digests of those that were read. The sink of run() may ask, too.
  [[nodiscard]] std::vector<SweepMesh> meshes() const;
  /// Of a mesh by its number; none while it was not read.
  [[nodiscard]] std::optional<std::uint64_t> digest(std::uint32_t mesh) const;
  /// Reads the meshes that have a digest, and throws Error if one is not as it was.
  void require_meshes(std::span<const SweepMesh> meshes);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// "automatic" as a sweep understands it, whose answers must not depend on how many jobs are asked together: cuda where
/// it is available, else software; software with Options::certify.
[[nodiscard]] LAMELLA_API std::string sweep_engine(const Options& options);

struct SweepProgress {
  std::uint64_t jobs = 0;                     ///< answered, also by earlier runs
  std::uint64_t bytes = 0, bytes_in_all = 0;  ///< of the file of jobs
};

struct SweepFileOptions {
  Options query{};
  bool restart = false;  ///< replace the answers that are there
  /// What meshes are read with. Empty: job_mesh_path() and read_mesh().
  MeshLoader load{};
  JobFiles files = JobFiles::in_its_folder;  ///< for the default of `load`
  /// About how many seconds of work a killed process may lose; never less than two blocks (Sweep::run).
  double checkpoint_seconds = 1;
  std::uint64_t mesh_memory = kSweepMeshMemory;  ///< about how many bytes of meshes are kept
  /// Called after each block, on another thread.
  std::function<void(const SweepProgress&)> progress{};
  /// Asked after each block: true ends the sweep early, with all that was answered on the disk.
  std::function<bool()> stop{};
};

struct SweepReport {
  AnswerCounts counts;        ///< of all answers in the file
  std::uint64_t resumed = 0;  ///< answers that were there already
  bool complete = false;      ///< every job is answered
  std::string engine;
  double seconds = 0;  ///< in all

  [[nodiscard]] std::uint64_t answered() const { return counts.answers() - resumed; }  ///< by this call
};

/// The two files of a sweep, for programs that answer blocks in their own way, such as on several machines.
/// sweep_file() consists of this and Sweep::run().
class LAMELLA_API SweepFiles {
 public:
  /// Opens and locks the files, and goes to where an earlier sweep ended. Throws Error when that cannot be continued;
  /// then nothing has changed.
  SweepFiles(const std::filesystem::path& jobs, const std::filesystem::path& answers, SweepFileOptions options = {});
  ~SweepFiles();
  SweepFiles(const SweepFiles&) = delete;
  SweepFiles& operator=(const SweepFiles&) = delete;

  /// It has the options of the first run, and the meshes so far. A program that answers blocks itself must add their
  /// new meshes. The digests of a block's meshes are kept with its answers: before a block is written, this sweep must
  /// have read them, or note_digest() must have been called.
  [[nodiscard]] Sweep& sweep();
  [[nodiscard]] const AnswerStyle& style() const;
  [[nodiscard]] std::uint64_t resumed() const;  ///< jobs that were answered before: the first index that read() gives

  /// The digest of a mesh that another Sweep read.
  void note_digest(std::uint32_t mesh, std::uint64_t digest);

  /// As JobReader::read().
  void read(JobBlock& block, std::size_t most);
  /// Appends the answers of the next block, and saves them when checkpoint_seconds have passed. May be called while
  /// another thread reads.
  void write(const JobBlock& block, std::span<const PairOverlap> answers);
  /// The same with the lines of append_answers() and what they count.
  void write(const JobBlock& block, std::string_view lines, const AnswerCounts& counts);
  /// Everything written is on the disk when this returns. Without it, up to checkpoint_seconds of answers are made
  /// again by the next run.
  void save();

  /// Without `seconds`.
  [[nodiscard]] SweepReport report() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// Answers the jobs of a file, and appends the answers to another, .csv or .jsonl. Continues where an earlier call
/// ended, however it ended: the file is byte for byte that of a call that was never interrupted. New jobs may have been
/// appended to the jobs since. Where answered jobs, their meshes or options changed, Error is thrown, and nothing in
/// the file changes.
LAMELLA_API SweepReport sweep_file(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                                   const SweepFileOptions& options = {});

}  // namespace lamella
