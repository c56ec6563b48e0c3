#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <random>
#include <system_error>

#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// Of the target's name in the temporary one, which must stay within the 255 bytes that file systems allow.
constexpr std::size_t kMaxStem = 200;
/// A random name of 64 bits is free at the first try; the limit only ends the loop on a file system that misbehaves.
constexpr int kNames = 100;
/// As many as Linux follows.
constexpr int kMaxLinks = 40;

[[noreturn]] void fail_errno(const std::filesystem::path& path, const char* what) {
  fail(display(path), what + std::generic_category().message(errno));
}

/// What a path leads to, its links followed; nothing when there is nothing yet.
std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0) return found;
  if (errno == ENOENT) return std::nullopt;
  fail_errno(path, "cannot write a file there: ");
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// A descriptor of this process's standard output or error where `file` is one of them, or -1. Opening such a file a
/// second time would write over what the process prints.
int duplicate_stream(const struct stat& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open {};
    if (::fstat(stream, &open) == 0 && same_file(open, file)) return ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
  }
  return -1;
}

void refuse_special(const std::filesystem::path& path, mode_t mode) {
  if (S_ISDIR(mode)) fail(display(path), "is a folder; name a file in it");
  if (S_ISSOCK(mode)) fail(display(path), "is a socket; name a file");
  if (S_ISBLK(mode)) fail(display(path), "is a disk or another block device; name a file");
}

/// Where the links of `path` end, whether there is a file or not.
std::filesystem::path end_of_links(std::filesystem::path path) {
  std::error_code failure;
  for (int i = 0; i < kMaxLinks && std::filesystem::is_symlink(path, failure); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, failure);
  }
  return path;
}

/// Links of /proc lead to open files, some of which have no name any more: those can only be written directly.
bool is_at(const std::filesystem::path& target, const struct stat& file) {
  struct stat found {};
  return ::stat(target.c_str(), &found) == 0 && same_file(found, file);
}

std::filesystem::path random_name(const std::filesystem::path& target) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}.part", target.filename().string().substr(0, kMaxStem), random(), random());
}

/// Owner and group may be refused to users other than root. A group that is not kept consists of other people: it may
/// then do no more than everybody.
void keep_permissions(int file, const struct stat& replaced) {
  const bool group_kept = ::fchown(file, replaced.st_uid, replaced.st_gid) == 0 ||
                          ::fchown(file, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  mode_t mode = replaced.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  if (!group_kept) mode &= S_IRWXU | S_IRWXO | (mode & S_IRWXO) << 3;
  (void)::fchmod(file, mode);  // file systems without permissions refuse it
}

/// A name that is taken, by a leftover or by a link that somebody placed there, is never opened.
void create_temporary(OutputFile& output, const std::optional<struct stat>& replaced) {
  const mode_t mode = replaced ? 0600 : 0666;
  for (int i = 0; i < kNames; ++i) {
    output.temporary = output.target.parent_path() / random_name(output.target);
    output.file = ::open(output.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (output.file >= 0 || errno != EEXIST) break;
  }
  if (output.file >= 0 && replaced) keep_permissions(output.file, *replaced);
}

}  // namespace

OutputFile open_output(const std::filesystem::path& path) {
  check_path(path);
  OutputFile output;
  output.target = end_of_links(path);
  const std::optional<struct stat> found = status_of(path);
  if (found) output.file = duplicate_stream(*found);
  output.is_standard_output = output.file >= 0;
  if (output.is_standard_output) return output;
  if (found) refuse_special(path, found->st_mode);
  if (!found || (S_ISREG(found->st_mode) && is_at(output.target, *found))) {
    create_temporary(output, found);
    if (output.file < 0) fail_errno(path, "cannot create a file in this folder: ");
  } else {
    output.file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (output.file < 0) fail_errno(path, "cannot open the file for writing: ");
  }
  return output;
}

bool sync(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS; }

}  // namespace lamella::io
