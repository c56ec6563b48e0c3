#pragma once

#include <span>

#include "engines/opengl/pairs_mesh.hpp"
#include "engines/opengl/sampling.hpp"

namespace lamella::opengl {

// Records that the device writes, as in shaders/pairs*. Depths beyond the box are not yet moved onto its faces.

inline constexpr std::uint32_t kNobody = ~0u;

struct PairRecord {
  std::uint32_t next = 0;
  std::uint32_t column = 0;
  std::uint32_t front_object = 0,
                front_face = 0;  ///< kNobody: the back's object is inside out there
  float front_depth = 0;
  std::uint32_t back_object = 0, back_face = 0;
  float back_depth = 0;
};
static_assert(sizeof(PairRecord) == 32);

struct PointRecord {
  std::uint32_t column = 0, facing = 0;
  std::uint32_t face = 0, other_face = 0;
  float depth = 0, other_depth = 0;
};
static_assert(sizeof(PointRecord) == 24);

struct OpenRecord {
  std::uint32_t column = 0;
  std::uint32_t object_and_facing = 0;
};
static_assert(sizeof(OpenRecord) == 8);

/// Limits of what the device keeps. Values other than the defaults are for tests.
struct PairLimits {
  std::uint32_t layers = 16;        ///< of front faces that a back is compared with; at least 4
  std::uint32_t records = 1 << 14;  ///< for which there is room at first
};

/// Input of a group's drawing.
struct PairJob {
  Session& session;
  const Group& group;
  const GroupQuery& query;
  GroupMesh& mesh;
};

/// Draws the rounds of gl-pairs, and keeps the images and buffers for it. Members need the context current.
class PairRounds {
 public:
  /// Results of one round. Valid until the next.
  struct Result {
    std::span<const PairRecord> pairs;
    std::span<const PointRecord> points;
    bool more = false;  ///< there is another round
  };
  /// Facts about the columns after the first round, and about objects after each round.
  struct Facts {
    std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
    std::span<const std::uint32_t> incomplete;  ///< per object: whether pairs may be missing, see pairs.cpp
    std::span<const std::uint32_t> skipped;     ///< per object: faces that cannot be placed
  };

  PairRounds(const Gl& gl, const PairLimits& limits, std::uint64_t max_records);

  /// Culls the group's faces, which are on the device, and classifies its columns.
  void begin(const PairJob& job);
  /// Round `number`, from 0; of all objects, or of two.
  Result draw(const PairJob& job, std::uint32_t number, const Candidate* two);
  [[nodiscard]] Facts facts(const PairJob& job) const;
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
  [[nodiscard]] std::uint64_t room(const PairJob& job, std::uint64_t count, std::size_t size) const;
  void set_round(const PairJob& job, std::uint32_t number);
  void bind_records(const SharedBuffer& out) const;
  void begin_records(const PairJob& job, const Program& program) const;
  void clear_words(const Buffer& buffer, std::size_t first, std::size_t count) const;
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
  std::uint64_t pair_capacity_ = 0, out_capacity_ = 0;
  Query any_;
  GpuTimer timer_;
};

}  // namespace lamella::opengl
