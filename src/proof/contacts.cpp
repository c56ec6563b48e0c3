#include "proof/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lattice.hpp"
#include "core/unit.hpp"

namespace lamella::proof {
namespace {

/// Distances from the surface, as powers of two of the triangle's size.
constexpr int kDistances[] = {2, 4, 7, 10, 13, 16, 19, 22, 26, 30, 34, 38, 42};

using Points = std::array<Vec3d, 3>;

Points points_of(MeshView mesh, std::uint32_t triangle) {
  const Corners c = corners_of(mesh, triangle);
  return {to_double(c.at[0]), to_double(c.at[1]), to_double(c.at[2])};
}

Vec3d normal_of(const Points& p) { return unit(cross(unit(p[1] - p[0]), unit(p[2] - p[0]))); }
double size_of(const Points& p) { return std::max({length(p[1] - p[0]), length(p[2] - p[1]), length(p[0] - p[2])}); }

/// What two triangles share, roughly.
struct Shared {
  Vec3d middle;
  double size = 0;
};

/// Of triangles in one plane: the corners of a's polygon, cut by b's edges.
Shared shared_of_flat(const Points& a, const Points& b, Vec3d normal) {
  std::vector<Vec3d> polygon(a.begin(), a.end()), cut;
  for (int i = 0; i < 3 && !polygon.empty(); ++i) {
    const Vec3d from = b[static_cast<std::size_t>(i)], to = b[static_cast<std::size_t>((i + 1) % 3)];
    const Vec3d inwards = cross(normal, to - from);
    cut.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3d p = polygon[k], q = polygon[(k + 1) % polygon.size()];
      const double x = dot(p - from, inwards), y = dot(q - from, inwards);
      if (x >= 0) cut.push_back(p);
      if ((x > 0 && y < 0) || (x < 0 && y > 0)) cut.push_back(p + (q - p) * (x / (x - y)));
    }
    polygon.swap(cut);
  }
  if (polygon.empty()) return {(a[0] + a[1] + a[2]) * (1.0 / 3), 0};
  Shared shared{{}, 0};
  for (const Vec3d p : polygon) {
    shared.middle += p * (1 / static_cast<double>(polygon.size()));
    for (const Vec3d q : polygon) shared.size = std::max(shared.size, length(p - q));
  }
  return shared;
}

/// Where a triangle's outline passes through a plane: the first and the last place along `line`.
struct Chord {
  Vec3d from, to;
  double first = std::numeric_limits<double>::infinity(), last = -first;

  void add(Vec3d p, Vec3d line) {
    const double at = dot(p, line);
    if (at < first) first = at, from = p;
    if (at > last) last = at, to = p;
  }
};

Chord chord_of(const Points& t, Vec3d normal, Vec3d on_plane, Vec3d line) {
  Chord chord;
  double side[3];
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    side[i] = dot(t[i] - on_plane, normal);
    if (side[i] == 0) chord.add(t[i], line);
    if (std::abs(side[i]) < std::abs(side[nearest])) nearest = i;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t k = (i + 1) % 3;
    if ((side[i] > 0 && side[k] < 0) || (side[i] < 0 && side[k] > 0))
      chord.add(t[i] + (t[k] - t[i]) * (side[i] / (side[i] - side[k])), line);
  }
  if (chord.first > chord.last) chord.add(t[nearest], line);  // it touches, but for rounding
  return chord;
}

Shared shared_of(const Points& a, const Points& b, Vec3d na, Vec3d nb) {
  const Vec3d line = cross(na, nb);
  if (length(line) < 1e-12) return shared_of_flat(a, b, nb);
  const Vec3d along = unit(line);
  const Chord x = chord_of(a, nb, b[0], along), y = chord_of(b, na, a[0], along);
  const Vec3d from = x.first > y.first ? x.from : y.from, to = x.last < y.last ? x.to : y.to;
  return {(from + to) * 0.5, length(to - from)};
}

void add_points(Vec3d from, Vec3d direction, double size, std::vector<WindingPoint>& out) {
  for (const int k : kDistances) {
    const Vec3d p = settled(from + direction * std::ldexp(size, -k));
    if (usable(to_float(p))) out.push_back({p});
  }
}

struct Hope {
  double score;
  std::size_t contact;
};

/// Directions along which b may lie beyond a: the planes of either, and those along an edge of each.
std::vector<Vec3d> separating_normals(const Points& a, const Points& b) {
  std::vector<Vec3d> normals;
  const double slack = 1e-6 * std::max(size_of(a), size_of(b));
  const auto offer = [&](Vec3d n) {
    if (n == Vec3d{}) return;
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
    for (std::size_t i = 0; i < 3; ++i)
      highest = std::max(highest, dot(a[i] - a[0], n)), lowest = std::min(lowest, dot(b[i] - a[0], n));
    if (lowest >= highest - slack) normals.push_back(n);
  };
  const Vec3d na = normal_of(a), nb = normal_of(b);
  offer(na);
  offer(-nb);
  offer(-na);
  offer(nb);
  if (!normals.empty()) return normals;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d n = unit(cross(unit(a[(i + 1) % 3] - a[i]), unit(b[(k + 1) % 3] - b[k])));
      offer(n);
      offer(-n);
    }
  return normals;
}

constexpr std::size_t kMostForMotion = 4096;
constexpr int kRounds = 32;

/// A direction with a dot product above 0 with one normal of each contact, if one is found (Rosenblatt's perceptron).
Vec3d direction_for(std::span<const std::vector<Vec3d>> choices) {
  Vec3d t{};
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (const std::vector<Vec3d>& normals : choices) {
      if (normals.empty()) continue;
      const Vec3d& best =
          *std::max_element(normals.begin(), normals.end(), [&](Vec3d x, Vec3d y) { return dot(x, t) < dot(y, t); });
      if (dot(best, t) > 1e-3 * length(t)) continue;
      t += best;
      changed = true;
    }
    if (!changed) break;
  }
  return unit(t);
}

/// Few bits, so that exact arithmetic with it is short.
Vec3 coarse(Vec3d v) {
  const auto round = [](double x) { return static_cast<float>(std::nearbyint(x * 4096) / 4096); };
  return {round(v.x), round(v.y), round(v.z)};
}

}  // namespace

void points_near(MeshView a, MeshView b, std::span<const Contact> contacts, std::size_t skip, std::size_t most,
                 std::vector<WindingPoint>& out) {
  out.clear();
  std::vector<Hope> hopes(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Points p = points_of(a, contacts[i].a), q = points_of(b, contacts[i].b);
    const Vec3d np = normal_of(p), nq = normal_of(q);
    const double size = std::min(size_of(p), size_of(q));
    hopes[i] = {(shared_of(p, q, np, nq).size + 1e-6 * size) * length(np + nq), i};
  }
  const auto better = [](const Hope& x, const Hope& y) {
    return x.score != y.score ? x.score > y.score : x.contact < y.contact;
  };
  const std::size_t used = std::min(hopes.size(), skip + most);
  std::partial_sort(hopes.begin(), hopes.begin() + static_cast<std::ptrdiff_t>(used), hopes.end(), better);
  for (std::size_t i = skip; i < used; ++i) {
    const Contact& contact = contacts[hopes[i].contact];
    const Points p = points_of(a, contact.a), q = points_of(b, contact.b);
    const Vec3d np = normal_of(p), nq = normal_of(q), inwards = -(np + nq);
    if (length(inwards) < 1e-9) continue;
    add_points(shared_of(p, q, np, nq).middle, unit(inwards), std::min(size_of(p), size_of(q)), out);
  }
}

void points_under(MeshView mesh, std::uint32_t triangle, std::vector<WindingPoint>& out) {
  const Points p = points_of(mesh, triangle);
  add_points((p[0] + p[1] + p[2] * 2.0) * 0.25, -normal_of(p), size_of(p), out);
}

void motions_apart(MeshView a, MeshView b, std::span<const Contact> contacts, std::vector<Motion>& out) {
  out.clear();
  std::vector<std::vector<Vec3d>> choices;
  Vec3d middle{}, middle_a{}, middle_b{};
  const std::size_t step = contacts.size() / kMostForMotion + 1;
  for (std::size_t i = 0; i < contacts.size(); i += step) {
    const Points p = points_of(a, contacts[i].a), q = points_of(b, contacts[i].b);
    choices.push_back(separating_normals(p, q));
    middle += shared_of(p, q, normal_of(p), normal_of(q)).middle;
  }
  middle = middle * (1 / static_cast<double>(choices.size()));
  const auto middle_of = [](MeshView mesh) {
    const Aabb box = bounds(mesh);
    return (to_double(box.min) + to_double(box.max)) * 0.5;
  };
  middle_a = middle_of(a), middle_b = middle_of(b);
  using Kind = Motion::Kind;
  const Vec3d best = direction_for(choices);
  const Vec3d tilts[] = {{}, {0.0146484375, -0.0244140625, 0.0341796875}, {-0.02734375, 0.017578125, 0.0107421875}};
  for (const Vec3d tilt : tilts) out.push_back({Kind::shift, coarse(best + tilt)});
  const Vec3d between = unit(middle_b - middle_a);
  for (const Vec3d tilt : tilts) out.push_back({Kind::shift, coarse(between + tilt)});
  for (int k = 0; k < 3; ++k)
    for (const float sign : {1.0f, -1.0f}) {
      Vec3d t = tilts[1];
      t[k] = sign;
      out.push_back({Kind::shift, coarse(t)});
    }
  out.push_back({Kind::shrink, to_float(middle_b)});
  out.push_back({Kind::shrink, to_float(middle)});
}

}  // namespace lamella::proof
