#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lamella::io {

/// Counts the memory that reading a file takes, and refuses more than is allowed: a small file can ask for a lot.
/// Tables of a few bytes are not counted.
class MemoryLimit {
 public:
  /// What a file may take when the caller sets no limit: `base` bytes, and `kGrowth` times its own size.
  static constexpr std::uint64_t kGrowth = 64;

  /// `limit`: the caller's. Messages call the file `name`.
  MemoryLimit(std::string name, std::optional<std::uint64_t> limit, std::uint64_t base, std::uint64_t file_bytes)
      : name_(std::move(name)), limit_(limit.value_or(base)), fixed_(limit.has_value()) {
    add_file(file_bytes);
  }

  /// A further file belongs to the first.
  void add_file(std::uint64_t bytes) {
    if (!fixed_) limit_ += kGrowth * bytes;
  }

  /// Throws Error when more is in use than allowed.
  void take(std::uint64_t bytes) {
    if (bytes > limit_ - taken_) refuse();
    taken_ += bytes;
  }
  void take(std::uint64_t count, std::uint64_t size) {
    if (size != 0 && count > (limit_ - taken_) / size) refuse();
    taken_ += count * size;
  }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

  /// Room for `count` elements in all.
  template <class T>
  void reserve(std::vector<T>& out, std::uint64_t count) {
    if (count <= out.capacity()) return;
    take(count, sizeof(T));  // beside what `out` holds until its elements have moved
    const std::uint64_t before = out.capacity();
    out.reserve(count);
    give_back(before * sizeof(T));
  }

  /// out.push_back(value), where the vector's growth is counted.
  template <class T>
  void append(std::vector<T>& out, std::type_identity_t<T> value) {
    grow(out, out.size() + 1);
    out.push_back(std::move(value));
  }
  /// out.resize(size), likewise.
  template <class T>
  void resize(std::vector<T>& out, std::size_t size) {
    grow(out, size);
    out.resize(size);
  }

 private:
  /// Room for `count`, and so much more that growing in small steps stays cheap.
  template <class T>
  void grow(std::vector<T>& out, std::size_t count) {
    constexpr std::size_t kFirst = 16;
    if (count > out.capacity()) [[unlikely]]
      reserve(out, std::max({count, 2 * out.capacity(), kFirst}));
  }

  [[noreturn]] void refuse() const;

  std::string name_;
  std::uint64_t limit_, taken_ = 0;
  bool fixed_;
};

/// Memory that is in use for a while.
class MemoryLoan {
 public:
  MemoryLoan(MemoryLimit& memory, std::uint64_t count, std::uint64_t size) : memory_(memory), bytes_(count * size) {
    memory.take(count, size);
  }
  ~MemoryLoan() { memory_.give_back(bytes_); }
  MemoryLoan(const MemoryLoan&) = delete;
  MemoryLoan& operator=(const MemoryLoan&) = delete;

 private:
  MemoryLimit& memory_;
  std::uint64_t bytes_;
};

}  // namespace lamella::io
