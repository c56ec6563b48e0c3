#include "lamella/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "io/checks.hpp"
#include "io/messages.hpp"
#include "io/output_file.hpp"

namespace lamella {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

}  // namespace

NewFile::NewFile(std::filesystem::path path, WriteOptions options) : path_(std::move(path)), options_(options) {
  io::OutputFile output = io::open_output(path_);
  file_ = output.file;
  target_ = std::move(output.target);
  temporary_ = std::move(output.temporary);
  is_standard_output_ = output.is_standard_output;
}

NewFile::~NewFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::write(std::string_view bytes) {
  size_ += bytes.size();
  if (bytes.size() >= kBufferBytes) {
    flush();
    put(bytes);
    return;
  }
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void NewFile::write(std::span<const std::byte> bytes) { write(io::as_chars(bytes)); }

void NewFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (is_standard_output_) {
    io::fail(io::display(path_), "this kind of file cannot be written to the standard output; name a file");
  }
  flush();
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot go back in the file");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void NewFile::commit() {
  flush();
  const bool renamed = !temporary_.empty();
  if (renamed && options_.sync && !io::sync(file_)) fail("cannot write the file");
  if (::close(std::exchange(file_, -1)) != 0) fail("cannot write the file");
  if (!renamed) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot replace the file");
  temporary_.clear();
  if (options_.sync) sync_folder();
}

/// A folder that may be written but not read cannot be opened: its file is on the disk, only its name may be late.
void NewFile::sync_folder() const {
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  const bool synced = io::sync(opened);
  const int reason = errno;
  ::close(opened);
  errno = reason;
  if (!synced) fail("the file is complete, but its folder cannot be written to the disk");
}

void NewFile::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write the file");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::flush() {
  put(buffer_);
  buffer_.clear();
}

void NewFile::fail(std::string_view what) const {
  io::fail(io::display(path_), std::string(what) + ": " + std::generic_category().message(errno));
}

void write_file(const std::filesystem::path& path, std::string_view content, WriteOptions options) {
  NewFile file(path, options);
  file.write(content);
  file.commit();
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> content, WriteOptions options) {
  write_file(path, io::as_chars(content), options);
}

}  // namespace lamella
