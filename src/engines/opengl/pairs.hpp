#pragma once

#include <optional>
#include <vector>

#include "engines/opengl/gl_device.hpp"
#include "engines/opengl/pairs_order.hpp"
#include "engines/opengl/pairs_rounds.hpp"
#include "engines/pair_finder.hpp"

namespace lamella::opengl {

/// Pairs and collision points of a group, on a GPU. See pairs.cpp.
class GlPairFinder final : public PairFinder, public GlDevice {
 public:
  GlPairFinder(const EngineOptions& options, const PairLimits& limits);
  ~GlPairFinder() override { stop(); }

  void find(const Group& group, const GroupQuery& query, GroupAnswer& out) override;
  [[nodiscard]] bool gives_volumes() const override { return false; }

  /// Number of candidates of the last group that were drawn again, two by two.
  [[nodiscard]] std::uint32_t redraws() const { return redraws_; }

 private:
  struct Objects {
    Objects(Session& session, const PairLimits& limits, std::uint64_t max_records)
        : mesh(session), rounds(session.context.gl(), limits, max_records) {}
    GroupMesh mesh;
    PairRounds rounds;
  };

  void begin(Session& session) override { objects_.emplace(session, limits_, max_records_); }
  void end() override { objects_.reset(); }

  bool look(const PairJob& job, GroupAnswer& out);
  bool draw_rounds(const PairJob& job, const Candidate* two, GroupAnswer& out);
  void take_pairs(const Group& group, std::span<const PairRecord> pairs, GroupAnswer& out);
  static void take_points(const Group& group, std::span<const PointRecord> points, GroupAnswer& out);
  bool redraw_hidden(const PairJob& job, GroupAnswer& out);
  void find_open(const PairJob& job, GroupAnswer& out);
  void count_inside_out(GroupAnswer& out);
  void drop_unfounded(const Group& group, GroupAnswer& out);
  void sort(const Group& group, GroupAnswer& out);
  [[nodiscard]] bool untrusted(std::uint32_t object, std::uint32_t column) const;

  PairLimits limits_;
  std::uint64_t max_records_;
  std::optional<Objects> objects_;
  std::vector<std::uint8_t> reported_;      ///< of candidates: whether there is a span
  std::vector<std::uint32_t> incomplete_;   ///< of objects, see PairRounds::Facts
  std::vector<OpenRecord> open_crossings_;  ///< scratch
  /// Where an object is open or inside out: object << 32 | column.
  std::vector<std::uint64_t> untrusted_;
  std::vector<std::uint64_t> inside_out_;  ///< those where it is inside out
  RecordOrder order_;
  std::vector<PairSpan> spare_spans_;
  std::vector<PairPoint> spare_points_;
  std::vector<PairSum> sums_so_far_;  ///< scratch
  std::uint32_t redraws_ = 0;
};

}  // namespace lamella::opengl
