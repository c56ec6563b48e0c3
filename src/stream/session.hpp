#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/stopwatch.hpp"
#include "stream/stream_sampler.hpp"

namespace lamella::stream {

/// The meshes of one query, and what sampling them takes.
class Session {
 public:
  /// Reads the vertices of all meshes, and brings them into one frame.
  Session(std::span<const StreamedMesh> meshes, const Options& options, const StreamOptions& stream,
          const Limits& limits);

  [[nodiscard]] std::span<const PlacedSource* const> meshes() const { return views_; }
  [[nodiscard]] const PlacedSource& mesh(std::size_t i) const { return *views_[i]; }
  [[nodiscard]] StreamSampler& sampler() { return sampler_; }
  [[nodiscard]] Vec3d origin() const { return placed_[0]->origin(); }
  /// Bytes for triangles that cover samples, beside `reserved` for other things.
  [[nodiscard]] std::uint64_t room(std::uint64_t reserved) const;
  /// Of meshes that are not sampled: triangles that cannot be placed. Takes a pass where there are any.
  [[nodiscard]] std::uint32_t broken();

  /// Throws Error when a mesh has changed meanwhile. Fills in the report.
  void finish(const StreamOptions& stream, bool sampled, StreamReport& report);

 private:
  const Limits& limits_;
  PassCounter passes_;
  StreamSampler sampler_;
  std::uint64_t vertex_room_;
  std::vector<std::unique_ptr<PlacedSource>> placed_;
  std::vector<const PlacedSource*> views_;
  std::uint64_t read_before_ = 0;
};

}  // namespace lamella::stream
