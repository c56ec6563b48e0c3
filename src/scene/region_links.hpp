#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"

namespace lamella {

/// Which regions of a pair are so near to one another that they count as one contact, wholly or in part. Keeps its
/// memory between calls.
class RegionLinks {
 public:
  /// How much another region counts: above 0, at most 1.
  struct Link {
    std::uint32_t region = 0;
    double weight = 0;
  };

  /// `areas`: of each region, seen along the rays; `shared`: the box that both objects share. Then all views of the
  /// pair, with the region of each span or ~0, then join().
  void start(std::span<const double> areas, const Aabb& shared);
  void add(const PairView& view, std::span<const std::uint32_t> regions);
  void join();
  /// The other regions that count for a region. They have the same weight both ways.
  [[nodiscard]] std::span<const Link> of(std::uint32_t region) const {
    return std::span(links_).subspan(first_[region], first_[region + 1] - first_[region]);
  }

 private:
  /// A region, and what was joined to it.
  struct Cluster {
    std::uint32_t region = 0;
    Aabb box;                       ///< of the region
    std::vector<Aabb> pieces;       ///< of the region, one for each block of the shared box that it is in
    double area = 0;                ///< of all
    double weakest = 1;             ///< of the links that hold it together
    std::vector<unsigned> members;  ///< all that were joined, by their places
  };

  void add_piece(unsigned place, std::size_t block, const Aabb& box);
  void measure_gaps();
  void join_closest();
  void list_links();

  Aabb shared_;
  std::vector<std::uint32_t> order_;  ///< of the regions, by area
  std::vector<unsigned> place_;       ///< by region: its cluster, or kNone
  std::vector<Cluster> clusters_;     ///< at first one for each of the largest regions
  std::size_t count_ = 0;             ///< of these
  std::vector<std::uint32_t> piece_;  ///< by cluster and block: its piece, or kNone
  std::vector<double> gap_, weight_;  ///< of each two clusters, by their places
  std::vector<std::uint32_t> first_;
  std::vector<Link> links_;
};

}  // namespace lamella
