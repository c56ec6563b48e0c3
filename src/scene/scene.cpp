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
#include <numeric>

#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "registry/registry.hpp"
#include "scene/candidates.hpp"
#include "scene/motion_queries.hpp"
#include "scene/objects.hpp"
#include "scene/pair_reports.hpp"
#include "scene/refine.hpp"
#include "scene/scene_options.hpp"
#include "scene/second_look.hpp"

namespace lamella {
namespace {

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
  explicit State(SceneOptions given) : options(std::move(given)), motions(options.threads), workers(options.threads) {
    check(options);
    result.engine = options.engine == "automatic" ? "software" : options.engine;
    finders.push_back(make_pair_finder(options.engine, {options.threads, options.device, options.max_crossings}));
  }

  SceneOptions options;
  SceneObjects objects;
  SceneResult result;
  MotionQueries motions;

  [[nodiscard]] std::size_t candidates_count() const { return candidates.size(); }
  /// Whether every object is sampled, near another or not: for its self-overlap, or to be sure that it is closed.
  [[nodiscard]] bool each_alone() const { return options.self_overlap || options.strict; }
  [[nodiscard]] bool all_axes() const { return options.views == 3 && !options.axis; }
  [[nodiscard]] GridSettings grid_settings() const {
    return {options.cell, options.screen, options.resolution, options.max_resolution, options.engine == "gl-pairs"};
  }
  void reserve(const SceneSize& size);
  void find_candidates();
  void make_groups();
  void find_pairs();
  void find_group(std::size_t group, PairFinder& finder);
  void report_groups();
  void report_pairs();
  void prove_pairs();
  void refine_volumes();
  void measure_separations();
  void report_objects();
  void require_certainty() const;

 private:
  [[nodiscard]] bool as_published() const { return options.method == PairMethod::jang; }
  [[nodiscard]] SecondLooks::Questions ask(const QueryOptions& query) const {
    return {candidates, asked, objects.placed(), query, options.max_crossings};
  }

  Workers workers;
  std::vector<std::unique_ptr<PairFinder>> finders;  ///< the first uses all threads, the others one each
  Grouping grouping;
  CandidateFinder candidate_finder;
  std::vector<ScenePairCandidate> candidates;  ///< ascending by key
  PairMemory memory;
  PairDecisions decisions;
  PairReports reports;
  SecondLooks looks;
  std::vector<Separator> separators;   ///< of each worker
  std::vector<std::uint32_t> asked;    ///< candidates that are looked at again
  std::vector<std::uint32_t> refined;  ///< pairs, in step with them
  std::span<const PairLook> proofs;    ///< of all candidates, with `certify`
  std::vector<GroupAnswer> answers;
  SpanBudget span_budget;
  std::vector<std::size_t> small_groups;  ///< scratch
  std::vector<ObjectFacts> facts;         ///< by slot
  std::vector<std::uint32_t> broken;      ///< triangles, by place of an object
};

void Scene::State::reserve(const SceneSize& size) {
  objects.reserve(size.objects, size.pairs);
  candidate_finder.reserve(size.objects, size.pairs);
  broken.reserve(size.objects);
  decisions.reserve(size.pairs);
  facts.reserve(size.objects);
  candidates.reserve(size.pairs);
  memory.reserve(size.pairs, options.max_contacts > 0);
  reports.reserve(size.pairs, options.max_contacts);
  grouping.reserve(size.objects, size.pairs, size.groups, size.group_objects);
  small_groups.reserve(size.groups);
  if (answers.size() < size.groups) answers.resize(size.groups);
  for (GroupAnswer& answer : std::span(answers).first(size.groups)) {
    answer.spans.reserve(size.group_spans);
    if (options.points) answer.points.reserve(size.group_spans);
    answer.objects.reserve(size.group_objects);
  }
  result.pairs.reserve(size.pairs);
  result.points.reserve(size.points);
  result.contacts.reserve(size.pairs * options.max_contacts);
  result.patches.reserve(4 * size.pairs);
  result.groups.reserve(size.groups);
}

/// Pairs that may collide, and the groups that they are sampled in.
void Scene::State::find_candidates() {
  Stopwatch watch;
  const auto near = objects.near_pairs(options.max_pairs);
  watch.lap(result.ms.broad);
  const CandidateFinder::Settings settings{.each_pair = grid_settings().each_pair(),
                                           .each_alone = each_alone(),
                                           .gaps = options.engine != "gl-pairs",  // which draws objects whole
                                           .cell = options.cell,
                                           .axis = options.axis};
  candidate_finder.find(near, objects, settings, workers, candidates);
  memory.update(candidates, objects.placed(), options.axis.has_value());
  make_groups();
  watch.lap(result.ms.voi);
}

void Scene::State::make_groups() {
  const GridSettings settings = grid_settings();
  grouping.clear();
  if (options.views == 1 && !options.axis) {
    grouping.share_axes(candidates, objects.placed(), settings);
    for (std::size_t i = 0; i < candidates.size(); ++i) memory.set_axis(i, candidates[i].axis);
  }
  grouping.add_pairs(candidates, objects.placed(), all_axes(), settings);
  if (each_alone())
    for (const std::uint32_t s : candidate_finder.singles())
      grouping.add_single(s, objects.placed()[s], options.axis, settings);
}

void Scene::State::find_group(std::size_t i, PairFinder& finder) {
  const Group& group = grouping.groups()[i];
  if (group.windows.empty()) {  // nothing to sample
    answers[i].clear(group.objects.size());
    return;
  }
  GroupQuery query;
  query.thickness = span_thickness(group, options.min_thickness);
  query.threshold = options.threshold * static_cast<float>(std::max(group.grid.cell_u(), group.grid.cell_v()));
  // Published contacts come from points, the others from spans.
  const bool contacts_wanted = options.max_contacts > 0;
  query.points = options.points || (contacts_wanted && as_published());
  query.keep_spans = contacts_wanted && !as_published();
  query.published = as_published();
  query.spans = &span_budget;
  finder.find(group, query, answers[i]);
  drop_thin(group, options.min_thickness, answers[i]);
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
    result.groups.push_back({g.grid, g.origin, static_cast<std::uint32_t>(g.objects.size()),
                             static_cast<std::uint32_t>(g.candidates.size())});
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
      ObjectFacts& f = facts[objects.placed()[grouping.slots(i)[k]].slot];
      const ObjectFacts& seen = answer.objects[k];
      f.open_columns += seen.open_columns;
      f.inside_out_columns += seen.inside_out_columns;
      f.skipped_triangles = std::max(f.skipped_triangles, seen.skipped_triangles);
      if (single) f.self_length = seen.self_length * g.grid.cell_area();
    }
  }
}

/// With `certify`: what is proved replaces what the samples say.
void Scene::State::prove_pairs() {
  proofs = {};
  if (!options.certify) return;
  asked.resize(candidates.size());
  std::iota(asked.begin(), asked.end(), 0u);
  proofs = looks.make(ask({.resolution = options.resolution,
                           .axis = options.axis,
                           .min_thickness = options.min_thickness,
                           .keep_spans = false,
                           .certify = true}),
                      workers);
  for (std::size_t i = 0; i < proofs.size(); ++i)
    if (decisions.prove(i, {proofs[i].verdict, proofs[i].doubt}, proofs[i].certificate.certain))
      ++result.certified_count;
}

/// With a tolerance: pairs whose errors are above it get a grid of their own.
void Scene::State::refine_volumes() {
  if (!options.tolerance) return;
  asked.clear();
  refined.clear();
  for (std::uint32_t i = 0; i < result.pairs.size(); ++i) {
    const ScenePair& p = result.pairs[i];
    if (!(*p.volume_error > options.tolerance->of(*p.volume))) continue;
    refined.push_back(i);
    asked.push_back(reports.candidate_of(i));
  }
  const auto found = looks.make(ask({.resolution = options.resolution,
                                     .axis = options.axis,
                                     .min_thickness = options.min_thickness,
                                     .keep_spans = false,
                                     .tolerance = options.tolerance}),
                                workers);
  // Where nothing is certain on the other grid, the pair keeps its volume.
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].volume > 0)
      take_look(found[i], true, result.pairs[refined[i]]);
    else
      result.pairs[refined[i]].tolerance_met = false;
  }
  result.refined_count = static_cast<std::uint32_t>(found.size());
}

/// Along the normals of all patches. Pairs are distributed over the threads, each with a separator of its own.
void Scene::State::measure_separations() {
  if (!options.separations) return;
  while (separators.size() < workers.count()) separators.emplace_back(SeparationOptions{.threads = 1});
  const auto view = [&](std::uint32_t place) {
    MeshView mesh = objects.placed()[place].mesh;
    mesh.origin = objects.placed()[place].origin;
    return mesh;
  };
  const auto measure = [&](std::size_t i, std::size_t, unsigned worker) {
    const ScenePair& pair = result.pairs[i];
    const ScenePairCandidate& c = candidates[reports.candidate_of(i)];
    for (ContactPatch& p : std::span(result.patches).subspan(pair.first_patch, pair.patch_count))
      p.separation =
          separators[worker].free_shifts(view(c.slot_a), view(c.slot_b), p.normal, options.resolution).forward;
  };
  workers.for_chunks(result.pairs.size(), 1, measure, 1);
}

/// Pairs that collide, and those that are undecided.
void Scene::State::report_pairs() {
  const auto found = std::span<const GroupAnswer>(answers).first(grouping.groups().size());
  broken.clear();
  for (const PlacedObject& o : objects.placed())
    broken.push_back(objects.used(o.slot) ? objects.broken_triangles(o.slot) : 0);
  decisions.make({candidates, grouping, found, broken, objects.placed()}, workers);
  prove_pairs();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (decisions[i].verdict != Verdict::undecided) continue;
    const std::uint64_t key = candidates[i].key;
    const Doubt& doubt = decisions[i].doubt;
    result.undecided.push_back({{static_cast<std::uint32_t>(key >> 32)}, {static_cast<std::uint32_t>(key)}, doubt});
    if (doubt.cause == Doubt::Cause::touching) result.health.uncertain_spans += doubt.count;
  }
  const PairSources from{candidates, grouping, found, decisions, objects, options, finders.front()->gives_volumes(),
                         proofs};
  reports.make(from, memory, workers, result);
  refine_volumes();
  measure_separations();
  result.verdict = !result.pairs.empty()       ? Verdict::colliding
                   : !result.undecided.empty() ? Verdict::undecided
                                               : Verdict::clear;
}

/// With `strict`, what is undecided is an error.
void Scene::State::require_certainty() const {
  if (!options.strict || result.undecided.empty()) return;
  const SceneDoubt& first = result.undecided.front();
  const std::string names[] = {fmt::format("object {}", first.a.number), fmt::format("object {}", first.b.number)};
  const std::string more =
      result.undecided.size() == 1 ? "" : fmt::format(", and {} other pairs", result.undecided.size() - 1);
  throw Error(fmt::format("it is undecided whether {} and {} collide{}: {}", names[0], names[1], more,
                          describe(first.doubt, names)));
}

void Scene::State::report_objects() {
  for (std::uint32_t s = 0; s < objects.slot_count(); ++s) {
    if (!objects.used(s)) continue;
    const ObjectId id{objects.placed()[s].id};
    const std::uint32_t skipped = std::max(facts[s].skipped_triangles, objects.broken_triangles(s));
    const std::uint32_t open = facts[s].open_columns, inside_out = facts[s].inside_out_columns;
    const std::uint64_t closed = objects.report_holes(s, result.health);
    if (open != 0 || inside_out != 0 || skipped != 0 || closed != 0)
      result.defects.push_back({id, open, skipped, inside_out, closed});
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

ObjectId Scene::add(MeshView mesh, const Transform& pose) {
  return {state_->objects.add(mesh, pose, state_->options.close_holes)};
}
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
void Scene::reserve(const SceneSize& size) { state_->reserve(size); }
void Scene::look_from(const Screen& screen) {
  check(screen);
  state_->options.screen = screen;
}

std::optional<SceneHit> Scene::sweep(ObjectId object, Vec3d motion) {
  return state_->motions.sweep(state_->objects, object, motion);
}
std::optional<SweepHit> Scene::sweep(ObjectId a, ObjectId b, Vec3d motion) {
  return state_->motions.sweep(state_->objects, a, b, motion);
}
Separation Scene::separation(ObjectId a, ObjectId b, std::uint32_t directions) {
  return state_->motions.separation(state_->objects, a, b, directions);
}

const SceneResult& Scene::collide() {
  State& s = *state_;
  SceneResult& r = s.result;
  r.verdict = Verdict::clear;
  r.pairs.clear();
  r.undecided.clear();
  r.groups.clear();
  r.points.clear();
  r.contacts.clear();
  r.patches.clear();
  r.self_overlaps.clear();
  r.defects.clear();
  r.health = {};
  r.ms = {};
  r.refined_count = r.certified_count = r.round_count = 0;
  r.read_back_bytes = 0;
  r.passed_over = 0;
  r.object_count = static_cast<std::uint32_t>(s.objects.size());
  s.find_candidates();
  r.candidate_count = static_cast<std::uint32_t>(s.candidates_count());
  s.find_pairs();
  Stopwatch watch;
  s.report_groups();
  s.report_pairs();
  s.report_objects();
  watch.lap(r.ms.contacts);
  s.require_certainty();
  require_health(r.health, s.options.strict);
  if (s.options.strict && r.passed_over != 0)
    throw Error(
        fmt::format("the method jang passed over {} pairs of surfaces, so that pairs of objects may be missing: "
                    "use the method complete",
                    r.passed_over));
  return r;
}

}  // namespace lamella
