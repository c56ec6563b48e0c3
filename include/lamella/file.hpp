#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "lamella/export.hpp"

namespace lamella {

/// A file that appears under its name only when it is complete. What is written goes to a temporary file in the same
/// folder; commit() renames it. A device, a pipe or a symbolic link, such as /dev/stdout, is written directly instead.
/// Every function throws Error, whose message gives the path and the system's reason.
class LAMELLA_API NewFile {
 public:
  /// Creates the temporary file, so a folder that is missing or cannot be written is found here.
  explicit NewFile(std::filesystem::path path);
  /// Without commit(), removes the temporary file: an earlier file of the same name is unchanged.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Appends. Buffered, so small pieces are cheap.
  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Replaces bytes that were written before, from `offset` on. Not possible on a pipe.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Call once, after the last write.
  void commit();

 private:
  void create_temporary();
  void put(std::string_view bytes);  ///< past the buffer
  void flush();
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< empty when the file is written directly
  std::FILE* file_ = nullptr;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

/// The whole file at once, as NewFile writes it.
LAMELLA_API void write_file(const std::filesystem::path& path, std::string_view content);
LAMELLA_API void write_file(const std::filesystem::path& path, std::span<const std::byte> content);

}  // namespace lamella
