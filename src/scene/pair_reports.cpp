#include "scene/pair_reports.hpp"

#include <algorithm>

#include "core/grow.hpp"
#include "core/voi_choice.hpp"

namespace lamella {
namespace {

/// Below this many spans, waking threads costs more than it gains.
constexpr std::size_t kFewSpans = 2000;
/// Of a pair: what reserve() makes room for.
constexpr std::size_t kUsualPatches = 4;

bool as_published(const SceneOptions& options) { return options.method == PairMethod::jang; }

std::span<const PairSpan> spans_of(const PairSources& from, const GroupPlace& place) {
  return spans_of(from.answers, place);
}

std::span<const PairPoint> points_of(const PairSources& from, const GroupPlace& place) {
  return equal_by(std::span<const PairPoint>(from.answers[place.group].points), place.candidate, &PairPoint::candidate);
}

std::uint32_t span_count(const PairSources& from, const GroupPlace& place) {
  if (!place.exists()) return 0;
  const auto& sums = from.answers[place.group].sums;
  return sums.empty() ? static_cast<std::uint32_t>(spans_of(from, place).size()) : sums[place.candidate].spans;
}

PairSum sum_of(const PairSources& from, const GroupPlace& place) {
  const auto& sums = from.answers[place.group].sums;
  if (!sums.empty()) return sums[place.candidate];
  PairSum sum;
  CellCursor cell(from.grouping.groups()[place.group].grid);
  const auto spans = spans_of(from, place);
  for (const PairSpan& s : spans) {
    const double l = s.length;
    cell.move_to(s.column);
    sum.length += l;
    sum.moment =
        sum.moment + Vec3d{(cell.u + 0.5) * l, (cell.v + 0.5) * l, 0.5 * l * (static_cast<double>(s.begin) + s.end)};
  }
  sum.spans = static_cast<std::uint32_t>(spans.size());
  return sum;
}

void report_volume(const Group& group, const PairSum& sum, bool gives_volumes, ScenePair& pair) {
  const Grid& grid = group.grid;
  pair.span_count = sum.spans;
  if (gives_volumes) pair.volume = sum.length * grid.cell_area();
  pair.centroid[grid.u()] = grid.box.min[grid.u()] + sum.moment.x / sum.length * grid.cell_u();
  pair.centroid[grid.v()] = grid.box.min[grid.v()] + sum.moment.y / sum.length * grid.cell_v();
  pair.centroid[grid.w()] = grid.box.min[grid.w()] + sum.moment.z / sum.length;
  pair.centroid += group.origin;
}

void report_points(const PairSources& from, const GroupPlace& place, std::uint32_t pair, CollisionPoint* out) {
  const Group& group = from.grouping.groups()[place.group];
  const Candidate& c = group.candidates[place.candidate];
  for (const PairPoint& p : points_of(from, place)) {
    const auto on = [&](const Surface& s) {
      return sample_position(group.grid, p.column, static_cast<double>(s.crossing.depth())) + group.origin;
    };
    *out++ = {pair,
              on(p.a),
              on(p.b),
              p.a.crossing.entry(),
              p.b.crossing.entry(),
              p.a.face - group.objects[c.a].first_face,
              p.b.face - group.objects[c.b].first_face};
  }
}

/// A pair's collision points as spans between their two surfaces: what contacts are made from in the published method.
std::span<const PairSpan> points_as_spans(std::span<const PairPoint> points, std::vector<PairSpan>& out) {
  out.clear();
  for (const PairPoint& p : points) {
    const float a = p.a.crossing.depth(), b = p.b.crossing.depth();
    out.push_back({p.candidate, p.column, std::min(a, b), std::max(a, b), p.a, p.b});
  }
  return out;
}

}  // namespace

/// Finds the candidates that collide, and gives their pairs, points and manifolds their places. Returns the number of
/// spans.
std::size_t PairReports::collect(const PairSources& from, PairMemory& memory, SceneResult& result) {
  reports_.clear();
  std::size_t spans = 0, points = 0;
  for (std::size_t i = 0; i < from.candidates.size(); ++i) {
    const ScenePairCandidate& candidate = from.candidates[i];
    Report report{static_cast<std::uint32_t>(i), 0, {}};
    const int own = static_cast<int>(candidate.axis);
    for (const int axis : {own, (own + 1) % 3, (own + 2) % 3}) {
      const GroupPlace place = from.grouping.place(i, axis);
      // Sums are of the first view; for the others spans are needed.
      const std::size_t count = report.place_count == 0 ? span_count(from, place) : spans_of(from, place).size();
      if (count != 0) report.places[report.place_count++] = place;
      spans += count;
    }
    const bool sampled = report.place_count != 0;
    if (!sampled) memory.forget_contacts(i);
    if (from.decisions[i].verdict != Verdict::colliding || (!sampled && from.proofs.empty())) {
      memory.forget_contacts(i);
      continue;
    }
    ScenePair pair;
    pair.a = {static_cast<std::uint32_t>(candidate.key >> 32)};
    pair.b = {static_cast<std::uint32_t>(candidate.key)};
    pair.group = sampled ? report.places[0].group : from.grouping.place(i, own).group;
    if (!from.proofs.empty()) pair.certificate = from.proofs[i].certificate;
    if (from.options.points && sampled) {
      pair.first_point = static_cast<std::uint32_t>(points);
      pair.point_count = static_cast<std::uint32_t>(points_of(from, report.places[0]).size());
      points += pair.point_count;
    }
    if (from.options.max_contacts > 0 && sampled) memory.make_manifold(i);
    reports_.push_back(report);
    result.pairs.push_back(pair);
  }
  resize_with_margin(result.points, points);
  resize_with_margin(contacts_, reports_.size() * from.options.max_contacts);
  if (patches_.size() < reports_.size()) patches_.resize(reports_.size());
  return spans;
}

/// In the published method only the pair's own view is used, and a pair may have no contacts.
void PairReports::make_contacts(const PairSources& from, std::size_t index, Manifold& manifold, Worker& worker,
                                ScenePair& pair) {
  const Report& report = reports_[index];
  const bool published = as_published(from.options);
  PairView views[3];
  std::size_t count = 0;
  for (const GroupPlace& place : std::span(report.places).first(published ? 1 : report.place_count)) {
    const Group& g = from.grouping.groups()[place.group];
    const auto spans = published ? points_as_spans(points_of(from, place), worker.point_spans) : spans_of(from, place);
    if (!spans.empty()) views[count++] = {&g, g.candidates[place.candidate], spans};
  }
  worker.made.clear();
  if (count == 0) return;
  const bool all_axes = from.options.views == 3 && !from.options.axis;
  const ContactMaker::Settings settings{from.options.normals, from.options.max_contacts, all_axes && !published};
  // All of it relative to the origin of the pair.
  const PlacedObject& a = from.objects.placed()[from.candidates[report.candidate].slot_a];
  Transform pose_a = from.objects.pose_in(a.slot);
  pose_a.translation -= a.origin;
  const auto found = worker.contacts.make(std::span(views, count), settings, pose_a, manifold, worker.made);
  for (Contact& c : worker.made) c.position += a.origin;
  pair.depth = found.depth;
  pair.more_contacts = found.more;
  pair.contact_count = static_cast<std::uint32_t>(worker.made.size());
  if (!from.options.patches || !from.gives_volumes) return;
  const PlacedObject& b = from.objects.placed()[from.candidates[report.candidate].slot_b];
  worker.patches.make(std::span(views, count), shared_box(a.box, b.box), all_axes, patches_[index]);
  for (ContactPatch& p : patches_[index]) p.center += a.origin;
  pair.patch_count = static_cast<std::uint32_t>(patches_[index].size());
}

void PairReports::make_one(const PairSources& from, std::size_t index, PairMemory& memory, Worker& worker,
                           SceneResult& result) {
  const Report& report = reports_[index];
  ScenePair& pair = result.pairs[index];
  patches_[index].clear();
  if (report.place_count == 0) {  // no ray has met what is proved to be there
    take_look(from.proofs[report.candidate], from.gives_volumes, pair);
    return;
  }
  const Group& group = from.grouping.groups()[pair.group];
  report_volume(group, sum_of(from, report.places[0]), from.gives_volumes, pair);
  if (pair.volume)
    pair.volume_error = worker.errors.error_of(group.grid, spans_of(from, report.places[0]), *pair.volume);
  if (from.options.points)
    report_points(from, report.places[0], static_cast<std::uint32_t>(index), result.points.data() + pair.first_point);
  if (from.options.max_contacts == 0) return;
  make_contacts(from, index, memory.manifold(report.candidate), worker, pair);
  std::copy(worker.made.begin(), worker.made.end(),
            contacts_.begin() + static_cast<std::ptrdiff_t>(index * from.options.max_contacts));
}

/// Brings the contacts together, and gives the new ones their ids in the order of the pairs.
void PairReports::number_contacts(PairMemory& memory, SceneResult& result) {
  const std::size_t room = reports_.empty() ? 0 : contacts_.size() / reports_.size();
  std::uint32_t total = 0;
  for (ScenePair& pair : result.pairs) {
    pair.first_contact = total;
    total += pair.contact_count;
  }
  resize_with_margin(result.contacts, total);
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    const ScenePair& pair = result.pairs[i];
    if (pair.contact_count == 0) continue;
    const auto made = std::span(contacts_).subspan(i * room, pair.contact_count);
    number_new_contacts(made, memory.manifold(reports_[i].candidate), last_id_);
    std::copy(made.begin(), made.end(), result.contacts.begin() + pair.first_contact);
  }
}

/// Brings the patches together.
void PairReports::gather_patches(SceneResult& result) {
  std::uint32_t total = 0;
  for (ScenePair& pair : result.pairs) {
    pair.first_patch = total;
    total += pair.patch_count;
  }
  resize_with_margin(result.patches, total);
  for (std::size_t i = 0; i < reports_.size(); ++i)
    std::copy(patches_[i].begin(), patches_[i].end(), result.patches.begin() + result.pairs[i].first_patch);
}

void PairReports::reserve(std::size_t pairs, std::uint32_t max_contacts) {
  reports_.reserve(pairs);
  contacts_.reserve(pairs * max_contacts);
  if (patches_.size() < pairs) patches_.resize(pairs);
  for (auto& patches : patches_) patches.reserve(kUsualPatches);
}

void PairReports::make(const PairSources& from, PairMemory& memory, Workers& workers, SceneResult& result) {
  const std::size_t spans = collect(from, memory, result);
  if (workers_.size() < workers.count()) workers_.resize(workers.count());
  workers.for_chunks(
      reports_.size(), 1,
      [&](std::size_t i, std::size_t, unsigned worker) { make_one(from, i, memory, workers_[worker], result); },
      spans < kFewSpans ? reports_.size() : 1);
  number_contacts(memory, result);
  gather_patches(result);
}

}  // namespace lamella
