// Why a file beside the answers: after a power failure the end of a file may be anything, so that looking at it cannot
// tell which answers are whole. The state is replaced only after the answers are on the disk; what is behind them then
// is cut off. It has a fixed temporary name, which the lock makes safe: a killed process leaves nothing new behind.
//
// Linux tells of bytes that did not reach the disk once: the next fsync() succeeds, though they are gone. So after one
// failure no state is written any more, and the last one stays.

#include "lamella/answer_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "core/digest.hpp"
#include "io/descriptor.hpp"
#include "io/messages.hpp"
#include "io/output_file.hpp"
#include "lamella/error.hpp"
#include "sweep/state_text.hpp"
#include "sweep/sync.hpp"

namespace lamella {

bool (*sweep_parts::sync_to_disk)(int file) = &io::sync;

namespace {

using namespace sweep_parts;

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

struct AnswerFile::State {
  State(const std::filesystem::path& where, bool restart)
      : path(where),
        state_path(with_end(".state")),
        temporary_path(with_end(".state.new")),
        file(io::open_alone(path)) {
    check_name();
    size = io::file_size(file.file, path);  // what the process before us left, now that it is gone
    if (!restart) find_state();
  }

  /// A file that was removed goes on growing where nobody finds it, and a second process could begin another one.
  void check_name() const {
    struct stat own {};
    struct stat named {};
    if (::fstat(file.file, &own) != 0) io::fail_errno(path, "cannot examine the file");
    if (::stat(path.c_str(), &named) == 0 && own.st_dev == named.st_dev && own.st_ino == named.st_ino) return;
    io::fail(io::display(path),
             fmt::format("was removed, renamed or replaced while a sweep was writing it; put it back and run the sweep "
                         "again, or {}",
                         kStartOver));
  }

  [[nodiscard]] std::filesystem::path with_end(const char* end) const {
    std::filesystem::path out = path;
    out += end;
    return out;
  }

  void find_state() {
    std::ifstream in(state_path, std::ios::binary);
    if (!in) {
      if (size == 0) return;
      io::fail(io::display(path), fmt::format("there is no {} beside it, which would say what it answers; {}",
                                              io::display(state_path.filename()), kStartOver));
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
      found = parse_state(text);
    } catch (const Error& e) {
      io::fail(io::display(state_path), fmt::format("{}; {}", e.what(), kStartOver));
    }
    check_answers();
    if (found->counts.answers() == 0) found.reset();
  }

  /// The state must be this file's: the bytes that it counts must be there, as they were written.
  void check_answers() {
    std::vector<char> buffer(std::min<std::uint64_t>(kReadBytes, found->bytes));
    bool same = size >= found->bytes;
    for (std::uint64_t at = 0; same && at < found->bytes;) {
      const auto some = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), found->bytes - at));
      same = io::read_at(file.file, some, at);
      digest.add({some.data(), some.size()});
      at += some.size();
    }
    if (!same || (found->bytes != 0 && digest.value() != found->digest))
      io::fail(io::display(path), fmt::format("something else changed it: its first {} bytes are not the {} answers "
                                              "that were written; put back a copy if you have one, {}",
                                              found->bytes, found->counts.answers(), kStartOver));
  }

  /// Makes the file `bytes` long.
  void cut(std::uint64_t bytes) {
    if (size == bytes) return;  // a file that is complete keeps its time, too
    while (::ftruncate(file.file, static_cast<off_t>(bytes)) != 0)
      if (errno != EINTR) io::fail_errno(path, "cannot cut the file to its whole answers");
    size = bytes;
  }

  void append(std::string_view lines) {
    if (!io::write_at(file.file, lines, size)) {
      const int reason = errno;
      lost = true;  // over a network, an error may be about what was written before
      (void)!::ftruncate(file.file, static_cast<off_t>(size));  // whole lines; go_on() would cut it as well
      errno = reason;
      io::fail_errno(
          path,
          "cannot write the answers (those of the last checkpoint stay; run the sweep again when there is room, "
          "and it continues)");
    }
    digest.add(lines);
    size += lines.size();
  }

  void checkpoint(SweepState state) {
    if (lost)
      io::fail(io::display(path),
               "an earlier write of the answers failed, so that they may be missing on the disk; run the sweep again, "
               "and it continues after the last checkpoint");
    if (!sync_to_disk(file.file)) {
      lost = true;
      io::fail_errno(
          path,
          "cannot write the answers to the disk (those of the last checkpoint stay; look after the disk, run the "
          "sweep again, and it continues)");
    }
    check_name();
    state.bytes = size;
    state.digest = digest.value();
    replace_state(to_text(state));
  }

  void replace_state(const std::string& text) {
    {
      const io::Descriptor out(
          ::open(temporary_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
      if (out.file < 0 || !io::write_at(out.file, text, 0) || !sync_to_disk(out.file))
        io::fail_errno(temporary_path, "cannot write the sweep's state (run it again when there is room)");
    }
    if (std::rename(temporary_path.c_str(), state_path.c_str()) != 0)
      io::fail_errno(state_path, "cannot replace the file");
    sync_folder();
  }

  /// A folder that may be written but not read cannot be opened: names in it may then reach the disk later.
  void sync_folder() const {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const io::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.file >= 0 && !sync_to_disk(opened.file)) io::fail_errno(folder, "cannot write the folder to the disk");
  }

  std::filesystem::path path, state_path, temporary_path;
  io::Descriptor file;
  std::uint64_t size = 0;
  Digest digest;      ///< of the bytes up to `size`
  bool lost = false;  ///< a write failed: what is on the disk is not known
  std::optional<SweepState> found;
};

AnswerFile::AnswerFile(const std::filesystem::path& path, bool restart)
    : state_(std::make_unique<State>(path, restart)) {}
AnswerFile::~AnswerFile() = default;

const std::optional<SweepState>& AnswerFile::found() const { return state_->found; }

void AnswerFile::go_on() { state_->cut(state_->found->bytes); }

void AnswerFile::begin(SweepState state, std::string_view header) {
  State& s = *state_;
  // The state first: a process that is killed at any moment from here on leaves a file that can be continued.
  s.digest = {};
  state.bytes = 0;
  state.digest = s.digest.value();
  s.replace_state(to_text(state));
  s.cut(0);
  s.append(header);
}

void AnswerFile::append(std::string_view lines) { state_->append(lines); }
std::uint64_t AnswerFile::bytes() const { return state_->size; }
void AnswerFile::checkpoint(SweepState state) { state_->checkpoint(std::move(state)); }

}  // namespace lamella
