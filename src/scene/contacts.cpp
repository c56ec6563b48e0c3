// Contacts from the spans of rays that two objects share: Jang, Jeong, Han, "GPU-based Image-space Approach to
// Collision Detection among Closed Objects".
//
// A span between a front face of one object and a back face of the other is a local penetration. The normal comes from
// the two triangles hit or, as published, from three neighbouring points; the depth is the span's length along the
// normal. But a ray knows nothing of the sides. Where the shared volume is narrower than the span is long, the objects
// touch on that side, and another axis sees it face on: such spans are left out, and so are those where one object
// passes right through the other along the ray.
//
// Of the contacts found, a few are chosen: first those near the last frame's, then repeatedly the one furthest, in
// position and normal, from all chosen ones. A choice that covers the contacts hardly worse than a fresh one is kept,
// so that contacts do not jump while objects rest or slide.

#include "scene/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/refine.hpp"

namespace lamella {
namespace {

constexpr float kFar = std::numeric_limits<float>::max();
/// Spans of one view of a pair that become choices.
constexpr std::size_t kMostChoices = 24;
/// Cosine of 60 degrees: where the normal is further from the ray, another view sees the contact better.
constexpr float kFacing = 0.5f;

Vec3 unit_or(Vec3d v, Vec3 otherwise) {
  const double l = std::sqrt(dot(v, v));
  return l > 0 ? to_float(v * (1 / l)) : otherwise;
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
  const Vec3d a = to_double(o.mesh.positions[t.a]);  // in double: products of very short or long sides
  const Vec3d n = cross(to_double(o.mesh.positions[t.b]) - a, to_double(o.mesh.positions[t.c]) - a);
  return unit_or(n, outward(group.grid, s));
}

Vec3d surface_point(const Grid& grid, std::uint32_t column, const Surface& s) {
  return sample_position(grid, column, static_cast<double>(s.crossing.depth()));
}

/// The same where depths from the low face are too coarse.
Vec3d exact_point(const Group& group, std::uint32_t object, std::uint32_t column, const Surface& s) {
  const GroupObject& o = group.objects[object];
  return sample_position(group.grid, column, exact_depth(o.mesh, s.face - o.first_face, group.grid, column));
}

/// Whether one object passes right through the other along the ray: the surfaces that must pass each other are further
/// apart than the stretch is long.
bool is_through(const PairSpan& span) {
  return std::abs(span.a.crossing.depth() - span.b.crossing.depth()) > span.end - span.begin;
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

/// From the surface's points on three neighbouring rays that are not in line; the triangle's where there are none.
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
  const Vec3d n = cross(edge[0], edge[1]);  // along +w, since (u, v, w) is right-handed
  return unit_or(here.crossing.entry() ? n * -1.0 : n, outward(grid, here));
}

/// The outermost spans in eight directions of the image; in a row only the first and the last can be.
struct Extremes {
  const PairSpan* span[8] = {};
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
  }
};

float distance_squared(const Contact& a, const Contact& b, float normal_scale) {
  const Vec3 p = to_float(a.position - b.position), n = (a.normal - b.normal) * normal_scale;
  return dot(p, p) + dot(n, n);
}

}  // namespace

ContactMaker::ContactMaker() {
  // Of each of three views: those on the lattice, about kMostChoices, the outermost, and those at anchors.
  constexpr std::size_t kRoom = 3 * (2 * kMostChoices + 9 + kMaxContacts);
  choices_.reserve(kRoom);
  refused_.reserve(kRoom);
  for (auto* list : {&chosen_, &chosen_afresh_, &ids_}) list->reserve(kMaxContacts + 1);
}

void ContactMaker::add_choice(const PairView& view, const PairSpan& span, const Settings& settings) {
  const Group& group = *view.group;
  const bool by_faces = settings.normals == Normals::faces;
  const Vec3 na = by_faces ? face_normal(group, view.candidate.a, span.a)
                           : neighbour_normal(view, view.candidate.a, span, &PairSpan::a);
  const Vec3 nb = by_faces ? face_normal(group, view.candidate.b, span.b)
                           : neighbour_normal(view, view.candidate.b, span, &PairSpan::b);
  const bool thin = is_thin(group, view.candidate);
  const Vec3d on_a =
      thin ? exact_point(group, view.candidate.a, span.column, span.a) : surface_point(group.grid, span.column, span.a);
  const Vec3d on_b =
      thin ? exact_point(group, view.candidate.b, span.column, span.b) : surface_point(group.grid, span.column, span.b);
  Contact c;
  c.position = (on_a + on_b) * 0.5;
  c.normal = unit_or(to_double(nb - na), outward(group.grid, span.b));
  c.depth = static_cast<float>(std::abs(dot(on_b - on_a, to_double(c.normal))));
  c.front_a = span.a.crossing.entry();
  c.front_b = span.b.crossing.entry();
  c.triangle_a = span.a.face - group.objects[view.candidate.a].first_face;
  c.triangle_b = span.b.face - group.objects[view.candidate.b].first_face;

  const float apart = thin ? static_cast<float>(std::abs(on_a[group.grid.w()] - on_b[group.grid.w()]))
                           : std::abs(span.a.crossing.depth() - span.b.crossing.depth());
  const bool through = is_through(span);
  const bool faced = !settings.all_axes || std::abs(c.normal[group.grid.w()]) >= kFacing;
  const bool good = !through && faced && c.depth <= 1.5f * width_.half(span.column);
  (good ? choices_ : refused_).push_back({c, na, nb, apart, group.grid.w()});
}

/// The choices of one view: of many spans the outermost, the longest, and every 2^k-th, spread evenly over the cells.
/// The same cells as long as the grid stays the same.
void ContactMaker::collect(const PairView& view, const Settings& settings) {
  const Grid& grid = view.group->grid;
  width_.measure(view);
  std::uint32_t step = 1;
  while (view.spans.size() / step > kMostChoices) step *= 2;
  cell_ = std::max(cell_, static_cast<float>(std::max(grid.cell_u(), grid.cell_v())));
  // Multiples of two numbers that fill the plane evenly (Roberts' R2 sequence): every step-th cell, none near another.
  const auto on_lattice = [step](const CellCursor& c) { return c.u * 3242174889u + c.v * 2447445414u <= ~0u / step; };
  const PairSpan *longest = &view.spans.front(), *last = nullptr;
  Extremes extremes;
  CellCursor cell(grid);
  for (const PairSpan& s : view.spans) {
    const CellCursor before = cell;
    cell.move_to(s.column);
    if (s.end - s.begin > longest->end - longest->begin) longest = &s;
    if (on_lattice(cell)) add_choice(view, s, settings);
    if (last != nullptr && before.v == cell.v) {
      last = &s;
      continue;
    }
    if (last != nullptr) extremes.look_at(*last, before);
    extremes.look_at(s, cell);
    last = &s;
  }
  if (step == 1) return;
  extremes.look_at(*last, cell);
  const PairSpan* more[9] = {longest};
  std::copy(std::begin(extremes.span), std::end(extremes.span), more + 1);
  for (int i = 0; i < 9; ++i) {
    cell.move_to(more[i]->column);
    if (!on_lattice(cell) && std::find(more, more + i, more[i]) == more + i) add_choice(view, *more[i], settings);
  }
}

/// Adds the span nearest to each of the last frame's contacts, moved along with the object, so that the contact can be
/// kept: the lattice seldom has a cell there. Searches along the axis that sees the contact most face on.
void ContactMaker::collect_at_anchors(std::span<const PairView> views, const PairView& this_view,
                                      const Settings& settings, const Manifold& manifold, const Transform& pose_a) {
  const Grid& grid = this_view.group->grid;
  const int w = grid.w();
  for (std::uint32_t k = 0; k < manifold.count; ++k) {
    const Vec3 normal = manifold.anchors[k].normal;
    const bool other_sees_more = std::any_of(views.begin(), views.end(), [&](const PairView& v) {
      return std::abs(normal[v.group->grid.w()]) > std::abs(normal[w]);
    });
    if (other_sees_more) continue;
    const Vec3d at = apply(pose_a, manifold.anchors[k].position);
    const double u = (at[grid.u()] - grid.box.min[grid.u()]) / grid.cell_u();
    const double v = (at[grid.v()] - grid.box.min[grid.v()]) / grid.cell_v();
    if (!(u > -1 && u <= grid.columns && v > -1 && v <= grid.rows)) continue;
    const PairSpan* best = nullptr;
    double nearest = 2 * 2;  // cells, squared
    for (int row = std::max(0, static_cast<int>(v) - 1); row <= static_cast<int>(v) + 1; ++row) {
      const auto first = static_cast<std::uint32_t>(row) * grid.columns +
                         static_cast<std::uint32_t>(std::max(static_cast<int>(u) - 1, 0));
      auto s = std::lower_bound(this_view.spans.begin(), this_view.spans.end(), first,
                                [](const PairSpan& x, std::uint32_t c) { return x.column < c; });
      for (; s != this_view.spans.end() && s->column <= first + 2; ++s) {
        const double du = s->column % grid.columns + 0.5 - u, dv = s->column / grid.columns + 0.5 - v;
        const double dw = (0.5 * (s->begin + s->end) + grid.box.min[w] - at[w]) / grid.cell_u();
        const double d = du * du + dv * dv + 0.01 * dw * dw;  // of several on one ray the nearest
        if (d >= nearest) continue;
        nearest = d;
        best = &*s;
      }
    }
    if (best != nullptr) add_choice(this_view, *best, settings);
  }
}

void ContactMaker::separate_from(std::size_t choice) {
  for (ContactChoice& c : choices_)
    c.separation = std::min(c.separation, distance_squared(c.contact, choices_[choice].contact, normal_scale_));
}

/// A choice that is no further than this from a chosen one, squared, is the same contact.
float ContactMaker::near_squared() const { return std::max(4 * cell_ * cell_, 0.02f * normal_scale_ * normal_scale_); }

/// Adds to the chosen ones (at least one) until there are `most`, or until all choices are near a chosen one.
void ContactMaker::choose(std::uint32_t most) {
  for (ContactChoice& c : choices_) c.separation = kFar;
  for (const std::uint32_t i : chosen_) separate_from(i);
  const float near = near_squared();
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
  for (const ContactChoice& c : choices_) most = std::max(most, c.separation);
  return std::sqrt(most);
}

/// Of the contacts contact(0) to contact(count - 1), the nearest to an anchor of the last frame that can be the same
/// contact; `count` where there is none. contact() returns null for one that is taken.
template <class At>
std::size_t ContactMaker::nearest_to(const Manifold::Anchor& anchor, const Transform& pose_a, std::size_t count,
                                     const At& contact) const {
  const Vec3d at = apply(pose_a, anchor.position);
  std::size_t nearest = count;
  float best = 9 * cell_ * cell_;
  for (std::size_t i = 0; i < count; ++i) {
    const Contact* c = contact(i);
    if (c == nullptr || dot(c->normal, anchor.normal) < 0.8f) continue;
    const Vec3 d = to_float(c->position - at);
    if (dot(d, d) >= best) continue;
    best = dot(d, d);
    nearest = i;
  }
  return nearest;
}

/// Starts from the last frame's contacts: chooses the nearest choice to each.
void ContactMaker::keep_anchors(const Manifold& manifold, const Transform& pose_a) {
  chosen_.clear();
  ids_.clear();
  for (const Manifold::Anchor& anchor : std::span(manifold.anchors).first(manifold.count)) {
    const std::size_t nearest =
        nearest_to(anchor, pose_a, choices_.size(), [&](std::size_t i) { return &choices_[i].contact; });
    if (nearest == choices_.size() || std::find(chosen_.begin(), chosen_.end(), nearest) != chosen_.end()) continue;
    chosen_.push_back(static_cast<std::uint32_t>(nearest));
    ids_.push_back(anchor.id);
  }
}

/// The deepest must be among the contacts, but not by a new selection whenever depths are nearly equal: it takes a free
/// place, or that of the nearest kept one.
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

/// Gives the chosen ones the ids of the last frame's contacts nearby.
void ContactMaker::carry_ids(const Manifold& manifold, const Transform& pose_a) {
  ids_.assign(chosen_.size(), 0);
  for (const Manifold::Anchor& anchor : std::span(manifold.anchors).first(manifold.count)) {
    const std::size_t nearest = nearest_to(anchor, pose_a, chosen_.size(), [&](std::size_t i) {
      return ids_[i] == 0 ? &choices_[chosen_[i]].contact : nullptr;
    });
    if (nearest != chosen_.size()) ids_[nearest] = anchor.id;
  }
}

/// The choices of all views. Where none is good, one object is inside the other, or the volume is as deep as it is
/// wide: then the shallowest spans are used.
void ContactMaker::collect_all(std::span<const PairView> views, const Settings& settings, const Manifold& manifold,
                               const Transform& pose_a) {
  choices_.clear();
  refused_.clear();
  cell_ = 0;
  for (const PairView& view : views) {
    collect(view, settings);
    collect_at_anchors(views, view, settings, manifold, pose_a);
  }
  if (choices_.empty()) {
    float least = kFar;
    for (const ContactChoice& c : refused_) least = std::min(least, c.contact.depth);
    for (const ContactChoice& c : refused_)
      if (c.contact.depth <= 1.5f * least) choices_.push_back(c);
  }
  correct_edge_normals(choices_);
  Aabb box;
  for (const ContactChoice& c : choices_) box = extend(box, to_float(c.contact.position));
  normal_scale_ = 0.5f * length(extent(box)) + cell_;
}

/// Of the choices about as deep as the deepest, the outermost. The others are then chosen by their distance from it, so
/// that a corner near it is not lost.
std::size_t ContactMaker::outermost_of_deepest(std::size_t deepest) const {
  Aabb box;
  for (const ContactChoice& c : choices_) box = extend(box, to_float(c.contact.position));
  const Vec3d middle = to_double(center(box));
  float most = -1;
  std::size_t first = deepest;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const Vec3 d = to_float(choices_[i].contact.position - middle);
    if (choices_[i].contact.depth < 0.9999f * choices_[deepest].contact.depth || dot(d, d) <= most) continue;
    most = dot(d, d);
    first = i;
  }
  return first;
}

ContactMaker::Found ContactMaker::make(std::span<const PairView> views, const Settings& settings,
                                       const Transform& pose_a, Manifold& manifold, std::vector<Contact>& out) {
  collect_all(views, settings, manifold, pose_a);
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < choices_.size(); ++i)
    if (choices_[i].contact.depth > choices_[deepest].contact.depth) deepest = i;
  const std::uint32_t most = std::min(settings.max_contacts, kMaxContacts);

  chosen_.assign(1, static_cast<std::uint32_t>(outermost_of_deepest(deepest)));
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
  float chosen_spread = spread();
  if (chosen_.empty() || chosen_spread > 1.5f * fresh_spread + cell_) {
    chosen_ = chosen_afresh_;
    chosen_spread = fresh_spread;
    carry_ids(manifold, pose_a);
  }

  const Manifold old = manifold;
  manifold.count = static_cast<std::uint32_t>(chosen_.size());
  const Quaternion q = pose_a.rotation;
  const Transform back{{}, {-q.x, -q.y, -q.z, q.w}};
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    Contact c = choices_[chosen_[k]].contact;
    c.id = ids_[k];
    manifold.anchors[k] = {apply(back, c.position - pose_a.translation), c.normal, c.id};
    // A kept contact keeps its anchor on the body; the position reported is that of the sample nearby.
    for (std::uint32_t i = 0; i < old.count; ++i)
      if (c.id != 0 && old.anchors[i].id == c.id) manifold.anchors[k].position = old.anchors[i].position;
    out.push_back(c);
  }
  return {choices_[deepest].contact.depth, chosen_spread > std::sqrt(near_squared())};
}

void number_new_contacts(std::span<Contact> contacts, Manifold& manifold, std::uint32_t& last_id) {
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts[k].id == 0) contacts[k].id = manifold.anchors[k].id = ++last_id;
}

}  // namespace lamella
