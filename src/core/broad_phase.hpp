#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/math.hpp"

namespace lamella {

/// Whether two boxes share a volume; touching ones do not.
constexpr bool overlap(const Aabb& a, const Aabb& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y && a.min.z < b.max.z &&
         b.min.z < a.max.z;
}

/// Two boxes by number, first < second.
struct BoxPair {
  std::uint32_t first = 0, second = 0;
  friend constexpr auto operator<=>(const BoxPair&, const BoxPair&) = default;
};

/// Sweep and prune over boxes that move little from call to call: Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", 1995.
/// The ends of all boxes are kept sorted along each axis; an insertion sort brings them up to date, and a pair can only
/// begin to overlap where the low end of one passes the high end of the other. A call costs one pass over the ends, and
/// one exchange for each two ends that changed order.
class BroadPhase {
 public:
  /// Numbers are small and reused after removal. An empty box overlaps nothing.
  std::uint32_t add(const Aabb& box);
  void remove(std::uint32_t number);
  void move(std::uint32_t number, const Aabb& box);
  [[nodiscard]] const Aabb& box(std::uint32_t number) const { return boxes_[number]; }
  /// Makes room for so many boxes and pairs.
  void reserve(std::size_t boxes, std::size_t pairs);

  /// All pairs whose boxes share a volume, ascending; valid until the next call. Throws Error when there are more than
  /// `most`, and keeps working afterwards.
  std::span<const BoxPair> update(std::size_t most = kNoLimit);
  static constexpr std::size_t kNoLimit = ~std::size_t{0} >> 4;

 private:
  struct End {
    float at;
    std::uint32_t tag;  ///< box number * 2 + 1 for a low end: at equal positions, high ends sort first
    [[nodiscard]] std::uint32_t number() const { return tag >> 1; }
    [[nodiscard]] bool low() const { return (tag & 1u) != 0; }
  };
  static bool before(const End& a, const End& b) { return a.at < b.at || (a.at == b.at && !a.low() && b.low()); }

  void refresh(int axis);
  void insertion_sort(int axis);
  void sort_afresh(std::size_t most);
  void begin(std::uint32_t a, std::uint32_t b);
  [[noreturn]] void refuse(std::size_t most);
  void merge_begun();

  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> free_;
  std::vector<End> ends_[3];
  std::size_t added_ = 0;       ///< since the last update
  bool afresh_ = false;         ///< pairs_ is not what the last update should have found
  std::size_t most_begun_ = 0;  ///< to keep in begun_: one more shows that there were too many
  std::vector<BoxPair> pairs_, begun_, merged_;
  std::vector<std::uint32_t> active_;
};

}  // namespace lamella
