#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/messages.hpp"

namespace lamella::io {

/// A file that appears under its name only when it is whole: written beside it, then renamed onto it.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
    temporary_ += '.';
    temporary_ += std::to_string(::getpid());
    temporary_ += ".part";
    // Exclusive: an existing file, or a link planted under that name, is never written through.
    file_ = std::fopen(temporary_.c_str(), "wbxe");
    if (file_ == nullptr) fail_errno("cannot create a file in this folder: ");
  }
  ~NewFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (!committed_) std::remove(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, std::size_t bytes) {
    buffer_.append(static_cast<const char*>(data), bytes);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// Until this returns, whatever had the name before is untouched.
  void commit() {
    flush();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail_errno("cannot write the file: ");
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail_errno("cannot replace the file: ");
    committed_ = true;
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 20;

  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) fail_errno("cannot write the file: ");
    buffer_.clear();
  }
  [[noreturn]] void fail_errno(std::string_view what) const {
    fail(display(path_), std::string(what) + std::generic_category().message(errno));
  }

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool committed_ = false;
};

}  // namespace lamella::io
