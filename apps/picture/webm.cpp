// WebM: VP9 by libvpx in a Matroska file (RFC 9559), which is written by hand: a header, one track, clusters of frames
// that begin with a key frame each, and an index of those. Colours after ITU-R BT.709, with half as many of hue.

#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "lamella/error.hpp"
#include "lamella/file.hpp"
#include "picture/ebml.hpp"
#include "picture/film.hpp"

namespace lamella::picture {
namespace {

constexpr unsigned kQuality = 26;    // 0 is the best, 63 the smallest
constexpr unsigned kKeyFrames = 90;  // at most so many frames from one to the next
constexpr int kEffort = 3;           // 0 takes longest
constexpr unsigned kThreads = 4, kMostPixels = 16384;

// Elements of Matroska.
enum Id : std::uint32_t {
  kEbml = 0x1A45DFA3,
  kEbmlVersion = 0x4286,
  kEbmlReadVersion = 0x42F7,
  kMaxIdLength = 0x42F2,
  kMaxSizeLength = 0x42F3,
  kDocType = 0x4282,
  kDocTypeVersion = 0x4287,
  kDocTypeReadVersion = 0x4285,
  kSegment = 0x18538067,
  kSeekHead = 0x114D9B74,
  kSeek = 0x4DBB,
  kSeekId = 0x53AB,
  kSeekPosition = 0x53AC,
  kInfo = 0x1549A966,
  kTimestampScale = 0x2AD7B1,
  kDuration = 0x4489,
  kMuxingApp = 0x4D80,
  kWritingApp = 0x5741,
  kTracks = 0x1654AE6B,
  kTrackEntry = 0xAE,
  kTrackNumber = 0xD7,
  kTrackUid = 0x73C5,
  kTrackType = 0x83,
  kFlagLacing = 0x9C,
  kCodecId = 0x86,
  kVideo = 0xE0,
  kPixelWidth = 0xB0,
  kPixelHeight = 0xBA,
  kColour = 0x55B0,
  kMatrix = 0x55B1,
  kRange = 0x55B9,
  kTransfer = 0x55BA,
  kPrimaries = 0x55BB,
  kCluster = 0x1F43B675,
  kTimestamp = 0xE7,
  kSimpleBlock = 0xA3,
  kCues = 0x1C53BB6B,
  kCuePoint = 0xBB,
  kCueTime = 0xB3,
  kCueTrackPositions = 0xB7,
  kCueTrack = 0xF7,
  kCueClusterPosition = 0xF1
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write film '" + printable(path.string()) + "': " + why);
}

Bytes header() {
  Bytes content, out;
  for (const auto& [id, value] :
       {std::pair{kEbmlVersion, 1}, {kEbmlReadVersion, 1}, {kMaxIdLength, 4}, {kMaxSizeLength, 8}})
    put_number(content, id, static_cast<std::uint64_t>(value));
  put_text(content, kDocType, "webm");
  put_number(content, kDocTypeVersion, 4);
  put_number(content, kDocTypeReadVersion, 2);
  put_element(out, kEbml, content);
  return out;
}

/// Says where the index is, counted from the segment's content on. Its length does not depend on the place.
Bytes seek_head(std::uint64_t cues_at) {
  Bytes id, seek, content, out;
  put_id(id, kCues);
  put_element(seek, kSeekId, id);
  put_number(seek, kSeekPosition, cues_at);
  put_element(content, kSeek, seek);
  put_element(out, kSeekHead, content);
  return out;
}

Bytes info(double duration_ms) {
  Bytes content, out;
  put_number(content, kTimestampScale, 1'000'000);  // nanoseconds: times are milliseconds
  put_float(content, kDuration, duration_ms);
  put_text(content, kMuxingApp, "lamella");
  put_text(content, kWritingApp, "lamella");
  put_element(out, kInfo, content);
  return out;
}

Bytes tracks(unsigned width, unsigned height) {
  constexpr std::uint64_t kBt709 = 1, kLimited = 1, kIsVideo = 1;
  Bytes colour, video, entry, content, out;
  for (const Id id : {kMatrix, kTransfer, kPrimaries}) put_number(colour, id, kBt709);
  put_number(colour, kRange, kLimited);
  put_number(video, kPixelWidth, width);
  put_number(video, kPixelHeight, height);
  put_element(video, kColour, colour);
  put_number(entry, kTrackNumber, 1);
  put_number(entry, kTrackUid, 1);
  put_number(entry, kTrackType, kIsVideo);
  put_number(entry, kFlagLacing, 0);
  put_text(entry, kCodecId, "V_VP9");
  put_element(entry, kVideo, video);
  put_element(content, kTrackEntry, entry);
  put_element(out, kTracks, content);
  return out;
}

/// Red, green and blue from 0 to 255 as luma and two chroma parts, 16 to 235 and 240.
struct Yuv {
  double y, u, v;
};

Yuv to_yuv(double r, double g, double b) {
  constexpr double kRed = 0.2126, kBlue = 0.0722;
  const double luma = kRed * r + (1 - kRed - kBlue) * g + kBlue * b;
  return {16 + luma * 219 / 255, 128 + (b - luma) / (2 - 2 * kBlue) * 224 / 255,
          128 + (r - luma) / (2 - 2 * kRed) * 224 / 255};
}

std::uint8_t byte(double value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)); }

void fill(vpx_image_t& out, const Image& frame) {
  const auto plane = [&](int which, unsigned x, unsigned y) -> std::uint8_t& {
    return out.planes[which][static_cast<std::size_t>(y) * static_cast<std::size_t>(out.stride[which]) + x];
  };
  for (unsigned y = 0; y < frame.height; y += 2) {
    for (unsigned x = 0; x < frame.width; x += 2) {
      double u = 0, v = 0, count = 0;
      for (unsigned j = y; j < std::min(y + 2, frame.height); ++j) {
        for (unsigned i = x; i < std::min(x + 2, frame.width); ++i) {
          const std::uint8_t* pixel = frame.rgb.data() + 3 * (static_cast<std::size_t>(j) * frame.width + i);
          const Yuv yuv = to_yuv(pixel[0], pixel[1], pixel[2]);
          plane(VPX_PLANE_Y, i, j) = byte(yuv.y);
          u += yuv.u, v += yuv.v, count += 1;
        }
      }
      plane(VPX_PLANE_U, x / 2, y / 2) = byte(u / count);
      plane(VPX_PLANE_V, x / 2, y / 2) = byte(v / count);
    }
  }
}

class Webm final : public Film {
 public:
  Webm(std::filesystem::path path, FilmOptions options) : path_(std::move(path)), options_(options), file_(path_) {
    options_.frame_ms = std::clamp(options_.frame_ms, 1u, 65535u);
    options_.hold_ms = std::clamp(options_.hold_ms, options_.frame_ms, 65535u);
  }
  ~Webm() override {
    if (open_) vpx_codec_destroy(&codec_);
    if (image_ != nullptr) vpx_img_free(image_);
  }
  Webm(const Webm&) = delete;
  Webm& operator=(const Webm&) = delete;

  void add(const Image& frame) override {
    if (frame.rgb.empty()) fail(path_, "a frame has no pixels");
    if (frames_ != 0 && (frame.width != image_->d_w || frame.height != image_->d_h)) {
      fail(path_, "a frame has another size than the first");
    }
    if (frames_ == 0) begin(frame.width, frame.height);
    fill(*image_, frame);
    encode(image_, frames_ * options_.frame_ms, options_.frame_ms);
    ++frames_;
  }

  void finish() override {
    if (frames_ == 0) fail(path_, "it has no frames");
    // The last frame once more, at the end of its time: players stop where the last frame begins.
    const std::uint64_t end = (frames_ - 1) * options_.frame_ms + options_.hold_ms;
    if (options_.hold_ms > options_.frame_ms) encode(image_, end - options_.frame_ms, options_.frame_ms);
    encode(nullptr, 0, options_.frame_ms);
    write_cluster();
    const std::uint64_t cues_at = file_.size() - content_at_;
    write_cues();
    replace(content_at_, seek_head(cues_at));
    replace(info_at_, info(static_cast<double>(end)));
    Bytes size;
    put_size(size, file_.size() - content_at_);
    replace(content_at_ - size.size(), size);
    file_.commit();
  }

 private:
  void check(vpx_codec_err_t result, const char* what) {
    if (result == VPX_CODEC_OK) return;
    const char* why = open_ ? vpx_codec_error_detail(&codec_) : nullptr;
    fail(path_, std::string("libvpx: ") + what + ": " + (why != nullptr ? why : vpx_codec_err_to_string(result)));
  }

  void begin(unsigned width, unsigned height) {
    if (width > kMostPixels || height > kMostPixels) fail(path_, "WebM has at most 16384 pixels a side here");
    vpx_codec_iface_t* vp9 = vpx_codec_vp9_cx();
    vpx_codec_enc_cfg_t config;
    check(vpx_codec_enc_config_default(vp9, &config, 0), "defaults");
    config.g_w = width;
    config.g_h = height;
    config.g_timebase = {1, 1000};
    config.g_threads = kThreads;
    config.g_lag_in_frames = 16;
    config.rc_end_usage = VPX_Q;
    config.kf_max_dist = kKeyFrames;
    check(vpx_codec_enc_init(&codec_, vp9, &config, 0), "set-up");
    open_ = true;
    check(vpx_codec_control(&codec_, VP8E_SET_CPUUSED, kEffort), "effort");
    check(vpx_codec_control(&codec_, VP8E_SET_CQ_LEVEL, kQuality), "quality");
    check(vpx_codec_control(&codec_, VP9E_SET_COLOR_SPACE, VPX_CS_BT_709), "colours");
    image_ = vpx_img_alloc(nullptr, VPX_IMG_FMT_I420, width, height, 16);
    if (image_ == nullptr) throw std::bad_alloc();

    write(header());
    Bytes segment;
    put_id(segment, kSegment);
    put_size(segment, 0);  // this and the next two are known in finish()
    write(segment);
    content_at_ = file_.size();
    write(seek_head(0));
    info_at_ = file_.size();
    write(info(0));
    write(tracks(width, height));
  }

  void encode(const vpx_image_t* image, std::uint64_t at_ms, unsigned ms) {
    check(vpx_codec_encode(&codec_, image, static_cast<vpx_codec_pts_t>(at_ms), ms, 0, VPX_DL_GOOD_QUALITY),
          "encoding");
    vpx_codec_iter_t iterator = nullptr;
    while (const vpx_codec_cx_pkt_t* packet = vpx_codec_get_cx_data(&codec_, &iterator)) {
      if (packet->kind == VPX_CODEC_CX_FRAME_PKT) add_block(*packet);
    }
  }

  void add_block(const vpx_codec_cx_pkt_t& packet) {
    const auto& frame = packet.data.frame;
    const auto at_ms = static_cast<std::uint64_t>(frame.pts);
    const bool key = (frame.flags & VPX_FRAME_IS_KEY) != 0;
    constexpr std::uint64_t kMostMs = 32'000;  // times within a cluster have 15 bits
    if (key || at_ms - cluster_ms_ > kMostMs) {
      write_cluster();
      cluster_ms_ = at_ms;
      if (key) cues_.push_back({at_ms, file_.size() - content_at_});
    }
    Bytes block{0x81};  // track 1
    put_big_endian(block, at_ms - cluster_ms_, 2);
    block.push_back(key ? 0x80 : 0);
    const auto* data = static_cast<const std::uint8_t*>(frame.buf);
    block.insert(block.end(), data, data + frame.sz);
    put_element(cluster_, kSimpleBlock, block);
  }

  void write_cluster() {
    if (cluster_.empty()) return;
    Bytes content, out;
    put_number(content, kTimestamp, cluster_ms_);
    content.insert(content.end(), cluster_.begin(), cluster_.end());
    put_element(out, kCluster, content);
    write(out);
    cluster_.clear();
  }

  void write_cues() {
    Bytes content, out;
    for (const auto& [time, place] : cues_) {
      Bytes positions, point;
      put_number(positions, kCueTrack, 1);
      put_number(positions, kCueClusterPosition, place);
      put_number(point, kCueTime, time);
      put_element(point, kCueTrackPositions, positions);
      put_element(content, kCuePoint, point);
    }
    put_element(out, kCues, content);
    write(out);
  }

  void write(const Bytes& bytes) { file_.write(std::as_bytes(std::span(bytes))); }
  void replace(std::uint64_t at, const Bytes& bytes) { file_.overwrite(at, std::as_bytes(std::span(bytes))); }

  std::filesystem::path path_;
  FilmOptions options_;
  NewFile file_;
  vpx_codec_ctx_t codec_{};
  bool open_ = false;
  vpx_image_t* image_ = nullptr;
  std::uint64_t frames_ = 0;
  std::uint64_t content_at_ = 0, info_at_ = 0;  ///< of the segment, in the file
  Bytes cluster_;                               ///< blocks of the one that is not yet written
  std::uint64_t cluster_ms_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cues_;  ///< times of key frames, and where they are
};

}  // namespace

std::unique_ptr<Film> make_webm(const std::filesystem::path& path, FilmOptions options) {
  return std::make_unique<Webm>(path, options);
}

}  // namespace lamella::picture
