// Points of a file, in parts: lines of text, or vertices of a binary PLY.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/formats.hpp"
#include "io/input_file.hpp"
#include "io/messages.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/streamed.hpp"
#include "stream/ply_layout.hpp"

namespace lamella {
namespace {

constexpr std::size_t kTextBytes = std::size_t{1} << 20;

/// Whole lines at a time.
class XyzPoints {
 public:
  explicit XyzPoints(const std::filesystem::path& path) : file_(path), name_(io::display(path)) {}

  std::size_t read(std::span<Vec3d> out) {
    std::size_t count = 0;
    while (count < out.size()) {
      if (next_ == points_.size() && !read_lines()) break;
      const std::size_t some = std::min(out.size() - count, points_.size() - next_);
      std::copy_n(points_.begin() + static_cast<std::ptrdiff_t>(next_), some,
                  out.begin() + static_cast<std::ptrdiff_t>(count));
      next_ += some;
      count += some;
    }
    if (count < out.size()) file_.check_unchanged();
    return count;
  }

 private:
  /// False at the file's end.
  bool read_lines() {
    if (offset_ == file_.size()) return false;
    std::string text(std::min<std::uint64_t>(kTextBytes, file_.size() - offset_), '\0');
    file_.read_at(offset_, text.data(), text.size());
    if (offset_ + text.size() < file_.size()) {
      const std::size_t end = text.rfind('\n');
      if (end == std::string::npos)
        io::fail_at_byte(name_, offset_,
                         fmt::format("expected a line of at most {} bytes, found a longer one", kTextBytes));
      text.resize(end + 1);
    }
    const ReadOptions silent;
    io::Progress progress(silent, 0);
    io::MemoryLimit memory(name_, 64 * kTextBytes, 0, 0);
    const std::string name = offset_ == 0 ? name_ : fmt::format("{}, lines from byte {} on", name_, offset_);
    points_ = io::read_xyz({.bytes = text,
                            .name = name,
                            .folder = std::nullopt,
                            .progress = progress,
                            .memory = memory,
                            .finite = true,
                            .wide = true})
                  .wide;
    next_ = 0;
    offset_ += text.size();
    return true;
  }

  io::InputFile file_;
  std::string name_;
  std::uint64_t offset_ = 0;
  std::vector<Vec3d> points_;
  std::size_t next_ = 0;
};

class PlyPoints {
 public:
  explicit PlyPoints(const std::filesystem::path& path)
      : file_(path), name_(io::display(path)), rows_(stream::read_vertex_rows(file_, name_)) {}

  std::size_t read(std::span<Vec3d> out) {
    const std::uint64_t count = std::min<std::uint64_t>(out.size(), rows_.count - next_);
    std::uint64_t done = 0;
    std::vector<char> bytes;
    while (done < count) {
      const std::uint64_t some = std::min(count - done, rows_.at_a_time());
      bytes.resize(some * rows_.stride);
      file_.read_at(rows_.offset + next_ * rows_.stride, bytes.data(), bytes.size());
      for (std::uint64_t i = 0; i < some; ++i) {
        const Vec3d p = stream::load_position(bytes.data() + i * rows_.stride, rows_);
        const Vec3 rounded{io::narrow(p.x), io::narrow(p.y), io::narrow(p.z)};
        if (!io::is_finite(rounded))
          io::fail_at_byte(name_, rows_.offset + (next_ + i) * rows_.stride,
                           "expected a finite coordinate in the range of a 32-bit float");
        out[done + i] = p;
      }
      done += some;
      next_ += some;
    }
    if (count < out.size()) file_.check_unchanged();
    return count;
  }

 private:
  io::InputFile file_;
  std::string name_;
  stream::VertexRows rows_;
  std::uint64_t next_ = 0;
};

template <class Points>
StreamedPoints points_of(const std::filesystem::path& path) {
  const auto points = std::make_shared<Points>(path);
  return {.read = [points](std::span<Vec3d> out) { return points->read(out); }};
}

}  // namespace

bool are_streamable_points(const std::filesystem::path& path) try {
  const auto format = mesh_format(path);
  if (format == MeshFormat::xyz) return true;
  if (format != MeshFormat::ply) return false;
  const io::InputFile file(path);
  (void)stream::read_vertex_rows(file, io::display(path));
  return true;
} catch (const stream::NotInParts&) {
  return false;
}

StreamedPoints open_streamed_points(const std::filesystem::path& path) {
  const auto format = mesh_format(path);
  if (format == MeshFormat::xyz) return points_of<XyzPoints>(path);
  if (format == MeshFormat::ply) return points_of<PlyPoints>(path);
  io::fail(io::display(path), "points are read in parts from .xyz and binary .ply; convert the file to one of them");
}

}  // namespace lamella
