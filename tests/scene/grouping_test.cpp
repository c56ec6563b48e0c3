// Groups, their grids and their windows, against plain searches.
#include "scene/grouping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/broad_phase.hpp"
#include "lamella/triangles_meet.hpp"
#include "lamella/voi.hpp"
#include "support/closed_meshes.hpp"
#include "support/exact_inside.hpp"

namespace lamella {
namespace {

// --------------------------------------------------------------------------------------------------------- can_meet

bool can_meet(const PlacedObject& a, const PlacedObject& b) { return overlap(a.box, b.box) && bounds_meet(a, b); }

/// A box of half sides `half`, turned and moved; its sphere goes through its corners unless `radius` says otherwise.
struct Turned {
  PlacedObject object;
  Mesh mesh;

  Turned(Vec3d center, Vec3d half, const Quaternion& q, std::optional<double> radius = std::nullopt) {
    mesh = test::box_mesh(to_float(half * -1.0), to_float(half));
    for (Vec3& p : mesh.positions) p = to_float(apply({center, q}, to_double(p)));
    object.mesh = mesh;
    object.box = bounds(mesh);
    object.center = center;
    object.half = half;
    object.radius = radius.value_or(length(half));
    for (int i = 0; i < 3; ++i) {
      Vec3d side;
      side[i] = 1;
      object.sides[i] = rotate(q, side);
    }
  }
};

bool meshes_meet(const Mesh& a, const Mesh& b) {
  if (test::winding_number(a, b.positions[0]) > 0.5 || test::winding_number(b, a.positions[0]) > 0.5) return true;
  for (const Triangle& s : a.triangles)
    for (const Triangle& t : b.triangles) {
      const Vec3 x[3] = {a.positions[s.a], a.positions[s.b], a.positions[s.c]},
                 y[3] = {b.positions[t.a], b.positions[t.b], b.positions[t.c]};
      if (triangles_meet(x, y)) return true;
    }
  return false;
}

Quaternion random_turn(test::Random& random) {
  return normalized({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
}

TEST(CanMeet, TellsWhetherTwoTurnedBoxesMeet) {
  test::Random random(1);
  int meet = 0, apart = 0, only_boxes = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto side = [&] { return static_cast<double>(random.uniform(0.05f, 1)); };
    const Turned a(to_double(random.in({{-1, -1, -1}, {1, 1, 1}})), {side(), side(), side()}, random_turn(random));
    const Turned b(to_double(random.in({{-1, -1, -1}, {1, 1, 1}})), {side(), side(), side()},
                   n % 4 == 0 ? Quaternion{} : random_turn(random));
    const bool truth = meshes_meet(a.mesh, b.mesh);
    EXPECT_EQ(can_meet(a.object, b.object), truth) << n;
    EXPECT_EQ(can_meet(b.object, a.object), truth) << n;
    (truth ? meet : apart) += 1;
    only_boxes += !truth && overlap(a.object.box, b.object.box);
  }
  EXPECT_GT(meet, 500);
  EXPECT_GT(apart, 500);
  EXPECT_GT(only_boxes, 100);
}

TEST(CanMeet, NeedsTheSpheresToShareAVolume) {
  // Boxes that overlap at their corners, where the bodies in them, which are balls, have nothing.
  const Turned a({0, 0, 0}, {1, 1, 1}, {}, 1.0);
  for (const double away : {0.5, 1.1, 1.2, 1.5}) {
    const Turned b({away, away, away}, {1, 1, 1}, {}, 1.0);
    EXPECT_EQ(can_meet(a.object, b.object), away * std::sqrt(3.0) < 2) << away;
    EXPECT_EQ(can_meet(b.object, a.object), away * std::sqrt(3.0) < 2) << away;
  }
  const Turned small({1.1, 1.1, 1.1}, {1, 1, 1}, {}, 0.8), large({1.1, 1.1, 1.1}, {1, 1, 1}, {}, 1.2);
  EXPECT_FALSE(can_meet(a.object, small.object));
  EXPECT_TRUE(can_meet(a.object, large.object));
}

TEST(CanMeet, IsAsExactFarFromTheOriginAsNearIt) {
  // A hair apart. What is near them is placed relative to an origin nearby, so that there is no more rounding far away.
  const Turned a({1e6, 0, 0}, {1, 1, 1}, rotation_about({0, 0, 1}, 0.5));
  const Vec3d away = rotate(rotation_about({0, 0, 1}, 0.5), {2.0001, 0, 0});
  const Turned b(Vec3d{1e6, 0, 0} + away, {1, 1, 1}, rotation_about({0, 0, 1}, 0.5));
  EXPECT_FALSE(bounds_meet(a.object, b.object));
  EXPECT_TRUE(bounds_meet(a.object,
                          Turned(Vec3d{1e6, 0, 0} + away * 0.9999, {1, 1, 1}, rotation_about({0, 0, 1}, 0.5)).object));
  const Turned c({0, 0, 0}, {1, 1, 1}, rotation_about({0, 0, 1}, 0.5));
  const Turned d(away, {1, 1, 1}, rotation_about({0, 0, 1}, 0.5));
  EXPECT_FALSE(can_meet(c.object, d.object));
}

// ------------------------------------------------------------------------------------------------------------- grids

TEST(DepthAlong, IsTheShorterWayThatSeparatesTheBoxes) {
  test::Random random(2);
  int apart = 0;
  for (int n = 0; n < 200; ++n) {
    const auto box = [&] {
      const Vec3 low = random.in({{-1, -1, -1}, {1, 1, 1}});
      return Aabb{low, low + random.in({{0.1f, 0.1f, 0.1f}, {2, 2, 2}})};
    };
    const Aabb a = box(), b = box();
    for (int axis = 0; axis < 3; ++axis) {
      const double up = a.max[axis] - b.min[axis], down = b.max[axis] - a.min[axis];
      EXPECT_NEAR(depth_along(a, b, static_cast<Axis>(axis)), overlap(a, b) ? std::min(up, down) : 0, 1e-6);
    }
    apart += !overlap(a, b);
  }
  EXPECT_GT(apart, 20);
}

/// Cells of an exact size: the fewest at multiples of it that cover the interval.
void expect_cells(float low, float high, double cell, float box_low, float box_high, std::uint32_t count) {
  std::int64_t first = 0, end = 0;
  while (static_cast<double>(first) * cell > low) --first;
  while (static_cast<double>(first + 1) * cell <= low) ++first;
  end = first + 1;
  while (static_cast<double>(end) * cell < high) ++end;
  EXPECT_EQ(count, end - first);
  EXPECT_EQ(box_low, static_cast<float>(static_cast<double>(first) * cell));
  EXPECT_EQ(box_high, static_cast<float>(static_cast<double>(end) * cell));
}

TEST(GroupGrid, HasCellsOfTheSizeAskedForAtMultiplesOfIt) {
  test::Random random(3);
  for (int n = 0; n < 200; ++n) {
    const Vec3 low = random.in({{-3, -3, -3}, {3, 3, 3}});
    const Aabb box{low, low + random.in({{0.01f, 0.01f, 0.01f}, {2, 2, 2}})};
    const auto axis = static_cast<Axis>(n % 3);
    const float cell = random.uniform(0.02f, 0.5f);
    const Grid grid = make_group_grid(box, axis, {.cell = cell, .resolution = 7, .max_resolution = 500});
    EXPECT_EQ(grid.axis, axis);
    expect_cells(box.min[grid.u()], box.max[grid.u()], cell, grid.box.min[grid.u()], grid.box.max[grid.u()],
                 grid.columns);
    expect_cells(box.min[grid.v()], box.max[grid.v()], cell, grid.box.min[grid.v()], grid.box.max[grid.v()], grid.rows);
    EXPECT_EQ(grid.box.min[grid.w()], box.min[grid.w()]);
    EXPECT_EQ(grid.box.max[grid.w()], box.max[grid.w()]);
  }
}

TEST(GroupGrid, WithoutACellSizeHasTheResolutionOverTheBox) {
  const Aabb box{{0.1f, 0.2f, 0.3f}, {1, 2, 3}};
  const Grid grid = make_group_grid(box, Axis::y, {.resolution = 23, .max_resolution = 5});
  EXPECT_EQ(grid, (Grid{box, Axis::y, 23, 23}));
}

TEST(GroupGrid, WhereThereWouldBeTooManyCellsTheyGrow) {
  // Along z, 2 x 4: 8 and 16 cells.
  const Aabb box{{0, 0, 0}, {2, 4, 1}};
  for (const std::uint32_t most : {16u, 15u, 8u, 7u, 1u}) {
    const Grid grid = make_group_grid(box, Axis::z, {.cell = 0.25f, .max_resolution = most});
    EXPECT_EQ(grid.columns, std::min(8u, most));
    EXPECT_EQ(grid.rows, std::min(16u, most));
    EXPECT_EQ(grid.box, box);
  }
  // A box of no width still has a cell.
  const Grid flat = make_group_grid({{0.5f, 0, 0}, {0.5f, 1, 1}}, Axis::z, {.cell = 0.25f});
  EXPECT_EQ(flat.columns, 1u);
  EXPECT_EQ(flat.box.min.x, 0.5f);
  EXPECT_EQ(flat.box.max.x, 0.75f);
}

TEST(GroupGrid, OnAScreenHasCellsOfAPixelRoundedDownToAPowerOfTwo) {
  const Aabb box{{-1, -0.5f, -0.5f}, {1, 0.5f, 0.5f}};
  const double size = std::sqrt(6.0);
  test::Random random(4);
  int inside = 0, beside = 0, far = 0;
  for (int n = 0; n < 300; ++n) {
    // Within the group, just outside it, and far from it.
    const float reach = n % 3 == 0 ? 1.0f : n % 3 == 1 ? 3.0f : 30.0f;
    const Vec3d eye = to_double(random.in({{-reach, -reach, -reach}, {reach, reach, reach}}));
    Vec3d nearest = eye;
    for (int i = 0; i < 3; ++i)
      nearest[i] = std::clamp(eye[i], static_cast<double>(box.min[i]), static_cast<double>(box.max[i]));
    const double distance = length(eye - nearest), angle = 0.01 + 0.0001 * n;
    const double pixel = std::max(distance, size) * angle;
    double cell = 1024;
    while (cell > pixel) cell /= 2;
    const Grid grid = make_group_grid(box, static_cast<Axis>(n % 3), {.screen = Screen{eye, angle}});
    EXPECT_EQ(grid.cell_u(), cell) << n;
    EXPECT_EQ(grid.cell_v(), cell) << n;
    inside += distance == 0;
    beside += distance > 0 && distance < size;
    far += distance > size;
  }
  EXPECT_GT(std::min({inside, beside, far}), 15);
}

TEST(GroupGrid, OfPixelsLargerThanAnythingIsOneCellAndOfSmallerOnesAllThatAreAllowed) {
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  for (const double angle : {1e-320, 1e300})
    for (const double away : {1e-10, 1e150}) {
      const GridSettings settings{.screen = Screen{{away, 0, 0}, angle}, .max_resolution = 9};
      EXPECT_EQ(make_group_grid(box, Axis::z, settings).columns, angle > 1 ? 1u : 9u) << angle << ' ' << away;
    }
  EXPECT_EQ(make_group_grid(box, Axis::z, {.cell = 0.5f, .screen = Screen{{100, 0, 0}, 0.1}}).columns, 2u);
}

// ------------------------------------------------------------------------------------------------------------ groups

struct World {
  std::vector<Mesh> meshes;
  std::vector<PlacedObject> objects;  ///< by slot
  std::vector<ScenePairCandidate> candidates;

  void add(std::uint32_t id, const Aabb& box, bool fixed, std::size_t triangles) {
    meshes.push_back({{{0, 0, 0}}, std::vector<Triangle>(triangles)});
    objects.push_back({});
    objects.back().id = id;
    objects.back().box = box;
    objects.back().fixed = fixed;
  }
  /// Every two objects that share a volume and are not both fixed, ascending by id.
  void find_candidates(test::Random& random) {
    for (std::size_t i = 0; i < objects.size(); ++i) objects[i].mesh = meshes[i];
    for (std::uint32_t x = 0; x < objects.size(); ++x)
      for (std::uint32_t y = 0; y < objects.size(); ++y) {
        if (objects[x].id >= objects[y].id || (objects[x].fixed && objects[y].fixed)) continue;
        if (!overlap(objects[x].box, objects[y].box)) continue;
        candidates.push_back(
            {x, y, std::uint64_t{objects[x].id} << 32 | objects[y].id, static_cast<Axis>(random.below(3))});
      }
    std::sort(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) { return x.key < y.key; });
  }
  [[nodiscard]] Aabb shared(const ScenePairCandidate& c) const {
    Aabb s;
    for (int i = 0; i < 3; ++i) {
      s.min[i] = std::max(objects[c.slot_a].box.min[i], objects[c.slot_b].box.min[i]);
      s.max[i] = std::min(objects[c.slot_a].box.max[i], objects[c.slot_b].box.max[i]);
    }
    return s;
  }
};

World random_world(test::Random& random) {
  World world;
  const std::uint32_t count = 2 + random.below(12);
  std::vector<std::uint32_t> ids(count);
  for (std::uint32_t i = 0; i < count; ++i) ids[i] = 3 * i + random.below(3);
  for (std::uint32_t i = count; i-- > 1;) std::swap(ids[i], ids[random.below(i + 1)]);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 low = random.in({{-4, -4, -4}, {4, 4, 4}});
    const bool wide = random.below(6) == 0;
    const Vec3 size = random.in({{0.5f, 0.5f, 0.5f}, {3, 3, 3}}) * (wide ? 3.0f : 1.0f);
    world.add(ids[i], {low, low + size}, random.below(4) == 0, 1 + random.below(random.below(4) == 0 ? 3000 : 700));
  }
  world.find_candidates(random);
  return world;
}

GridSettings random_settings(test::Random& random) {
  GridSettings settings;
  if (random.below(2) == 0) settings.cell = random.uniform(0.05f, 0.3f);
  settings.resolution = 4 + random.below(60);
  static constexpr std::uint32_t kMost[] = {8, 30, 60, 2048};
  settings.max_resolution = kMost[random.below(4)];
  settings.together = random.below(4) == 0;
  return settings;
}

/// Whether fixed objects part groups: unless all go together, when one grid for all would be too coarse.
bool parted(const World& world, const GridSettings& settings) {
  if (settings.together) return false;
  if (settings.cell == 0) return true;
  Aabb all;
  for (const auto& c : world.candidates) all = unite(all, world.shared(c));
  for (int i = 0; i < 3; ++i)
    if (extent(all)[i] > static_cast<double>(settings.cell) * settings.max_resolution) return true;
  return false;
}

/// Labels the candidates that are in one group alike: those that have an object in common, again and again.
std::vector<std::size_t> labels_of(const World& world, const std::vector<std::size_t>& taken,
                                   const GridSettings& settings) {
  const bool part = parted(world, settings);
  std::vector<std::size_t> label(world.candidates.size());
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = i;
  if (!settings.together && settings.cell == 0) return label;  // each has a grid of its own
  const auto connected = [&](const ScenePairCandidate& x, const ScenePairCandidate& y) {
    if (settings.together) return true;
    for (const std::uint32_t s : {x.slot_a, x.slot_b})
      for (const std::uint32_t t : {y.slot_a, y.slot_b})
        if (s == t && !(part && world.objects[s].fixed)) return true;
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    for (const std::size_t i : taken)
      for (const std::size_t k : taken)
        if (label[k] > label[i] && connected(world.candidates[i], world.candidates[k])) {
          label[k] = label[i];
          again = true;
        }
  }
  return label;
}

std::uint64_t area(const Window& w) { return std::uint64_t{w.end_u - w.first_u} * (w.end_v - w.first_v); }

bool contains(const Window& outer, const Window& inner) {
  return outer.first_u <= inner.first_u && inner.end_u <= outer.end_u && outer.first_v <= inner.first_v &&
         inner.end_v <= outer.end_v;
}

/// The cells that a box touches across the rays, and one more around them.
Window cells_around(const Aabb& box, const Grid& grid) {
  const auto along = [&](int axis, double cell, std::uint32_t cells, std::uint32_t& first, std::uint32_t& end) {
    const double origin = grid.box.min[axis];
    std::int64_t low = 0, high = 0;
    while (low > -2 && origin + static_cast<double>(low) * cell > box.min[axis]) --low;
    while (origin + static_cast<double>(low + 1) * cell <= box.min[axis]) ++low;
    while (origin + static_cast<double>(high) * cell < box.max[axis]) ++high;
    first = static_cast<std::uint32_t>(std::clamp<std::int64_t>(low - 1, 0, cells));
    end = static_cast<std::uint32_t>(std::clamp<std::int64_t>(high + 1, 0, cells));
  };
  Window w;
  along(grid.u(), grid.cell_u(), grid.columns, w.first_u, w.end_u);
  along(grid.v(), grid.cell_v(), grid.rows, w.first_v, w.end_v);
  return w;
}

/// Rounding may put an end that lies on a cell's border into the next cell.
bool nearly(const Window& x, const Window& y) {
  const auto near = [](std::uint32_t a, std::uint32_t b) { return a <= b + 1 && b <= a + 1; };
  return near(x.first_u, y.first_u) && near(x.end_u, y.end_u) && near(x.first_v, y.first_v) && near(x.end_v, y.end_v);
}

void expect_windows(const Group& g, const std::vector<std::pair<std::uint32_t, Window>>& wanted) {
  for (std::size_t i = 0; i < g.windows.size(); ++i) {
    const ObjectWindow& w = g.windows[i];
    EXPECT_TRUE(i == 0 || g.windows[i - 1].object <= w.object);
    // Around the windows of candidates within it, no larger.
    Window around;
    int within = 0;
    for (const auto& [object, window] : wanted)
      if (object == w.object && contains(w.window, window)) around = unite(around, window), ++within;
    EXPECT_TRUE(nearly(around, w.window));
    EXPECT_GE(within, 1);
    for (std::size_t k = 0; k < i; ++k) {
      const ObjectWindow& other = g.windows[k];
      if (other.object != w.object) continue;
      EXPECT_FALSE(overlap(w.window, other.window));
      const std::uint64_t more = area(unite(w.window, other.window)) - area(w.window) - area(other.window);
      EXPECT_GE(more * 32, g.objects[w.object].mesh.triangles.size()) << "cheaper as one";
    }
  }
  for (std::uint32_t i = 0; i < g.objects.size(); ++i) {
    Window all;
    for (const ObjectWindow& w : g.windows)
      if (w.object == i) all = unite(all, w.window);
    EXPECT_EQ(g.objects[i].window, all);
  }
  for (const auto& [object, window] : wanted) {
    const auto covers = [&, o = object, w = window](const ObjectWindow& x) {
      return x.object == o && contains(x.window, w);
    };
    EXPECT_TRUE(std::any_of(g.windows.begin(), g.windows.end(), covers));
  }
}

void expect_group(const Grouping& grouping, std::size_t index, const World& world, const std::vector<std::size_t>& of,
                  int axis, const GridSettings& settings) {
  const Group& g = grouping.groups()[index];
  std::map<std::uint32_t, std::uint32_t> by_id;  // id, slot
  Aabb seen, whole;
  for (const std::size_t i : of) {
    const ScenePairCandidate& c = world.candidates[i];
    by_id[world.objects[c.slot_a].id] = c.slot_a;
    by_id[world.objects[c.slot_b].id] = c.slot_b;
    seen = unite(seen, world.shared(c));
  }
  ASSERT_EQ(g.objects.size(), by_id.size());
  std::uint32_t place = 0, face = 0;
  std::vector<std::uint32_t> blocks;
  std::map<std::uint32_t, std::uint32_t> place_of_id;
  for (const auto& [id, slot] : by_id) {
    EXPECT_EQ(grouping.slots(index)[place], slot);
    EXPECT_EQ(g.objects[place].id, id);
    EXPECT_EQ(g.objects[place].mesh.triangles.data(), world.meshes[slot].triangles.data());
    EXPECT_EQ(g.objects[place].first_face, face);
    for (std::size_t t = 0; t < world.meshes[slot].triangles.size(); t += 256) blocks.push_back(place);
    face = static_cast<std::uint32_t>(blocks.size()) * 256;
    whole = unite(whole, world.objects[slot].box);
    place_of_id[id] = place++;
  }
  EXPECT_EQ(g.object_of_block, blocks);
  const float room = (whole.max[axis] - whole.min[axis]) / 1024;
  seen.min[axis] = whole.min[axis] - room;
  seen.max[axis] = whole.max[axis] + room;
  EXPECT_EQ(g.grid, make_group_grid(seen, static_cast<Axis>(axis), settings));

  ASSERT_EQ(g.candidates.size(), of.size());
  std::vector<std::uint32_t> first(place + 1, 0);
  std::vector<std::pair<std::uint32_t, Window>> windows;
  for (std::uint32_t k = 0; k < of.size(); ++k) {
    const ScenePairCandidate& c = world.candidates[of[k]];
    const std::uint32_t a = place_of_id[world.objects[c.slot_a].id], b = place_of_id[world.objects[c.slot_b].id];
    EXPECT_EQ(g.candidates[k].a, a);
    EXPECT_EQ(g.candidates[k].b, b);
    EXPECT_EQ(g.candidates[k].points, static_cast<int>(c.axis) == axis);
    EXPECT_EQ(g.candidates[k].depth, extent(world.shared(c))[axis]);
    EXPECT_EQ(grouping.place(of[k], axis).group, index);
    EXPECT_EQ(grouping.place(of[k], axis).candidate, k);
    for (std::uint32_t later = a + 1; later <= place; ++later) ++first[later];
    const Window w = cells_around(world.shared(c), g.grid);
    if (!w.empty()) windows.insert(windows.end(), {{a, w}, {b, w}});
  }
  EXPECT_EQ(g.first_candidate, first);
  expect_windows(g, windows);
}

TEST(Grouping, PutsTogetherWhatCanTouchAlongEachAxis) {
  test::Random random(5);
  Grouping grouping;
  std::size_t with_many = 0, parts = 0;
  for (int n = 0; n < 800; ++n) {
    SCOPED_TRACE(n);
    const World world = random_world(random);
    const GridSettings settings = random_settings(random);
    const bool all_axes = n % 2 == 0;
    grouping.clear();
    grouping.add_pairs(world.candidates, world.objects, all_axes, settings);
    std::size_t index = 0;
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<std::size_t> taken;
      for (std::size_t i = 0; i < world.candidates.size(); ++i) {
        const bool here = all_axes || static_cast<int>(world.candidates[i].axis) == axis;
        EXPECT_EQ(grouping.place(i, axis).exists(), here);
        if (here) taken.push_back(i);
      }
      const std::vector<std::size_t> labels = labels_of(world, taken, settings);
      std::map<std::size_t, std::vector<std::size_t>> groups;
      for (const std::size_t i : taken) groups[labels[i]].push_back(i);
      for (const auto& [label, of] : groups) {
        ASSERT_LT(index, grouping.groups().size());
        expect_group(grouping, index++, world, of, axis, settings);
        if (HasFatalFailure()) return;
        with_many += of.size() > 2;
      }
    }
    EXPECT_EQ(grouping.groups().size(), index);
    parts += parted(world, settings);
  }
  EXPECT_GT(with_many, 200u);
  EXPECT_GT(parts, 50u);
}

TEST(Grouping, GivesAGroupTheAxisAlongWhichItsPairsAreShallowest) {
  test::Random random(6);
  Grouping grouping;
  int changed = 0, habit = 0;
  for (int n = 0; n < 800; ++n) {
    World world = random_world(random);
    const GridSettings settings = random_settings(random);
    std::vector<std::size_t> all(world.candidates.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const std::vector<std::size_t> labels = labels_of(world, all, settings);
    std::vector<ScenePairCandidate> shared = world.candidates;
    grouping.clear();
    grouping.share_axes(shared, world.objects, settings);
    for (std::size_t i = 0; i < all.size(); ++i) {
      double sum[3] = {0, 0, 0}, plain[3] = {0, 0, 0};
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (labels[k] != labels[i]) continue;
        const ScenePairCandidate& c = world.candidates[k];
        for (int axis = 0; axis < 3; ++axis) {
          const double depth =
              depth_along(world.objects[c.slot_a].box, world.objects[c.slot_b].box, static_cast<Axis>(axis));
          sum[axis] += static_cast<int>(c.axis) == axis ? 0.8 * depth : depth;
          plain[axis] += depth;
        }
      }
      const bool each_alone = !settings.together && settings.cell == 0;  // and keeps its axis
      const auto least = each_alone ? static_cast<int>(world.candidates[i].axis) : std::min_element(sum, sum + 3) - sum;
      EXPECT_EQ(static_cast<int>(shared[i].axis), least) << n;
      changed += shared[i].axis != world.candidates[i].axis;
      habit += !each_alone && least != std::min_element(plain, plain + 3) - plain;
    }
  }
  EXPECT_GT(std::min(changed, habit), 50);
}

TEST(Grouping, SamplesTwoEndsOfAnObjectApartUnlessTheCellsBetweenCostLessThanItsTriangles) {
  // A beam with a box at either end. Along z, cells of 0.5: windows of 3 x 4 cells, 16 columns between them.
  for (const std::size_t triangles : {100u, 16u * 4 * 32, 16u * 4 * 32 + 1}) {
    World world;
    world.add(0, {{0.25f, 0.25f, 0.25f}, {10.75f, 1.75f, 0.75f}}, false, triangles);
    world.add(1, {{0.25f, 0.25f, 0.25f}, {0.75f, 1.75f, 0.75f}}, false, 12);
    world.add(2, {{10.25f, 0.25f, 0.25f}, {10.75f, 1.75f, 0.75f}}, false, 12);
    test::Random random(7);
    world.find_candidates(random);
    for (ScenePairCandidate& c : world.candidates) c.axis = Axis::z;
    Grouping grouping;
    grouping.add_pairs(world.candidates, world.objects, false, {.cell = 0.5f});
    ASSERT_EQ(grouping.groups().size(), 1u);
    const Group& g = grouping.groups()[0];
    EXPECT_EQ(g.grid.columns, 22u);
    EXPECT_EQ(g.grid.rows, 4u);
    const bool one = triangles > 16u * 4 * 32;
    std::size_t of_beam = 0;
    for (const ObjectWindow& w : g.windows) of_beam += w.object == 0;
    EXPECT_EQ(of_beam, one ? 1u : 2u) << triangles;
  }
}

TEST(Grouping, AnObjectAloneIsSampledWhole) {
  World world;
  world.add(5, {{0, 0, 0}, {1, 3, 2}}, false, 300);
  world.objects[0].mesh = world.meshes[0];
  Grouping grouping;
  grouping.add_single(4, world.objects[0], std::nullopt, {.resolution = 10});
  grouping.add_single(4, world.objects[0], Axis::z, {.resolution = 10});
  PlacedObject flat = world.objects[0];
  flat.box.max.y = 0;
  grouping.add_single(4, flat, std::nullopt, {.resolution = 10});
  ASSERT_EQ(grouping.groups().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Group& g = grouping.groups()[i];
    const Axis axis = i == 0 ? Axis::x : Axis::z;
    Aabb box = world.objects[0].box;
    const float room = extent(box)[static_cast<int>(axis)] / 1024;
    box.min[static_cast<int>(axis)] -= room;
    box.max[static_cast<int>(axis)] += room;
    EXPECT_EQ(g.grid, (Grid{box, axis, 10, 10}));
    ASSERT_EQ(g.objects.size(), 1u);
    EXPECT_EQ(g.objects[0].id, 5u);
    EXPECT_EQ(g.objects[0].window, (Window{0, 0, 10, 10}));
    ASSERT_EQ(g.windows.size(), 1u);
    EXPECT_EQ(g.windows[0].window, (Window{0, 0, 10, 10}));
    EXPECT_EQ(g.object_of_block, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(g.first_candidate, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_TRUE(g.candidates.empty());
    ASSERT_EQ(grouping.slots(i).size(), 1u);
    EXPECT_EQ(grouping.slots(i)[0], 4u);
  }
  grouping.clear();
  EXPECT_TRUE(grouping.groups().empty());
}

}  // namespace
}  // namespace lamella
