#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "lamella/export.hpp"

namespace lamella {

struct WriteOptions {
  /// commit() returns when the file and its name are on the disk, so that a power failure leaves the earlier file or
  /// the new one. Takes some milliseconds a file: switch it off for series of files that are easily made again.
  bool sync = true;
};

/// A file that appears under its name only when it is complete. What is written goes to a temporary file in the same
/// folder, NAME.RANDOM.part; commit() renames it. A process that is killed may leave that file behind: it is never
/// used again, and can be deleted.
///
/// A file that is replaced keeps its permissions, and its owner where the system allows it. A symbolic link stays, and
/// the file it leads to is replaced. A pipe or a character device, such as /dev/stdout or /dev/null, is written
/// directly. Folders, sockets and block devices are refused.
///
/// Every function throws Error, whose message gives the path and the system's reason.
class LAMELLA_API NewFile {
 public:
  /// Creates the temporary file, so a folder that is missing or cannot be written is found here.
  explicit NewFile(std::filesystem::path path, WriteOptions options = {});
  /// Without commit(), removes the temporary file: an earlier file of the same name is unchanged.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Appends. Buffered, so small pieces are cheap.
  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Replaces bytes that were written before, from `offset` on. Not possible on a pipe or the standard output.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Call once, after the last write.
  void commit();

 private:
  void put(std::string_view bytes);  ///< past the buffer
  void flush();
  void sync_folder() const;
  [[noreturn]] void fail(std::string_view what) const;  ///< with the system's reason for the last failure

  std::filesystem::path path_;
  std::filesystem::path target_;     ///< the path with its links followed
  std::filesystem::path temporary_;  ///< empty when the file is written directly
  WriteOptions options_;
  int file_ = -1;
  bool is_standard_output_ = false;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

/// The whole file at once, as NewFile writes it.
LAMELLA_API void write_file(const std::filesystem::path& path, std::string_view content, WriteOptions options = {});
LAMELLA_API void write_file(const std::filesystem::path& path, std::span<const std::byte> content,
                            WriteOptions options = {});

/// Whether a name in a file, taken relative to `folder`, leads to a place in that folder or below it, with links
/// followed. False for an absolute path, and for one with "..". A file that is not trusted may name only such files.
[[nodiscard]] LAMELLA_API bool stays_in(const std::filesystem::path& folder, const std::filesystem::path& name);

/// Text from outside, such as a file's name, on one line and safe for a terminal. Control characters, and characters
/// that change the direction of the text, are spelt as in JSON (\n, \u001b), bytes that are not UTF-8 as \xff. Messages
/// of Error spell paths like this.
[[nodiscard]] LAMELLA_API std::string printable(std::string_view text);

}  // namespace lamella
