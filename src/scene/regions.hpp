#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"

namespace lamella {

/// The connected regions that two objects share, from the spans of one of its views: spans of neighbouring columns
/// belong together where they are less than two cells apart along the rays. Spans of other views, which run across,
/// join what they connect. Keeps its memory between calls.
class Regions {
 public:
  static constexpr std::uint32_t kNoSpan = ~0u;

  /// Finds the regions of a view, which must have spans: the own view from now on.
  void find(const PairView& own);
  /// Unites regions that a span of another view passes through, and appends to `places` where each of its spans is: the
  /// index of a span of the own view, or kNoSpan where none is near. Both views are relative to the same origin.
  void join(const PairView& other, std::vector<std::uint32_t>& places);
  /// After all views are joined: numbers the regions in the order of their first spans, and returns how many there are.
  std::uint32_t number();
  /// After number(): the region of the own view's i-th span.
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return parent_[i]; }

 private:
  [[nodiscard]] std::uint32_t root(std::uint32_t i);
  void unite(std::uint32_t i, std::uint32_t j);
  void index_columns();
  void connect(std::size_t column, std::size_t neighbour);
  [[nodiscard]] std::uint32_t span_at(Vec3d p) const;
  [[nodiscard]] std::uint32_t span_in(std::int64_t u, std::int64_t v, double depth) const;

  PairView view_;
  double near_ = 0;  ///< along the rays: what is closer belongs together
  std::uint32_t first_u_ = 0, first_v_ = 0, width_ = 0, height_ = 0;  ///< the columns that have spans
  std::vector<std::uint32_t> first_;                                  ///< by such a column: its first span
  std::uint32_t count_ = 0;                                           ///< of regions so far
  std::vector<std::uint32_t> parent_;  ///< by span: of its set; once numbered, its region
};

}  // namespace lamella
