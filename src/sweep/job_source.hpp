#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/digest.hpp"
#include "lamella/job_file.hpp"

namespace lamella::sweep_parts {

/// The bytes of a file of jobs from start to end, in a buffer of fixed size, with the digest of what was taken.
class JobSource {
 public:
  explicit JobSource(const std::filesystem::path& path);
  ~JobSource();
  JobSource(const JobSource&) = delete;
  JobSource& operator=(const JobSource&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// What comes next, up to `wanted` bytes: fewer only at the end of the file.
  [[nodiscard]] std::string_view peek(std::size_t wanted);
  void take(std::size_t bytes) { begin_ += bytes; }
  /// The next line without its end, taken. False at the end of the file. Throws Error when it is longer than
  /// kMaxJobLine.
  [[nodiscard]] bool line(std::string_view& out);
  /// As before the last call of line(), whether it threw or not.
  void untake_line();
  /// Of the line that line() gave last, from 1.
  [[nodiscard]] std::uint64_t line_number() const { return lines_; }

  /// Where it is; `jobs` is the caller's.
  [[nodiscard]] JobMark mark(std::uint64_t jobs);
  /// Goes back to the start and takes all that is before the mark. False when that is not what it was.
  [[nodiscard]] bool go_to(const JobMark& mark);

  /// Bytes of the file that may change though the jobs do not: they are no part of the digest.
  void leave_out(std::uint64_t begin, std::uint64_t end) {
    left_out_begin_ = begin;
    left_out_end_ = end;
  }

  [[noreturn]] void fail_at_line(std::string_view message) const;

 private:
  void refill();
  void add_to_digest();

  std::string name_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is not taken yet
  std::size_t digested_ = 0;         ///< up to here, of what was taken
  std::uint64_t at_ = 0;             ///< in the file, of the buffer's start
  std::uint64_t lines_ = 0;
  std::size_t line_begin_ = 0;      ///< of the last line, in the buffer
  std::uint64_t lines_before_ = 0;  ///< it
  bool ended_ = false;
  Digest digest_;
  std::uint64_t left_out_begin_ = 0, left_out_end_ = 0;
};

}  // namespace lamella::sweep_parts
