#include "lamella/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "io/checks.hpp"
#include "io/messages.hpp"

namespace lamella {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
/// Names to try for the temporary file: a run that was killed may have left some behind.
constexpr int kNames = 100;

bool is_written_directly(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::symlink_status(path, ignored).type();
  return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none &&
         kind != std::filesystem::file_type::regular;
}

}  // namespace

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) io::fail(io::display(path_), "is a folder; name a file in it");
  if (!is_written_directly(path_)) {
    create_temporary();
  } else if ((file_ = std::fopen(path_.c_str(), "wbe")) == nullptr) {
    fail("cannot open the file for writing");
  }
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void NewFile::create_temporary() {
  for (int i = 0; i < kNames; ++i) {
    temporary_ = path_;
    temporary_ += '.' + std::to_string(::getpid()) + '-' + std::to_string(i) + ".part";
    // Exclusive: an existing file, or a link placed under that name by somebody else, is never written.
    file_ = std::fopen(temporary_.c_str(), "wbxe");
    if (file_ != nullptr) return;
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  fail("cannot create a file in this folder");
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
  flush();
  if (::fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) fail("cannot go back in the file");
  put(io::as_chars(bytes));
  if (::fseeko(file_, 0, SEEK_END) != 0) fail("cannot write the file");
}

void NewFile::commit() {
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot write the file");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot replace the file");
  temporary_.clear();
}

void NewFile::put(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot write the file");
}

void NewFile::flush() {
  put(buffer_);
  buffer_.clear();
}

void NewFile::fail(std::string_view what) const {
  io::fail(io::display(path_), std::string(what) + ": " + std::generic_category().message(errno));
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  NewFile file(path);
  file.write(content);
  file.commit();
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> content) {
  write_file(path, io::as_chars(content));
}

}  // namespace lamella
