// George: "Nested dissection of a regular finite element mesh", 1973. A part is divided in two, and the vertices of one
// half that touch the other are eliminated after both. Where a part is large, so that its separator matters, several
// divisions are tried: by a plane across each axis of space, good for compact parts, and by breadth-first distance from
// a far vertex, good for folded and branching ones. Together they need half the operations of the longest axis alone;
// trying them on small parts as well would take longer than it saves.

#include "geometry_image/make/map_dissection.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lamella::gi {

namespace {

constexpr std::size_t kLeaf = 16;     // vertices that are not dissected further
constexpr std::size_t kLarge = 1000;  // vertices of a part for which all divisions are tried
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class Dissector {
 public:
  Dissector(const Disc& disc, const MapWeights& pattern) : disc_(disc), pattern_(pattern) {
    for (std::size_t v = 0; v < disc.positions.size(); ++v)
      if (pattern.start[v] != pattern.start[v + 1]) result_.order.push_back(static_cast<std::uint32_t>(v));
    mark_.assign(disc.positions.size(), kNone);
  }

  Dissection take() {
    dissect({0, result_.order.size()});
    return std::move(result_);
  }

 private:
  /// Of the order.
  struct Range {
    std::size_t begin, end;
    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] std::size_t half() const { return begin + size() / 2; }
  };

  void dissect(Range part) {
    Separator separator;
    std::size_t first = part.begin;
    if (part.size() > kLeaf) {
      const std::size_t low = split(part);
      first = low + (part.end - part.half());
      for (const Range& child : {Range{part.begin, low}, Range{low, first}}) {
        if (child.size() == 0) continue;
        dissect(child);
        ++separator.children;
      }
    }
    separator.first = static_cast<std::uint32_t>(first);
    separator.count = static_cast<std::uint32_t>(part.end - first);
    result_.separators.push_back(separator);
  }

  /// Puts a part in the order low half, high half, separator. Returns where the high half begins.
  std::size_t split(Range part) {
    if (part.size() < kLarge) {
      halve_by_axis(part, longest_axis(part));
    } else {
      halve_by_distance(part);
      std::size_t least = touching(part);
      std::vector<std::uint32_t> best(at(part.begin), at(part.end));
      for (int axis = 0; axis < 3; ++axis) {
        halve_by_axis(part, axis);
        const std::size_t size = touching(part);
        if (size >= least) continue;
        least = size;
        best.assign(at(part.begin), at(part.end));
      }
      std::copy(best.begin(), best.end(), at(part.begin));
    }
    mark_half(part);
    const auto separator = std::stable_partition(at(part.begin), at(part.half()),
                                                 [&](std::uint32_t v) { return !touches(v, next_mark_); });
    std::rotate(separator, at(part.half()), at(part.end));
    return static_cast<std::size_t>(separator - result_.order.begin());
  }

  [[nodiscard]] int longest_axis(Range part) {
    Vec3d low = disc_.positions[result_.order[part.begin]], high = low;
    for (std::size_t i = part.begin; i < part.end; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double value = disc_.positions[result_.order[i]][axis];
        low[axis] = std::min(low[axis], value);
        high[axis] = std::max(high[axis], value);
      }
    const Vec3d extent = high - low;
    return extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  }

  void halve_by_axis(Range part, int axis) {
    // Sorted, though halves would do: their order inside decides roundings, and libraries differ in it.
    std::sort(at(part.begin), at(part.end), [&](std::uint32_t a, std::uint32_t b) {
      const double p = disc_.positions[a][axis], q = disc_.positions[b][axis];
      return p != q ? p < q : a < b;
    });
  }

  /// Orders the part by distance from its first vertex, then from the last of that order.
  void halve_by_distance(Range part) {
    for (int pass = 0; pass < 2; ++pass) {
      const std::uint32_t unseen = ++next_mark_;
      const std::vector<std::uint32_t> all(at(part.begin), at(part.end));
      for (const std::uint32_t v : all) mark_[v] = unseen;
      std::size_t begin = part.begin, end = part.begin;
      const auto visit = [&](std::uint32_t v) {
        if (mark_[v] != unseen) return;
        mark_[v] = kNone;
        result_.order[end++] = v;
      };
      // A part need not be connected: its later vertices start again.
      for (std::size_t seed = all.size(); seed-- > 0;) {
        visit(all[seed]);
        for (; begin < end; ++begin) {
          const std::uint32_t v = result_.order[begin];
          for (std::size_t k = pattern_.start[v]; k < pattern_.start[v + 1]; ++k) visit(pattern_.neighbour[k]);
        }
      }
    }
  }

  void mark_half(Range part) {
    ++next_mark_;
    std::for_each(at(part.half()), at(part.end), [&](std::uint32_t v) { mark_[v] = next_mark_; });
  }

  [[nodiscard]] bool touches(std::uint32_t v, std::uint32_t mark) const {
    for (std::size_t k = pattern_.start[v]; k < pattern_.start[v + 1]; ++k)
      if (mark_[pattern_.neighbour[k]] == mark) return true;
    return false;
  }

  /// How many of the low half touch the high one.
  [[nodiscard]] std::size_t touching(Range part) {
    mark_half(part);
    return static_cast<std::size_t>(
        std::count_if(at(part.begin), at(part.half()), [&](std::uint32_t v) { return touches(v, next_mark_); }));
  }

  [[nodiscard]] std::vector<std::uint32_t>::iterator at(std::size_t i) {
    return result_.order.begin() + static_cast<std::ptrdiff_t>(i);
  }

  const Disc& disc_;
  const MapWeights& pattern_;
  Dissection result_;
  std::vector<std::uint32_t> mark_;  ///< of each vertex: of the last set it was put into
  std::uint32_t next_mark_ = 0;
};

}  // namespace

Dissection dissect(const Disc& disc, const MapWeights& pattern) { return Dissector(disc, pattern).take(); }

}  // namespace lamella::gi
