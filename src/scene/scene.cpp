// A scene of many objects: Jang, Jeong, Han, "GPU-based Image-space Approach to Collision Detection among Closed
// Objects". Boxes give the potentially colliding set; it falls into groups of objects that can touch, each with a view
// volume and a resolution of its own; an engine finds each group's pairs.
//
// Where it departs from the paper:
// - Groups, not one view volume for all. Rays run along the axis that looks at the shared boxes of a group face on, or
//   along all three, where contacts are wanted on every side.
// - Contacts come from spans, whose ends are as deep as the objects overlap. With PairMethod::jang they come from the
//   collision points, as published.
// - The axis of a pair changes only when another is clearly better, so that contacts stay comparable between frames.

#include "lamella/scene.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "lamella/voi.hpp"
#include "registry/registry.hpp"
#include "scene/contacts.hpp"
#include "scene/objects.hpp"
#include "scene/scene_options.hpp"

namespace lamella {
namespace {

constexpr std::uint32_t kNoManifold = ~0u;

/// What is remembered of a candidate pair from frame to frame.
struct PairMemory {
  std::uint64_t key = 0;
  Axis axis = Axis::z;
  std::uint32_t manifold = kNoManifold;  ///< index into the pool, from the pair's first contacts on
};

/// Below this many triangles to sample, waking threads costs more than it gains.
constexpr std::size_t kFewTriangles = 20000;

/// Triangles to sample.
std::size_t work_of(const Group& group) {
  std::size_t sum = 0;
  for (const ObjectWindow& w : group.windows) sum += group.objects[w.object].mesh.triangles.size();
  return sum;
}

}  // namespace

struct Scene::State {
  explicit State(SceneOptions given) : options(std::move(given)), workers(options.threads) {
    check(options);
    result.engine = options.engine == "automatic" ? "software" : options.engine;
    finders.push_back(make_pair_finder(options.engine, {options.threads, options.device, options.max_crossings}));
  }

  SceneOptions options;
  SceneObjects objects;
  SceneResult result;

  [[nodiscard]] std::size_t candidates_count() const { return candidates.size(); }
  /// Whether every object is sampled, near another or not: for its self-overlap, or to be sure that it is closed.
  [[nodiscard]] bool each_alone() const { return options.self_overlap || options.strict; }
  [[nodiscard]] bool all_axes() const { return options.views == 3 && !options.axis; }
  void find_candidates();
  void remember_candidates();
  Manifold& manifold_of(PairMemory& pair);
  void make_groups();
  void find_pairs();
  void find_group(std::size_t group, PairFinder& finder);
  void report_groups();
  void report_pair(std::size_t candidate);
  [[nodiscard]] PairSum sum_of(const GroupPlace& place) const;
  void report_volume(const Grid& grid, const PairSum& sum, ScenePair& pair) const;
  void make_contacts(std::size_t candidate, std::span<const GroupPlace> places, ScenePair& pair);
  void add_points(const GroupPlace& place, ScenePair& pair);
  void report_objects();

 private:
  [[nodiscard]] std::span<const PairSpan> spans_of(const GroupPlace& place) const;
  [[nodiscard]] std::span<const PairSpan> points_as_spans(const GroupPlace& place);
  [[nodiscard]] bool as_published() const { return options.method == PairMethod::jang; }

  Workers workers;
  std::vector<std::unique_ptr<PairFinder>> finders;  ///< the first uses all threads, the others one each
  Grouping grouping;
  std::vector<std::uint32_t> to_place;
  std::vector<ScenePairCandidate> candidates;   ///< ascending by key
  std::vector<PairMemory> memory, last_memory;  ///< the former in step with the candidates
  std::vector<Manifold> manifolds;
  std::vector<std::uint32_t> free_manifolds;
  std::vector<GroupAnswer> answers;
  SpanBudget span_budget;
  std::vector<std::size_t> small_groups;  ///< scratch
  ContactMaker contacts;
  std::vector<PairSpan> point_spans;  ///< scratch
  std::vector<ObjectFacts> facts;     ///< by slot
};

/// Finds pairs of loose boxes, then the exact boxes of those objects, then the pairs whose exact boxes share a volume.
void Scene::State::find_candidates() {
  Stopwatch watch;
  const auto near = objects.near_pairs(options.max_pairs);
  watch.lap(result.ms.broad);
  to_place.clear();
  if (each_alone()) {
    for (std::uint32_t s = 0; s < objects.slot_count(); ++s)
      if (objects.used(s)) to_place.push_back(s);
  } else {
    for (const BoxPair& p : near)
      if (objects.tested(p.first, p.second)) {
        to_place.push_back(p.first);
        to_place.push_back(p.second);
      }
    std::sort(to_place.begin(), to_place.end());
    to_place.erase(std::unique(to_place.begin(), to_place.end()), to_place.end());
  }
  objects.place(to_place, workers);
  const auto placed = objects.placed();
  candidates.clear();
  for (const BoxPair& p : near) {
    if (!objects.tested(p.first, p.second) || !can_meet(placed[p.first], placed[p.second])) continue;
    const bool swapped = placed[p.first].id > placed[p.second].id;
    const std::uint32_t a = swapped ? p.second : p.first, b = swapped ? p.first : p.second;
    const auto voi = choose_pair_voi(placed[a].box, placed[b].box, options.axis);
    if (voi) candidates.push_back({a, b, pair_key(placed[a].id, placed[b].id), voi->axis});
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const ScenePairCandidate& x, const ScenePairCandidate& y) { return x.key < y.key; });
  remember_candidates();
  make_groups();
  watch.lap(result.ms.voi);
}

/// Carries what is known of each pair over to this frame, and forgets pairs that came apart.
void Scene::State::remember_candidates() {
  constexpr double kClearlyBetter = 0.8;
  memory.swap(last_memory);
  memory.clear();
  auto old = last_memory.begin();
  const auto drop = [&](const PairMemory& m) {
    if (m.manifold != kNoManifold) free_manifolds.push_back(m.manifold);
  };
  const auto placed = objects.placed();
  for (ScenePairCandidate& c : candidates) {
    while (old != last_memory.end() && old->key < c.key) drop(*old++);
    PairMemory m{c.key, c.axis};
    if (old != last_memory.end() && old->key == c.key) {
      m = *old++;
      const Aabb &a = placed[c.slot_a].box, &b = placed[c.slot_b].box;
      if (options.axis || depth_along(a, b, c.axis) < kClearlyBetter * depth_along(a, b, m.axis))
        m.axis = c.axis;
      else
        c.axis = m.axis;
    }
    memory.push_back(m);
  }
  while (old != last_memory.end()) drop(*old++);
}

/// Most candidates never collide: only those that do take the memory of a manifold.
Manifold& Scene::State::manifold_of(PairMemory& pair) {
  if (pair.manifold != kNoManifold) return manifolds[pair.manifold];
  if (free_manifolds.empty()) {
    free_manifolds.push_back(static_cast<std::uint32_t>(manifolds.size()));
    manifolds.emplace_back();
  }
  pair.manifold = free_manifolds.back();
  free_manifolds.pop_back();
  return manifolds[pair.manifold] = {};
}

void Scene::State::make_groups() {
  const GridSettings settings{options.cell, options.screen, options.resolution, options.max_resolution,
                              options.engine == "gl-pairs"};
  grouping.clear();
  if (options.views == 1 && !options.axis) {
    grouping.share_axes(candidates, objects.placed(), settings);
    for (std::size_t i = 0; i < candidates.size(); ++i) memory[i].axis = candidates[i].axis;
  }
  grouping.add_pairs(candidates, objects.placed(), all_axes(), settings);
  if (each_alone())
    for (const std::uint32_t s : to_place) grouping.add_single(s, objects.placed()[s], options.axis, settings);
}

void Scene::State::find_group(std::size_t i, PairFinder& finder) {
  const Group& group = grouping.groups()[i];
  GroupQuery query;
  query.thickness = options.min_thickness * group.grid.depth();
  query.threshold = options.threshold * static_cast<float>(std::max(group.grid.cell_u(), group.grid.cell_v()));
  // Published contacts come from points, the others from spans.
  const bool contacts_wanted = options.max_contacts > 0;
  query.points = options.points || (contacts_wanted && as_published());
  query.keep_spans = contacts_wanted && !as_published();
  query.published = as_published();
  query.spans = &span_budget;
  finder.find(group, query, answers[i]);
}

/// All threads work on a group that is at least one thread's share of the total; each smaller group gets one thread.
void Scene::State::find_pairs() {
  const auto groups = grouping.groups();
  span_budget.start(options.max_spans);
  if (answers.size() < groups.size()) answers.resize(groups.size());
  const bool threads = finders.front()->on_cpu() && workers.count() > 1;
  std::size_t total = 0;
  for (const Group& g : groups) total += work_of(g);
  Stopwatch watch;
  small_groups.clear();
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (threads && work_of(groups[i]) * workers.count() < total)
      small_groups.push_back(i);
    else
      find_group(i, *finders.front());
  if (!small_groups.empty()) {
    while (finders.size() < workers.count() + 1)
      finders.push_back(make_pair_finder(options.engine, {1, options.device, options.max_crossings}));
    const auto find_small = [&](std::size_t i, std::size_t, unsigned worker) {
      find_group(small_groups[i], *finders[worker + 1]);
    };
    workers.for_chunks(small_groups.size(), 1, find_small, total < kFewTriangles ? small_groups.size() : 1);
  }
  double wall = 0, sum = 0;
  watch.lap(wall);
  Timings& ms = result.ms;
  for (std::size_t i = 0; i < groups.size(); ++i) ms += answers[i].ms;
  // Threads ran at the same time: divide the wall time among the stages by their sums.
  sum = ms.ldi + ms.query + ms.points;
  const double share = sum > 0 ? wall / sum : 0;
  ms.ldi *= share;
  ms.query *= share;
  ms.points *= share;
}

/// Reports groups and health, and collects the facts of each object.
void Scene::State::report_groups() {
  facts.assign(objects.slot_count(), {});
  const auto groups = grouping.groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& g = groups[i];
    const GroupAnswer& answer = answers[i];
    result.groups.push_back(
        {g.grid, static_cast<std::uint32_t>(g.objects.size()), static_cast<std::uint32_t>(g.candidates.size())});
    Health& h = result.health;
    h.open_columns += answer.open_columns;
    h.occupied_columns += answer.occupied_columns;
    h.inside_out_columns += answer.inside_out_columns;
    h.dropped_crossings += answer.dropped_crossings;
    h.untrusted_volume += answer.open_columns * g.grid.cell_area() * g.grid.depth();
    result.round_count += answer.round_count;
    result.passed_over += answer.passed_over;
    result.read_back_bytes += answer.read_back_bytes;
    const bool single = g.candidates.empty();
    for (std::size_t k = 0; k < g.objects.size(); ++k) {
      ObjectFacts& f = facts[grouping.slots(i)[k]];
      const ObjectFacts& seen = answer.objects[k];
      f.open_columns += seen.open_columns;
      f.skipped_triangles = std::max(f.skipped_triangles, seen.skipped_triangles);
      if (single) f.self_length = seen.self_length * g.grid.cell_area();
    }
  }
}

std::span<const PairSpan> Scene::State::spans_of(const GroupPlace& place) const {
  if (!place.exists()) return {};
  const auto& spans = answers[place.group].spans;
  return equal_by(std::span<const PairSpan>(spans), place.candidate, &PairSpan::candidate);
}

void Scene::State::add_points(const GroupPlace& place, ScenePair& pair) {
  const Group& group = grouping.groups()[place.group];
  const Candidate& c = group.candidates[place.candidate];
  const auto& points = answers[place.group].points;
  pair.first_point = static_cast<std::uint32_t>(result.points.size());
  const auto index = static_cast<std::uint32_t>(result.pairs.size());
  for (const PairPoint& p : equal_by(std::span<const PairPoint>(points), place.candidate, &PairPoint::candidate)) {
    const auto on = [&](const Surface& s) {
      return to_float(sample_position(group.grid, p.column, static_cast<double>(s.crossing.depth())));
    };
    result.points.push_back({index, on(p.a), on(p.b), p.a.crossing.entry(), p.b.crossing.entry(),
                             p.a.face - group.objects[c.a].first_face, p.b.face - group.objects[c.b].first_face});
  }
  pair.point_count = static_cast<std::uint32_t>(result.points.size()) - pair.first_point;
}

PairSum Scene::State::sum_of(const GroupPlace& place) const {
  PairSum sum;
  if (!place.exists()) return sum;
  const auto& sums = answers[place.group].sums;
  if (!sums.empty()) return sums[place.candidate];
  CellCursor cell(grouping.groups()[place.group].grid);
  const auto spans = spans_of(place);
  for (const PairSpan& s : spans) {
    const double l = static_cast<double>(s.end) - s.begin;
    cell.move_to(s.column);
    sum.length += l;
    sum.moment =
        sum.moment + Vec3d{(cell.u + 0.5) * l, (cell.v + 0.5) * l, 0.5 * l * (static_cast<double>(s.begin) + s.end)};
  }
  sum.spans = static_cast<std::uint32_t>(spans.size());
  return sum;
}

void Scene::State::report_volume(const Grid& grid, const PairSum& sum, ScenePair& pair) const {
  pair.span_count = sum.spans;
  if (finders.front()->gives_volumes()) pair.volume = sum.length * grid.cell_area();
  pair.centroid[grid.u()] = grid.box.min[grid.u()] + sum.moment.x / sum.length * grid.cell_u();
  pair.centroid[grid.v()] = grid.box.min[grid.v()] + sum.moment.y / sum.length * grid.cell_v();
  pair.centroid[grid.w()] = grid.box.min[grid.w()] + sum.moment.z / sum.length;
}

/// A pair's collision points as spans between their two surfaces: what contacts are made from in the published method.
std::span<const PairSpan> Scene::State::points_as_spans(const GroupPlace& place) {
  const auto& points = answers[place.group].points;
  point_spans.clear();
  for (const PairPoint& p : equal_by(std::span<const PairPoint>(points), place.candidate, &PairPoint::candidate)) {
    const float a = p.a.crossing.depth(), b = p.b.crossing.depth();
    point_spans.push_back({p.candidate, p.column, std::min(a, b), std::max(a, b), p.a, p.b});
  }
  return point_spans;
}

/// `places`: where the pair has spans, its own view first. In the published method only that one is used, and a pair
/// may have no contacts.
void Scene::State::make_contacts(std::size_t i, std::span<const GroupPlace> places, ScenePair& pair) {
  PairView views[3];
  std::size_t count = 0;
  if (as_published()) places = places.first(1);
  for (const GroupPlace& place : places) {
    const Group& g = grouping.groups()[place.group];
    const auto spans = as_published() ? points_as_spans(place) : spans_of(place);
    if (!spans.empty()) views[count++] = {&g, g.candidates[place.candidate], spans};
  }
  if (count == 0) return;
  const ContactMaker::Settings settings{options.normals, options.max_contacts, all_axes() && !as_published()};
  const auto found = contacts.make(std::span(views, count), settings, objects.pose_in(candidates[i].slot_a),
                                   manifold_of(memory[i]), result.contacts);
  pair.depth = found.depth;
  pair.more_contacts = found.more;
}

void Scene::State::report_pair(std::size_t i) {
  const ScenePairCandidate& candidate = candidates[i];
  GroupPlace places[3];
  PairSum first;
  std::size_t count = 0;
  const int own = static_cast<int>(candidate.axis);
  for (const int axis : {own, (own + 1) % 3, (own + 2) % 3}) {
    const GroupPlace place = grouping.place(i, axis);
    if (count != 0) {
      if (!spans_of(place).empty()) places[count++] = place;  // sums are of the first view
      continue;
    }
    first = sum_of(place);
    if (first.spans != 0) places[count++] = place;
  }
  if (count == 0) {
    if (memory[i].manifold != kNoManifold) manifolds[memory[i].manifold].count = 0;
    return;
  }
  ScenePair pair;
  pair.a = {static_cast<std::uint32_t>(candidate.key >> 32)};
  pair.b = {static_cast<std::uint32_t>(candidate.key)};
  pair.group = places[0].group;
  report_volume(grouping.groups()[places[0].group].grid, first, pair);
  if (options.points) add_points(places[0], pair);
  pair.first_contact = static_cast<std::uint32_t>(result.contacts.size());
  if (options.max_contacts > 0) make_contacts(i, {places, count}, pair);
  pair.contact_count = static_cast<std::uint32_t>(result.contacts.size()) - pair.first_contact;
  result.pairs.push_back(pair);
}

void Scene::State::report_objects() {
  for (std::uint32_t s = 0; s < objects.slot_count(); ++s) {
    if (!objects.used(s)) continue;
    const ObjectId id{objects.placed()[s].id};
    const std::uint32_t skipped = std::max(facts[s].skipped_triangles, objects.broken_triangles(s));
    if (facts[s].open_columns != 0 || skipped != 0) result.defects.push_back({id, facts[s].open_columns, skipped});
    if (options.self_overlap && facts[s].self_length > 0) result.self_overlaps.push_back({id, facts[s].self_length});
    result.health.skipped_triangles += skipped;
  }
  std::sort(result.defects.begin(), result.defects.end(),
            [](const SceneDefect& x, const SceneDefect& y) { return x.object < y.object; });
  std::sort(result.self_overlaps.begin(), result.self_overlaps.end(),
            [](const SceneSelfOverlap& x, const SceneSelfOverlap& y) { return x.object < y.object; });
}

Scene::Scene(SceneOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

ObjectId Scene::add(MeshView mesh, const Transform& pose) { return {state_->objects.add(mesh, pose)}; }
ObjectId Scene::add(ObjectId like, const Transform& pose) { return {state_->objects.add(like, pose)}; }
void Scene::remove(ObjectId object) { state_->objects.remove(object); }
void Scene::move(ObjectId object, const Transform& pose) { state_->objects.move(object, pose); }
void Scene::deform(ObjectId object, std::span<const Vec3> positions) { state_->objects.deform(object, positions); }
void Scene::fix(ObjectId object, bool fixed) { state_->objects.fix(object, fixed); }
void Scene::ignore(ObjectId a, ObjectId b, bool ignored) { state_->objects.ignore(a, b, ignored); }
std::size_t Scene::size() const { return state_->objects.size(); }
const Transform& Scene::pose(ObjectId object) const { return state_->objects.pose(object); }
MeshView Scene::mesh(ObjectId object) const { return state_->objects.mesh(object); }
const SceneOptions& Scene::options() const { return state_->options; }
void Scene::look_from(const Screen& screen) {
  check(screen);
  state_->options.screen = screen;
}

const SceneResult& Scene::collide() {
  State& s = *state_;
  SceneResult& r = s.result;
  r.pairs.clear();
  r.points.clear();
  r.contacts.clear();
  r.groups.clear();
  r.self_overlaps.clear();
  r.defects.clear();
  r.health = {};
  r.ms = {};
  r.round_count = 0;
  r.read_back_bytes = 0;
  r.passed_over = 0;
  r.object_count = static_cast<std::uint32_t>(s.objects.size());
  s.find_candidates();
  r.candidate_count = static_cast<std::uint32_t>(s.candidates_count());
  s.find_pairs();
  Stopwatch watch;
  s.report_groups();
  for (std::size_t i = 0; i < s.candidates_count(); ++i) s.report_pair(i);
  s.report_objects();
  watch.lap(r.ms.contacts);
  require_health(r.health, s.options.strict);
  if (s.options.strict && r.passed_over != 0)
    throw Error(
        fmt::format("the method jang passed over {} pairs of surfaces, so that pairs of objects may be missing: "
                    "use the method complete",
                    r.passed_over));
  return r;
}

}  // namespace lamella
