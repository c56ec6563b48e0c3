#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "clash/apart.hpp"
#include "clash/candidates.hpp"
#include "clash/classify.hpp"
#include "clash/off_centre.hpp"
#include "clash/parts.hpp"
#include "engines/software/engines.hpp"
#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/distance.hpp"
#include "lamella/separation.hpp"
#include "measure/way_length.hpp"
#include "proof/box_pairs.hpp"

namespace lamella::clash {

/// A part of the volume: with a longer error bar, thin walls and films are looked at more closely.
inline constexpr double kLongBar = 1e-3;

/// Makes the answer of a pair from its sampled overlap: class, distance, way out, regions. Works on one thread, and
/// keeps its memory from pair to pair.
class PairTester {
 public:
  PairTester(std::span<const AssemblyPart> parts, std::span<const MeshFacts> meshes, const ClashOptions& options);

  /// `overlap`: the pair as sampled.
  [[nodiscard]] ClashPair test(const Candidate& candidate, const PairOverlap& overlap);
  /// Of parts whose boxes do not meet: nothing was sampled.
  [[nodiscard]] ClashPair test_gap(const Candidate& candidate);

 private:
  struct Placed {
    MeshView a, b;
    bool whole = false;  ///< both close, and all of their triangles can be used
  };

  /// What placed positions are kept in.
  struct Room {
    std::vector<Vec3> a, b;
  };

  /// Of a film that was sampled across.
  struct FilmWalls {
    bool better = false;   ///< the pair's volume is what was seen so
    double moved = 0;      ///< across it when they were placed for that, both together
    double area = 0;       ///< of one of them
    double thickness = 0;  ///< at most
    Vec3d way_out{};       ///< of the first part, of length 1
  };

  /// A mesh whose placed positions are in `room`.
  [[nodiscard]] static MeshView placed_in(std::vector<Vec3>& room, const MeshView& mesh, const Transform& pose,
                                          Vec3d origin);
  [[nodiscard]] Placed place(const Candidate& candidate, Vec3d origin);
  /// Turned about `middle`, which is then 0.
  [[nodiscard]] Placed place_turned(const Candidate& candidate, Vec3d middle, const Quaternion& turn);
  /// `sampled`: the grid of the pair's overlap.
  void measure_overlap(const Candidate& candidate, const Placed& placed, const Grid& sampled, ClashPair& pair);
  /// Finds the surfaces of an overlap inside the other part, in a box, or in all that the parts' boxes share.
  void sample_details(const Placed& placed, const std::optional<Aabb>& box);
  /// `across`: of a film, if it was sampled so.
  void add_rounding(const Placed& placed, const std::optional<Aabb>& box, const std::optional<FilmWalls>& across,
                    ClashPair& pair);
  [[nodiscard]] bool meets_tolerance(const ClashPair& pair) const;
  [[nodiscard]] std::optional<Axis> symmetric_axis(const Placed& placed, const Grid& sampled);
  [[nodiscard]] bool look_closer(const Placed& placed, ClashPair& pair);
  void look_twice(const Placed& placed, Axis axis, ClashPair& pair);
  [[nodiscard]] std::optional<FilmWalls> look_across_film(const Candidate& candidate, const Placed& placed,
                                                          const std::optional<Aabb>& box, ClashPair& pair);
  void take_film(const Transform& to_world, ClashPair& pair);
  void find_detail_regions(const Placed& placed, const Overlap& detail, ClashPair& pair);
  [[nodiscard]] double rounding_error(double area, double placing, const ClashPair& pair) const;
  /// Of both parts together.
  [[nodiscard]] double moved_by_placing(const Placed& placed, const Aabb& near, const ClashPair& pair) const;
  void classify(const Placed& placed, const OverlapGradient& detail, ClashPair& pair);
  void take_film_depth(const Placed& placed, const FilmWalls& film, ClashPair& pair);
  [[nodiscard]] Placed moved_by(const Placed& placed, Vec3d shift);  ///< the first of them
  [[nodiscard]] bool is_apart_after(const Placed& placed, Vec3d shift);
  void prove_depth(const Placed& placed, double limit, ClashPair& pair);
  void measure_gap(const Candidate& candidate, const Placed& placed, ClashPair& pair);
  [[nodiscard]] bool surfaces_apart(const Placed& placed);
  [[nodiscard]] bool sticks_out(const MeshView& inner, const MeshView& outer);
  void find_missed_overlap(const Candidate& candidate, const Placed& placed, ClashPair& pair);
  [[nodiscard]] std::vector<FoundWay> seen_ways(const Placed& placed, const OverlapGradient& detail);
  void find_way_out(const Placed& placed, const OverlapGradient& detail, ClashPair& pair);
  [[nodiscard]] bool take_shortest(const Placed& placed, ClashPair& pair);
  [[nodiscard]] double proved_length(const Placed& placed, const FoundWay& way);
  void explain(const Candidate& candidate, ClashPair& pair);
  [[nodiscard]] bool wants_depth(const Candidate& candidate) const;
  [[nodiscard]] bool allows_depth(const Candidate& candidate) const;  ///< its rule, some

  std::span<const AssemblyPart> parts_;
  std::span<const MeshFacts> meshes_;
  const ClashOptions& options_;
  Detector fine_;
  std::unique_ptr<software::BoxedEngine> details_;  ///< for views of the overlap alone
  OffCentreViews views_;
  OverlapGradient detail_;
  Overlap coarse_, closer_;
  Workers one_;
  ApartCheck apart_;
  DistanceFinder distances_;
  WayLength lengths_;
  Separator separator_, quick_separator_;
  Room room_, turned_;
  std::vector<Vec3> moved_;
  std::vector<std::uint32_t> corners_;  ///< vertices that triangles use
  Unseen unseen_;                       ///< of the pair that is tested
  std::vector<proof::TriangleBox> boxes_a_, boxes_b_;
};

}  // namespace lamella::clash
