// Contacts from the stretches of rays that two objects share.
//
// A stretch between a front face of the one and a back face of the other is a local penetration: the normal comes from
// the two faces hit, or as Jang, Jeong and Han publish from three neighbouring points; the depth is the stretch seen
// along the normal. A ray tells nothing of the sides, though. Where the shared volume ends sideways nearer than the
// stretch is long, the objects touch on that side, and another axis sees it face on: such stretches are left out, and
// so are those where one object passes through the other along the ray.
//
// Of the contacts found, few are chosen: first those near the last frame's, then always the one furthest, in place and
// direction, from all chosen ones. A choice that covers the contacts hardly worse than a fresh one is kept, so that
// contacts do not jump while objects rest or slide.

#include "scene/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lamella {
namespace {

constexpr float kFar = std::numeric_limits<float>::max();
/// Stretches looked at in one view of a pair.
constexpr std::size_t kMostChoices = 24;
/// A face is another view's to see when it is turned further than 60 degrees from the ray.
constexpr float kFacing = 0.5f;

Vec3 unit_or(Vec3 v, Vec3 otherwise) {
  const float l = length(v);
  return l > 0 ? v * (1.0f / l) : otherwise;
}

Vec3 ray(const Grid& grid) {
  Vec3 w;
  w[grid.w()] = 1;
  return w;
}

Vec3 outward(const Grid& grid, const Surface& s) { return ray(grid) * (s.crossing.entry() ? -1.0f : 1.0f); }

Vec3 face_normal(const Group& group, std::uint32_t object, const Surface& s) {
  const GroupObject& o = group.objects[object];
  const Triangle t = o.mesh.triangles[s.face - o.first_face];
  const Vec3 a = o.mesh.positions[t.a], b = o.mesh.positions[t.b], c = o.mesh.positions[t.c];
  return unit_or(cross(b - a, c - a), outward(group.grid, s));
}

Vec3d surface_point(const Grid& grid, std::uint32_t column, const Surface& s) {
  return sample_position(grid, column, static_cast<double>(s.crossing.depth()));
}

/// The span of a neighbouring column whose surface of the same object faces the same way, nearest in depth.
const PairSpan* neighbour(std::span<const PairSpan> spans, std::uint32_t column, const Surface PairSpan::*side,
                          const Surface& here) {
  const PairSpan* best = nullptr;
  float distance = kFar;
  for (const PairSpan& s : equal_by(spans, column, &PairSpan::column)) {
    const Crossing c = (s.*side).crossing;
    const float d = std::abs(c.depth() - here.crossing.depth());
    if (c.entry() != here.crossing.entry() || d >= distance) continue;
    best = &s;
    distance = d;
  }
  return best;
}

/// From the surface's points on three neighbouring rays, not in line; of the face where there are none.
Vec3 neighbour_normal(const PairView& view, std::uint32_t object, const PairSpan& span, const Surface PairSpan::*side) {
  const Grid& grid = view.group->grid;
  const Surface& here = span.*side;
  const std::uint32_t u = span.column % grid.columns, v = span.column / grid.columns;
  const auto step = [&](bool along_u, bool back) -> const PairSpan* {
    const std::uint32_t at = along_u ? u : v, end = along_u ? grid.columns : grid.rows;
    if (back ? at == 0 : at + 1 == end) return nullptr;
    const std::uint32_t stride = along_u ? 1 : grid.columns;
    return neighbour(view.spans, back ? span.column - stride : span.column + stride, side, here);
  };
  Vec3d edge[2];
  for (const bool along_u : {true, false}) {
    const PairSpan* other = step(along_u, false);
    const double sign = other != nullptr ? 1 : -1;
    if (other == nullptr) other = step(along_u, true);
    if (other == nullptr) return face_normal(*view.group, object, here);
    edge[along_u ? 0 : 1] =
        (surface_point(grid, other->column, (*other).*side) - surface_point(grid, span.column, here)) * sign;
  }
  const Vec3 n = to_float(cross(edge[0], edge[1]));  // along +w, since (u, v, w) is right-handed
  return unit_or(here.crossing.entry() ? n * -1.0f : n, outward(grid, here));
}

/// The outermost spans in eight directions of the image, and the longest.
struct Extremes {
  const PairSpan* span[9] = {};
  std::int64_t most[8];

  Extremes() { std::fill(std::begin(most), std::end(most), std::numeric_limits<std::int64_t>::min()); }

  void look_at(const PairSpan& s, const CellCursor& cell) {
    const auto u = static_cast<std::int64_t>(cell.u), v = static_cast<std::int64_t>(cell.v);
    const std::int64_t along[8] = {u, -u, v, -v, u + v, u - v, v - u, -u - v};
    for (int i = 0; i < 8; ++i)
      if (along[i] > most[i]) {
        most[i] = along[i];
        span[i] = &s;
      }
    if (span[8] == nullptr || s.end - s.begin > span[8]->end - span[8]->begin) span[8] = &s;
  }
};

float distance_squared(const Contact& a, const Contact& b, float normal_scale) {
  const Vec3 p = a.position - b.position, n = (a.normal - b.normal) * normal_scale;
  return dot(p, p) + dot(n, n);
}

}  // namespace

/// How many cells the shared volume goes on sideways from each of its columns: a two-pass distance transform over the
/// columns' own rectangle. Not needed where no stretch is longer than a cell.
void ContactMaker::measure_reach(const PairView& view) {
  const Grid& grid = view.group->grid;
  float longest = 0;
  std::uint32_t end_u = 0, end_v = 0;
  reach_u_ = reach_v_ = ~0u;
  CellCursor cell(grid);
  for (const PairSpan& s : view.spans) {
    longest = std::max(longest, s.end - s.begin);
    cell.move_to(s.column);
    reach_u_ = std::min(reach_u_, cell.u);
    reach_v_ = std::min(reach_v_, cell.v);
    end_u = std::max(end_u, cell.u + 1);
    end_v = std::max(end_v, cell.v + 1);
  }
  reach_known_ = longest > static_cast<float>(std::min(grid.cell_u(), grid.cell_v()));
  if (!reach_known_) return;
  reach_width_ = end_u - reach_u_ + 2;  // a rim of zeros all round
  reach_height_ = end_v - reach_v_ + 2;
  reach_.assign(std::size_t{reach_width_} * reach_height_, 0);
  for (const PairSpan& s : view.spans) {
    cell.move_to(s.column);
    reach_[(cell.v - reach_v_ + 1) * std::size_t{reach_width_} + cell.u - reach_u_ + 1] = 0xffff;
  }
  const std::size_t w = reach_width_;
  const auto relax = [&](std::size_t i, std::size_t n0, std::size_t n1, std::size_t n2, std::size_t n3) {
    const std::uint16_t least = std::min({reach_[n0], reach_[n1], reach_[n2], reach_[n3]});
    if (reach_[i] > least) reach_[i] = static_cast<std::uint16_t>(least + 1);
  };
  for (std::size_t v = 1; v + 1 < reach_height_; ++v)
    for (std::size_t i = v * w + 1; i < v * w + w - 1; ++i) relax(i, i - 1, i - w - 1, i - w, i - w + 1);
  for (std::size_t v = reach_height_ - 2; v > 0; --v)
    for (std::size_t i = v * w + w - 2; i > v * w; --i) relax(i, i + 1, i + w - 1, i + w, i + w + 1);
}

float ContactMaker::reach(const PairView& view, std::uint32_t column) const {
  if (!reach_known_) return kFar;
  const Grid& grid = view.group->grid;
  const std::size_t at =
      (column / grid.columns - reach_v_ + 1) * std::size_t{reach_width_} + column % grid.columns - reach_u_ + 1;
  return static_cast<float>(reach_[at] * std::min(grid.cell_u(), grid.cell_v()));
}

void ContactMaker::add_choice(const PairView& view, const PairSpan& span, const Settings& settings) {
  const Group& group = *view.group;
  const bool by_faces = settings.normals == Normals::faces;
  const Vec3 na = by_faces ? face_normal(group, view.candidate.a, span.a)
                           : neighbour_normal(view, view.candidate.a, span, &PairSpan::a);
  const Vec3 nb = by_faces ? face_normal(group, view.candidate.b, span.b)
                           : neighbour_normal(view, view.candidate.b, span, &PairSpan::b);
  const Vec3d on_a = surface_point(group.grid, span.column, span.a);
  const Vec3d on_b = surface_point(group.grid, span.column, span.b);
  Contact c;
  c.position = to_float((on_a + on_b) * 0.5);
  c.normal = unit_or(nb - na, outward(group.grid, span.b));
  c.depth = static_cast<float>(std::abs(dot(on_b - on_a, to_double(c.normal))));
  c.front_a = span.a.crossing.entry();
  c.front_b = span.b.crossing.entry();
  c.face_a = span.a.face - group.objects[view.candidate.a].first_face;
  c.face_b = span.b.face - group.objects[view.candidate.b].first_face;

  const float apart = std::abs(span.a.crossing.depth() - span.b.crossing.depth());
  const bool through = apart > span.end - span.begin;
  const bool faced = !settings.all_axes || std::abs(c.normal[group.grid.w()]) >= kFacing;
  const bool good = !through && faced && c.depth <= reach(view, span.column);
  (good ? choices_ : refused_).push_back({c});
}

/// The choices of one view: of many spans the outermost, the longest, and every 2^k-th along a slanted lattice that no
/// thin shape slips through and that stays where it is while the grid does.
void ContactMaker::collect(const PairView& view, const Settings& settings) {
  const Grid& grid = view.group->grid;
  measure_reach(view);
  std::uint32_t step = 1;
  while (view.spans.size() / step > kMostChoices) step *= 2;
  cell_ = std::max(cell_, static_cast<float>(std::max(grid.cell_u(), grid.cell_v()) * std::sqrt(step)));
  Extremes extremes;
  CellCursor cell(grid);
  const auto on_lattice = [&](const PairSpan& s) {
    cell.move_to(s.column);
    return ((cell.u + 5 * cell.v) & (step - 1)) == 0;
  };
  for (const PairSpan& s : view.spans) {
    if (on_lattice(s)) add_choice(view, s, settings);
    if (step > 1) extremes.look_at(s, cell);
  }
  if (step == 1) return;
  for (int i = 0; i < 9; ++i)
    if (!on_lattice(*extremes.span[i]) &&
        std::find(extremes.span, extremes.span + i, extremes.span[i]) == extremes.span + i)
      add_choice(view, *extremes.span[i], settings);
}

void ContactMaker::separate_from(std::size_t choice) {
  for (Choice& c : choices_)
    c.separation = std::min(c.separation, distance_squared(c.contact, choices_[choice].contact, normal_scale_));
}

/// Completes the chosen ones, of which there are some, to `most`, or until all are near a chosen one.
void ContactMaker::choose(std::uint32_t most) {
  for (Choice& c : choices_) c.separation = kFar;
  for (const std::uint32_t i : chosen_) separate_from(i);
  const float near = 4 * cell_ * cell_;
  while (chosen_.size() < most) {
    std::size_t furthest = 0;
    for (std::size_t i = 1; i < choices_.size(); ++i)
      if (choices_[i].separation > choices_[furthest].separation) furthest = i;
    if (choices_[furthest].separation <= near) break;
    chosen_.push_back(static_cast<std::uint32_t>(furthest));
    separate_from(furthest);
  }
}

/// Distance from the chosen ones to the choice that they cover worst.
float ContactMaker::spread() const {
  float most = 0;
  for (const Choice& c : choices_) most = std::max(most, c.separation);
  return std::sqrt(most);
}

/// Whether a contact can be the last frame's one that is `at` this place now, and how far off it is.
bool ContactMaker::continues(const Contact& contact, const Manifold::Anchor& anchor, Vec3 at, float& distance) const {
  const Vec3 d = contact.position - at;
  distance = dot(d, d);
  return distance < 9 * cell_ * cell_ && dot(contact.normal, anchor.normal) >= 0.8f;
}

/// Starts from the last frame's contacts: for each the choice nearest to where it is now.
void ContactMaker::keep_anchors(const Manifold& manifold, const Transform& pose_a) {
  chosen_.clear();
  ids_.clear();
  for (std::uint32_t k = 0; k < manifold.count; ++k) {
    const Manifold::Anchor& anchor = manifold.anchors[k];
    const Vec3 at = to_float(apply(pose_a, anchor.position));
    std::size_t nearest = choices_.size();
    float best = kFar, distance = 0;
    for (std::size_t i = 0; i < choices_.size(); ++i)
      if (continues(choices_[i].contact, anchor, at, distance) && distance < best) {
        best = distance;
        nearest = i;
      }
    if (nearest == choices_.size() || std::find(chosen_.begin(), chosen_.end(), nearest) != chosen_.end()) continue;
    chosen_.push_back(static_cast<std::uint32_t>(nearest));
    ids_.push_back(anchor.id);
  }
}

/// The deepest must be felt, but not at the price of a new choice whenever depths tie: it takes a free place, or that
/// of the kept one next to it.
void ContactMaker::include_deepest(std::size_t deepest, std::uint32_t most) {
  float kept_depth = 0;
  for (const std::uint32_t i : chosen_) kept_depth = std::max(kept_depth, choices_[i].contact.depth);
  const Contact& deep = choices_[deepest].contact;
  if (deep.depth <= 1.25f * kept_depth) return;
  if (chosen_.size() < most) {
    chosen_.push_back(static_cast<std::uint32_t>(deepest));
    ids_.push_back(0);
    return;
  }
  std::size_t nearest = 0;
  float best = kFar;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const float distance = distance_squared(deep, choices_[chosen_[k]].contact, normal_scale_);
    if (distance >= best) continue;
    best = distance;
    nearest = k;
  }
  chosen_[nearest] = static_cast<std::uint32_t>(deepest);
  ids_[nearest] = 0;
}

/// Gives the chosen ones the ids of the last frame's contacts that they are next to.
void ContactMaker::carry_ids(const Manifold& manifold, const Transform& pose_a) {
  ids_.assign(chosen_.size(), 0);
  for (std::uint32_t k = 0; k < manifold.count; ++k) {
    const Manifold::Anchor& anchor = manifold.anchors[k];
    const Vec3 at = to_float(apply(pose_a, anchor.position));
    std::size_t nearest = chosen_.size();
    float best = kFar, distance = 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (ids_[i] == 0 && continues(choices_[chosen_[i]].contact, anchor, at, distance) && distance < best) {
        best = distance;
        nearest = i;
      }
    if (nearest != chosen_.size()) ids_[nearest] = anchor.id;
  }
}

/// All views' choices; where none is good, one object is within the other, or they are as deep as wide: then the
/// shortest ways out that rays know.
void ContactMaker::collect_all(std::span<const PairView> views, const Settings& settings) {
  choices_.clear();
  refused_.clear();
  cell_ = 0;
  for (const PairView& view : views) collect(view, settings);
  if (choices_.empty()) {
    float least = kFar;
    for (const Choice& c : refused_) least = std::min(least, c.contact.depth);
    for (const Choice& c : refused_)
      if (c.contact.depth <= 1.5f * least) choices_.push_back(c);
  }
  Aabb box;
  for (const Choice& c : choices_) box = extend(box, c.contact.position);
  normal_scale_ = 0.5f * length(extent(box)) + cell_;
}

float ContactMaker::make(std::span<const PairView> views, const Settings& settings, const Transform& pose_a,
                         Manifold& manifold, std::vector<Contact>& out) {
  collect_all(views, settings);
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < choices_.size(); ++i)
    if (choices_[i].contact.depth > choices_[deepest].contact.depth) deepest = i;
  const std::uint32_t most = std::min(settings.max_contacts, kMaxContacts);

  chosen_.assign(1, static_cast<std::uint32_t>(deepest));
  choose(most);
  const float fresh_spread = spread();
  chosen_afresh_ = chosen_;

  keep_anchors(manifold, pose_a);
  if (!chosen_.empty()) {
    if (chosen_.size() > most) chosen_.resize(most);
    ids_.resize(chosen_.size());
    include_deepest(deepest, most);
    choose(most);
    ids_.resize(chosen_.size(), 0);
  }
  if (chosen_.empty() || spread() > 1.5f * fresh_spread + cell_) {
    chosen_ = chosen_afresh_;
    carry_ids(manifold, pose_a);
  }

  manifold.count = static_cast<std::uint32_t>(chosen_.size());
  const Quaternion q = pose_a.rotation;
  const Transform back{{}, {-q.x, -q.y, -q.z, q.w}};
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    Contact c = choices_[chosen_[k]].contact;
    c.id = ids_[k] != 0 ? ids_[k] : ++manifold.last_id;
    manifold.anchors[k] = {apply(back, to_double(c.position) - pose_a.translation), c.normal, c.id};
    out.push_back(c);
  }
  return choices_[deepest].contact.depth;
}

}  // namespace lamella
