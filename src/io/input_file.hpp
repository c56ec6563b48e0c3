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

 private:
  std::string name_;
  std::uint64_t size_ = 0;
  int file_ = -1;
};

}  // namespace lamella::io
