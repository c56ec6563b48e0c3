#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engines/software/end_kernels.hpp"

namespace lamella::software {

/// Adds up the ends of spans that lie on the same triangle of a mesh. Neighbouring columns mostly end on the same few
/// triangles: those met last have a slot each, by their number, and the one whose slot another triangle needs moves to
/// a list. So a triangle may be in the list several times, and none is looked for.
class FaceTable {
 public:
  void add(std::uint32_t face, std::uint32_t u, std::uint32_t v) {
    FaceEnds& slot = slots_[(face ^ face >> kSlotBits) % kSlots];
    // Without a branch, which could not be predicted. An empty slot moves too, and counts for nothing.
    const bool other = slot.face != face;
    moved_[size_] = slot;
    size_ += other ? 1 : 0;
    const std::uint32_t kept = other ? 0 : ~0u;
    slot = {face, (slot.count & kept) + 1, (slot.u & kept) + u, (slot.v & kept) + v};
  }
  /// How many more can be added before the list is taken.
  [[nodiscard]] std::size_t room() const { return FaceBatch::kCapacity - size_; }
  /// The list, which must be cleared then.
  [[nodiscard]] std::span<const FaceEnds> list() const { return std::span(moved_).first(size_); }
  void clear_list() { size_ = 0; }
  /// Moves all slots from `first` on to the list until it is full; returns where it ended.
  std::size_t move_slots(std::size_t first) {
    for (; first < kSlots && size_ < FaceBatch::kCapacity; ++first) {
      moved_[size_] = slots_[first];
      size_ += slots_[first].count != 0 ? 1 : 0;
      slots_[first] = {};
    }
    return first;
  }
  void clear() {
    slots_.fill({});
    size_ = 0;
  }
  static constexpr std::size_t kSlotBits = 8, kSlots = std::size_t{1} << kSlotBits;

 private:
  std::array<FaceEnds, kSlots> slots_{};
  std::array<FaceEnds, FaceBatch::kPadded> moved_{};
  std::size_t size_ = 0;
};

}  // namespace lamella::software
