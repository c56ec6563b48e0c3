#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/digest.hpp"
#include "io/descriptor.hpp"
#include "lamella/clash.hpp"

namespace lamella::clash {

/// The files of a ClashCache. Answers stay in them; in memory is where they are.
class CacheFile {
 public:
  CacheFile(const std::filesystem::path& path, unsigned process);

  /// The answer of a pair, without its parts and its rule. Throws Error when the file was changed meanwhile.
  [[nodiscard]] std::optional<ClashPair> find(const WideDigest& key);
  /// In one piece. Throws Error when they cannot be written; the file then is as it was before.
  void append(std::span<const WideDigest> keys, std::span<const ClashPair> pairs);
  /// Puts all of it on the disk.
  void sync();
  [[nodiscard]] std::uint64_t answer_count() const { return places_.size(); }

 private:
  /// Of a record.
  struct Place {
    std::uint32_t file = 0;  ///< index into paths_
    std::uint32_t bytes = 0;
    std::uint64_t at = 0;
  };
  struct Hash {
    std::size_t operator()(const WideDigest& key) const { return static_cast<std::size_t>(key.first); }
  };

  void open_own();
  void read_others();
  [[nodiscard]] std::uint64_t read_records(int file, std::uint32_t number, std::uint64_t size);
  [[nodiscard]] int open_file(std::uint32_t number);

  std::vector<std::filesystem::path> paths_;  ///< its own first
  io::Descriptor own_;
  io::Descriptor other_;  ///< the one of the others that was read last: there may be more than a process may open
  std::uint32_t other_number_ = 0;
  std::unordered_map<WideDigest, Place, Hash> places_;
  std::uint64_t size_ = 0;  ///< of its own file: whole records
  std::vector<char> buffer_;
  std::chrono::steady_clock::time_point synced_;
  bool dirty_ = false;   ///< some of it may not be on the disk
  bool failed_ = false;  ///< to write: what is on the disk is not known
};

}  // namespace lamella::clash
