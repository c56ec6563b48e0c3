// Scenes of a few small meshes that move, deform, come and go, with every option varied. Pairs and volumes are compared
// with images of the two objects on the grid of their group; contacts and points must lie where the objects are.

#include "lamella/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/voi.hpp"
#include "meshes.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

struct MadeSceneOptions {
  SceneOptions options;
  bool good = true;
  bool may_throw = false;  ///< in collide(), though they are good
};

MadeSceneOptions take_scene_options(Input& input, const Places& places) {
  MadeSceneOptions made;
  SceneOptions& o = made.options;
  o.close_holes = false;  // the rules are about meshes as they are given
  o.engine = input.flag() ? "software" : "automatic";
  o.resolution = static_cast<std::uint32_t>(1 + input.below(10));
  o.max_resolution = static_cast<std::uint32_t>(1 + input.below(24));
  constexpr float kCells[] = {0, 0, 0, 0.25f, 0.5f, 1, 3, 1000};
  o.cell = kCells[input.below(8)] * places.scale;
  if (input.below(4) == 0)
    o.screen = Screen{to_double(places.take(input)), 0.01 * static_cast<double>(1 + input.below(50))};
  if (const std::size_t axis = input.below(6); axis < 3) o.axis = static_cast<Axis>(axis);
  o.views = input.flag() ? 3 : 1;
  constexpr float kThickness[] = {0x1p-20f, 0x1p-20f, 0, 0.1f};
  o.min_thickness = kThickness[input.below(4)];
  o.self_overlap = input.flag();
  o.points = input.flag();
  constexpr float kThresholds[] = {1, 0, 3, std::numeric_limits<float>::infinity()};
  o.threshold = kThresholds[input.below(4)];
  o.normals = input.flag() ? Normals::faces : Normals::neighbours;
  o.max_contacts = static_cast<std::uint32_t>(input.below(kMaxContacts + 1));
  switch (input.below(32)) {
    case 0:
      o.strict = made.may_throw = true;
      break;
    case 1:
      o.max_pairs = input.below(3), made.may_throw = true;
      break;
    case 2:
      o.max_spans = input.below(30), made.may_throw = true;
      break;
    case 3:
      o.max_crossings = input.below(30), made.may_throw = true;
      break;
    case 4:
      o.cell = input.take<float>(), made.good = o.cell >= 0 && o.cell <= 0x1p100f;
      break;
    case 5:
      o.threshold = input.take<float>(), made.good = o.threshold >= 0;
      break;
    case 6:
      o.views = 2, made.good = false;
      break;
    case 7:
      o.max_contacts = kMaxContacts + 1, made.good = false;
      break;
    case 8:
      o.max_resolution = 0, made.good = false;
      break;
    case 9:
      o.engine = "reference", made.good = false;
      break;
    case 10:
      o.method = PairMethod::jang, made.good = false;
      break;
    case 11:
      o.screen = Screen{{}, input.take<double>()};
      made.good = o.screen->pixel_angle > 0 && std::isfinite(o.screen->pixel_angle);
      break;
    default:
      break;
  }
  return made;
}

struct Object {
  ObjectId id;
  MadeMesh made;
  Transform pose;
  bool fixed = false, removed = false;

  [[nodiscard]] Mesh placed() const {
    const bool moved =
        !(pose.translation == Vec3d{}) || pose.rotation.x != 0 || pose.rotation.y != 0 || pose.rotation.z != 0;
    return moved ? Mesh{placed_positions(made.mesh, pose), made.mesh.triangles} : made.mesh;
  }
};

/// What a scene should know.
struct Twin {
  std::vector<Object> objects;
  std::set<std::pair<std::uint32_t, std::uint32_t>> ignored;

  [[nodiscard]] const Object& by(ObjectId id) const {
    const auto found = std::find_if(objects.begin(), objects.end(), [&](const Object& o) { return o.id == id; });
    require(found != objects.end() && !found->removed, "only objects of the scene are reported");
    return *found;
  }
  [[nodiscard]] bool tested(const Object& a, const Object& b) const {
    return !(a.fixed && b.fixed) && !ignored.contains({std::min(a.id, b.id).number, std::max(a.id, b.id).number});
  }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(
        std::count_if(objects.begin(), objects.end(), [](const Object& o) { return !o.removed; }));
  }
};

/// The shared volume of two meshes on a grid.
Overlap overlap_on(const Grid& grid, const Mesh& a, const Mesh& b, float min_thickness) {
  const auto engine = make_engine({.engine = "software", .threads = 1});
  Ldi of_a, of_b;
  engine->build(a, grid, of_a);
  engine->build(b, grid, of_b);
  Overlap out;
  intersect(of_a, of_b, min_thickness, out);
  return out;
}

/// With room for rounding: scenes place objects relative to origins of their own.
Aabb grown(Aabb box) {
  if (box.empty()) return box;
  for (int k = 0; k < 3; ++k) {
    const float room = 1e-5f * std::max(std::abs(box.min[k]), std::abs(box.max[k])) + 0x1p-70f;
    box.min[k] -= room;
    box.max[k] += room;
  }
  return box;
}

bool near_box(const Aabb& box, Vec3d p, double room) {
  for (int k = 0; k < 3; ++k) {
    const double low = box.min[k], high = box.max[k], rounding = room + 1e-5 * std::max(std::abs(low), std::abs(high));
    if (!(p[k] >= low - rounding && p[k] <= high + rounding)) return false;
  }
  return true;
}

void check_contacts(const SceneResult& r, const ScenePair& pair, const Object& a, const Object& b, const Aabb& around,
                    double room, const SceneOptions& options) {
  require(pair.contact_count <= options.max_contacts, "no more contacts than asked for");
  require(std::isfinite(pair.depth) && pair.depth >= 0, "the deepest contact has a depth");
  std::set<std::uint32_t> ids;
  for (const Contact& c : r.contacts_of(pair)) {
    require(std::abs(length(to_double(c.normal)) - 1) < 1e-5, "normals have length 1");
    require(c.depth >= 0 && c.depth <= pair.depth, "no contact is deeper than the deepest");
    require(near_box(around, c.position, room), "contacts lie where the objects are");
    require(c.triangle_a < a.made.mesh.triangles.size() && c.triangle_b < b.made.mesh.triangles.size(),
            "contacts are on triangles of their meshes");
    require(c.id != 0 && ids.insert(c.id).second, "contacts of a pair have different ids");
  }
}

void check_points(const SceneResult& r, const ScenePair& pair, std::size_t index, const Object& a, const Object& b,
                  const Aabb& around, double room, const SceneOptions& options) {
  const Grid& grid = r.groups[pair.group].grid;
  const double cell = std::max(grid.cell_u(), grid.cell_v());
  for (const CollisionPoint& p : r.points_of(pair)) {
    require(p.pair == index, "points name their pair");
    require(p.triangle_a < a.made.mesh.triangles.size() && p.triangle_b < b.made.mesh.triangles.size(),
            "points are on triangles of their meshes");
    require(near_box(around, p.on_a, room) && near_box(around, p.on_b, room), "points lie where the objects are");
    const Vec3d apart = p.on_a - p.on_b;
    require(apart[grid.u()] == 0 && apart[grid.v()] == 0, "the two points lie on one ray");
    const double size = std::max(std::abs(static_cast<double>(p.on_a[grid.w()])), static_cast<double>(grid.depth()));
    require(std::abs(apart[grid.w()]) <= static_cast<double>(options.threshold) * cell * 1.00001 + 1e-5 * size,
            "the two points are close");
  }
}

void check_pairs(const SceneResult& r, const Twin& twin, const SceneOptions& options) {
  std::map<std::uint32_t, Mesh> placed;
  std::map<std::uint32_t, Aabb> boxes;
  for (const Object& o : twin.objects)
    if (!o.removed) boxes[o.id.number] = bounds(placed[o.id.number] = o.placed());
  std::uint32_t points = 0, contacts = 0;
  for (std::size_t i = 0; i < r.pairs.size(); ++i) {
    const ScenePair& pair = r.pairs[i];
    const Object &a = twin.by(pair.a), &b = twin.by(pair.b);
    require(pair.a < pair.b && twin.tested(a, b), "pairs are of objects that are tested");
    require(i == 0 || std::pair(r.pairs[i - 1].a, r.pairs[i - 1].b) < std::pair(pair.a, pair.b), "pairs ascend");
    require(pair.group < r.groups.size() && pair.span_count > 0 && pair.volume.has_value(), "a pair has a volume");
    require(pair.first_point == points && pair.first_contact == contacts, "points and contacts follow one another");
    points += pair.point_count, contacts += pair.contact_count;
    require(points <= r.points.size() && contacts <= r.contacts.size(), "points and contacts exist");
    const Grid& grid = r.groups[pair.group].grid;
    const Aabb &own_a = boxes[pair.a.number], &own_b = boxes[pair.b.number];
    const float shared =
        std::min(own_a.max[grid.w()], own_b.max[grid.w()]) - std::max(own_a.min[grid.w()], own_b.min[grid.w()]);
    // The smallest thickness is a part of the depth that the two share, not of the group's.
    const Overlap expected = overlap_on(grid, placed[pair.a.number], placed[pair.b.number],
                                        options.min_thickness * std::min(1.0f, shared / grid.depth()));
    // Objects are sampled where they can meet: the other parts of a triangle do not count, and depths round otherwise.
    const double tolerance = static_cast<double>(
        std::max(depth_tolerance(placed[pair.a.number], grid), depth_tolerance(placed[pair.b.number], grid)));
    const double thickness = static_cast<double>(options.min_thickness) * static_cast<double>(grid.depth());
    const auto spans = static_cast<double>(expected.spans.size());
    const double thin = std::abs(spans - pair.span_count);  // spans that are about as long as the smallest
    // Groups far from the origin are rounded elsewhere, and deep ones are measured in doubles.
    const bool comparable = r.groups[pair.group].origin == Vec3d{} && grid.depth() < 32 * shared;
    require(!comparable || std::abs(*pair.volume - expected.volume) <=
                               1e-9 * expected.volume +
                                   (spans * 2 * tolerance + thin * (thickness + 2 * tolerance)) * grid.cell_area(),
            "a pair has the volume of its images");
    const double cell = std::max(grid.cell_u(), grid.cell_v());
    const Aabb &box_a = boxes[pair.a.number], &box_b = boxes[pair.b.number], around = unite(box_a, box_b);
    require(is_finite(pair.centroid) && near_box(box_a, pair.centroid, cell) && near_box(box_b, pair.centroid, cell),
            "the centroid lies in both boxes");
    double widest = 0;
    for (const SceneGroup& g : r.groups) widest = std::max({widest, g.grid.cell_u(), g.grid.cell_v()});
    check_points(r, pair, i, a, b, around, cell, options);
    check_contacts(r, pair, a, b, around, widest, options);
  }
  require(points == r.points.size() && contacts == r.contacts.size(), "every point and contact has its pair");
  if (!options.points) require(r.points.empty(), "points are reported when asked for");

  // Candidates are pairs of boxes that share a volume. If there is only one, every group is of it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates;
  for (const Object& a : twin.objects)
    for (const Object& b : twin.objects)
      if (a.id < b.id && !a.removed && !b.removed && twin.tested(a, b) &&
          choose_pair_voi(grown(boxes[a.id.number]), grown(boxes[b.id.number]), options.axis))
        candidates.emplace_back(a.id.number, b.id.number);
  require(r.pairs.size() <= r.candidate_count && r.candidate_count <= candidates.size(), "pairs are candidates");
  for (const ScenePair& p : r.pairs)
    require(std::find(candidates.begin(), candidates.end(), std::pair(p.a.number, p.b.number)) != candidates.end(),
            "pairs are candidates");
  if (candidates.size() == 1 && r.candidate_count == 1 && r.pairs.empty())
    for (const SceneGroup& g : r.groups)
      if (g.candidate_count != 0 && g.origin == Vec3d{} && r.undecided.empty())
        require(!overlap_on(g.grid, placed[candidates[0].first], placed[candidates[0].second],
                            options.min_thickness + 1e-4f)
                     .colliding(),
                "a pair that collides is reported");
}

void check_result(const SceneResult& r, const Twin& twin, const SceneOptions& options) {
  require(r.object_count == twin.size() && r.engine == "software", "objects are counted");
  check_pairs(r, twin, options);
  require(r.health.ok() == r.defects.empty(), "defects are what is not healthy");
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < r.defects.size(); ++i) {
    const SceneDefect& d = r.defects[i];
    require(i == 0 || r.defects[i - 1].object < d.object, "defects ascend");
    require(d.open_columns != 0 || d.skipped_triangles != 0 || d.inside_out_columns != 0 || d.closed_edges != 0,
            "a defect is one");
    const Object& o = twin.by(d.object);
    require(d.skipped_triangles <= o.made.mesh.triangles.size(), "only triangles that exist are skipped");
    if (o.made.closed && d.skipped_triangles == 0) require(d.open_columns == 0, "columns of a closed mesh close");
    skipped += d.skipped_triangles;
  }
  require(r.health.skipped_triangles == skipped, "skipped triangles are those of the objects");
  require(std::isfinite(r.health.untrusted_volume) && r.health.untrusted_volume >= 0, "the untrusted volume is one");
  require(!options.strict || r.health.ok(), "a strict answer is healthy");
  require(options.self_overlap || r.self_overlaps.empty(), "self-overlaps are reported when asked for");
  for (std::size_t i = 0; i < r.self_overlaps.size(); ++i) {
    require(i == 0 || r.self_overlaps[i - 1].object < r.self_overlaps[i].object, "self-overlaps ascend");
    require(r.self_overlaps[i].volume > 0 && std::isfinite(r.self_overlaps[i].volume), "a self-overlap has a volume");
    (void)twin.by(r.self_overlaps[i].object);
  }
}

bool same_results(const SceneResult& a, const SceneResult& b) {
  const auto same_pair = [](const ScenePair& x, const ScenePair& y) {
    return x.a == y.a && x.b == y.b && x.volume == y.volume && x.centroid == y.centroid && x.group == y.group &&
           x.depth == y.depth && x.more_contacts == y.more_contacts;
  };
  const auto same_contact = [](const Contact& x, const Contact& y) {
    return x.position == y.position && x.normal == y.normal && x.depth == y.depth && x.id == y.id &&
           x.triangle_a == y.triangle_a && x.triangle_b == y.triangle_b;
  };
  const auto same_point = [](const CollisionPoint& x, const CollisionPoint& y) {
    return x.pair == y.pair && x.on_a == y.on_a && x.on_b == y.on_b;
  };
  return std::ranges::equal(a.pairs, b.pairs, same_pair) && std::ranges::equal(a.contacts, b.contacts, same_contact) &&
         std::ranges::equal(a.points, b.points, same_point) && a.health.open_columns == b.health.open_columns;
}

/// One change, to both scenes.
void change(Input& input, const Places& places, Twin& twin, Scene (&scenes)[2]) {
  // Calls it for either scene: both must take it, or both refuse. `good`: they must take it.
  const auto taken = [&](bool good, const auto& call) {
    int count = 0;
    for (Scene& scene : scenes) try {
        call(scene);
        ++count;
      } catch (const Error&) {
        require(!good, "good arguments are accepted");
      }
    require(count == (good ? 2 : 0), "wrong arguments are refused");
    return good;
  };
  const std::size_t action = input.below(8);
  if (twin.objects.empty() || action <= 1) {
    if (twin.size() >= 6) return;
    Object o{{}, take_mesh(input, places), take_pose(input, places, true)};
    if (!taken(o.made.indices_exist && is_pose(o.pose), [&](Scene& s) { o.id = s.add(o.made.mesh, o.pose); })) return;
    twin.objects.push_back(std::move(o));
    return;
  }
  const std::size_t which = input.below(twin.objects.size());
  Object& a = twin.objects[which];
  Object& b = twin.objects[input.below(twin.objects.size())];
  switch (action) {
    case 2: {
      if (twin.size() >= 6) return;
      const Transform pose = take_pose(input, places);
      Object o{{}, a.made, pose};
      if (taken(!a.removed, [&](Scene& s) { o.id = s.add(a.id, pose); })) twin.objects.push_back(std::move(o));
      return;
    }
    case 3:
      if (input.below(4) == 0 && taken(!a.removed, [&](Scene& s) { s.remove(a.id); })) a.removed = true;
      return;
    case 4: {
      const Transform pose = take_pose(input, places, true);
      if (taken(!a.removed && is_pose(pose), [&](Scene& s) { s.move(a.id, pose); })) a.pose = pose;
      return;
    }
    case 5: {
      std::vector<Vec3> positions = a.made.mesh.positions;
      for (Vec3& p : positions)
        if (input.below(4) == 0) p = places.take(input);
      if (input.below(16) == 0) positions.emplace_back();
      const bool fits = positions.size() == a.made.mesh.positions.size();
      if (taken(!a.removed && fits, [&](Scene& s) { s.deform(a.id, positions); })) a.made.mesh.positions = positions;
      return;
    }
    case 6:
      if (taken(!a.removed, [&](Scene& s) { s.fix(a.id, !a.fixed); })) a.fixed = !a.fixed;
      return;
    default: {
      const auto key = std::pair(std::min(a.id, b.id).number, std::max(a.id, b.id).number);
      const bool ignored = input.flag();
      if (!taken(!a.removed && !b.removed, [&](Scene& s) { s.ignore(a.id, b.id, ignored); })) return;
      if (ignored)
        twin.ignored.insert(key);
      else
        twin.ignored.erase(key);
    }
  }
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella;
  using namespace lamella::fuzz;
  Input input(data, size);
  const Places places(input);
  const MadeSceneOptions made = take_scene_options(input, places);
  SceneOptions one = made.options, three = made.options;
  one.threads = 1, three.threads = 3;
  std::optional<Scene> first, second;
  try {
    first.emplace(one), second.emplace(three);
  } catch (const Error&) {
    require(!made.good, "good options are accepted");
    return 0;
  }
  require(made.good, "wrong options are refused");
  Scene scenes[2] = {std::move(*first), std::move(*second)};
  Twin twin;
  for (int frame = 0; frame < 4; ++frame) {
    for (std::size_t changes = frame == 0 ? 6 : input.below(4); changes > 0; --changes)
      change(input, places, twin, scenes);
    require(scenes[0].size() == twin.size(), "objects are counted");
    try {
      const SceneResult& r = scenes[0].collide();
      check_result(r, twin, made.options);
      require(same_results(r, scenes[1].collide()), "the number of threads does not matter");
    } catch (const Error&) {
      require(made.may_throw, "a scene with good options answers");
      try {
        (void)scenes[1].collide();
        require(false, "the number of threads does not matter for errors");
      } catch (const Error&) {
      }
    }
    if (input.empty()) break;
  }
  return 0;
}
