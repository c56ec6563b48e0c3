// Embree's point queries. Its tree is refitted to new vertices; the distance to a triangle is the caller's, as in its
// tutorial closest_point: Ericson, "Real-Time Collision Detection" (2005), section 5.1.5.

#include <cmath>
#include <limits>
#include <memory>

#include "bench/peers/distance_peers.hpp"
#include "bench/peers/embree_scene.hpp"

namespace lamella::bench::peers {
namespace {

struct Float3 {
  float x, y, z;
};
Float3 sub(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Float3 mad(const Float3& a, const Float3& b, float s) { return {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s}; }
float dot3(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Float3 closest_on(const Float3& p, const Float3& a, const Float3& b, const Float3& c) {
  const Float3 ab = sub(b, a), ac = sub(c, a), ap = sub(p, a);
  const float d1 = dot3(ab, ap), d2 = dot3(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Float3 bp = sub(p, b);
  const float d3 = dot3(ab, bp), d4 = dot3(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const Float3 cp = sub(p, c);
  const float d5 = dot3(ab, cp), d6 = dot3(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return mad(a, ab, d1 / (d1 - d3));
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return mad(a, ac, d2 / (d2 - d6));
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && (d4 - d3) >= 0 && (d5 - d6) >= 0) return mad(b, sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const float denominator = 1 / (va + vb + vc);
  return mad(mad(a, ab, vb * denominator), ac, vc * denominator);
}

/// What a query looks at, and what it found.
struct Query {
  const Vec3* positions;
  const Triangle* triangles;
  float square = std::numeric_limits<float>::infinity();
  Float3 at{};
  unsigned triangle = 0;
};

bool visit(RTCPointQueryFunctionArguments* args) {
  auto& query = *static_cast<Query*>(args->userPtr);
  const Triangle& t = query.triangles[args->primID];
  const auto corner = [&](std::uint32_t i) {
    const Vec3& p = query.positions[i];
    return Float3{p.x, p.y, p.z};
  };
  const Float3 p{args->query->x, args->query->y, args->query->z};
  const Float3 at = closest_on(p, corner(t.a), corner(t.b), corner(t.c)), away = sub(p, at);
  const float square = dot3(away, away);
  if (square >= query.square) return false;
  query.square = square;
  query.at = at;
  query.triangle = args->primID;
  args->query->radius = std::sqrt(square);
  return true;
}

/// Looks for a triangle nearer to the point than `found` is.
void find(RTCScene scene, const Vec3& p, Query& found) {
  RTCPointQuery query{};
  query.x = p.x;
  query.y = p.y;
  query.z = p.z;
  query.radius = std::sqrt(found.square);
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene, &query, &context, visit, &found);
}

}  // namespace

DistanceMethods embree_closest(const PointsWork& work) {
  struct State {
    TriangleScene scene;
    std::vector<Query> found;
  };
  const auto state = std::shared_ptr<State>(new State{TriangleScene(work.solid), {}});
  const auto run = [state, &work](std::size_t pose) {
    state->scene.update(pose);
    state->found.assign(work.points.size(), Query{work.solid.positions[pose].data(), work.solid.triangles.data()});
    for (std::size_t i = 0; i < work.points.size(); ++i) find(state->scene.scene(), work.points[i], state->found[i]);
  };
  const auto distances = [state] {
    std::vector<double> all;
    for (const Query& q : state->found) all.push_back(std::sqrt(static_cast<double>(q.square)));
    return all;
  };
  const auto refit = [state](std::size_t pose) { state->scene.update(pose); };
  return {{{.library = "Embree " + version(),
            .call = "refit + rtcPointQuery",
            .gives = "points",
            .run = run,
            .answer = [] { return Answer{}; }},
           distances},
          {{.library = "Embree " + version(),
            .call = "refit alone",
            .gives = "",
            .run = refit,
            .answer = [] { return Answer{}; }},
           {}}};
}

DistanceMethods embree_distance(const PairWork& work) {
  struct State {
    TriangleScene a, b;
    float square = 0;
  };
  const auto state = std::shared_ptr<State>(new State{TriangleScene(work.a), TriangleScene(work.b)});
  const auto run = [state, &work](std::size_t pose) {
    state->a.update(pose);
    state->b.update(pose);
    float best = std::numeric_limits<float>::infinity();
    const auto search = [&](const MovingMesh& from, const MovingMesh& mesh, RTCScene scene) {
      for (const Vec3& p : from.positions[pose]) {
        Query query{mesh.positions[pose].data(), mesh.triangles.data()};
        query.square = best;
        find(scene, p, query);
        best = query.square;
      }
    };
    search(work.a, work.b, state->b.scene());
    search(work.b, work.a, state->a.scene());
    state->square = best;
  };
  const auto refit = [state](std::size_t pose) {
    state->a.update(pose);
    state->b.update(pose);
  };
  return {{{.library = "Embree " + version(),
            .call = "refit + queries of vertices",
            .gives = "distance",
            .run = run,
            .answer = [] { return Answer{}; }},
           [state] { return std::vector<double>{std::sqrt(static_cast<double>(state->square))}; }},
          {{.library = "Embree " + version(),
            .call = "refit alone",
            .gives = "",
            .run = refit,
            .answer = [] { return Answer{}; }},
           {}}};
}

}  // namespace lamella::bench::peers
