#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/origin.hpp"
#include "core/parallel.hpp"
#include "lamella/streamed.hpp"

namespace lamella::stream {

/// The vertices of a mesh where a query samples them: scaled, placed and relative to the query's origin, by the steps
/// and with the roundings of a mesh in memory. They are kept if there is room, else read anew each time.
class PlacedSource {
 public:
  /// Reads the vertices at least once. `room`: bytes for vertices that are kept, less what this one takes afterwards.
  PlacedSource(const StreamedMesh& mesh, std::uint64_t& room, Workers& workers);

  [[nodiscard]] const MeshSource& source() const { return *source_; }
  [[nodiscard]] std::uint64_t vertex_count() const { return source_->vertex_count(); }
  [[nodiscard]] const Aabb& box() const { return facts_.box; }
  /// Whether no vertex is NaN, infinite or too large.
  [[nodiscard]] bool all_usable() const { return facts_.usable; }
  [[nodiscard]] Vec3d origin() const { return origin_; }
  [[nodiscard]] WideBox world_box() const { return wide_box(facts_.box, origin_); }

  /// Measures positions from another origin.
  void move_origin(Vec3d origin);

  /// All of them, if they are kept; else nothing.
  [[nodiscard]] bool kept() const { return kept_ != nullptr; }
  [[nodiscard]] std::span<const Vec3> positions() const { return {kept_.get(), kept() ? vertex_count() : 0}; }
  /// Some of them, where they are not kept. By several threads at a time.
  void read(std::uint64_t first, std::span<Vec3> out) const;

 private:
  /// One rounding of every position.
  struct Step {
    double scale = 1;
    std::optional<Placement> placement = std::nullopt;
  };
  static void apply(const Step& step, std::span<Vec3> positions, std::vector<Vec3>& room);
  void add(const Step& step);
  void inspect(bool load, const Step* step);

  const MeshSource* source_;
  Workers* workers_;
  std::vector<Step> steps_;
  Vec3d origin_{};
  PositionFacts facts_;
  std::unique_ptr<Vec3[]> kept_;
};

}  // namespace lamella::stream
