// Meshes of binary PLY files, read by the numbers of their vertices and triangles.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "core/lattice.hpp"
#include "core/origin.hpp"
#include "io/input_file.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/streamed.hpp"
#include "stream/ply_layout.hpp"

namespace lamella {
namespace {

using stream::PlyLayout;
using stream::Rows;
using stream::TriangleRows;
using stream::VertexRows;

constexpr std::size_t kCorners = 3;

class PlySource final : public MeshSource {
 public:
  explicit PlySource(const std::filesystem::path& path)
      : name_(io::display(path)), file_(path), layout_(stream::read_ply_layout(file_, name_)) {
    if (layout_.vertices.wide) find_origin();
  }

  [[nodiscard]] std::uint64_t vertex_count() const override { return layout_.vertices.count; }
  [[nodiscard]] std::uint64_t triangle_count() const override { return layout_.triangles.count; }
  [[nodiscard]] Vec3d origin() const override { return origin_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return read_; }
  [[nodiscard]] std::uint64_t bytes() const override {
    return layout_.vertices.count * layout_.vertices.stride + layout_.triangles.count * layout_.triangles.stride;
  }
  void check_unchanged() const override { file_.check_unchanged(); }

  void read_positions(std::uint64_t first, std::span<Vec3> out) const override;
  void read_triangles(std::uint64_t first, std::span<Triangle> out) const override;

 private:
  /// Calls use(row, number of the first, rows) for some rows at a time.
  template <class Use>
  void for_rows(const Rows& rows, std::uint64_t first, std::uint64_t count, const Use& use) const {
    const std::uint64_t most = std::min(count, rows.at_a_time());
    const auto room = std::make_unique_for_overwrite<char[]>(most * rows.stride);
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t some = std::min(count - done, most);
      fetch(rows, first + done, some, room.get());
      use(room.get(), done, some);
      done += some;
    }
  }
  void fetch(const Rows& rows, std::uint64_t first, std::uint64_t count, char* to) const {
    file_.read_at(rows.offset + first * rows.stride, to, count * rows.stride);
    read_ += count * rows.stride;
  }
  void find_origin();

  std::string name_;
  io::InputFile file_;
  PlyLayout layout_;
  Vec3d origin_{};
  mutable std::atomic<std::uint64_t> read_{0};
};

/// As io/mesh_io.cpp does for doubles: floats that would not be exact, far away.
void PlySource::find_origin() {
  WideBox box;
  Aabb narrow_box;
  bool exact = true;
  for_rows(layout_.vertices, 0, layout_.vertices.count, [&](const char* row, std::uint64_t, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i, row += layout_.vertices.stride) {
      const Vec3d p = stream::load_position(row, layout_.vertices);
      const Vec3 rounded = narrow(p);
      if (!usable(rounded)) continue;
      exact = exact && to_double(rounded) == p;
      narrow_box = extend(narrow_box, rounded);
      box = unite(box, {p, p});
    }
  });
  const bool far = !(origin_for(wide_box(narrow_box), kFarFromOrigin) == Vec3d{});
  if (far && !exact && !(box.min == box.max)) origin_ = origin_for(box, kFarFromOrigin);
}

void PlySource::read_positions(std::uint64_t first, std::span<Vec3> out) const {
  const VertexRows& rows = layout_.vertices;
  if (!rows.wide && rows.stride == sizeof(Vec3) && rows.at[0] == 0 && rows.at[1] == 4) {
    fetch(rows, first, out.size(), reinterpret_cast<char*>(out.data()));
    return;
  }
  for_rows(rows, first, out.size(), [&](const char* row, std::uint64_t done, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i, row += rows.stride)
      out[done + i] = narrow(stream::load_position(row, rows) - origin_);
  });
}

void PlySource::read_triangles(std::uint64_t first, std::span<Triangle> out) const {
  const TriangleRows& rows = layout_.triangles;
  for_rows(rows, first, out.size(), [&](const char* row, std::uint64_t done, std::uint64_t count) {
    unsigned other = 0;  // bits in which some length is not 3
    const char* p = row + rows.at;
    for (std::uint64_t i = 0; i < count; ++i, p += rows.stride) {
      other |= static_cast<unsigned char>(*p) ^ kCorners;
      std::memcpy(&out[done + i], p + 1, sizeof(Triangle));
    }
    if (other == 0) return;
    p = row + rows.at;
    for (std::uint64_t i = first + done;; ++i, p += rows.stride)
      if (static_cast<unsigned char>(*p) != kCorners)
        stream::refuse_parts(name_,
                             fmt::format("face {} has {} corners, not 3", i, int{static_cast<unsigned char>(*p)}));
  });
}

}  // namespace

std::unique_ptr<MeshSource> open_streamed_ply(const std::filesystem::path& path) {
  return std::make_unique<PlySource>(path);
}

bool is_streamable_ply(const std::filesystem::path& path) try {
  const io::InputFile file(path);
  const std::string name = io::display(path);
  (void)stream::read_ply_layout(file, name);
  return true;
} catch (const stream::NotInParts&) {
  return false;
}

}  // namespace lamella
