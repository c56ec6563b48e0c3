#include "scene/decide.hpp"

#include <algorithm>

#include "core/grow.hpp"
#include "core/rims.hpp"
#include "query/witness.hpp"

namespace lamella {
namespace {

/// Where a candidate is sampled, its own view first.
struct Views {
  GroupPlace places[3];
  std::size_t count = 0;
};

Views views_of(const DecisionSources& from, std::size_t i) {
  Views views;
  const int own = static_cast<int>(from.candidates[i].axis);
  for (const int axis : {own, (own + 1) % 3, (own + 2) % 3}) {
    const GroupPlace place = from.grouping.place(i, axis);
    if (place.exists()) views.places[views.count++] = place;
  }
  return views;
}

/// Whether the surfaces that bound a span are so far from their edges, and so far apart, that the errors of sampling do
/// not explain it. Where one object bounds it alone, the other is there too: a step of the lattice is all it can move.
bool is_certain(const Group& group, const PairSpan& span) {
  double errors = 0;
  for (const std::uint32_t face : {span.begin_face, span.end_face}) {
    const GroupObject& o = group.objects[group.object_of(face)];
    double error = 0;
    if (!crosses_for_certain(o.mesh, face - o.first_face, group.grid, span.column, error)) return false;
    errors += error;
  }
  return span.length > errors;
}

/// The longest span nearly always proves an overlap; otherwise some others are looked at.
bool any_is_certain(const Group& group, std::span<const PairSpan> spans) {
  constexpr std::size_t kLooks = 32;
  if (spans.empty()) return false;
  const auto shorter = [](const PairSpan& x, const PairSpan& y) { return x.length < y.length; };
  if (is_certain(group, *std::max_element(spans.begin(), spans.end(), shorter))) return true;
  const std::size_t step = (spans.size() + kLooks - 1) / kLooks;
  for (std::size_t i = step / 2; i < spans.size(); i += step)
    if (is_certain(group, spans[i])) return true;
  return false;
}

SpanCheck look_closely(const Group& group, const Candidate& c, std::span<const PairSpan> spans,
                       std::vector<Span>& scratch) {
  scratch.clear();
  for (const PairSpan& s : spans) scratch.push_back({s.column, s.begin, s.begin + s.length});
  if (spans_suffice(group.grid, scratch)) return {.certain = 1};
  return check_spans(group.objects[c.a].mesh, group.objects[c.b].mesh, group.grid, scratch);
}

/// What the spans of all views say: first what is quickly found.
SpanCheck check_views(const DecisionSources& from, std::span<const GroupPlace> places, std::vector<Span>& scratch) {
  SpanCheck all;
  for (const GroupPlace& place : places) {
    const auto& sums = from.answers[place.group].sums;
    if (!sums.empty() && sums[place.candidate].spans != 0) return {.certain = 1};  // gl-pairs kept no spans to look at
    if (any_is_certain(from.grouping.groups()[place.group], spans_of(from.answers, place))) return {.certain = 1};
  }
  for (const GroupPlace& place : places) {
    const Group& g = from.grouping.groups()[place.group];
    const auto spans = spans_of(from.answers, place);
    if (spans.empty()) continue;
    const SpanCheck check = look_closely(g, g.candidates[place.candidate], spans, scratch);
    all.certain += check.certain;
    all.uncertain += check.uncertain;
    all.refuted += check.refuted;
    if (all.certain != 0) break;
  }
  return all;
}

/// What was left out where the two objects were sampled; a count of 0 when that is nothing.
Doubt doubt_of(const DecisionSources& from, std::size_t i, std::span<const GroupPlace> places) {
  std::uint32_t open[2] = {}, inside_out[2] = {};
  std::uint64_t dropped = 0;
  for (const GroupPlace& place : places) {
    const Candidate& c = from.grouping.groups()[place.group].candidates[place.candidate];
    const GroupAnswer& answer = from.answers[place.group];
    for (int k = 0; k < 2; ++k) {
      open[k] += answer.objects[k == 0 ? c.a : c.b].open_columns;
      inside_out[k] += answer.objects[k == 0 ? c.a : c.b].inside_out_columns;
    }
    dropped += answer.dropped_crossings;
  }
  for (int k = 0; k < 2; ++k) {
    const std::uint32_t place = k == 0 ? from.candidates[i].slot_a : from.candidates[i].slot_b;
    if (inside_out[k] != 0) return {Doubt::Cause::inside_out, k, inside_out[k]};
    if (open[k] != 0) return {Doubt::Cause::open_columns, k, open[k]};
    if (from.broken[place] != 0) return {Doubt::Cause::skipped_triangles, k, from.broken[place]};
  }
  return {Doubt::Cause::dropped_crossings, -1, dropped};
}

/// A box around the spans of a pair in one view, in the frame that the two objects are placed in.
WideBox box_of(const Grid& grid, std::span<const PairSpan> spans) {
  Aabb box;
  for (const PairSpan& s : spans) {
    box = extend(box, to_float(sample_position(grid, s.column, s.begin)));
    box = extend(box, to_float(sample_position(grid, s.column, s.end)));
  }
  return wide_box(box);
}

/// Whether an overlap may be the fans' alone, or, where there is none, an object comes to holes of the other.
Doubt doubt_of_holes(const DecisionSources& from, std::size_t i, std::span<const GroupPlace> places, bool colliding) {
  const PlacedObject* const objects[] = {&from.placed[from.candidates[i].slot_a],
                                         &from.placed[from.candidates[i].slot_b]};
  for (const int k : {0, 1}) {
    const Closure* closure = objects[k]->closure;
    if (closure == nullptr) continue;
    const auto rims = rims_of(*closure, objects[k]->mesh.positions.first(closure->vertex_count));
    bool matters = !colliding && comes_near(objects[1 - k]->mesh, rims);
    for (const GroupPlace& place : places) {
      const auto spans = spans_of(from.answers, place);
      matters = matters || (colliding && !spans.empty() &&
                            in_one_rim(box_of(from.grouping.groups()[place.group].grid, spans), rims));
    }
    if (matters) return {Doubt::Cause::closed_holes, k, closure->edge_count};
  }
  return {};
}

Decision decide_pair(const DecisionSources& from, std::size_t i, std::vector<Span>& scratch) {
  const Views views = views_of(from, i);
  const auto places = std::span(views.places).first(views.count);
  const SpanCheck check = check_views(from, places, scratch);
  const Doubt holes = doubt_of_holes(from, i, places, check.certain != 0);
  if (holes.count != 0) return {Verdict::undecided, holes};
  if (check.certain != 0) return {Verdict::colliding, {}};
  Doubt doubt = doubt_of(from, i, places);
  if (doubt.count == 0 && check.uncertain != 0) doubt = {Doubt::Cause::touching, -1, check.uncertain};
  return {doubt.count != 0 ? Verdict::undecided : Verdict::clear, doubt};
}

}  // namespace

std::span<const PairSpan> spans_of(std::span<const GroupAnswer> answers, const GroupPlace& place) {
  if (!place.exists()) return {};
  return equal_by(std::span<const PairSpan>(answers[place.group].spans), place.candidate, &PairSpan::candidate);
}

bool PairDecisions::prove(std::size_t candidate, const Decision& found, bool certain) {
  Decision& d = decisions_[candidate];
  if (d.verdict == Verdict::undecided && d.doubt.cause == Doubt::Cause::closed_holes) return false;
  if (certain || (d.verdict == Verdict::clear && found.verdict == Verdict::undecided)) d = found;
  return certain;
}

void PairDecisions::make(const DecisionSources& from, Workers& workers) {
  constexpr std::size_t kFew = 16;
  resize_with_margin(decisions_, from.candidates.size());
  if (scratch_.size() < workers.count()) scratch_.resize(workers.count());
  workers.for_chunks(from.candidates.size(), kFew, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i) decisions_[i] = decide_pair(from, i, scratch_[worker]);
  });
}

}  // namespace lamella
