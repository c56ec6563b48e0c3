#include "scenes/remesh.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace lamella::scenes {
namespace {

using Id = std::uint32_t;

bool has(const Triangle& t, Id v) { return t.a == v || t.b == v || t.c == v; }

/// The corner of `t` that is neither `u` nor `v`.
Id third(const Triangle& t, Id u, Id v) {
  if (t.a != u && t.a != v) return t.a;
  return t.b != u && t.b != v ? t.b : t.c;
}

void replace(Triangle& t, Id from, Id to) { (t.a == from ? t.a : t.b == from ? t.b : t.c) = to; }

/// Whether `t` runs from `u` to `v`.
bool runs(const Triangle& t, Id u, Id v) {
  return (t.a == u && t.b == v) || (t.b == u && t.c == v) || (t.c == u && t.a == v);
}

void neighbours(const Remesh& m, Id v, std::vector<Id>& out) {
  out.clear();
  for (const Id t : m.around[v]) {
    for (int i = 0; i < 3; ++i) {
      if (m.triangles[t][i] != v) out.push_back(m.triangles[t][i]);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

Vec3d normal(Vec3d a, Vec3d b, Vec3d c) { return cross(b - a, c - a); }

/// Whether a triangle still looks about the same way, and has not become a needle.
bool keeps(Vec3d before, Vec3d after, double longest_square) {
  const double area = length(after);
  return dot(before, after) > 0.3 * length(before) * area && area > 0.04 * longest_square;
}

double longest_square(Vec3d a, Vec3d b, Vec3d c) {
  return std::max({dot(a - b, a - b), dot(b - c, b - c), dot(c - a, c - a)});
}

/// Whether the triangles of `v`, but those that also have `other`, stay sound when `v` moves to `p`.
bool may_move(const Remesh& m, Id v, Id other, Vec3d p) {
  for (const Id t : m.around[v]) {
    const Triangle& face = m.triangles[t];
    if (other != v && has(face, other)) continue;
    Vec3d q[3], moved[3];
    for (int i = 0; i < 3; ++i) {
      q[i] = m.points[face[i]];
      moved[i] = face[i] == v ? p : q[i];
    }
    if (!keeps(normal(q[0], q[1], q[2]), normal(moved[0], moved[1], moved[2]),
               longest_square(moved[0], moved[1], moved[2]))) {
      return false;
    }
  }
  return true;
}

/// The two triangles of an edge: [0] runs from u to v, [1] back.
std::pair<Id, Id> faces_of_edge(const Remesh& m, Id u, Id v) {
  Id forth = 0, back = 0;
  for (const Id t : m.around[u]) {
    if (runs(m.triangles[t], u, v)) forth = t;
    if (runs(m.triangles[t], v, u)) back = t;
  }
  return {forth, back};
}

void drop(std::vector<Id>& list, Id item) { list.erase(std::find(list.begin(), list.end(), item)); }

/// Merging an edge keeps a closed surface closed when its ends share just the two neighbours across it (the link
/// condition), and neither of those is left with fewer than three triangles.
bool may_merge(const Remesh& m, Id u, Id v, std::vector<Id>& near_u, std::vector<Id>& near_v) {
  neighbours(m, u, near_u);
  neighbours(m, v, near_v);
  std::vector<Id> shared;
  std::set_intersection(near_u.begin(), near_u.end(), near_v.begin(), near_v.end(), std::back_inserter(shared));
  return shared.size() == 2 && m.around[shared[0]].size() > 3 && m.around[shared[1]].size() > 3;
}

void merge(Remesh& m, Id u, Id v, Vec3d p) {
  const auto [forth, back] = faces_of_edge(m, u, v);
  for (const Id t : {forth, back}) {
    for (int i = 0; i < 3; ++i) drop(m.around[m.triangles[t][i]], t);
    m.triangles[t] = {};
  }
  for (const Id t : m.around[v]) {
    replace(m.triangles[t], v, u);
    m.around[u].push_back(t);
  }
  m.around[v].clear();
  m.points[u] = p;
  m.live -= 2;
}

/// Of the angle at `at`, towards `a` and `b`.
double cotangent(Vec3d at, Vec3d a, Vec3d b) {
  const Vec3d s = a - at, t = b - at;
  return dot(s, t) / std::max(length(cross(s, t)), 1e-30);
}

bool wants_flip(const Remesh& m, Id u, Id v, Id w, Id x) {
  const Vec3d pu = m.points[u], pv = m.points[v], pw = m.points[w], px = m.points[x];
  if (cotangent(pw, pu, pv) + cotangent(px, pu, pv) > -1e-3) return false;
  if (m.around[u].size() <= 3 || m.around[v].size() <= 3) return false;
  const Vec3d old_sum = normal(pu, pv, pw) + normal(pv, pu, px);
  // After: (u, x, w) and (v, w, x). An edge along a ridge stays: turning it would cut the ridge off.
  const Vec3d first = normal(pu, px, pw), second = normal(pv, pw, px);
  if (dot(normal(pu, pv, pw), normal(pv, pu, px)) < 0.7 * length(normal(pu, pv, pw)) * length(normal(pv, pu, px))) {
    return false;
  }
  if (!keeps(old_sum, first, longest_square(pu, px, pw)) || !keeps(old_sum, second, longest_square(pv, pw, px))) {
    return false;
  }
  return std::none_of(m.around[w].begin(), m.around[w].end(), [&](Id t) { return has(m.triangles[t], x); });
}

struct Candidate {
  double square;
  Id u, v, stamp_u, stamp_v;

  // Ties are broken by vertex, so that the order never depends on the heap.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(a.square, a.u, a.v) > std::tie(b.square, b.u, b.v);
  }
};

}  // namespace

Remesh::Remesh(const Mesh& mesh) : triangles(mesh.triangles), around(mesh.positions.size()), live(triangles.size()) {
  points.reserve(mesh.positions.size());
  for (const Vec3 p : mesh.positions) points.push_back(to_double(p));
  for (Id t = 0; t < triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) around[triangles[t][i]].push_back(t);
  }
}

void Remesh::collapse(std::size_t faces, const Projector& onto_surface) {
  std::vector<Id> stamp(points.size(), 0), near_u, near_v;
  const auto candidate = [&](Id u, Id v) {
    if (u > v) std::swap(u, v);
    const Vec3d edge = points[u] - points[v];
    return Candidate{dot(edge, edge), u, v, stamp[u], stamp[v]};
  };
  std::vector<Candidate> edges;
  edges.reserve(2 * live);
  for (const Triangle& t : triangles) {
    for (int i = 0; i < 3; ++i) {
      if (t[i] < t[(i + 1) % 3]) edges.push_back(candidate(t[i], t[(i + 1) % 3]));
    }
  }
  std::priority_queue<Candidate> queue({}, std::move(edges));
  while (live > faces && !queue.empty()) {
    const Candidate c = queue.top();
    queue.pop();
    if (stamp[c.u] != c.stamp_u || stamp[c.v] != c.stamp_v || around[c.u].empty() || around[c.v].empty()) continue;
    if (!may_merge(*this, c.u, c.v, near_u, near_v)) continue;
    const Vec3d p = onto_surface((points[c.u] + points[c.v]) * 0.5, 0.5 * std::sqrt(c.square));
    if (!may_move(*this, c.u, c.v, p) || !may_move(*this, c.v, c.u, p)) continue;
    merge(*this, c.u, c.v, p);
    ++stamp[c.u];
    neighbours(*this, c.u, near_u);
    for (const Id v : near_u) queue.push(candidate(c.u, v));
  }
}

void Remesh::flip() {
  for (Id t = 0; t < triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const Id u = triangles[t][i], v = triangles[t][(i + 1) % 3];
      if (u >= v) continue;
      const auto [forth, back] = faces_of_edge(*this, u, v);
      const Id w = third(triangles[forth], u, v), x = third(triangles[back], u, v);
      if (!wants_flip(*this, u, v, w, x)) continue;
      triangles[forth] = {u, x, w};
      triangles[back] = {v, w, x};
      drop(around[v], forth);
      drop(around[u], back);
      around[x].push_back(forth);
      around[w].push_back(back);
    }
  }
}

void Remesh::relax(const Projector& onto_surface) {
  std::vector<Id> near;
  for (Id v = 0; v < points.size(); ++v) {
    if (around[v].empty()) continue;
    neighbours(*this, v, near);
    Vec3d mean, facing;
    for (const Id n : near) mean = mean + points[n] * (1.0 / double(near.size()));
    for (const Id t : around[v]) {
      facing = facing + normal(points[triangles[t].a], points[triangles[t].b], points[triangles[t].c]);
    }
    Vec3d step = (mean - points[v]) * 0.5;
    if (dot(facing, facing) > 0) step = step - facing * (dot(step, facing) / dot(facing, facing));
    const Vec3d p = onto_surface(points[v] + step, length(mean - points[v]));
    if (may_move(*this, v, v, p)) points[v] = p;
  }
}

Mesh Remesh::to_mesh() const {
  Mesh mesh;
  std::vector<Id> id(points.size());
  for (Id v = 0; v < points.size(); ++v) {
    id[v] = static_cast<Id>(mesh.positions.size());
    if (!around[v].empty()) mesh.positions.push_back(to_float(points[v]));
  }
  for (const Triangle& t : triangles) {
    if (t.a != t.b) mesh.triangles.push_back({id[t.a], id[t.b], id[t.c]});
  }
  return mesh;
}

}  // namespace lamella::scenes
