#pragma once

#include <sanitizer/allocator_interface.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "input.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

// What the targets of readers share. Their inputs are whole files, so that every seed and every finding can be opened
// by the program as well.

namespace lamella::fuzz {

/// The same for the same input: chooses between checks, so that no run has to make all of them.
inline std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
  return hash ^ (hash >> 32);
}

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Bytes in use at a time since construction, at most. Counted by the address sanitizer; 0 without it.
class MemoryPeak {
 public:
  MemoryPeak() {
    install();
    used_ = most_ = 0;
    counts_ = true;
  }
  ~MemoryPeak() { counts_ = false; }
  MemoryPeak(const MemoryPeak&) = delete;
  MemoryPeak& operator=(const MemoryPeak&) = delete;

  [[nodiscard]] static std::uint64_t bytes() { return static_cast<std::uint64_t>(most_.load()); }

 private:
#if __has_feature(address_sanitizer)
  static void on_malloc(const volatile void*, std::size_t size) { add(static_cast<std::int64_t>(size)); }
  static void on_free(const volatile void* p) {
    if (p == nullptr || !counts_) return;
    add(-static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(p))));
  }
  static void install() {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    require(installed != 0, "memory can be counted");
  }
#else
  static void install() {}
#endif
  static void add(std::int64_t bytes) {
    if (!counts_) return;
    used_ += bytes;
    most_ = std::max(most_.load(), used_.load());
  }

  static inline std::atomic<std::int64_t> used_ = 0, most_ = 0;
  static inline std::atomic<bool> counts_ = false;
};

/// "About" in max_memory: tables of a few bytes, the JSON parser's own text, and the exception.
inline std::uint64_t about(std::uint64_t limit, std::size_t input_bytes) {
  return limit + 64 * input_bytes + (std::uint64_t{1} << 17);
}

/// A message is one line that begins with what was read, and does nothing to a terminal.
inline void check_message(const Error& error, std::string_view name) {
  const std::string_view message = error.what();
  require(error.kind() == Error::Kind::input, "an unreadable file is an Error of the kind input");
  require(message.starts_with(name) && message.substr(name.size()).starts_with(":"), "messages begin with the name");
  require(std::ranges::all_of(message.substr(name.size()), [](char c) { return c >= ' ' && c <= '~'; }),
          "messages are one line of printable characters");
  require(message.size() < name.size() + 1000, "messages are short");
}

/// What reading gave: a result, or the Error's message.
template <class T>
struct Outcome {
  std::optional<T> result;
  std::string message;
};

template <class Read>
auto outcome_of(std::string_view shown_name, const Read& read) {
  Outcome<decltype(read())> outcome;
  try {
    outcome.result = read();
  } catch (const Error& error) {
    check_message(error, shown_name);
    outcome.message = error.what();
  }
  return outcome;
}

/// The same, while no more memory is in use than `limit`.
template <class Read>
auto outcome_within(std::uint64_t limit, std::size_t input_bytes, std::string_view shown_name, const Read& read) {
  const MemoryPeak peak;
  auto outcome = outcome_of(shown_name, read);
  require(MemoryPeak::bytes() <= about(limit, input_bytes), "reading keeps to max_memory");
  return outcome;
}

/// A folder for files, in $TMPDIR, or in memory where the system has such a place; removed at the program's end.
class Folder {
 public:
  Folder() {
    const char* chosen = std::getenv("TMPDIR");
    std::string pattern = chosen != nullptr ? chosen : ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    pattern += "/lamella_fuzz_XXXXXX";
    require(::mkdtemp(pattern.data()) != nullptr, "a temporary folder can be made");
    path_ = std::filesystem::canonical(pattern);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::filesystem::path save(std::string_view name, std::span<const std::byte> contents) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
    file.close();
    require(file.good(), "a temporary file can be written");
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lamella::fuzz
