#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/batch.hpp"
#include "lamella/export.hpp"
#include "lamella/job_file.hpp"

// Answers of a sweep: a line for each job, in the order of the jobs. docs/sweeps.md describes them.

namespace lamella {

/// How answers are written. A line depends only on its answer and on this style.
struct AnswerStyle {
  enum class Format : std::uint8_t {
    csv,         ///< a header line, then an answer a line
    json_lines,  ///< a JSON object a line
  };
  Format format = Format::csv;
  bool certainty = false;  ///< with Options::certify: whether the verdict is proved
  bool tolerance = false;  ///< with Options::tolerance: whether it is met
};

/// By the extension: .csv, .jsonl or .ndjson, in any case; nothing for another one.
[[nodiscard]] LAMELLA_API std::optional<AnswerStyle::Format> answer_format(const std::filesystem::path& path);

/// The header line of CSV; nothing for JSON lines.
LAMELLA_API void append_header(std::string& text, const AnswerStyle& style);
/// A line for each answer; `first` is the index of answers[0]. Numbers have the fewest digits that give the same double
/// again. About 0.4 us an answer.
LAMELLA_API void append_answers(std::string& text, const AnswerStyle& style, std::uint64_t first,
                                std::span<const PairOverlap> answers);

/// Numbers of answers, by verdict.
struct AnswerCounts {
  std::uint64_t clear = 0, colliding = 0, undecided = 0;
  std::uint64_t not_ok = 0;  ///< whose health is not ok, with any verdict

  [[nodiscard]] std::uint64_t answers() const { return clear + colliding + undecided; }
  LAMELLA_API void add(std::span<const PairOverlap> answers);
  friend bool operator==(const AnswerCounts&, const AnswerCounts&) = default;
};

/// A mesh that answers refer to.
struct SweepMesh {
  std::string name;
  std::optional<std::uint64_t> digest;  ///< of its positions and triangles as they were read; none: not used yet
};

/// What is certainly on the disk, and what it was made from.
struct SweepState {
  std::string version;            ///< of the library
  std::string options;            ///< all that changes answers: "key=value key=value"
  JobMark jobs;                   ///< the jobs that are answered
  std::uint64_t bytes = 0;        ///< of the file of answers
  std::uint64_t digest = 0;       ///< XXH64 of those bytes
  AnswerCounts counts;            ///< of the answers in it
  std::vector<SweepMesh> meshes;  ///< in the order of their numbers
};

/// A file of answers that grows, and can be continued after its process was killed or the power failed.
///
/// Next to it is NAME.state, which every checkpoint() replaces as a whole, after the answers before it are on the disk.
/// When the file is continued, what it has beyond its last checkpoint is cut off; what is before the checkpoint must
/// not have changed: it is read and compared with its digest. While the object lives it holds a lock (flock) on the
/// file: a second process gets an Error. If the file is removed or replaced meanwhile, the next checkpoint() throws
/// Error, too.
///
/// Every function throws Error, whose message gives the path, the system's reason and the remedy.
class LAMELLA_API AnswerFile {
 public:
  /// Opens or creates the file and locks it; changes nothing in it. Reads the answers that are there, to check that
  /// they have not changed. `restart`: ignores what is there.
  explicit AnswerFile(const std::filesystem::path& path, bool restart = false);
  ~AnswerFile();
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  /// The state of the file as it was found; none when it is new, or has no answer yet.
  [[nodiscard]] const std::optional<SweepState>& found() const;

  /// Call once, before append(). Continues after the last checkpoint: what is beyond it is cut off.
  void go_on();
  /// Or this: throws away what is there, and begins the file with `header`. `state`: without any answers yet.
  void begin(SweepState state, std::string_view header);
  /// Whole lines. When the disk is full, the file is cut back to what it had before, and Error is thrown; there are no
  /// checkpoints after that.
  void append(std::string_view lines);
  [[nodiscard]] std::uint64_t bytes() const;
  /// All that was appended is on the disk when this returns; SweepState::bytes and ::digest are set here. Some
  /// milliseconds. When the disk fails, Error is thrown, now and by every later call: the system reports only once what
  /// was lost.
  void checkpoint(SweepState state);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
