#include "stream/session.hpp"

#include <algorithm>
#include <atomic>

#include "core/mesh_check.hpp"

namespace lamella::stream {

Session::Session(std::span<const StreamedMesh> meshes, const Options& options, const StreamOptions& stream,
                 const Limits& limits)
    : limits_(limits), passes_(stream), sampler_(limits, options, passes_), vertex_room_(limits.vertex_bytes) {
  for (const StreamedMesh& mesh : meshes) {
    read_before_ += mesh.source.bytes_read();
    placed_.push_back(std::make_unique<PlacedSource>(mesh, vertex_room_, sampler_.workers()));
    views_.push_back(placed_.back().get());
  }
  // As Engine::settle().
  if (placed_.size() == 1 || placed_[0]->origin() == placed_[1]->origin()) return;
  const Vec3d origin = origin_for_thin(shared_box(placed_[0]->world_box(), placed_[1]->world_box()));
  for (auto& placed : placed_) placed->move_origin(origin);
}

std::uint64_t Session::room(std::uint64_t reserved) const {
  std::uint64_t taken = limits_.vertex_bytes - vertex_room_ + limits_.crossing_bytes + reserved;
  if (std::any_of(views_.begin(), views_.end(), [](const PlacedSource* m) { return !m->kept(); }))
    taken += limits_.part_triangles * kPerPartTriangle;
  return limits_.bytes - std::min(taken, limits_.bytes);
}

std::uint32_t Session::broken() {
  std::atomic<std::uint64_t> count{0};
  for (const PlacedSource* mesh : views_) {
    if (mesh->all_usable()) continue;
    sampler_.reader().for_each(*mesh, nullptr, [&](const Chunk& chunk, unsigned) {
      count += static_cast<std::uint64_t>(std::count_if(chunk.mesh.triangles.begin(), chunk.mesh.triangles.end(),
                                                        [&](const Triangle& t) { return !usable(chunk.mesh, t); }));
    });
  }
  return static_cast<std::uint32_t>(count);
}

void Session::finish(const StreamOptions& stream, bool sampled, StreamReport& report) {
  report = {};
  report.memory = stream.memory;
  report.passes = passes_.passes();
  report.used = limits_.fixed_bytes + limits_.bytes - room(0) + sampler_.most_bytes();
  if (sampled) report.strips = sampler_.strips();
  report.kept_triangles = sampler_.most_triangles();
  for (unsigned i = 0; i < views_.size(); ++i) {
    const MeshSource& source = views_[i]->source();
    source.check_unchanged();
    report.file_bytes += source.bytes();
    report.bytes_read += source.bytes_read();
    report.in_memory[i] = views_[i]->kept();
    if (sampled) report.closed[i] = sampler_.facts(i).closed;
  }
  report.bytes_read -= read_before_;
}

}  // namespace lamella::stream
