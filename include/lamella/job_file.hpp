#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/math.hpp"

// Jobs of a sweep: pairs of placed meshes, by the million, in a file. docs/sweeps.md describes the formats.

namespace lamella {

/// A pair to answer.
struct PairJob {
  std::uint32_t a = 0, b = 0;    ///< the two meshes, numbered in the order of their first use (JobBlock::new_meshes)
  std::uint32_t resolution = 0;  ///< columns and rows of the grid; 0: as many as the sweep's options say
  Transform pose_a, pose_b;
};

/// A place in a file of jobs, and what is before it.
struct JobMark {
  std::uint64_t jobs = 0;    ///< before it
  std::uint64_t bytes = 0;   ///< of the file
  std::uint64_t lines = 0;   ///< of a text file
  std::uint64_t digest = 0;  ///< XXH64 of those bytes; of a binary file, without the number of jobs in its header
  friend bool operator==(const JobMark&, const JobMark&) = default;
};

/// Consecutive jobs.
struct JobBlock {
  std::uint64_t first = 0;  ///< index of jobs[0] among all jobs
  std::vector<PairJob> jobs;
  /// Names of meshes that no earlier block has: their numbers follow those of the earlier ones. A binary file has all
  /// of its names in the first block.
  std::vector<std::string> new_meshes;
  JobMark end;                       ///< where the block after this one begins
  std::string file;                  ///< as messages name it; empty for jobs from elsewhere
  std::vector<std::uint64_t> lines;  ///< of the jobs, from 1; empty for a binary file

  /// "FILE:LINE", "FILE: job 17" or "job 17", for messages.
  [[nodiscard]] LAMELLA_API std::string place(std::size_t job) const;
  /// Without jobs; keeps its memory.
  LAMELLA_API void clear();
};

enum class JobFormat : std::uint8_t {
  csv,         ///< .csv: a header line, then a job a line
  json_lines,  ///< .jsonl, .ndjson: a JSON object a line
  binary,      ///< .jobs: a header with the meshes' names, then records of 128 bytes
};

/// The format that a file name's extension stands for, in any case; nothing for an unknown one.
[[nodiscard]] LAMELLA_API std::optional<JobFormat> job_format(const std::filesystem::path& path);

inline constexpr std::uint32_t kMaxJobMeshes = 1'000'000;  ///< different meshes of one file of jobs
inline constexpr std::size_t kMaxJobLine = 1 << 16;        ///< bytes of a line

/// Reads jobs block by block. Memory: 2 MiB, the block, and the names of the meshes. The file is not trusted: lines,
/// names and their number are limited. Throws Error "FILE:LINE: what is wrong; what to write". Use a reader from one
/// thread at a time.
class LAMELLA_API JobReader {
 public:
  /// Reads the header, if the format has one.
  explicit JobReader(const std::filesystem::path& path);
  ~JobReader();
  JobReader(JobReader&&) noexcept;
  JobReader& operator=(JobReader&&) noexcept;

  /// The next jobs, at most `most`; none at the end of the file. A job that cannot be read ends its block, and the next
  /// call throws: so all jobs before it can be answered.
  void read(JobBlock& block, std::size_t most);

  /// Goes to a mark of an earlier reader of this file; `meshes` are the names that it had met up to there. Reads
  /// everything before the mark, at 1 to 2 GB/s where the system has it in its cache, and throws Error when that has
  /// changed.
  void go_to(const JobMark& mark, std::span<const std::string> meshes);

  [[nodiscard]] JobFormat format() const;
  [[nodiscard]] std::uint64_t bytes() const;  ///< of the file, when it was opened
  /// How many jobs there are, where the file says so.
  [[nodiscard]] std::optional<std::uint64_t> count() const;
  /// Whether jobs may have a resolution of their own.
  [[nodiscard]] bool has_resolutions() const;

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// Writes a file of jobs, in the format of its extension. The file appears complete or not at all (NewFile). Throws
/// Error. Memory: 1 MiB.
class LAMELLA_API JobWriter {
 public:
  /// `meshes`: names as the file has them, relative to its folder. `resolutions`: whether jobs of a CSV file have a
  /// resolution each.
  JobWriter(const std::filesystem::path& path, std::vector<std::string> meshes, bool resolutions = false);
  ~JobWriter();

  /// Throws Error for a mesh that is not in the list, and a pose that is not finite or not of unit length.
  void add(const PairJob& job);
  void add(std::span<const PairJob> jobs);
  void commit();

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// Which files a file of jobs may name.
enum class JobFiles : std::uint8_t {
  in_its_folder,  ///< or below it
  anywhere,
};

/// The path of a job's mesh: names are relative to the folder of the file of jobs. Throws Error for a name that leads
/// out of that folder, if `allowed` does not permit it.
[[nodiscard]] LAMELLA_API std::filesystem::path job_mesh_path(const std::filesystem::path& jobs, std::string_view name,
                                                              JobFiles allowed);

}  // namespace lamella
