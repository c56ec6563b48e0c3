#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lamella::cli {

/// A ZIP archive that is made in memory. The same files and time give the same bytes, in any time zone.
class ZipArchive {
 public:
  /// `time`: of every file in it, as seconds since 1970, UTC.
  explicit ZipArchive(std::int64_t time);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  enum class Method : std::uint8_t { deflate, store };
  /// Copies `content`. Throws Error when memory runs out or the name is there already.
  void add(const std::string& name, std::string_view content, Method method = Method::deflate);
  /// The whole archive. Call once.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella::cli
