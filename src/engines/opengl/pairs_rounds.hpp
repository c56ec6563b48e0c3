#pragma once

#include <span>

#include "engines/opengl/pairs_job.hpp"
#include "engines/opengl/pairs_matches.hpp"

namespace lamella::opengl {

/// Draws the rounds of gl-pairs, and keeps the images and buffers for it. Members need the context current.
class PairRounds {
 public:
  /// Results of one round. Valid until the next.
  struct Result {
    std::span<const PairRecord> pairs;  ///< where the job wants spans
    std::uint64_t record_count = 0;     ///< pairs and points that the device found, doubles too
    bool more = false;                  ///< there is another round
  };
  /// Facts about the columns after the first round, and about objects after each round.
  struct Facts {
    std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
    std::uint32_t passed_over = 0;              ///< see GroupAnswer
    std::span<const std::uint32_t> incomplete;  ///< per object: whether pairs may be missing, see pairs.cpp
    std::span<const std::uint32_t> skipped;     ///< per object: faces that cannot be placed
  };

  PairRounds(const Gl& gl, const PairLimits& limits, std::uint64_t max_records);

  /// Culls the group's faces, which are on the device, and classifies its columns.
  void begin(const PairJob& job);
  /// Round `number`, from 0; of all objects, or of two.
  Result draw(const PairJob& job, std::uint32_t number, const Candidate* two);
  [[nodiscard]] Facts facts(const PairJob& job) const;
  /// After the last round: the collision points of all rounds, each once; also fetches the sums, unless the job wants
  /// spans. Valid until the next drawing.
  std::span<const PointRecord> gather(const PairJob& job);
  /// Fetches the sums of all rounds until now.
  void fetch_sums(const PairJob& job);
  /// Those that were fetched last, one for each candidate.
  void sums(const PairJob& job, std::vector<PairSum>& out) const { matches_.sums(job.group.grid, out); }
  /// The crossings of the open columns. Valid until the next drawing.
  std::span<const OpenRecord> open_crossings(const PairJob& job);

  double gpu_ms = 0;                  ///< sum over all rounds since it was last set
  std::uint64_t read_back_bytes = 0;  ///< likewise

 private:
  struct Round;
  struct Counters;
  void reserve_images(const PairJob& job);
  void reserve_pairs(const PairJob& job, std::uint64_t count);
  void reserve_out(const PairJob& job, std::uint64_t count);
  void set_round(const PairJob& job, std::uint32_t number);
  void bind_records() const;
  void begin_records(const PairJob& job, const Program& program) const;
  void set_counts(std::uint32_t points, std::uint32_t passed_over) const;
  void peel(const PairJob& job, std::uint32_t layer);
  void record(const PairJob& job);
  void finish(const PairJob& job, const char* doing);
  [[nodiscard]] const Counters& counters() const;

  const Gl* gl_;
  PairLimits limits_;
  std::uint64_t max_records_;
  Program peel_, sum_, count_, open_, back_, points_;
  Framebuffer layers_target_, records_target_;
  Texture layers_, depths_;
  std::uint32_t columns_ = 0, rows_ = 0, slices_ = 0;  ///< of the images
  SamplingBlock sampling_;
  Buffer round_, counters_, columns_words_, pairs_;
  SharedBuffer pairs_back_, out_back_, counters_back_;
  PairMatches matches_;
  std::uint64_t pair_capacity_ = 0, out_capacity_ = 0;
  Query any_;
  GpuTimer timer_;
};

}  // namespace lamella::opengl
