#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "engines/software/kernels.hpp"
#include "stream/limits.hpp"
#include "stream/placed_source.hpp"

namespace lamella::stream {

/// Some triangles of a mesh, with what they refer to. Indices are in range.
struct Chunk {
  MeshView mesh;                              ///< the triangles, and positions that include their corners
  std::span<const software::CellCode> codes;  ///< of the positions; empty unless asked for
  std::uint64_t first = 0;                    ///< number of the first triangle
};

/// Counts passes and tells of progress.
class PassCounter {
 public:
  explicit PassCounter(const StreamOptions& options) : options_(options) {}
  void begin(std::uint64_t triangles);
  void advance(std::uint64_t triangles);
  [[nodiscard]] unsigned passes() const { return now_.pass; }

 private:
  const StreamOptions& options_;
  std::mutex mutex_;
  StreamProgress now_;
  std::uint64_t next_ = 0;  ///< when to tell again
};

/// Goes through the triangles of a mesh, chunk by chunk on all workers, together with the vertices that they name. If
/// the mesh's vertices are not kept, triangles are taken in parts; for each part its vertices are read: the range of
/// numbers that it names, or, where that is too wide, single vertices in order of their numbers. So memory is bounded
/// whatever the order of the file, and a file whose triangles name vertices near each other is read about once.
class PartReader {
 public:
  PartReader(const Limits& limits, Workers& workers, PassCounter& passes)
      : limits_(limits), workers_(workers), passes_(passes), read_(workers.count()) {}

  /// Calls body(chunk, worker), at the same time from several workers. `target`: also makes codes. Throws Error for an
  /// index out of range.
  using Body = std::function<void(const Chunk&, unsigned worker)>;
  void for_each(const PlacedSource& mesh, const software::RasterTarget* target, const Body& body);
  /// Gives its memory back.
  void release();

 private:
  void encode(std::span<const Vec3> positions, const software::RasterTarget* target);
  void run_kept(const PlacedSource& mesh, const Body& body);
  void run_part(const PlacedSource& mesh, std::uint64_t first, std::size_t count, const software::RasterTarget* target,
                const Body& body);
  void read_range(const PlacedSource& mesh, std::uint32_t low, std::uint32_t high);
  void read_single(const PlacedSource& mesh);
  void read_checked(const PlacedSource& mesh, std::uint64_t first, std::span<Triangle> out) const;

  const Limits& limits_;
  Workers& workers_;
  PassCounter& passes_;
  std::vector<std::vector<Triangle>> read_;  ///< by worker
  std::vector<software::CellCode> codes_;
  // Of a part.
  std::vector<Triangle> triangles_;
  std::vector<Vec3> positions_;
  std::vector<std::uint64_t> corners_;  ///< vertex << 32 | number of the corner in the part
};

}  // namespace lamella::stream
