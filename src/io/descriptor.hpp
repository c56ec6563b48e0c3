#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

// Files that grow, and that a later process continues.

namespace lamella::io {

/// A descriptor that closes itself.
struct Descriptor {
  int file = -1;

  Descriptor() = default;
  explicit Descriptor(int opened) : file(opened) {}
  Descriptor(Descriptor&& other) noexcept : file(std::exchange(other.file, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file, other.file);
    return *this;
  }
  ~Descriptor();
};

/// False with errno set when not all of it could be written.
[[nodiscard]] bool write_at(int file, std::string_view bytes, std::uint64_t at);
/// False when there are fewer bytes, or they cannot be read.
[[nodiscard]] bool read_at(int file, std::span<char> to, std::uint64_t at);

/// Throws Error: "PATH: what: the system's reason".
[[noreturn]] void fail_errno(const std::filesystem::path& path, std::string_view what);

/// Opens or creates a regular file for reading and writing, and locks it (flock) until it is closed. Throws Error, also
/// when another process keeps the lock for two seconds: one that was killed while it used a GPU may need a second to
/// go.
[[nodiscard]] Descriptor open_alone(const std::filesystem::path& path);

[[nodiscard]] std::uint64_t file_size(int file, const std::filesystem::path& path);

}  // namespace lamella::io
