#pragma once

// Triangles of a mesh that may cover samples of a part of the image: of a fine mesh, few. They are kept by their
// corners, so that the rest of the mesh need not be.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/window.hpp"
#include "engines/software/tile_sampler.hpp"
#include "stream/limits.hpp"
#include "stream/part_reader.hpp"

namespace lamella::stream {

/// What the first pass over a mesh finds, beside the triangles.
struct MeshFacts {
  std::uint64_t broken = 0;  ///< triangles with a vertex that is not usable
  bool closed = true;        ///< by closed_sum()
};

/// Bytes that triangles take which cover samples, by the rows of the image that their boxes begin and end in: tells
/// what a strip of rows takes.
class RowCosts {
 public:
  void start(std::uint32_t rows) {
    first_.assign(rows, 0);
    last_.assign(rows, 0);
  }
  void add(std::uint32_t first_row, std::uint32_t end_row, std::uint64_t bytes) {
    first_[first_row] += bytes;
    last_[end_row - 1] += bytes;
  }
  void add(const RowCosts& other);
  /// After the last add(): of all triangles that touch rows [begin, end).
  void sum_up();
  [[nodiscard]] std::uint64_t of(std::uint32_t begin, std::uint32_t end) const {
    return first_[end - 1] - (begin == 0 ? 0 : last_[begin - 1]);
  }

 private:
  std::vector<std::uint64_t> first_, last_;
};

/// Thrown by collect() when there is no room; the triangles so far are dropped.
struct TooManySurvivors {};

class Survivors {
 public:
  Survivors(const Limits& limits, const Workers& workers) : limits_(limits), scratch_(workers.count()) {}

  /// Most bytes, as bytes_of() counts them, for those of all sides together.
  void set_room(std::uint64_t bytes) { room_ = bytes; }
  [[nodiscard]] std::uint64_t room() const { return room_; }

  /// Empties all sides.
  void clear();
  /// The first pass over a mesh: facts, costs of all rows, and its triangles as long as there is room. False: there was
  /// not, and none are kept.
  bool scan(PartReader& reader, const PlacedSource& mesh, unsigned side, const Grid& grid, MeshFacts& facts,
            RowCosts& costs);
  /// Adds the triangles of a mesh that touch some cells. Throws TooManySurvivors.
  void collect(PartReader& reader, const PlacedSource& mesh, unsigned side, const Grid& grid, const Window& cells);
  /// Bytes that a pass over the mesh would keep.
  [[nodiscard]] std::uint64_t measure(PartReader& reader, const PlacedSource& mesh, const Grid& grid,
                                      const Window& cells);

  /// As meshes for the sampler, at least one; `as` is their side there.
  void append_meshes(unsigned side, unsigned as, const Grid& grid, std::vector<software::SampledMesh>& out) const;

  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] std::uint64_t bytes() const { return used_; }

 private:
  struct Block {
    std::unique_ptr<Vec3[]> corners;
    std::size_t count = 0;  ///< triangles
  };
  struct Worker {
    std::vector<Block> blocks[software::kMostSides];
    std::vector<std::uint32_t> ids;
    std::vector<software::CellCode> low, high;
    std::vector<Window> boxes;
    RowCosts costs;
    std::uint64_t broken = 0, sum = 0;
  };
  void find(const Chunk& chunk, const Grid& grid, bool all_usable, const Window& cells, Worker& w) const;
  void keep(const Chunk& chunk, unsigned side, Worker& w);

  const Limits& limits_;
  std::uint64_t room_ = 0;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<bool> full_{false};
  std::vector<Worker> scratch_;
  mutable std::vector<Triangle> numbers_;  ///< 0 1 2, 3 4 5, …: the triangles of every block
};

}  // namespace lamella::stream
