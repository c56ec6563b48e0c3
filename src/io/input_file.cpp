#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// Bytes asked for at a time.
constexpr std::size_t kPiece = std::size_t{8} << 20;
/// From this size on large pages pay.
constexpr std::size_t kLarge = std::size_t{4} << 20;
constexpr std::uintptr_t kPageBytes = 4096;

[[noreturn]] void fail_errno(const std::string& name, int error, const char* what) {
  fail(name, what + std::generic_category().message(error));
}

struct stat examine(int file, const std::string& name) {
  struct stat info {};
  if (::fstat(file, &info) != 0) fail_errno(name, errno, "cannot examine the file: ");
  return info;
}

/// An open file that can be read from start to end.
struct stat check_regular(int file, const std::string& name) {
  const struct stat info = examine(file, name);
  if (S_ISDIR(info.st_mode)) fail(name, "expected a file, found a folder; name a file in it");
  if (!S_ISREG(info.st_mode)) fail(name, "expected a regular file, found a pipe or a device; copy it to a file");
  if (info.st_size == 0) fail(name, "the file is empty");
  return info;
}

}  // namespace

FileBytes::FileBytes(std::size_t size) : data_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {
#ifdef MADV_HUGEPAGE
  const auto start = reinterpret_cast<std::uintptr_t>(data_.get());
  const std::uintptr_t skipped = (kPageBytes - start % kPageBytes) % kPageBytes;
  if (size >= kLarge) (void)::madvise(data_.get() + skipped, size - skipped, MADV_HUGEPAGE);  // only for speed
#endif
}

InputFile::InputFile(const std::filesystem::path& path) : name_(display(path)) {
  check_path(path);
  // Non-blocking, so that a pipe is refused below instead of waited for.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail_errno(name_, errno, "cannot open the file: ");
  try {
    const struct stat info = check_regular(file_, name_);
    size_ = static_cast<std::uint64_t>(info.st_size);
    times_ = {info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  } catch (...) {
    ::close(file_);
    throw;
  }
}

InputFile::~InputFile() { ::close(file_); }

FileBytes InputFile::read(MemoryLimit& memory) const {
  memory.take(size_);
  FileBytes out(size_);
  read_at(0, out.data(), size_);
  return out;
}

void InputFile::read_at(std::uint64_t offset, char* to, std::size_t count) const {
  for (std::size_t done = 0; done < count;) {
    const ssize_t got =
        ::pread(file_, to + done, std::min<std::uint64_t>(count - done, kPiece), static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(name_, errno, "cannot read the file: ");
    if (got == 0) {
      fail(name_, fmt::format("expected {} bytes, found the end of the file at byte {}: something shortened it while "
                              "it was read; read it again",
                              size_, offset + done));
    }
    done += static_cast<std::size_t>(got);
  }
}

void InputFile::check_unchanged() const {
  const struct stat info = examine(file_, name_);
  const bool same =
      static_cast<std::uint64_t>(info.st_size) == size_ && times_ == Times{info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  if (!same) fail(name_, "something changed the file while it was read; ask again when it is complete");
}

}  // namespace lamella::io
