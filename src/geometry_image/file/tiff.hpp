#pragma once

#include <tiffio.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/mapped_file.hpp"
#include "io/new_file.hpp"

namespace lamella::io {

/// What libtiff says about a file, which it would print otherwise: the first error and the first warning. In fixed
/// memory, since its handlers must not throw.
struct TiffLog {
  static constexpr std::size_t kBytes = 256;
  char error[kBytes] = "", warning[kBytes] = "";
  bool cut_short =
      false;  ///< a tag's value lies beyond the file's end, which libtiff takes as if there were no such tag

  /// " (libtiff: ...)", or nothing when it said nothing.
  [[nodiscard]] std::string remark() const;
};

struct TiffClose {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffClose>;

/// A mapped file open for reading, at its first page.
class TiffInput {
 public:
  /// Throws Error when the file cannot be read or is no TIFF file.
  explicit TiffInput(const std::filesystem::path& path);

  [[nodiscard]] TIFF* handle() const { return tiff_.get(); }
  [[nodiscard]] const TiffLog& log() const { return *log_; }
  [[nodiscard]] std::uint64_t size() const { return file_.bytes().size(); }

 private:
  struct Source {
    std::string_view bytes;
    std::uint64_t at = 0;
  };
  static tmsize_t read(thandle_t source, void* to, tmsize_t count);
  static toff_t seek(thandle_t source, toff_t to, int from);

  MappedFile file_;
  // libtiff keeps pointers to both.
  std::unique_ptr<Source> source_;
  std::unique_ptr<TiffLog> log_;
  TiffHandle tiff_;
};

/// A file in memory, which libtiff goes back and forth in to chain its pages.
class TiffOutput {
 public:
  /// `big`: with 64-bit offsets, for files that may exceed 4 GB.
  explicit TiffOutput(std::string name, bool big);

  [[nodiscard]] TIFF* handle() const { return tiff_.get(); }
  /// Throws Error with libtiff's words unless `done`, which is what one of its functions answered.
  void expect(bool done) const;
  /// Closes the image and writes all of it.
  void save(NewFile& file);

 private:
  /// In chunks, so that growing moves nothing.
  struct Memory {
    static constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
    std::vector<std::unique_ptr<char[]>> chunks;
    std::uint64_t size = 0, at = 0;
    std::exception_ptr failure;  ///< no exception may pass through libtiff

    void copy_in(const char* from, std::uint64_t count);
    void copy_out(char* to, std::uint64_t count);
  };
  static tmsize_t write(thandle_t memory, void* from, tmsize_t count);
  static tmsize_t read(thandle_t memory, void* to, tmsize_t count);
  static toff_t seek(thandle_t memory, toff_t to, int from);
  static toff_t size(thandle_t memory);

  std::string name_;
  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
  std::unique_ptr<TiffLog> log_ = std::make_unique<TiffLog>();
  TiffHandle tiff_;
};

}  // namespace lamella::io
