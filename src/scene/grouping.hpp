#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"

namespace lamella {

/// An object as grouping sees it.
struct PlacedObject {
  std::uint32_t id = 0;  ///< number of its ObjectId
  bool fixed = false;
  MeshView mesh;  ///< in the world
  Aabb box;
  Vec3d center;       ///< of a ball, and of a turned box, that hold it
  double radius = 0;  ///< of the ball
  Vec3d half;         ///< of the turned box's sides
  Vec3d sides[3];     ///< their directions, of length 1
};

/// Whether two objects can meet: their boxes share a volume, their balls do, and their turned boxes do.
[[nodiscard]] bool can_meet(const PlacedObject& a, const PlacedObject& b);

/// Two objects whose boxes share a volume, by their slots, and the axis that looks at it face on.
struct ScenePairCandidate {
  std::uint32_t slot_a = 0, slot_b = 0;
  std::uint64_t key = 0;  ///< a's id, then b's: the order of results
  Axis axis = Axis::z;
};

/// Where a candidate was sampled: place among a group's candidates.
struct GroupPlace {
  std::uint32_t group = ~0u, candidate = 0;
  [[nodiscard]] bool exists() const { return group != ~0u; }
};

/// How fine grids are; see SceneOptions.
struct GridSettings {
  float cell = 0;
  std::optional<Screen> screen;
  std::uint32_t resolution = 128, max_resolution = 2048;
  bool together = false;  ///< one group of all, as published, for engines that pay for every group
};

/// Divides candidates into groups of objects that can touch, one set of groups for each ray axis, and gives each group
/// its grid. Keeps its memory between calls.
class Grouping {
 public:
  void clear();
  /// One axis for all candidates that objects join, as one view of them all wants it: where their shared boxes are
  /// shallowest together. Votes for the axes they have count a little more.
  void share_axes(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                  const GridSettings& settings);
  /// `all_axes`: every candidate on every axis; otherwise on its own alone. `objects` is by slot. Candidates ascend by
  /// key.
  void add_pairs(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, bool all_axes,
                 const GridSettings& settings);
  /// A group of one, to be looked at for itself. Nothing when its box encloses no volume.
  void add_single(std::uint32_t slot, const PlacedObject& object, std::optional<Axis> axis,
                  const GridSettings& settings);

  [[nodiscard]] std::span<const Group> groups() const { return std::span(groups_).first(count_); }
  /// Slots of a group's objects.
  [[nodiscard]] std::span<const std::uint32_t> slots(std::size_t group) const { return slots_[group]; }
  /// Where candidate `i` of the last add_pairs() is seen along an axis.
  [[nodiscard]] GroupPlace place(std::size_t i, int axis) const { return places_[axis][i]; }

 private:
  void add_axis(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, int axis,
                bool all_axes, const GridSettings& settings);
  std::uint32_t find_root(std::uint32_t slot);
  template <class Taken>
  void join(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
            const GridSettings& settings, const Taken& taken);
  [[nodiscard]] std::uint32_t joining_slot(const ScenePairCandidate& c, std::span<const PlacedObject> objects) const;
  std::uint32_t new_group();
  void fill_group(std::uint32_t index, std::span<const PlacedObject> objects, int axis, const GridSettings& settings);

  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> slots_;  ///< of each group
  std::size_t count_ = 0;
  bool part_at_fixed_ = false;  ///< fixed objects join nobody
  std::vector<GroupPlace> places_[3];
  std::vector<Vec3d> depths_;  ///< of a root's candidates along each axis
  std::vector<std::uint32_t> parent_, group_of_root_, place_of_slot_;
};

/// How far two boxes, which share a volume, have to move along an axis to come apart.
[[nodiscard]] double depth_along(const Aabb& a, const Aabb& b, Axis axis);

/// The grid over a group's box, which it may exceed by part of a cell.
[[nodiscard]] Grid make_group_grid(const Aabb& box, Axis axis, const GridSettings& settings);

}  // namespace lamella
