#pragma once

#include <span>
#include <vector>

#include "engines/opengl/pairs_job.hpp"

namespace lamella::opengl {

/// What the host gets of a group's pairs and collision points, made on the device: pairs are matched with candidates
/// and summed up, and doubles of points removed. Members need the context current.
class PairMatches {
 public:
  PairMatches(const Gl& gl, const PairLimits& limits, std::uint64_t max_records);

  /// Uploads the candidates, and forgets the sums and points of the last group.
  void begin(const PairJob& job);

  /// Makes room for the points of all rounds; the first `kept` of them stay.
  void reserve_points(const PairJob& job, std::uint64_t count, std::uint64_t kept);
  [[nodiscard]] std::uint64_t point_capacity() const { return capacity_; }

  // Passes. Counters, columns and the round's block must be bound.

  /// For pairs_points.frag: the points and the candidates.
  void bind() const;
  /// As published: one back behind each front. The pairs must be bound.
  void keep_single(std::size_t columns) const;
  /// Sums up the pairs, which must be bound, and copies them to `out` where the host wants them.
  void report(const SharedBuffer& out, std::uint64_t pair_capacity) const;
  /// Writes the points without doubles to the host. The heads of the columns must be 0.
  void gather(const PairJob& job, std::uint64_t point_count);
  /// Copies the sums to the host.
  void fetch_sums() const;

  // After a wait:

  [[nodiscard]] std::span<const PointRecord> points(std::size_t count) const;
  /// One for each candidate, in the units of GroupAnswer::sums.
  void sums(const Grid& grid, std::vector<PairSum>& out) const;
  [[nodiscard]] std::uint64_t sum_bytes() const;

 private:
  const Gl* gl_;
  std::uint64_t max_records_;
  Program single_, report_, link_, unique_;
  Buffer matches_, sums_, points_;
  SharedBuffer sums_back_, points_back_;
  std::uint64_t capacity_ = 0;
  std::uint32_t first_capacity_;
  std::size_t candidate_count_ = 0;
  std::vector<std::uint32_t> table_;  ///< scratch
};

}  // namespace lamella::opengl
