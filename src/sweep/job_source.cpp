#include "sweep/job_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "io/messages.hpp"

namespace lamella::sweep_parts {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
static_assert(kBufferBytes > 2 * kMaxJobLine);

}  // namespace

JobSource::JobSource(const std::filesystem::path& path) : name_(io::display(path)) {
  io::check_path(path);
  const auto fail_errno = [&](const char* what) { io::fail(name_, what + std::generic_category().message(errno)); };
  // Non-blocking, so that a pipe is refused below instead of waited for.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail_errno("cannot open the file: ");
  struct stat info {};
  const bool examined = ::fstat(file_, &info) == 0;
  if (examined && S_ISREG(info.st_mode)) {
    size_ = static_cast<std::uint64_t>(info.st_size);
    buffer_.resize(std::clamp<std::uint64_t>(size_, 1, kBufferBytes));
    return;
  }
  ::close(file_);
  if (!examined) fail_errno("cannot examine the file: ");
  io::fail(name_,
           "is no regular file: a sweep that is continued reads its jobs again; write them to a file, and name that");
}

JobSource::~JobSource() { ::close(file_); }

void JobSource::add_to_digest() {
  const std::uint64_t begin = at_ + digested_, end = at_ + begin_;
  const std::uint64_t skip = std::clamp(left_out_begin_, begin, end), resume = std::clamp(left_out_end_, begin, end);
  digest_.add({buffer_.data() + (begin - at_), skip - begin});
  digest_.add({buffer_.data() + (resume - at_), end - resume});
  digested_ = begin_;
}

void JobSource::refill() {
  add_to_digest();
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  at_ += begin_;
  end_ -= begin_;
  begin_ = digested_ = line_begin_ = 0;
  while (end_ < buffer_.size() && !ended_) {
    // No further than the size it had: jobs that are being appended are for the next run.
    const std::uint64_t left = size_ - std::min(size_, at_ + end_);
    const std::size_t wanted = std::min<std::uint64_t>(buffer_.size() - end_, left);
    const ssize_t count =
        wanted == 0 ? 0 : ::pread(file_, buffer_.data() + end_, wanted, static_cast<off_t>(at_ + end_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) io::fail(name_, "cannot read the file: " + std::generic_category().message(errno));
    if (count == 0 && wanted != 0) io::fail(name_, "became shorter while it was read; run the sweep again");
    ended_ = count == 0;
    end_ += static_cast<std::size_t>(count);
  }
}

std::string_view JobSource::peek(std::size_t wanted) {
  if (end_ - begin_ < wanted && !ended_) refill();
  return {buffer_.data() + begin_, std::min(wanted, end_ - begin_)};
}

bool JobSource::line(std::string_view& out) {
  line_begin_ = begin_;
  lines_before_ = lines_;
  const char* start = buffer_.data() + begin_;
  const void* stop = std::memchr(start, '\n', end_ - begin_);
  if (stop == nullptr && !ended_) {
    refill();
    start = buffer_.data();
    stop = std::memchr(start, '\n', end_);
  }
  const std::size_t length =
      stop != nullptr ? static_cast<std::size_t>(static_cast<const char*>(stop) - start) : end_ - begin_;
  if (stop == nullptr && length == 0) return false;
  ++lines_;
  if (length > kMaxJobLine) fail_at_line(fmt::format("the line is longer than {} bytes; no job is", kMaxJobLine));
  out = {start, length};
  if (out.ends_with('\r')) out.remove_suffix(1);
  begin_ += length + (stop != nullptr ? 1 : 0);
  return true;
}

void JobSource::untake_line() {
  begin_ = line_begin_;
  lines_ = lines_before_;
}

JobMark JobSource::mark(std::uint64_t jobs) {
  add_to_digest();
  return {jobs, at_ + begin_, lines_, digest_.value()};
}

bool JobSource::go_to(const JobMark& mark) {
  begin_ = end_ = digested_ = 0;
  at_ = lines_ = 0;
  ended_ = false;
  digest_ = {};
  if (mark.bytes > size_) return false;
  char last = '\n';
  for (std::uint64_t left = mark.bytes; left != 0;) {
    const std::string_view bytes = peek(std::min<std::uint64_t>(left, buffer_.size()));
    last = bytes.back();
    left -= bytes.size();
    take(bytes.size());
  }
  lines_ = mark.lines;
  if (this->mark(mark.jobs).digest != mark.digest) return false;
  if (last == '\n' || mark.lines == 0 || mark.bytes == size_) return true;
  // A last line that had no end: it must have got one before more was appended.
  const std::size_t end = peek(1) == "\n" ? 1 : peek(2) == "\r\n" ? 2 : 0;
  take(end);
  return end != 0;
}

void JobSource::fail_at_line(std::string_view message) const { io::fail_at_line(name_, lines_, message); }

}  // namespace lamella::sweep_parts
