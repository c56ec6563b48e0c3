#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "lamella/export.hpp"

namespace lamella {

namespace clash {
class CacheFile;
class Reuse;
}  // namespace clash

/// Answers of pairs in a file, for ClashOptions::cache: a report that was killed continues, and after an assembly has
/// changed only the pairs that changed are tested. The key of an answer is all that it depends on: the contents of both
/// meshes, both poses, the options and what the pair's rule says; not names or numbers. Reports are the same as without
/// it.
///
/// Answers are appended after each block of pairs, and are on the disk about a second later. An answer that a killed
/// process left half written at the end is cut off. Several processes share their answers: process N > 0 writes to
/// PATH.rankN, and each reads PATH and every PATH.rankN that exists when it opens them. About 60 bytes of memory for
/// each answer.
///
/// For one call at a time. While the object lives it holds a lock (flock) on its file: a second process gets an Error.
class LAMELLA_API ClashCache {
 public:
  /// Opens or creates the file and reads all of it. Throws Error when the file is of another kind, when it is damaged
  /// other than at its end, or when another process has it open for writing.
  explicit ClashCache(const std::filesystem::path& path, unsigned process = 0);
  ~ClashCache();
  ClashCache(const ClashCache&) = delete;
  ClashCache& operator=(const ClashCache&) = delete;

  /// The number of different answers in all files.
  [[nodiscard]] std::uint64_t answer_count() const;

 private:
  friend class clash::Reuse;
  std::unique_ptr<clash::CacheFile> file_;
};

}  // namespace lamella
