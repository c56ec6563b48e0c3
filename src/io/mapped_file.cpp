#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "io/messages.hpp"

namespace lamella::io {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void fail_errno(const std::filesystem::path& path, int error, const char* what) {
  fail(display(path), what + std::generic_category().message(error));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  check_path(path);
  // Non-blocking, so that a pipe is refused below instead of waited for.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) fail_errno(path, errno, "cannot open the file: ");

  struct stat info {};
  if (::fstat(file.fd, &info) != 0) fail_errno(path, errno, "cannot examine the file: ");
  if (S_ISDIR(info.st_mode)) fail(display(path), "expected a file, found a folder");
  if (!S_ISREG(info.st_mode))
    fail(display(path), "expected a regular file, found a pipe or a device; copy it to a file");
  if (info.st_size == 0) fail(display(path), "the file is empty");

  size_ = static_cast<std::size_t>(info.st_size);
  // Every byte is about to be read: mapping all pages at once saves a page fault for each few of them.
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.fd, 0);
  if (data == MAP_FAILED) fail_errno(path, errno, "cannot map the file: ");
  data_ = data;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace lamella::io
