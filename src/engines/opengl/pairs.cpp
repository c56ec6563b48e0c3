// The finder gl-pairs: Jang, Jeong, Han, "GPU-based Image-space Approach to Collision Detection among Closed Objects".
//
// As published: the front faces of all objects are peeled by depth and object, so that a layer holds the front where
// the object changes; three layers make a round. Back faces are compared with them: one whose nearest front layer is of
// another object makes an inconsistent pair with it, and the two objects overlap. Then all faces are drawn and compared
// with the fronts and backs of the pairs; two that are closer than a threshold are a collision point. While an
// occlusion query counts fragments in the third layer, that layer is the first of another round. Points are read once
// per round.
//
// Where it departs from the paper:
// - Pairs and points are appended to lists in memory, not kept in one texel per pixel: none of a ray is lost. A round
//   that has more of them than there is room for still counts them all, and its lists are made again with enough room.
//   Points are collected over all rounds, and each is read once.
// - A back is compared not only with the nearest layer but also, towards the viewer, with all layers up to the last of
//   its own object: each of them is a front inside its object. The nearest alone would miss objects that a third one
//   follows (f1 f2 f3 b1 b2 b3 gives (3,1) and (3,2), but not (1,2); f1 f2 b2 f3 b3 b1 gives (3,1), but not (2,1)).
// - This needs older layers than the round's three. The last 16 are kept, fewer when images are large. A back whose own
//   front is older marks its object. Candidates of such an object for which no pair was found are drawn again, two by
//   two, where four layers always suffice.
// - Fronts at the same depth are ordered by the number of their object, so that none hides another. The paper's
//   "deeper" would lose coincident objects.
// - A back that has no front of its own object before it makes no pair: its object is inside out there, and left out.
// - A point is near when the distance is at most the threshold in either direction, and is found with any surface of a
//   pair; the paper looks only behind fronts and before backs.
// - Depths are computed on the lattice of the CPU engines, not interpolated (crossing.glsl).
// - A first pass without depths finds the columns with two objects, the only ones to look at, and those where an object
//   does not close; that object is left out there, and counted. Compute shaders list the faces that may cover a column
//   of interest, round by round. All objects are one list of faces, drawn by one command per pass.
//
// GroupQuery::published takes back those departures that change the answer: the nearest layer alone, what is deeper,
// one back behind a front and one point of a round in a column, points behind fronts and before backs. What is lost by
// the first and the third is counted.
//
// Only points and a few sums are read, unless spans are asked for (for contacts), or an object is open or inside out
// somewhere: then the group is drawn again, its pairs are read too, and what to leave out is decided here.
//
// Everything is uploaded for every group, since a group does not record what has changed.

#include "engines/opengl/pairs.hpp"

#include <algorithm>
#include <tuple>

#include "core/stopwatch.hpp"
#include "engines/opengl/engines.hpp"

namespace lamella::opengl {
namespace {

/// A guard against a driver whose occlusion query never ends the rounds.
constexpr std::uint32_t kMostRounds = 1 << 15;

/// Moves a depth beyond the box onto its face. Adding zero turns negative zero into positive.
Surface surface(float depth, bool front, std::uint32_t face, const Grid& grid) {
  return {Crossing::make(std::clamp(depth, 0.0f, grid.depth()) + 0.0f, front), face};
}

/// Index into the candidates, or their number when there is none.
std::size_t candidate_of(const Group& group, std::uint32_t i, std::uint32_t j) {
  const std::pair wanted(std::min(i, j), std::max(i, j));
  const auto pair_of = [](const Candidate& c) { return std::pair(c.a, c.b); };
  const auto at = std::lower_bound(group.candidates.begin(), group.candidates.end(), wanted,
                                   [&](const Candidate& c, const auto& pair) { return pair_of(c) < pair; });
  const bool there = at != group.candidates.end() && pair_of(*at) == wanted;
  return there ? static_cast<std::size_t>(at - group.candidates.begin()) : group.candidates.size();
}

std::uint64_t place(std::uint32_t object, std::uint32_t column) { return std::uint64_t{object} << 32 | column; }

void reset(const Group& group, GroupAnswer& out) {
  out.spans.clear();
  out.points.clear();
  out.sums.clear();
  out.objects.assign(group.objects.size(), {});
  out.open_columns = out.occupied_columns = out.inside_out_columns = 0;
  out.dropped_crossings = 0;
  out.passed_over = 0;
  out.round_count = 0;
  out.read_back_bytes = 0;
}

bool earlier(const PairSpan& x, const PairSpan& y) {
  return std::tuple(x.begin, x.end, x.a.face, x.b.face) < std::tuple(y.begin, y.end, y.a.face, y.b.face);
}
bool earlier(const PairPoint& x, const PairPoint& y) {
  return std::tuple(x.a.crossing.key, x.b.crossing.key, x.a.face, x.b.face) <
         std::tuple(y.a.crossing.key, y.b.crossing.key, y.a.face, y.b.face);
}

}  // namespace

GlPairFinder::GlPairFinder(const EngineOptions& options, const PairLimits& limits)
    : GlDevice("gl-pairs", options.device, options.threads), limits_(limits), max_records_(options.max_crossings) {}

void GlPairFinder::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  reset(group, out);
  out.ms = {};
  redraws_ = 0;
  if (group.candidates.empty() || group.object_of_block.empty() || group.grid.column_count() == 0) return;
  on_device([&](Session& session) {
    check_grid(group.grid);
    Stopwatch watch;
    PairJob job{session, group, query, objects_->mesh, query.keep_spans};
    objects_->rounds.gpu_ms = 0;
    objects_->rounds.read_back_bytes = 0;
    objects_->mesh.assign(group);
    watch.lap(out.ms.ldi);
    if (!look(job, out)) {
      job.spans = true;
      reset(group, out);
      look(job, out);
    }
    watch.lap(out.ms.query);
    drop_unfounded(group, out);
    sort(group, out);
    watch.lap(out.ms.points);
    out.ms.gpu = objects_->rounds.gpu_ms;
    out.read_back_bytes = objects_->rounds.read_back_bytes;
  });
}

/// Everything but the order of the answer. False where the job wants only sums and points, but an object is open or
/// inside out somewhere: what to leave out there is found on the host, from the pairs themselves.
bool GlPairFinder::look(const PairJob& job, GroupAnswer& out) {
  PairRounds& rounds = objects_->rounds;
  reported_.assign(job.group.candidates.size(), 0);
  untrusted_.clear();
  inside_out_.clear();
  rounds.begin(job);
  if (!draw_rounds(job, nullptr, out)) return false;
  const PairRounds::Facts facts = rounds.facts(job);
  out.open_columns = facts.open_columns;
  out.occupied_columns = facts.occupied_columns;
  out.inside_out_columns = facts.inside_out_columns;
  out.passed_over = facts.passed_over;
  for (std::size_t i = 0; i < job.group.objects.size(); ++i) out.objects[i].skipped_triangles = facts.skipped[i];
  if (!redraw_hidden(job, out)) return false;
  take_points(job.group, rounds.gather(job), out);
  if (!job.spans) rounds.sums(job, out.sums);
  if (out.open_columns != 0) find_open(job, out);
  count_inside_out(out);
  return true;
}

/// False as look().
bool GlPairFinder::draw_rounds(const PairJob& job, const Candidate* two, GroupAnswer& out) {
  bool more = true;
  for (std::uint32_t number = 0; more; ++number) {
    if (number == kMostRounds)
      throw device_error("peeling does not end: a fault of the driver, or more than 65536 layers");
    const PairRounds::Result result = objects_->rounds.draw(job, number, two);
    const PairRounds::Facts facts = objects_->rounds.facts(job);
    if (!job.spans && (facts.open_columns != 0 || facts.inside_out_columns != 0)) return false;
    job.query.take_spans(result.record_count);
    take_pairs(job.group, result.pairs, out);
    more = result.more;
    ++out.round_count;
  }
  return true;
}

void GlPairFinder::take_pairs(const Group& group, std::span<const PairRecord> pairs, GroupAnswer& out) {
  for (const PairRecord& r : pairs) {
    if ((r.column & kDropped) != 0) continue;
    if (r.front_object == kNobody) {
      untrusted_.push_back(place(r.back_object, r.column));
      inside_out_.push_back(untrusted_.back());
      continue;
    }
    const std::size_t candidate = candidate_of(group, r.front_object, r.back_object);
    if (candidate == group.candidates.size()) continue;
    reported_[candidate] = 1;
    const Surface front = surface(r.front_depth, true, r.front_face, group.grid);
    const Surface back = surface(r.back_depth, false, r.back_face, group.grid);
    const bool front_first = r.front_object < r.back_object;
    out.spans.push_back({static_cast<std::uint32_t>(candidate), r.column, front.crossing.depth(), back.crossing.depth(),
                         front_first ? front : back, front_first ? back : front, r.front_face, r.back_face,
                         back.crossing.depth() - front.crossing.depth()});
  }
}

void GlPairFinder::take_points(const Group& group, std::span<const PointRecord> points, GroupAnswer& out) {
  for (const PointRecord& r : points)
    out.points.push_back({r.code >> 2, r.column, surface(r.depth_a, (r.code & 1u) != 0, r.face_a, group.grid),
                          surface(r.depth_b, (r.code & 2u) != 0, r.face_b, group.grid)});
}

/// Candidates that a missing layer may have hidden. False as look().
bool GlPairFinder::redraw_hidden(const PairJob& job, GroupAnswer& out) {
  const PairRounds::Facts facts = objects_->rounds.facts(job);
  incomplete_.assign(facts.incomplete.begin(), facts.incomplete.end());
  if (std::all_of(incomplete_.begin(), incomplete_.end(), [](std::uint32_t i) { return i == 0; })) return true;
  if (!job.spans) {
    objects_->rounds.fetch_sums(job);
    objects_->rounds.sums(job, sums_so_far_);
    for (std::size_t i = 0; i < reported_.size(); ++i) reported_[i] = sums_so_far_[i].spans != 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < job.group.candidates.size(); ++i) {
    const Candidate& c = job.group.candidates[i];
    if (reported_[i] != 0 || (incomplete_[c.a] == 0 && incomplete_[c.b] == 0)) continue;
    if (!draw_rounds(job, &c, out)) return false;
    ++redraws_;
  }
  return true;
}

/// Finds which objects do not close, and where.
void GlPairFinder::find_open(const PairJob& job, GroupAnswer& out) {
  const auto crossings = objects_->rounds.open_crossings(job);
  open_crossings_.assign(crossings.begin(), crossings.end());
  const auto key = [](const OpenRecord& r) { return std::tuple(r.object_and_facing >> 1, r.column); };
  std::sort(open_crossings_.begin(), open_crossings_.end(),
            [&](const OpenRecord& x, const OpenRecord& y) { return key(x) < key(y); });
  for (auto first = open_crossings_.begin(); first != open_crossings_.end();) {
    int sum = 0;
    auto last = first;
    for (; last != open_crossings_.end() && key(*last) == key(*first); ++last)
      sum += (last->object_and_facing & 1u) != 0 ? 1 : -1;
    const auto [object, column] = key(*first);
    if (sum != 0) {
      untrusted_.push_back(place(object, column));
      ++out.objects[object].open_columns;
    }
    first = last;
  }
}

/// Columns where an object is inside out, once each.
void GlPairFinder::count_inside_out(GroupAnswer& out) {
  std::sort(inside_out_.begin(), inside_out_.end());
  const auto end = std::unique(inside_out_.begin(), inside_out_.end());
  for (auto at = inside_out_.begin(); at != end; ++at)
    ++out.objects[static_cast<std::uint32_t>(*at >> 32)].inside_out_columns;
}

bool GlPairFinder::untrusted(std::uint32_t object, std::uint32_t column) const {
  return std::binary_search(untrusted_.begin(), untrusted_.end(), place(object, column));
}

/// Removes results in columns where one of the two objects is open or inside out, and points of pairs that then have no
/// span left.
void GlPairFinder::drop_unfounded(const Group& group, GroupAnswer& out) {
  std::sort(untrusted_.begin(), untrusted_.end());
  untrusted_.erase(std::unique(untrusted_.begin(), untrusted_.end()), untrusted_.end());
  const auto wrong = [&](const auto& found) {
    const Candidate& c = group.candidates[found.candidate];
    return untrusted(c.a, found.column) || untrusted(c.b, found.column);
  };
  if (!untrusted_.empty()) {
    std::erase_if(out.spans, wrong);
    std::erase_if(out.points, wrong);
    std::fill(reported_.begin(), reported_.end(), std::uint8_t{0});
    for (const PairSpan& s : out.spans) reported_[s.candidate] = 1;
    std::erase_if(out.points, [&](const PairPoint& p) { return reported_[p.candidate] == 0; });
  }
}

void GlPairFinder::sort(const Group& group, GroupAnswer& out) {
  const std::size_t candidates = group.candidates.size(), columns = group.grid.column_count();
  order_.sort(out.spans, spare_spans_, candidates, columns, [](const auto& x, const auto& y) { return earlier(x, y); });
  order_.sort(out.points, spare_points_, candidates, columns,
              [](const auto& x, const auto& y) { return earlier(x, y); });
}

std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options) {
  return std::make_unique<GlPairFinder>(options, PairLimits{});
}

}  // namespace lamella::opengl
