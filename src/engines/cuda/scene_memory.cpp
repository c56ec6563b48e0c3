#include "engines/cuda/scene_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/checks.hpp"

namespace lamella::cuda {
namespace {

constexpr std::uint64_t kMostNumbered = 0xffffffffu;
constexpr const char* kWhat = "the crossings of a scene";

}  // namespace

bool SceneRoom::grow(std::uint64_t crossings_asked, std::uint64_t meetings_asked, std::uint64_t parts_asked,
                     const SceneFrame& frame) {
  bool grown = false;
  const auto ask = [&](std::uint64_t& room, std::uint64_t asked, std::uint64_t had, const char* what) {
    if (asked <= had) return;
    if (asked > kMostNumbered)
      throw Error(
          fmt::format("{} {}: one frame on the GPU can have at most 2^32 - 1; lower the resolution", asked, what));
    room = std::min(with_room(asked), kMostNumbered);
    grown = true;
  };
  ask(crossings, crossings_asked, frame.capacity, "crossings");
  ask(meetings, meetings_asked, frame.meeting_capacity, "stretches that objects share on a ray");
  ask(large_parts, parts_asked, frame.large_capacity, "parts of large triangles");
  return grown;
}

bool SceneMemory::reserve(std::uint32_t columns, const SceneRoom& room, cudaStream_t stream) {
  const auto fragments = static_cast<std::size_t>(room.crossings);
  bool moved = false;
  const auto grow = [&](auto& array, std::size_t count) { moved = array.reserve(count, kWhat) || moved; };
  if (counts_.capacity() < columns) columns_ = 0;
  grow(counts_, columns);
  grow(places_, columns);
  grow(blocks_, sweep_blocks(columns));
  grow(fragments_, fragments);
  grow(keys_, fragments);
  grow(objects_, fragments);
  grow(ends_, fragments);
  grow(meetings_, static_cast<std::size_t>(room.meetings));
  grow(large_, static_cast<std::size_t>(room.large_parts));
  if (columns_ < columns) {
    check(cudaMemsetAsync(counts_.data(), 0, columns * sizeof(std::uint32_t), stream), "empty columns");
    columns_ = columns;
  }
  return moved;
}

void SceneMemory::fill(SceneFrame& f) const {
  f.counts = counts_.data();
  f.places = places_.data();
  f.blocks = blocks_.data();
  f.fragments = fragments_.data();
  f.keys = keys_.data();
  f.objects = objects_.data();
  f.ends = ends_.data();
  f.meetings = meetings_.data();
  f.large = large_.data();
  const auto numbered = [](std::size_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMostNumbered));
  };
  const std::size_t fragments =
      std::min({fragments_.capacity(), keys_.capacity(), objects_.capacity(), ends_.capacity()});
  f.capacity = numbered(fragments);
  f.meeting_capacity = numbered(meetings_.capacity());
  f.large_capacity = numbered(large_.capacity());
}

std::size_t SceneMemory::bytes() const {
  const auto of = [](const auto& array) { return array.capacity() * sizeof(*array.data()); };
  return of(counts_) + of(places_) + of(blocks_) + of(fragments_) + of(keys_) + of(objects_) + of(ends_) +
         of(meetings_) + of(large_);
}

void check_crossings(std::uint64_t crossings, std::uint64_t most) {
  const std::uint64_t limit = std::min(most, kMostNumbered);
  if (crossings > limit) throw too_many_crossings(limit);
}

}  // namespace lamella::cuda
