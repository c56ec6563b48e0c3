// GIF89a with giflib: one palette for the whole film, so that colours do not change from frame to frame. It is known
// only when all frames are, which are kept compressed until then.

#include <gif_lib.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/film.hpp"
#include "picture/palette.hpp"

namespace lamella::picture {
namespace {

constexpr std::uint8_t kSame = 255;      // the index of pixels that stay as they are
constexpr int kStill = 2;                // a pixel whose parts change by no more stays as it is
constexpr unsigned kShortest = 2;        // hundredths of a second; browsers show shorter frames for ten
constexpr unsigned kMostPixels = 65535;  // along a side

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write film '" + printable(path.string()) + "': " + why);
}

struct Rectangle {
  unsigned x = 0, y = 0, width = 0, height = 0;
};

class Gif final : public Film {
 public:
  Gif(std::filesystem::path path, FilmOptions options) : path_(std::move(path)), options_(options), file_(path_) {
    options_.frame_ms = std::clamp(options_.frame_ms, 1u, 65535u);
    options_.hold_ms = std::clamp(options_.hold_ms, options_.frame_ms, 65535u);
  }
  ~Gif() override {
    int ignored = 0;
    if (gif_ != nullptr) EGifCloseFile(gif_, &ignored);
  }
  Gif(const Gif&) = delete;
  Gif& operator=(const Gif&) = delete;

  void add(const Image& frame) override {
    if (frame.rgb.empty()) fail(path_, "a frame has no pixels");
    if (frame.width > kMostPixels || frame.height > kMostPixels) fail(path_, "GIF has at most 65535 pixels a side");
    if (!frames_.empty() && (frame.width != width_ || frame.height != height_)) {
      fail(path_, "a frame has another size than the first");
    }
    width_ = frame.width;
    height_ = frame.height;
    histogram_.add(frame);
    uLongf size = compressBound(static_cast<uLong>(frame.rgb.size()));
    std::vector<std::uint8_t> packed(size);
    if (compress2(packed.data(), &size, frame.rgb.data(), static_cast<uLong>(frame.rgb.size()), 1) != Z_OK) {
      throw std::bad_alloc();
    }
    frames_.emplace_back(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
  }

  void finish() override {
    if (frames_.empty()) fail(path_, "it has no frames");
    Palette palette(histogram_, kSame);
    begin(palette);
    shown_.assign(static_cast<std::size_t>(width_) * height_, kSame);
    // Times are hundredths of a second: frames for which there is none are left out, and the rest keep the pace.
    double now = 0;
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const bool last = i + 1 == frames_.size();
      now += (last ? options_.hold_ms : options_.frame_ms) / 10.0;
      const auto until = static_cast<std::uint64_t>(std::llround(now));
      if (until < written + kShortest && !last) continue;
      write_frame(unpacked(i), palette, static_cast<unsigned>(std::max<std::uint64_t>(until - written, kShortest)));
      written = until;
    }
    int why = 0;
    GifFileType* gif = std::exchange(gif_, nullptr);
    check(EGifCloseFile(gif, &why) == GIF_OK);
    file_.commit();
  }

 private:
  /// giflib is C: what is thrown must wait until it has returned.
  static int put(GifFileType* gif, const GifByteType* bytes, int count) {
    auto* self = static_cast<Gif*>(gif->UserData);
    try {
      self->file_.write(std::as_bytes(std::span(bytes, static_cast<std::size_t>(count))));
      return count;
    } catch (...) {
      self->failure_ = std::current_exception();
      return 0;
    }
  }

  void check(bool done) {
    if (failure_) std::rethrow_exception(failure_);
    if (!done) fail(path_, "giflib could not write it");
  }

  void begin(const Palette& palette) {
    int why = 0;
    gif_ = EGifOpen(this, put, &why);
    if (gif_ == nullptr) throw std::bad_alloc();
    EGifSetGifVersion(gif_, true);
    std::array<GifColorType, 256> colors{};
    for (std::size_t i = 0; i < palette.colors().size(); ++i) {
      colors[i] = {palette.colors()[i].r, palette.colors()[i].g, palette.colors()[i].b};
    }
    ColorMapObject* map = GifMakeMapObject(256, colors.data());
    if (map == nullptr) throw std::bad_alloc();
    const int put_ok = EGifPutScreenDesc(gif_, static_cast<int>(width_), static_cast<int>(height_), 8, 0, map);
    GifFreeMapObject(map);
    check(put_ok == GIF_OK);
    if (!options_.loop) return;
    const unsigned char again[] = {1, 0, 0};  // as often as one likes
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE) == GIF_OK);
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0") == GIF_OK);
    check(EGifPutExtensionBlock(gif_, sizeof again, again) == GIF_OK);
    check(EGifPutExtensionTrailer(gif_) == GIF_OK);
  }

  [[nodiscard]] Image unpacked(std::size_t i) {
    Image image{width_, height_, std::vector<std::uint8_t>(std::size_t{3} * width_ * height_)};
    uLongf size = image.rgb.size();
    if (uncompress(image.rgb.data(), &size, frames_[i].data(), static_cast<uLong>(frames_[i].size())) != Z_OK) {
      throw std::bad_alloc();
    }
    frames_[i] = {};
    return image;
  }

  /// The indices that the frame changes; kSame for the others.
  [[nodiscard]] std::vector<std::uint8_t> changes(const Image& frame, Palette& palette) {
    const bool first = last_.rgb.empty();
    if (first) last_ = frame;
    std::vector<std::uint8_t> out(shown_.size(), kSame);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint8_t* now = frame.rgb.data() + 3 * i;
      std::uint8_t* then = last_.rgb.data() + 3 * i;
      const auto still = [&](int c) { return std::abs(now[c] - then[c]) <= kStill; };
      if (!first && still(0) && still(1) && still(2)) continue;
      std::copy_n(now, 3, then);
      const auto x = static_cast<unsigned>(i % width_), y = static_cast<unsigned>(i / width_);
      const std::uint8_t index = palette.index({now[0], now[1], now[2]}, x, y);
      if (index == shown_[i]) continue;
      shown_[i] = out[i] = index;
    }
    return out;
  }

  [[nodiscard]] Rectangle around(const std::vector<std::uint8_t>& changed) const {
    unsigned left = width_, right = 0, top = height_, bottom = 0;
    for (unsigned y = 0; y < height_; ++y) {
      for (unsigned x = 0; x < width_; ++x) {
        if (changed[static_cast<std::size_t>(y) * width_ + x] == kSame) continue;
        left = std::min(left, x), right = std::max(right, x + 1);
        top = std::min(top, y), bottom = y + 1;
      }
    }
    if (right == 0) return {0, 0, 1, 1};  // a frame has a pixel at least
    return {left, top, right - left, bottom - top};
  }

  void write_frame(const Image& frame, Palette& palette, unsigned hundredths) {
    std::vector<std::uint8_t> changed = changes(frame, palette);
    const Rectangle part = around(changed);
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(std::min(hundredths, 65535u)), kSame};
    std::array<GifByteType, 4> extension{};
    const std::size_t size = EGifGCBToExtension(&control, extension.data());
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), extension.data()) == GIF_OK);
    check(EGifPutImageDesc(gif_, static_cast<int>(part.x), static_cast<int>(part.y), static_cast<int>(part.width),
                           static_cast<int>(part.height), false, nullptr) == GIF_OK);
    for (unsigned y = part.y; y < part.y + part.height; ++y) {
      std::uint8_t* row = changed.data() + static_cast<std::size_t>(y) * width_ + part.x;
      check(EGifPutLine(gif_, row, static_cast<int>(part.width)) == GIF_OK);
    }
  }

  std::filesystem::path path_;
  FilmOptions options_;
  NewFile file_;
  GifFileType* gif_ = nullptr;
  std::exception_ptr failure_;
  unsigned width_ = 0, height_ = 0;
  Histogram histogram_;
  std::vector<std::vector<std::uint8_t>> frames_;  ///< compressed
  std::vector<std::uint8_t> shown_;                ///< indices on the screen
  Image last_;                                     ///< the colours that they stand for
};

}  // namespace

std::unique_ptr<Film> make_gif(const std::filesystem::path& path, FilmOptions options) {
  return std::make_unique<Gif>(path, options);
}

}  // namespace lamella::picture
