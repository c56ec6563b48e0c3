#include "query/witness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "query/span_totals.hpp"

namespace lamella {
namespace {

constexpr double kEpsilon = 0x1p-52;
/// Half the distance of two floats, relative to them: what rounding may have moved a coordinate by.
constexpr double kFloatRounding = 0x1p-24;

struct Ray {
  double u = 0, v = 0;
  std::uint32_t span = 0;  ///< which of the spans it is for
  bool middle = true;      ///< so near the span's own ray that it can refute it
};

/// Where a ray passes through a surface.
struct Hit {
  double depth = 0, error = 0;
  int sign = 0;  ///< as Crossing::sign()
};

/// All hits of one ray with one mesh. Doubtful: the ray passes so close to an edge that rounding decides.
struct Hits {
  std::vector<Hit> hits;
  bool doubtful = false;
};

/// The corners of a triangle as a ray along the grid's axis sees them.
struct SeenTriangle {
  double u[3], v[3], w[3];
  double rounding;  ///< of its coordinates

  SeenTriangle(MeshView mesh, const Triangle& t, const Grid& grid) {
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = mesh.positions[t[k]];
      u[k] = p[grid.u()];
      v[k] = p[grid.v()];
      w[k] = p[grid.w()];
      largest = std::max({largest, std::abs(u[k]), std::abs(v[k]), std::abs(w[k])});
    }
    rounding = kFloatRounding * largest;
  }
};

enum class Meets : std::uint8_t { no, yes, doubtful };

/// Where a ray meets a triangle whose corners may be off by `lateral` across the ray, besides their rounding.
Meets meet(const SeenTriangle& t, const Ray& ray, double lateral_u, double lateral_v, Hit& out) {
  double weight[3], error[3];
  bool positive = false, negative = false, unknown = false;
  const double off_u = t.rounding + lateral_u, off_v = t.rounding + lateral_v;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double ui = t.u[i] - ray.u, vi = t.v[i] - ray.v, uj = t.u[j] - ray.u, vj = t.v[j] - ray.v;
    weight[k] = ui * vj - vi * uj;
    error[k] = off_u * (std::abs(vi) + std::abs(vj) + 2 * off_v) + off_v * (std::abs(ui) + std::abs(uj)) +
               4 * kEpsilon * (std::abs(ui * vj) + std::abs(vi * uj));
    positive = positive || weight[k] > error[k];
    negative = negative || weight[k] < -error[k];
    unknown = unknown || !(std::abs(weight[k]) > error[k]);
  }
  if (positive && negative) return Meets::no;
  if (unknown) return Meets::doubtful;
  const double sum = weight[0] + weight[1] + weight[2];
  out.depth = (weight[0] * t.w[0] + weight[1] * t.w[1] + weight[2] * t.w[2]) / sum;
  out.error = 2 * t.rounding + 8 * kEpsilon * std::abs(out.depth);
  for (int k = 0; k < 3; ++k) out.error += error[k] / std::abs(sum) * std::abs(t.w[k] - out.depth);
  out.sign = positive ? -1 : 1;  // counter-clockwise seen along the ray: the ray leaves
  return Meets::yes;
}

/// The hits of rays, which ascend along u, with a mesh.
void cast(MeshView mesh, const Grid& grid, std::span<const Ray> rays, std::span<Hits> out) {
  for (Hits& h : out) {
    h.hits.clear();
    h.doubtful = false;
  }
  for (const Triangle& t : mesh.triangles) {
    if (!usable(mesh, t)) continue;
    const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
    const auto u = std::minmax({a[grid.u()], b[grid.u()], c[grid.u()]});
    if (u.second < rays.front().u || u.first > rays.back().u) continue;
    const auto v = std::minmax({a[grid.v()], b[grid.v()], c[grid.v()]});
    const auto first = std::lower_bound(rays.begin(), rays.end(), static_cast<double>(u.first),
                                        [](const Ray& r, double at) { return r.u < at; });
    if (first == rays.end() || first->u > u.second) continue;
    const SeenTriangle seen(mesh, t, grid);
    for (auto ray = first; ray != rays.end() && ray->u <= u.second; ++ray) {
      if (ray->v < v.first || ray->v > v.second) continue;
      Hits& hits = out[static_cast<std::size_t>(ray - rays.begin())];
      Hit hit;
      const Meets meets = meet(seen, *ray, 0, 0, hit);
      if (meets == Meets::yes) hits.hits.push_back(hit);
      hits.doubtful = hits.doubtful || meets == Meets::doubtful;
    }
  }
}

struct Interval {
  Hit begin, end;
};

/// Where the winding is at least `least`. False when the ray does not come out again.
bool intervals_of(Hits& hits, int least, std::vector<Interval>& out) {
  out.clear();
  std::sort(hits.hits.begin(), hits.hits.end(), [](const Hit& x, const Hit& y) { return x.depth < y.depth; });
  int winding = 0;
  for (const Hit& h : hits.hits) {
    if (winding < least && winding + h.sign >= least) out.push_back({h, h});
    if (winding >= least && winding + h.sign < least) out.back().end = h;
    winding += h.sign;
  }
  return winding == 0;
}

enum class Outcome : std::uint8_t { refuted, uncertain, certain, doubtful };

Outcome judge(double length, double error) {
  return length > error ? Outcome::certain : length >= -error ? Outcome::uncertain : Outcome::refuted;
}

/// Of two meshes, or of one (b is null) that may cover itself twice.
struct Judge {
  MeshView a;
  const MeshView* b = nullptr;
  const Grid& grid;
  std::vector<Hits> hits_a{}, hits_b{};
  std::vector<Interval> in_a{}, in_b{};

  void cast_all(std::span<const Ray> rays) {
    hits_a.resize(rays.size());
    cast(a, grid, rays, hits_a);
    if (b == nullptr) return;
    hits_b.resize(rays.size());
    cast(*b, grid, rays, hits_b);
  }

  Outcome outcome(std::size_t ray) {
    if (hits_a[ray].doubtful || (b != nullptr && hits_b[ray].doubtful)) return Outcome::doubtful;
    Outcome best = Outcome::refuted;
    if (b == nullptr) {
      if (!intervals_of(hits_a[ray], 2, in_a)) return Outcome::doubtful;
      for (const Interval& i : in_a)
        best = std::max(best, judge(i.end.depth - i.begin.depth, i.begin.error + i.end.error));
      return best;
    }
    if (!intervals_of(hits_a[ray], 1, in_a) || !intervals_of(hits_b[ray], 1, in_b)) return Outcome::doubtful;
    for (const Interval& i : in_a)
      for (const Interval& k : in_b) {
        const Hit& begin = i.begin.depth > k.begin.depth ? i.begin : k.begin;
        const Hit& end = i.end.depth < k.end.depth ? i.end : k.end;
        best = std::max(best, judge(end.depth - begin.depth, begin.error + end.error));
      }
    return best;
  }
};

/// Places in a cell where a span is looked for: its middle, two places less than a step of the lattice away, should the
/// middle be on an edge, and others. The others can prove an overlap, but not refute the span.
constexpr double kPlaces[][2] = {
    {0, 0}, {3.1e-4, -2.3e-4}, {-2.7e-4, 3.7e-4}, {0.2113, -0.1771}, {-0.1309, 0.2287}, {-0.2339, -0.2011}};
constexpr std::uint32_t kMiddlePlaces = 3;

Ray ray_at(const Grid& grid, const Span& span, std::uint32_t number, std::uint32_t place) {
  const Vec3d p = sample_position(grid, span.column, 0);
  const auto& [u, v] = kPlaces[place];
  return {p[grid.u()] + u * grid.cell_u(), p[grid.v()] + v * grid.cell_v(), number, place < kMiddlePlaces};
}

/// The spans that are looked at, the longest first.
std::vector<Span> longest_of(std::span<const Span> spans) {
  std::vector<Span> longest(spans.begin(), spans.end());
  const auto longer = [](const Span& x, const Span& y) {
    const float length_x = x.end - x.begin, length_y = y.end - y.begin;
    return length_x != length_y ? length_x > length_y : x.column < y.column;
  };
  const std::size_t count = std::min(longest.size(), kMostWitnesses);
  std::partial_sort(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(count), longest.end(), longer);
  longest.resize(count);
  return longest;
}

/// All rays for these spans, ascending along u.
std::vector<Ray> rays_for(const Grid& grid, std::span<const Span> longest) {
  std::vector<Ray> rays;
  for (std::uint32_t i = 0; i < longest.size(); ++i)
    for (std::uint32_t place = 0; place < std::size(kPlaces); ++place)
      rays.push_back(ray_at(grid, longest[i], i, place));
  std::sort(rays.begin(), rays.end(), [](const Ray& x, const Ray& y) { return x.u < y.u; });
  return rays;
}

SpanCheck check(Judge judge, std::span<const Span> spans) {
  SpanCheck result;
  if (spans.empty()) return result;
  const std::vector<Span> longest = longest_of(spans);
  const std::size_t count = longest.size();
  const Ray first = ray_at(judge.grid, longest[0], 0, 0);
  judge.cast_all({&first, 1});
  if (judge.outcome(0) == Outcome::certain) return {.certain = 1};

  const std::vector<Ray> rays = rays_for(judge.grid, longest);
  judge.cast_all(rays);
  // Uncertain, unless a ray in the middle that is not in doubt refutes it, and none finds surfaces that meet.
  std::vector<bool> refuted(count, false), meets(count, false);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Outcome outcome = judge.outcome(i);
    if (outcome == Outcome::certain) return {.certain = 1};
    if (!rays[i].middle) continue;
    if (outcome == Outcome::refuted) refuted[rays[i].span] = true;
    if (outcome == Outcome::uncertain) meets[rays[i].span] = true;
  }
  for (std::size_t i = 0; i < count; ++i) ++(refuted[i] && !meets[i] ? result.refuted : result.uncertain);
  result.uncertain += static_cast<std::uint32_t>(
      std::min<std::size_t>(spans.size() - count, std::numeric_limits<std::uint32_t>::max() / 2));  // not looked at
  return result;
}

}  // namespace

bool spans_suffice(const Grid& grid, std::span<const Span> spans) {
  SpanTotals totals;
  for (std::size_t i = 0; i < spans.size();) {
    const std::uint32_t column = spans[i].column;
    ColumnAdder adder{totals};
    for (; i < spans.size() && spans[i].column == column; ++i) adder.add(spans[i].begin, spans[i].end);
    adder.close(column % grid.columns, column / grid.columns);
  }
  double volume = 0;
  Vec3d centroid;
  Aabb bounds;
  (void)summarise(grid, totals, volume, centroid, bounds);
  return sums_suffice(grid, spans.size(), volume, bounds);
}

std::vector<RayPlace> witness_rays(const Grid& grid, std::span<const Span> spans) {
  std::vector<RayPlace> places;
  for (const Ray& ray : rays_for(grid, longest_of(spans))) places.push_back({ray.u, ray.v});
  return places;
}

SpanCheck check_spans(MeshView a, MeshView b, const Grid& grid, std::span<const Span> spans) {
  return check({.a = a, .b = &b, .grid = grid}, spans);
}

SpanCheck check_spans(MeshView mesh, const Grid& grid, std::span<const Span> spans) {
  return check({.a = mesh, .b = nullptr, .grid = grid}, spans);
}

bool crosses_for_certain(MeshView mesh, std::uint32_t triangle, const Grid& grid, std::uint32_t column,
                         double& depth_error) {
  const Triangle t = mesh.triangles[triangle];
  if (!usable(mesh, t)) return false;
  Hit hit;
  const double step_u = grid.cell_u() / kSubStep, step_v = grid.cell_v() / kSubStep;
  const Vec3d at = sample_position(grid, column, 0);
  if (meet(SeenTriangle(mesh, t, grid), {at[grid.u()], at[grid.v()], 0}, step_u, step_v, hit) != Meets::yes)
    return false;
  depth_error = hit.error + kFloatRounding * grid.depth();
  return true;
}

}  // namespace lamella
