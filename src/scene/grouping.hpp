#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"
#include "lamella/repair.hpp"
#include "lamella/scene.hpp"

namespace lamella {

/// An object as grouping sees it.
struct PlacedObject {
  std::uint32_t slot = 0;
  std::uint32_t id = 0;  ///< number of its ObjectId
  bool fixed = false;
  bool closed = false;               ///< every ray leaves it as often as it enters it; false: not known
  Vec3d origin;                      ///< what `mesh` and `box` are relative to, besides the world
  MeshView mesh;                     ///< placed, with the fans that close its holes
  const Closure* closure = nullptr;  ///< of its holes; null: none
  Aabb box;
  Vec3d center;       ///< of a bounding sphere and an oriented bounding box, in the world
  double radius = 0;  ///< of the sphere
  Vec3d half;         ///< half the oriented box's sides
  Vec3d sides[3];     ///< their directions, unit
};

/// Whether the bounding spheres and the oriented boxes of two objects share a volume. Their vertices are not needed.
[[nodiscard]] bool bounds_meet(const PlacedObject& a, const PlacedObject& b);

/// Two objects whose boxes share a volume, by their places in the list of placed objects, which has a place for each
/// slot and more for those that are placed several times. Both have the same origin. And the axis that sees that volume
/// face on.
struct ScenePairCandidate {
  std::uint32_t slot_a = 0, slot_b = 0;
  std::uint64_t key = 0;  ///< a's id, then b's: the order of results
  Axis axis = Axis::z;
  float gap = 0;  ///< the objects are at least this far apart
};

/// Where a candidate was sampled: its index among a group's candidates.
struct GroupPlace {
  std::uint32_t group = ~0u, candidate = 0;
  [[nodiscard]] bool exists() const { return group != ~0u; }
};

/// How fine grids are; see SceneOptions.
struct GridSettings {
  float cell = 0;
  std::optional<Screen> screen = std::nullopt;
  std::uint32_t resolution = 128, max_resolution = 2048;
  bool together = false;  ///< one group for all, as published: for engines with a high cost per group

  /// Whether every pair has a grid of its own: it then has all columns, and no other object changes its answer. Where
  /// the size of cells is given, pairs share grids: their cells would be the same.
  [[nodiscard]] bool each_pair() const { return !together && !(cell > 0) && !screen; }
};

/// Divides candidates into groups of objects that can touch, one set of groups for each ray axis, and gives each group
/// its grid. Keeps its memory between calls.
class Grouping {
 public:
  void clear();
  /// Makes room for so many objects and candidates, and for groups of up to so many.
  void reserve(std::size_t objects, std::size_t candidates, std::size_t groups, std::size_t group_objects);
  /// For one view per group: gives all candidates of a group the same axis, along which their shared boxes are
  /// shallowest in total. The axes they have now are preferred a little.
  void share_axes(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                  const GridSettings& settings);
  /// `all_axes`: every candidate along every axis; otherwise along its own axis only. `objects` is by slot. Candidates
  /// ascend by key.
  void add_pairs(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, bool all_axes,
                 const GridSettings& settings);
  /// A group of one object, for its self-overlap and health. Adds nothing when its box encloses no volume.
  void add_single(std::uint32_t slot, const PlacedObject& object, std::optional<Axis> axis,
                  const GridSettings& settings);

  [[nodiscard]] std::span<const Group> groups() const { return std::span(groups_).first(count_); }
  /// Slots of a group's objects.
  [[nodiscard]] std::span<const std::uint32_t> slots(std::size_t group) const { return slots_[group]; }
  /// Where candidate `i` of the last add_pairs() is sampled along an axis.
  [[nodiscard]] GroupPlace place(std::size_t i, int axis) const { return places_[axis][i]; }

 private:
  void add_axis(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, int axis,
                bool all_axes, const GridSettings& settings);
  std::uint32_t find_root(std::uint32_t slot);
  template <class Taken>
  void join(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
            const GridSettings& settings, const Taken& taken);
  [[nodiscard]] std::uint32_t joining_slot(const ScenePairCandidate& c, std::span<const PlacedObject> objects) const;
  std::uint32_t new_group(bool of_two = false);
  void fill_group(std::uint32_t index, std::span<const PlacedObject> objects, int axis, const GridSettings& settings);
  void add_windows(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, int axis,
                   std::size_t first_group);

  void add_group(std::size_t objects);

  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> slots_;  ///< of each group
  std::size_t count_ = 0;
  bool part_at_fixed_ = false;  ///< fixed objects do not join groups
  std::vector<GroupPlace> places_[3];
  std::vector<Vec3d> depths_;  ///< of a root's candidates along each axis
  std::vector<std::uint32_t> parent_, group_of_root_, place_of_slot_;
};

/// How far two boxes that share a volume must move along an axis to separate.
[[nodiscard]] double depth_along(const Aabb& a, const Aabb& b, Axis axis);

/// The grid over a group's box; it may extend beyond the box by part of a cell.
/// `origin`: what the box is relative to. With a cell size, it must be a multiple of it.
[[nodiscard]] Grid make_group_grid(const Aabb& box, Axis axis, const GridSettings& settings, Vec3d origin = {});

}  // namespace lamella
