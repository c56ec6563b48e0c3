#include "stream/placed_source.hpp"

#include <algorithm>

#include "core/mesh_scan.hpp"
#include "core/placement.hpp"
#include "stream/limits.hpp"

namespace lamella::stream {
namespace {

constexpr std::size_t kChunk = 16384;

}  // namespace

PlacedSource::PlacedSource(const StreamedMesh& mesh, std::uint64_t& room, Workers& workers)
    : source_(&mesh.source), workers_(&workers), origin_(mesh.source.origin()) {
  const std::uint64_t needed = vertex_count() * kPerVertex;
  if (needed <= room && vertex_count() != 0) {
    room -= needed;
    kept_ = std::make_unique_for_overwrite<Vec3[]>(vertex_count());
  }
  inspect(true, nullptr);
  if (mesh.scale != 1) {
    add({.scale = mesh.scale});
    origin_ = origin_ * mesh.scale;
  }
  if (is_identity(mesh.pose)) return;
  const Vec3d placed = origin_for(wide_box(world_box(), mesh.pose), kFarFromOrigin);
  add({.scale = 1, .placement = placement_between(mesh.pose, origin_, placed)});
  origin_ = placed;
}

void PlacedSource::move_origin(Vec3d origin) {
  if (origin == origin_) return;
  add({.scale = 1, .placement = placement_between({}, origin_, origin)});
  origin_ = origin;
}

void PlacedSource::apply(const Step& step, std::span<Vec3> positions, std::vector<Vec3>& room) {
  if (step.placement) {
    room.resize(positions.size());
    (void)place_positions(positions, *step.placement, room.data());
    std::copy(room.begin(), room.end(), positions.begin());
  } else {
    for (Vec3& p : positions) p = narrow(to_double(p) * step.scale);
  }
}

void PlacedSource::add(const Step& step) {
  steps_.push_back(step);
  inspect(false, &step);
}

/// Facts of all positions. Kept ones are read where `load` says so, and then take the new step.
void PlacedSource::inspect(bool load, const Step* step) {
  FactsCollector collector;
  workers_->for_chunks(vertex_count(), kChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<Vec3> memory, room;
    std::span<Vec3> some;
    if (kept()) {
      some = {kept_.get() + begin, end - begin};
      if (load) source_->read_positions(begin, some);
      if (step != nullptr) apply(*step, some, room);
    } else {
      memory.resize(end - begin);
      some = memory;
      read(begin, some);
    }
    collector.add(inspect_positions(some));
  });
  facts_ = collector.facts();
}

void PlacedSource::read(std::uint64_t first, std::span<Vec3> out) const {
  std::vector<Vec3> room;
  for (std::size_t done = 0; done < out.size(); done += kChunk) {
    const auto some = out.subspan(done, std::min(kChunk, out.size() - done));
    source_->read_positions(first + done, some);
    for (const Step& step : steps_) apply(step, some, room);
  }
}

}  // namespace lamella::stream
