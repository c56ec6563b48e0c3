#include "scene/grouping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/broad_phase.hpp"
#include "core/grow.hpp"
#include "core/lattice.hpp"
#include "core/origin.hpp"
#include "lamella/error.hpp"
#include "lamella/voi.hpp"

namespace lamella {
namespace {

constexpr std::uint32_t kNone = ~0u;

Aabb shared_box(const Aabb& a, const Aabb& b) {
  Aabb s;
  for (int i = 0; i < 3; ++i) {
    s.min[i] = std::max(a.min[i], b.min[i]);
    s.max[i] = std::min(a.max[i], b.max[i]);
  }
  return s;
}

/// Cells along one image axis that [low, high] touches, and one more on either side for rounding.
void cells_of(float low, float high, float origin, double cell, std::uint32_t cells, std::uint32_t& first,
              std::uint32_t& end) {
  const double count = cells;
  first =
      static_cast<std::uint32_t>(std::clamp(std::floor((low - static_cast<double>(origin)) / cell) - 1, 0.0, count));
  end = static_cast<std::uint32_t>(std::clamp(std::ceil((high - static_cast<double>(origin)) / cell) + 1, 0.0, count));
}

Window window_of(const Aabb& box, const Grid& grid) {
  Window w;
  const int u = grid.u(), v = grid.v();
  cells_of(box.min[u], box.max[u], grid.box.min[u], grid.cell_u(), grid.columns, w.first_u, w.end_u);
  cells_of(box.min[v], box.max[v], grid.box.min[v], grid.cell_v(), grid.rows, w.first_v, w.end_v);
  return w;
}

/// How much nearer two objects can come to each other when their vertices are moved to the lattice: less than this.
double lattice_room(const Grid& grid) { return (grid.cell_u() + grid.cell_v()) * (2.0 / kSubStep); }

double distance_to(const WideBox& box, Vec3d eye) {
  Vec3d d;
  for (int i = 0; i < 3; ++i) d[i] = std::max({box.min[i] - eye[i], 0.0, eye[i] - box.max[i]});
  return std::sqrt(dot(d, d));
}

std::uint64_t area(const Window& w) { return std::uint64_t{w.end_u - w.first_u} * (w.end_v - w.first_v); }

/// Whether it is cheaper to sample two windows as one: they overlap, so that cells would be sampled twice, or the cells
/// between them cost less than another pass over the object's triangles (some 1.5 ns each, a cell about 50).
bool better_as_one(const Window& a, const Window& b, std::size_t triangles) {
  if (overlap(a, b)) return true;
  return (area(unite(a, b)) - area(a) - area(b)) * 32 < triangles;
}

/// Merges windows of one object where that is cheaper; afterwards none overlap.
void merge_windows(std::vector<ObjectWindow>& windows, std::span<const GroupObject> objects) {
  std::sort(windows.begin(), windows.end(), [](const ObjectWindow& x, const ObjectWindow& y) {
    return std::tie(x.object, x.window.first_u, x.window.first_v) <
           std::tie(y.object, y.window.first_u, y.window.first_v);
  });
  std::size_t kept = 0;
  for (const ObjectWindow& next : windows) {
    ObjectWindow merged = next;
    // The merged window may overlap earlier ones.
    for (std::size_t i = kept; i-- > 0 && windows[i].object == merged.object;)
      if (better_as_one(windows[i].window, merged.window, objects[merged.object].mesh.triangles.size())) {
        merged.window = unite(windows[i].window, merged.window);
        std::move(windows.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  windows.begin() + static_cast<std::ptrdiff_t>(kept),
                  windows.begin() + static_cast<std::ptrdiff_t>(i));
        i = --kept;
      }
    windows[kept++] = merged;
  }
  windows.resize(kept);
}

/// Enlarges the box a little along the rays, so that no surface lies on its faces.
void pad_depth(Aabb& box, int w) {
  const float room = 0x1p-10f * (box.max[w] - box.min[w]);
  box.min[w] -= room;
  box.max[w] += room;
}

/// Whether a plane normal to `axis` (of any length) separates the oriented boxes: Gottschalk, Lin, Manocha, "OBBTree",
/// 1996. `room` allows for rounding.
bool apart_along(Vec3d axis, const PlacedObject& a, const PlacedObject& b, double room) {
  const auto reach = [&](const PlacedObject& o) {
    return o.half.x * std::abs(dot(o.sides[0], axis)) + o.half.y * std::abs(dot(o.sides[1], axis)) +
           o.half.z * std::abs(dot(o.sides[2], axis));
  };
  return std::abs(dot(b.center - a.center, axis)) > reach(a) + reach(b) + room;
}

bool turned_boxes_apart(const PlacedObject& a, const PlacedObject& b, double room) {
  for (int i = 0; i < 3; ++i)
    if (apart_along(a.sides[i], a, b, room) || apart_along(b.sides[i], a, b, room)) return true;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (apart_along(cross(a.sides[i], b.sides[k]), a, b, room)) return true;
  return false;
}

}  // namespace

bool bounds_meet(const PlacedObject& a, const PlacedObject& b) {
  const Vec3d d = a.center - b.center;
  const double reach = a.radius + b.radius;
  // Of doubles where the centres are, and of floats relative to an origin nearby.
  const double room = 0x1p-40 * (std::abs(a.center.x) + std::abs(a.center.y) + std::abs(a.center.z)) + 0x1p-20 * reach;
  return dot(d, d) < (reach + room) * (reach + room) && !turned_boxes_apart(a, b, room);
}

double depth_along(const Aabb& a, const Aabb& b, Axis axis) {
  const auto voi = choose_pair_voi(a, b, axis);
  const int i = static_cast<int>(axis);
  return voi ? static_cast<double>(voi->box.max[i]) - voi->box.min[i] : 0;
}

namespace {

/// The cell asked for, or the size of a pixel on the screen; 0: neither. The box is in the world.
double cell_size(const WideBox& box, const GridSettings& settings) {
  if (settings.cell > 0 || !settings.screen) return settings.cell;
  // Not nearer than the group's own size: a viewer inside it would ask for cells of size 0. Powers of two, so that the
  // samples do not change whenever the viewer moves.
  const double away = std::max(distance_to(box, settings.screen->eye), length(box.max - box.min));
  const double pixel = std::min(away * settings.screen->pixel_angle, static_cast<double>(kMaxCoordinate));
  return pixel > 0 ? std::ldexp(1.0, std::ilogb(pixel)) : 0;
}

/// Cells of one size along an image axis, at multiples of that size in the world: samples stay in place while objects
/// move. Above the limit cells grow instead.
std::uint32_t fit_cells(float& low, float& high, double cell, std::uint32_t most) {
  const double first = std::floor(low / cell), last = std::ceil(high / cell);
  if (!(last - first <= most)) return most;  // also where cells are so small that their number overflows
  const double count = std::max(1.0, last - first);
  low = static_cast<float>(first * cell);
  high = static_cast<float>((first + count) * cell);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

Grid make_group_grid(const Aabb& box, Axis axis, const GridSettings& settings, Vec3d origin) {
  Grid grid{box, axis, settings.resolution, settings.resolution};
  const double cell = cell_size(wide_box(box, origin), settings);
  if (!(cell > 0)) return grid;
  grid.columns = fit_cells(grid.box.min[grid.u()], grid.box.max[grid.u()], cell, settings.max_resolution);
  grid.rows = fit_cells(grid.box.min[grid.v()], grid.box.max[grid.v()], cell, settings.max_resolution);
  return grid;
}

void Grouping::clear() {
  count_ = 0;
  for (auto& places : places_) places.clear();
}

/// With room for so many objects, each with two candidates and 4,000 triangles.
void Grouping::add_group(std::size_t objects) {
  constexpr std::size_t kTriangles = 4096;
  Group& g = groups_.emplace_back();
  g.objects.reserve(objects);
  g.windows.reserve(4 * objects);
  g.object_of_block.reserve(objects * (kTriangles / kFaceBlock));
  g.candidates.reserve(2 * objects);
  g.first_candidate.reserve(objects + 1);
  slots_.emplace_back().reserve(objects);
}

void Grouping::reserve(std::size_t objects, std::size_t candidates, std::size_t groups, std::size_t group_objects) {
  groups_.reserve(groups);
  slots_.reserve(groups);
  while (groups_.size() < groups) add_group(group_objects);
  for (auto& places : places_) places.reserve(candidates);
  depths_.reserve(objects);
  for (auto* list : {&parent_, &group_of_root_, &place_of_slot_}) list->reserve(objects);
}

std::uint32_t Grouping::new_group(bool of_two) {
  const std::size_t usual = of_two ? 2 : 8;  // most groups have no more objects: they never take memory again
  if (count_ == groups_.size())
    for (std::size_t spare = 1 + count_ / 2; spare > 0; --spare) add_group(usual);
  Group& g = groups_[count_];
  g.objects.clear();
  g.windows.clear();
  g.object_of_block.clear();
  g.candidates.clear();
  g.first_candidate.clear();
  slots_[count_].clear();
  return static_cast<std::uint32_t>(count_++);
}

std::uint32_t Grouping::find_root(std::uint32_t slot) {
  while (parent_[slot] != slot) slot = parent_[slot] = parent_[parent_[slot]];
  return slot;
}

namespace {

/// Whether one grid for all candidates would have coarser cells than asked for: then objects on one floor must not
/// become one group because of the floor.
bool too_wide(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
              const GridSettings& settings) {
  WideBox all;
  for (const ScenePairCandidate& c : candidates)
    all = unite(all, wide_box(shared_box(objects[c.slot_a].box, objects[c.slot_b].box), objects[c.slot_a].origin));
  const double cell = candidates.empty() ? 0 : cell_size(all, settings);
  const Vec3d e = all.max - all.min;
  return !(cell > 0) || std::max({e.x, e.y, e.z}) > cell * settings.max_resolution;
}

}  // namespace

/// The object whose group a candidate belongs to; a fixed object may be in several groups.
std::uint32_t Grouping::joining_slot(const ScenePairCandidate& c, std::span<const PlacedObject> objects) const {
  return part_at_fixed_ && objects[c.slot_a].fixed ? c.slot_b : c.slot_a;
}

/// Joins the slots of each candidate (union-find).
template <class Taken>
void Grouping::join(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                    const GridSettings& settings, const Taken& taken) {
  part_at_fixed_ = !settings.together && too_wide(candidates, objects, settings);
  parent_.resize(objects.size());
  std::iota(parent_.begin(), parent_.end(), 0u);
  std::uint32_t last = kNone;
  for (const ScenePairCandidate& c : candidates) {
    if (!taken(c)) continue;
    const std::uint32_t slot = joining_slot(c, objects);
    const bool parted = part_at_fixed_ && (objects[c.slot_a].fixed || objects[c.slot_b].fixed);
    if (!parted) parent_[find_root(c.slot_a)] = find_root(c.slot_b);
    const bool near = last != kNone && objects[last].origin == objects[slot].origin;
    if (settings.together && near) parent_[find_root(slot)] = find_root(last);
    last = slot;
  }
}

void Grouping::share_axes(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                          const GridSettings& settings) {
  constexpr double kHabit = 0.8;
  if (settings.each_pair()) return;  // each is a group of its own, along its own axis
  join(candidates, objects, settings, [](const ScenePairCandidate&) { return true; });
  depths_.assign(objects.size(), {});
  for (const ScenePairCandidate& c : candidates) {
    Vec3d& sum = depths_[find_root(joining_slot(c, objects))];
    for (int i = 0; i < 3; ++i) {
      const double depth = depth_along(objects[c.slot_a].box, objects[c.slot_b].box, static_cast<Axis>(i));
      sum[i] += depth * (static_cast<int>(c.axis) == i ? kHabit : 1);
    }
  }
  for (ScenePairCandidate& c : candidates) {
    const Vec3d sum = depths_[find_root(joining_slot(c, objects))];
    c.axis = sum.x <= sum.y && sum.x <= sum.z ? Axis::x : sum.y <= sum.z ? Axis::y : Axis::z;
  }
}

void Grouping::add_pairs(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                         bool all_axes, const GridSettings& settings) {
  place_of_slot_.assign(objects.size(), kNone);
  for (int axis = 0; axis < 3; ++axis) {
    resize_with_margin(places_[axis], candidates.size());
    std::fill(places_[axis].begin(), places_[axis].end(), GroupPlace{});
    add_axis(candidates, objects, axis, all_axes, settings);
  }
}

/// Groups along one axis: objects connected by candidates are one group, or each candidate is one.
void Grouping::add_axis(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects, int axis,
                        bool all_axes, const GridSettings& settings) {
  group_of_root_.assign(objects.size(), kNone);
  const auto taken = [&](const ScenePairCandidate& c) { return all_axes || static_cast<int>(c.axis) == axis; };
  const bool each_pair = settings.each_pair();
  if (!each_pair) join(candidates, objects, settings, taken);
  const std::size_t first = count_;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ScenePairCandidate& c = candidates[i];
    if (!taken(c)) continue;
    std::uint32_t own = kNone;
    std::uint32_t& group = each_pair ? own : group_of_root_[find_root(joining_slot(c, objects))];
    if (group == kNone) group = new_group(each_pair);
    Group& g = groups_[group];
    // By slot for now: fill_group() replaces slots by indices, once all members are known.
    places_[axis][i] = {group, static_cast<std::uint32_t>(g.candidates.size())};
    const Aabb shared = shared_box(objects[c.slot_a].box, objects[c.slot_b].box);
    g.candidates.push_back(
        {c.slot_a, c.slot_b, c.axis == static_cast<Axis>(axis), shared.max[axis] - shared.min[axis]});
  }
  for (std::size_t group = first; group < count_; ++group)
    fill_group(static_cast<std::uint32_t>(group), objects, axis, settings);
  add_windows(candidates, objects, axis, first);
}

/// Windows of the groups along one axis, where objects can meet.
void Grouping::add_windows(std::span<const ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                           int axis, std::size_t first_group) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const GroupPlace place = places_[axis][i];
    if (!place.exists()) continue;
    Group& g = groups_[place.group];
    if (candidates[i].gap > lattice_room(g.grid)) continue;
    const Window w =
        window_of(shared_box(objects[candidates[i].slot_a].box, objects[candidates[i].slot_b].box), g.grid);
    if (w.empty()) continue;
    g.windows.push_back({g.candidates[place.candidate].a, w});
    g.windows.push_back({g.candidates[place.candidate].b, w});
  }
  for (Group& g : std::span(groups_).first(count_).subspan(first_group)) {
    merge_windows(g.windows, g.objects);
    for (const ObjectWindow& w : g.windows) g.objects[w.object].window = unite(g.objects[w.object].window, w.window);
  }
}

/// Members, grid and tables of a group whose candidates are known by slot.
void Grouping::fill_group(std::uint32_t index, std::span<const PlacedObject> objects, int axis,
                          const GridSettings& settings) {
  Group& g = groups_[index];
  auto& slots = slots_[index];
  // Members ascend by id, not by slot.
  for (const Candidate& c : g.candidates)
    for (const std::uint32_t slot : {c.a, c.b})
      if (place_of_slot_[slot] == kNone) {
        place_of_slot_[slot] = 0;
        slots.push_back(slot);
      }
  std::sort(slots.begin(), slots.end(),
            [&](std::uint32_t x, std::uint32_t y) { return objects[x].id < objects[y].id; });
  Aabb seen, whole;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    place_of_slot_[slots[i]] = i;
    whole = unite(whole, objects[slots[i]].box);
  }
  for (const Candidate& c : g.candidates) seen = unite(seen, shared_box(objects[c.a].box, objects[c.b].box));
  seen.min[axis] = whole.min[axis];
  seen.max[axis] = whole.max[axis];
  pad_depth(seen, axis);
  g.origin = objects[slots.front()].origin;
  g.grid = make_group_grid(seen, static_cast<Axis>(axis), settings, g.origin);

  std::uint32_t face = 0;
  for (const std::uint32_t slot : slots) {
    const MeshView& mesh = objects[slot].mesh;
    const auto place = static_cast<std::uint32_t>(g.objects.size());
    g.objects.push_back({mesh, {}, face, objects[slot].id});
    const auto blocks = static_cast<std::uint32_t>((mesh.triangles.size() + kFaceBlock - 1) / kFaceBlock);
    if (blocks > (~0u - face) / kFaceBlock)
      throw Error("a group of objects that can touch has more than 2^32 triangles");
    g.object_of_block.insert(g.object_of_block.end(), blocks, place);
    face += blocks * kFaceBlock;
  }
  resize_with_margin(g.first_candidate, slots.size() + 1);
  std::fill(g.first_candidate.begin(), g.first_candidate.end(), 0u);
  for (Candidate& c : g.candidates) {
    c.a = place_of_slot_[c.a];
    c.b = place_of_slot_[c.b];
    ++g.first_candidate[c.a + 1];
  }
  for (std::size_t i = 1; i < g.first_candidate.size(); ++i) g.first_candidate[i] += g.first_candidate[i - 1];
  for (const std::uint32_t slot : slots) place_of_slot_[slot] = kNone;
}

void Grouping::add_single(std::uint32_t slot, const PlacedObject& object, std::optional<Axis> axis,
                          const GridSettings& settings) {
  const auto own = choose_axis(object.box);
  if (!own) return;
  const std::uint32_t index = new_group();
  Group& g = groups_[index];
  Aabb box = object.box;
  const Axis along = axis.value_or(*own);
  pad_depth(box, static_cast<int>(along));
  g.origin = object.origin;
  g.grid = make_group_grid(box, along, settings, g.origin);
  g.objects.push_back({object.mesh, whole(g.grid), 0, object.id});
  g.windows.push_back({0, whole(g.grid)});
  g.object_of_block.assign((object.mesh.triangles.size() + kFaceBlock - 1) / kFaceBlock, 0);
  g.first_candidate.assign(2, 0);
  slots_[index].push_back(slot);
}

}  // namespace lamella
