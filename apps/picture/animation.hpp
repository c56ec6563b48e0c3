#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "lamella/file.hpp"
#include "picture/film.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

/// One animated PNG. Programs that cannot play animations show the first frame as an ordinary PNG.
///
/// A frame stores only the rectangle that differs from the one before. Memory: two frames, whatever their number.
class Animation final : public Film {
 public:
  /// Throws Error naming the file when it cannot be written.
  explicit Animation(std::filesystem::path path, FilmOptions options = {});

  void add(const Image& frame) override;
  [[nodiscard]] std::uint32_t frames() const { return frames_; }

  void finish() override;

 private:
  struct Rectangle {
    unsigned x = 0, y = 0, width = 0, height = 0;
  };

  [[nodiscard]] Rectangle changed(const Image& frame) const;
  void begin(const Image& frame);
  void write_control(const Rectangle& part, unsigned ms);
  void write_chunk(const char* name, const std::vector<std::uint8_t>& data);

  std::filesystem::path path_;
  FilmOptions options_;
  NewFile file_;
  Image last_;
  std::uint32_t frames_ = 0, sequence_ = 0;
  std::uint64_t count_at_ = 0, delay_at_ = 0;  ///< where the number of frames, and the last frame's control, are
  std::vector<std::uint8_t> control_;          ///< of the last frame, to be written again with its longer time
};

}  // namespace lamella::picture
