#include "io/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "io/messages.hpp"

namespace lamella::io {
namespace {

struct stat status_of(int file, const std::filesystem::path& path) {
  struct stat info {};
  if (::fstat(file, &info) != 0) fail_errno(path, "cannot examine the file");
  return info;
}

void lock(int file, const std::filesystem::path& path) {
  using namespace std::chrono_literals;
  constexpr auto kPause = 50ms;
  for (auto left = 2s / kPause; ::flock(file, LOCK_EX | LOCK_NB) != 0; --left) {
    if (errno != EWOULDBLOCK) fail_errno(path, "cannot lock the file");
    if (left == 0) fail(display(path), "another process is writing this file; wait for it, or name another file");
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (file >= 0) ::close(file);
}

bool write_at(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  return true;
}

bool read_at(int file, std::span<char> to, std::uint64_t at) {
  while (!to.empty()) {
    const ssize_t count = ::pread(file, to.data(), to.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  return true;
}

void fail_errno(const std::filesystem::path& path, std::string_view what) {
  fail(display(path), fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

Descriptor open_alone(const std::filesystem::path& path) {
  check_path(path);
  Descriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
  if (opened.file < 0) fail_errno(path, "cannot open the file for writing");
  if (!S_ISREG(status_of(opened.file, path).st_mode))
    fail(display(path), "is no regular file, and cannot be continued; name a file");
  lock(opened.file, path);
  return opened;
}

std::uint64_t file_size(int file, const std::filesystem::path& path) {
  return static_cast<std::uint64_t>(status_of(file, path).st_size);
}

}  // namespace lamella::io
