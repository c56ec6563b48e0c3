#pragma once

#include <filesystem>

namespace lamella::io {

/// A path opened for writing.
struct OutputFile {
  int file = -1;                    ///< descriptor, the caller's to close
  std::filesystem::path target;     ///< the path with its links followed
  std::filesystem::path temporary;  ///< the file to rename to `target`; empty when the path is written directly
  bool is_standard_output = false;  ///< or the standard error
};

/// Decides how the path is written, as NewFile's comment says, and opens it. Throws Error.
[[nodiscard]] OutputFile open_output(const std::filesystem::path& path);

/// fsync(), where the file system has it. False with errno set when it fails.
[[nodiscard]] bool sync(int file);

}  // namespace lamella::io
