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

/// The size of an open file that can be read from start to end.
std::uint64_t check_regular(int file, const std::string& name) {
  struct stat info {};
  if (::fstat(file, &info) != 0) fail_errno(name, errno, "cannot examine the file: ");
  if (S_ISDIR(info.st_mode)) fail(name, "expected a file, found a folder; name a file in it");
  if (!S_ISREG(info.st_mode)) fail(name, "expected a regular file, found a pipe or a device; copy it to a file");
  if (info.st_size == 0) fail(name, "the file is empty");
  return static_cast<std::uint64_t>(info.st_size);
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
    size_ = check_regular(file_, name_);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

InputFile::~InputFile() { ::close(file_); }

FileBytes InputFile::read(MemoryLimit& memory) const {
  memory.take(size_);
  FileBytes out(size_);
  for (std::uint64_t done = 0; done < size_;) {
    const ssize_t count =
        ::pread(file_, out.data() + done, std::min<std::uint64_t>(size_ - done, kPiece), static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(name_, errno, "cannot read the file: ");
    if (count == 0) {
      fail(name_, fmt::format("expected {} bytes, found the end of the file at byte {}: something shortened it while "
                              "it was read; read it again",
                              size_, done));
    }
    done += static_cast<std::uint64_t>(count);
  }
  return out;
}

}  // namespace lamella::io
