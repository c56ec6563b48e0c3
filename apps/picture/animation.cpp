// Animated PNG after the APNG specification 1.0 (Parmenter, Vukicevic, Smith, Mozilla 2004; since 2023 part of the
// third edition of the PNG specification): frames are PNG image data between control chunks. Written by hand, as libpng
// knows nothing of it; rows are filtered by the PNG specification's heuristic of the least sum of absolute differences.

#include "picture/animation.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lamella/error.hpp"

namespace lamella::picture {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kBytesPerPixel = 3;
constexpr int kFilters = 5;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write picture '" + printable(path.string()) + "': " + why);
}

void put(Bytes& out, std::uint32_t value, int bytes = 4) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

Bytes big_endian(std::uint32_t value) {
  Bytes out;
  put(out, value);
  return out;
}

/// Name, data and the sum over both, with the length in front.
Bytes chunk(std::string_view name, const Bytes& data) {
  Bytes out;
  out.reserve(data.size() + 12);
  put(out, static_cast<std::uint32_t>(data.size()));
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), data.begin(), data.end());
  put(out, static_cast<std::uint32_t>(crc32(0, out.data() + 4, static_cast<uInt>(out.size() - 4))));
  return out;
}

int paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int by_left = std::abs(estimate - left), by_above = std::abs(estimate - above);
  const int by_corner = std::abs(estimate - corner);
  if (by_left <= by_above && by_left <= by_corner) return left;
  return by_above <= by_corner ? above : corner;
}

/// What filter `kind` predicts from the bytes around.
int predict(int kind, int left, int above, int corner) {
  switch (kind) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) / 2;
    case 4:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

/// Appends the row with its filter's number in front: of all filters the one that leaves the least.
/// `above` is empty for the first row.
void append_filtered(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
                     std::array<Bytes, kFilters>& scratch, Bytes& out) {
  std::size_t best = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t kind = 0; kind < kFilters; ++kind) {
    Bytes& filtered = scratch[kind];
    filtered.resize(row.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int left = i < kBytesPerPixel ? 0 : row[i - kBytesPerPixel];
      const int up = above.empty() ? 0 : above[i];
      const int corner = above.empty() || i < kBytesPerPixel ? 0 : above[i - kBytesPerPixel];
      filtered[i] = static_cast<std::uint8_t>(row[i] - predict(static_cast<int>(kind), left, up, corner));
      sum += static_cast<std::uint64_t>(std::abs(static_cast<std::int8_t>(filtered[i])));
    }
    if (sum >= least) continue;
    least = sum;
    best = kind;
  }
  out.push_back(static_cast<std::uint8_t>(best));
  out.insert(out.end(), scratch[best].begin(), scratch[best].end());
}

std::span<const std::uint8_t> row_of(const Image& image, unsigned x, unsigned y, unsigned width) {
  return std::span(image.rgb).subspan(kBytesPerPixel * (static_cast<std::size_t>(y) * image.width + x),
                                      static_cast<std::size_t>(kBytesPerPixel) * width);
}

/// PNG image data of a part of the image, appended to `out`.
void compress_part(const Image& image, unsigned x, unsigned y, unsigned width, unsigned height, Bytes& out) {
  Bytes rows;
  rows.reserve((static_cast<std::size_t>(kBytesPerPixel) * width + 1) * height);
  std::array<Bytes, kFilters> scratch;
  for (unsigned j = 0; j < height; ++j) {
    const auto above = j == 0 ? std::span<const std::uint8_t>() : row_of(image, x, y + j - 1, width);
    append_filtered(row_of(image, x, y + j, width), above, scratch, rows);
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  const std::size_t start = out.size();
  out.resize(start + size);
  const int failure = compress2(out.data() + start, &size, rows.data(), static_cast<uLong>(rows.size()), 6);
  if (failure != Z_OK) throw std::bad_alloc();  // the only way it can fail with room enough
  out.resize(start + size);
}

Bytes header(const Image& frame) {
  Bytes data;
  put(data, frame.width);
  put(data, frame.height);
  data.insert(data.end(), {8, 2, 0, 0, 0});  // eight bits of red, green and blue; not interlaced
  return data;
}

}  // namespace

Animation::Animation(std::filesystem::path path, FilmOptions options)
    : path_(std::move(path)), options_(options), file_(path_) {
  options_.frame_ms = std::clamp(options_.frame_ms, 1u, 65535u);
  options_.hold_ms = std::clamp(options_.hold_ms, options_.frame_ms, 65535u);
}

void Animation::write_chunk(const char* name, const std::vector<std::uint8_t>& data) {
  const Bytes bytes = chunk(name, data);
  file_.write(std::as_bytes(std::span(bytes)));
}

void Animation::begin(const Image& frame) {
  file_.write("\x89PNG\r\n\x1a\n");
  write_chunk("IHDR", header(frame));
  count_at_ = file_.size();
  write_chunk("acTL", Bytes(8));  // the numbers come in finish()
}

void Animation::write_control(const Rectangle& part, unsigned ms) {
  control_.clear();
  for (const unsigned value : {sequence_++, part.width, part.height, part.x, part.y}) put(control_, value);
  put(control_, ms, 2);
  put(control_, 1000, 2);
  control_.insert(control_.end(), {0, 0});  // what is there stays, and is overwritten
  delay_at_ = file_.size();
  write_chunk("fcTL", control_);
}

Animation::Rectangle Animation::changed(const Image& frame) const {
  unsigned left = frame.width, right = 0, top = frame.height, bottom = 0;
  for (unsigned y = 0; y < frame.height; ++y) {
    const auto now = row_of(frame, 0, y, frame.width), then = row_of(last_, 0, y, frame.width);
    const auto first = std::mismatch(now.begin(), now.end(), then.begin()).first;
    if (first == now.end()) continue;
    const auto last = std::mismatch(now.rbegin(), now.rend(), then.rbegin()).first;
    left = std::min(left, static_cast<unsigned>(first - now.begin()) / kBytesPerPixel);
    right = std::max(right, frame.width - static_cast<unsigned>(last - now.rbegin()) / kBytesPerPixel);
    top = std::min(top, y);
    bottom = y + 1;
  }
  if (top >= bottom) return {0, 0, 1, 1};  // a frame has a pixel at least
  return {left, top, right - left, bottom - top};
}

void Animation::add(const Image& frame) {
  if (frame.rgb.empty()) fail(path_, "a frame has no pixels");
  if (frames_ != 0 && (frame.width != last_.width || frame.height != last_.height)) {
    fail(path_, "a frame has another size than the first");
  }
  Rectangle part{0, 0, frame.width, frame.height};
  if (frames_ == 0) {
    begin(frame);
  } else {
    part = changed(frame);
  }
  write_control(part, options_.frame_ms);
  Bytes data;
  if (frames_ != 0) data = big_endian(sequence_++);
  compress_part(frame, part.x, part.y, part.width, part.height, data);
  write_chunk(frames_ == 0 ? "IDAT" : "fdAT", data);
  last_ = frame;
  ++frames_;
}

void Animation::finish() {
  if (frames_ == 0) fail(path_, "it has no frames");
  write_chunk("IEND", {});
  Bytes counts = big_endian(frames_);
  put(counts, options_.loop ? 0 : 1);
  counts = chunk("acTL", counts);
  file_.overwrite(count_at_, std::as_bytes(std::span(counts)));
  control_[20] = static_cast<std::uint8_t>(options_.hold_ms >> 8);
  control_[21] = static_cast<std::uint8_t>(options_.hold_ms);
  control_ = chunk("fcTL", control_);
  file_.overwrite(delay_at_, std::as_bytes(std::span(control_)));
  file_.commit();
}

}  // namespace lamella::picture
