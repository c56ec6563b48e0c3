#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "io/formats.hpp"
#include "io/input_file.hpp"

namespace lamella::io {

/// Opens the files that buffers name, for a source in a folder. Apart from the rest, so that programs without files can
/// be linked without it.
class BufferFiles {
 public:
  explicit BufferFiles(const Source& source) : source_(source) {}

  /// Throws Error for a file that is not in the source's folder, was read before, or cannot be read.
  FileBytes read(const std::string& uri);

 private:
  const Source& source_;
  std::set<std::filesystem::path> opened_;
};

}  // namespace lamella::io
