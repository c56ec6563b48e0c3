#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/memory_limit.hpp"

namespace lamella::io {

/// Memory for the bytes of a file, in large pages where the system has them: filling 300 MB takes 65 ms so, and 330 ms
/// in small pages. Mapping the file would take 35 ms, but then a file that somebody shortens ends the program.
class FileBytes {
 public:
  FileBytes() = default;
  explicit FileBytes(std::size_t size);

  [[nodiscard]] char* data() { return data_.get(); }
  [[nodiscard]] std::string_view bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

/// A regular file, open for reading.
class InputFile {
 public:
  /// Throws Error when the file does not exist, is a folder or a device, is empty, or cannot be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// All bytes; what happens to the file afterwards does not matter. Throws Error when the file has become shorter than
  /// size(), or cannot be read.
  [[nodiscard]] FileBytes read(MemoryLimit& memory) const;

  /// Some bytes, for files that are read in parts. Throws Error when the file ends before. By several threads at a
  /// time.
  void read_at(std::uint64_t offset, char* to, std::size_t count) const;
  /// Throws Error when the file was written to since it was opened, as far as its size and times tell.
  void check_unchanged() const;

 private:
  struct Times {
    std::int64_t modified_s = 0, modified_ns = 0;
    friend bool operator==(const Times&, const Times&) = default;
  };
  std::string name_;
  Times times_;
  std::uint64_t size_ = 0;
  int file_ = -1;
};

}  // namespace lamella::io
