#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "picture/picture.hpp"

namespace lamella::picture {

struct FilmOptions {
  unsigned frame_ms = 33;   ///< how long each frame is shown, 1 to 65535
  unsigned hold_ms = 1500;  ///< the last one, before it starts over
  bool loop = true;         ///< play again and again; a WebM file cannot say
};

/// A file of moving pictures, written frame by frame. The file appears in finish(); without it nothing is left behind.
class Film {
 public:
  virtual ~Film() = default;
  /// All frames have the size of the first. Throws Error when they do not, or when the disk is full.
  virtual void add(const Image& frame) = 0;
  /// Puts the file in its place. Throws Error when there is no frame, or when it cannot be written.
  virtual void finish() = 0;
};

/// The names' ends that make_film() takes.
[[nodiscard]] std::span<const std::string_view> film_extensions();

/// By the end of the file's name: animated PNG, which keeps every bit; GIF, with 255 colours for the whole film; WebM
/// with VP9, the smallest. Throws Error naming the file when it cannot be written, when this program was built without
/// the library that the format needs, or when the name ends in something else.
[[nodiscard]] std::unique_ptr<Film> make_film(const std::filesystem::path& path, FilmOptions options = {});

// The parts of make_film(). In a build without giflib or libvpx they throw Error.
[[nodiscard]] std::unique_ptr<Film> make_gif(const std::filesystem::path& path, FilmOptions options);
[[nodiscard]] std::unique_ptr<Film> make_webm(const std::filesystem::path& path, FilmOptions options);

}  // namespace lamella::picture
