#pragma once

// The formats of jobs. A parser turns lines or records into jobs; reading, counting and digests are JobReader's.

#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lamella/job_file.hpp"
#include "sweep/job_source.hpp"

namespace lamella::sweep_parts {

/// Numbers meshes in the order of their first use.
class MeshNames {
 public:
  /// Throws Error, without a place, for a name that is none.
  [[nodiscard]] std::uint32_t number(std::string_view name);
  /// Those since the last call, in order.
  void move_new_to(std::vector<std::string>& out);
  void set(std::span<const std::string> known);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> new_;
};

class JobParser {
 public:
  virtual ~JobParser() = default;
  /// The next job. False at the end of the file. Throws Error with its place.
  [[nodiscard]] virtual bool next(PairJob& job) = 0;
  /// Where the jobs begin, when a reader starts again.
  virtual void skip_header() = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> count() const { return std::nullopt; }
  [[nodiscard]] virtual bool has_resolutions() const { return true; }
  /// A mark was reached without reading what is before it.
  virtual void went_to(const JobMark&) {}
};

// Each reads the header. `source` and `names` must outlive the parser.
[[nodiscard]] std::unique_ptr<JobParser> make_csv_parser(JobSource& source, MeshNames& names);
[[nodiscard]] std::unique_ptr<JobParser> make_json_parser(JobSource& source, MeshNames& names);
[[nodiscard]] std::unique_ptr<JobParser> make_binary_parser(JobSource& source, MeshNames& names);

/// Where the numbers of a pose go: tx ty tz qx qy qz qw.
inline constexpr std::size_t kPoseNumbers = 7;
[[nodiscard]] double& pose_number(Transform& pose, std::size_t number);

/// As std::from_chars, but a number that is too small for a double is 0.
[[nodiscard]] std::from_chars_result parse_double(const char* begin, const char* end, double& out);

/// Blanks of a line.
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

/// A byte order mark at the start of a text, which some editors leave there.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Start of a binary file of jobs.
inline constexpr std::string_view kJobMagic = "LAMJOBS\n";
inline constexpr std::uint32_t kJobVersion = 1, kJobRecordBytes = 128;
/// Behind the magic: version, size of a record, meshes, reserved (32 bits each); jobs, place of the first record (64
/// bits each). Then the names, each with its length before it (32 bits).
inline constexpr std::size_t kJobHeaderBytes = 8 + 4 * 4 + 2 * 8, kJobCountAt = 24;
inline constexpr std::size_t kMaxMeshName = 4096;  ///< bytes, as paths have

}  // namespace lamella::sweep_parts
