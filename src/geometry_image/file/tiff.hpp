#pragma once

#include <tiffio.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/file.hpp"

namespace lamella::io {

/// The first error and the first warning of libtiff about a file, which it would print otherwise. In fixed memory,
/// since its handlers must not throw.
struct TiffLog {
  static constexpr std::size_t kBytes = 256;
  char error[kBytes] = "", warning[kBytes] = "";
  /// A tag's value lies beyond the file's end. To libtiff that tag is just missing.
  bool cut_short = false;

  /// " (libtiff: ...)", or nothing when it said nothing.
  [[nodiscard]] std::string remark() const;
};

struct TiffClose {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffClose>;

/// The bytes of a file, open for reading at its first page. They must outlive it.
class TiffInput {
 public:
  /// Throws Error when it is not a TIFF file.
  TiffInput(std::string_view bytes, const std::string& name);

  [[nodiscard]] TIFF* handle() const { return tiff_.get(); }
  [[nodiscard]] const TiffLog& log() const { return *log_; }
  [[nodiscard]] std::uint64_t size() const { return source_->bytes.size(); }

 private:
  struct Source {
    std::string_view bytes;
    std::uint64_t at = 0;
  };
  static tmsize_t read(thandle_t source, void* to, tmsize_t count);
  static toff_t seek(thandle_t source, toff_t to, int from);

  // libtiff keeps pointers to both.
  std::unique_ptr<Source> source_;
  std::unique_ptr<TiffLog> log_;
  TiffHandle tiff_;
};

/// A file in memory: libtiff goes back in it to link its pages.
class TiffOutput {
 public:
  /// `big`: with 64-bit offsets, for files that may exceed 4 GB.
  explicit TiffOutput(std::string name, bool big);

  [[nodiscard]] TIFF* handle() const { return tiff_.get(); }
  /// Throws Error with libtiff's message unless `done`, the result of one of its functions.
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
