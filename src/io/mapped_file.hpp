#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace lamella::io {

/// A regular file's bytes, read-only, mapped for the object's lifetime. The file must not shrink meanwhile.
class MappedFile {
 public:
  /// Throws Error when the file does not exist, is empty, is a folder or a device, or cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace lamella::io
