#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <string>

#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "stream/query.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

/// Limits so low that a mesh of some hundred triangles takes many passes: nothing is kept, and parts, chunks and tiles
/// have a few elements.
inline stream::Limits tiny_limits(Random& random, std::uint64_t bytes) {
  stream::Limits limits;
  limits.vertex_bytes = random.below(3) == 0 ? std::uint64_t{1} << 30 : 0;
  limits.part_triangles = 1 + random.below(50);
  limits.chunk_triangles = 1 + random.below(20);
  limits.block_triangles = 1 + random.below(9);
  limits.tile_columns = std::size_t{1} << random.below(10);
  limits.point_bytes = stream::kPerPoint * (1 + random.below(300));
  limits.span_bytes = std::uint64_t{1} << 30;
  limits.tile_crossings = std::uint64_t{1} << 28;
  // room() takes off what vertices, parts and kept spans need.
  limits.bytes = bytes + limits.vertex_bytes + limits.span_bytes + limits.point_bytes +
                 limits.part_triangles * stream::kPerPartTriangle;
  return limits;
}

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

inline void expect_same_health(const Health& found, const Health& expected) {
  EXPECT_EQ(found.open_columns, expected.open_columns);
  EXPECT_EQ(found.occupied_columns, expected.occupied_columns);
  EXPECT_EQ(found.inside_out_columns, expected.inside_out_columns);
  EXPECT_EQ(found.skipped_triangles, expected.skipped_triangles);
  EXPECT_EQ(found.uncertain_spans, expected.uncertain_spans);
  EXPECT_EQ(found.untrusted_points, expected.untrusted_points);
  EXPECT_EQ(bits(found.untrusted_volume), bits(expected.untrusted_volume));
}

inline void expect_same_sums(const Overlap& found, const Overlap& expected) {
  EXPECT_EQ(found.grid, expected.grid);
  EXPECT_EQ(found.origin, expected.origin);
  EXPECT_EQ(found.spans, expected.spans);
  EXPECT_EQ(found.span_count, expected.span_count);
  EXPECT_EQ(bits(found.volume), bits(expected.volume));
  EXPECT_EQ(bits(found.volume_error), bits(expected.volume_error));
  EXPECT_EQ(found.centroid, expected.centroid);
  EXPECT_EQ(found.bounds, expected.bounds);
  EXPECT_EQ(found.engine, expected.engine);
  expect_same_health(found.health, expected.health);
}

/// A file that is gone with its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("lamella_stream_" + std::to_string(::getpid()) + "_" + name)) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }
  [[nodiscard]] std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lamella::test
