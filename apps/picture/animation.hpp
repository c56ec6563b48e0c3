#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "picture/picture.hpp"

namespace lamella::picture {

struct AnimationOptions {
  unsigned frame_ms = 33;   ///< how long each frame is shown, 1 to 65535
  unsigned hold_ms = 1500;  ///< the last one, before it starts over
  bool loop = true;
};

/// One animated PNG, written frame by frame into a temporary beside it, which becomes the file in finish(). What cannot
/// play animations shows the first frame: it is an ordinary PNG to them.
///
/// A frame stores only the rectangle that differs from the one before. Memory: two frames, whatever their number.
class Animation {
 public:
  /// Throws Error naming the file when it cannot be written.
  Animation(std::filesystem::path path, AnimationOptions options = {});
  /// Without finish() nothing is left behind.
  ~Animation();
  Animation(const Animation&) = delete;
  Animation& operator=(const Animation&) = delete;

  /// All frames have the size of the first. Throws Error when they do not, or when the disk is full.
  void add(const Image& frame);
  [[nodiscard]] std::uint32_t frames() const { return frames_; }

  /// Puts the file in its place. Throws Error when there is no frame, or when it cannot be written.
  void finish();

 private:
  struct Rectangle {
    unsigned x = 0, y = 0, width = 0, height = 0;
  };

  [[nodiscard]] Rectangle changed(const Image& frame) const;
  void begin(const Image& frame);
  void write_control(const Rectangle& part, unsigned ms);
  void write_chunk(const char* name, const std::vector<std::uint8_t>& data);
  void check();

  std::filesystem::path path_, part_;
  AnimationOptions options_;
  std::ofstream file_;
  Image last_;
  std::uint32_t frames_ = 0, sequence_ = 0;
  bool finished_ = false;
  std::streampos count_at_ = 0, delay_at_ = 0;  ///< where the number of frames, and the last frame's control, are
  std::vector<std::uint8_t> control_;           ///< of the last frame, to be written again with its longer time
};

}  // namespace lamella::picture
