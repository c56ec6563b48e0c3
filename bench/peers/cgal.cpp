// CGAL: exact predicates, so its answers are the ones that others are held against. Vertices are converted to double in
// every frame; the connectivity stays. It has no refit: trees are made anew. Point location, corefinement and the tests
// of polygon meshes are GPL packages, used in this program alone.

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "bench/peers/candidates.hpp"
#include "bench/peers/libraries.hpp"

namespace lamella::bench::peers {
namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Point>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_face_graph_triangle_primitive<Surface>>>;
using Side = CGAL::Side_of_triangle_mesh<Surface, Kernel>;

const std::string kLibrary = "CGAL " CGAL_VERSION_STR;

Point to_point(const Vec3& p) { return {p.x, p.y, p.z}; }

void set_points(Surface& surface, const MovingMesh& mesh, std::size_t pose) {
  const std::vector<Vec3>& positions = mesh.positions[pose];
  for (std::uint32_t i = 0; i < positions.size(); ++i) surface.point(Surface::Vertex_index(i)) = to_point(positions[i]);
}

Surface to_surface(const MovingMesh& mesh) {
  Surface surface;
  const auto faces = static_cast<Surface::size_type>(mesh.triangles.size());
  surface.reserve(static_cast<Surface::size_type>(mesh.positions[0].size()), faces + faces / 2, faces);
  for (const Vec3& p : mesh.positions[0]) surface.add_vertex(to_point(p));
  for (const Triangle& t : mesh.triangles) {
    const auto vertex = [](std::uint32_t i) { return Surface::Vertex_index(i); };
    if (surface.add_face(vertex(t.a), vertex(t.b), vertex(t.c)) == Surface::null_face()) {
      throw std::runtime_error("CGAL takes no mesh that is not a manifold");
    }
  }
  return surface;
}

bool holds(const Side& side, const Point& p) { return side(p) == CGAL::ON_BOUNDED_SIDE; }

Methods points(const PointsWork& work) {
  struct State {
    Surface surface;
    std::unique_ptr<Tree> tree;
    std::vector<std::uint8_t> inside;
  };
  const auto state = std::make_shared<State>();
  state->surface = to_surface(work.solid);
  state->inside.resize(work.points.size());
  const auto run = [state, &work](std::size_t pose) {
    set_points(state->surface, work.solid, pose);
    state->tree = std::make_unique<Tree>(faces(state->surface).first, faces(state->surface).second, state->surface);
    state->tree->build();
    const Side side(*state->tree);
    for (std::size_t i = 0; i < work.points.size(); ++i)
      state->inside[i] = holds(side, to_point(work.points[i])) ? 1 : 0;
  };
  return {{.library = kLibrary,
           .call = "Side_of_triangle_mesh",
           .gives = "points inside",
           .run = run,
           .answer = [state] { return Answer{.inside = state->inside}; },
           .exact = true,
           .distance = [state](Vec3 p) { return std::sqrt(state->tree->squared_distance(to_point(p))); }}};
}

struct Surfaces {
  Surface a, b;
};

/// Yes or no, by a tree that is thrown away again.
Method pair_meets(const PairWork& work, const std::shared_ptr<Surfaces>& surfaces) {
  const auto meets = std::make_shared<bool>(false);
  return {.library = kLibrary,
          .call = "do_intersect",
          .gives = "yes or no",
          .run =
              [=, &work](std::size_t pose) {
                set_points(surfaces->a, work.a, pose);
                set_points(surfaces->b, work.b, pose);
                *meets = pmp::do_intersect(surfaces->a, surfaces->b);
              },
          .answer = [meets] { return Answer{.meets = *meets}; },
          .exact = true};
}

/// Corefinement changes its inputs: it gets copies.
Method pair_volume(const PairWork& work, const std::shared_ptr<Surfaces>& surfaces) {
  const auto volume = std::make_shared<double>(0);
  return {.library = kLibrary,
          .call = "corefinement",
          .gives = "volume",
          .run =
              [=, &work](std::size_t pose) {
                set_points(surfaces->a, work.a, pose);
                set_points(surfaces->b, work.b, pose);
                Surface a = surfaces->a, b = surfaces->b, shared;
                if (!pmp::corefine_and_compute_intersection(a, b, shared)) {
                  throw std::runtime_error("CGAL's corefinement gives up on this pair");
                }
                *volume = CGAL::to_double(pmp::volume(shared));
              },
          .answer = [volume] { return Answer{.volume = *volume}; },
          .exact = true};
}

Methods pair(const PairWork& work) {
  const auto surfaces = std::make_shared<Surfaces>(Surfaces{to_surface(work.a), to_surface(work.b)});
  return {pair_meets(work, surfaces), pair_volume(work, surfaces)};
}

Methods self(const SelfWork& work) {
  struct State {
    Surface surface;
    bool meets = false;
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> pairs;
  };
  const auto state = std::make_shared<State>();
  state->surface = to_surface(work.mesh);
  const auto first = [state, &work](std::size_t pose) {
    set_points(state->surface, work.mesh, pose);
    state->meets = pmp::does_self_intersect<CGAL::Sequential_tag>(state->surface);
  };
  const auto all = [state, &work](std::size_t pose) {
    set_points(state->surface, work.mesh, pose);
    state->pairs.clear();
    pmp::self_intersections<CGAL::Sequential_tag>(state->surface, std::back_inserter(state->pairs));
  };
  return {
      {.library = kLibrary,
       .call = "does_self_intersect",
       .gives = "yes or no",
       .run = first,
       .answer = [state] { return Answer{.meets = state->meets}; },
       .exact = true},
      {.library = kLibrary, .call = "self_intersections", .gives = "pairs of triangles", .run = all, .answer = [state] {
         return Answer{.meets = !state->pairs.empty(), .triangle_pairs = state->pairs.size()};
       }}};
}

// ---- W4

struct Bodies {
  std::vector<Surface> surfaces;
  std::vector<BodyPair> candidates, meeting;
};

BodyBox box_of(const MovingMesh& mesh, std::size_t pose) {
  BodyBox box{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (const Vec3& p : mesh.positions[pose]) {
    const float at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], at[k]);
      box.high[k] = std::max(box.high[k], at[k]);
    }
  }
  return box;
}

bool is_inside(const Surface& inner, const Surface& outer) {
  return holds(Side(outer), inner.point(*vertices(inner).begin()));
}

/// Bodies whose surfaces are apart although one is in the other: not timed, since only we are asked for them.
std::vector<BodyPair> nested(const Bodies& bodies) {
  std::vector<BodyPair> pairs;
  for (const BodyPair& pair : bodies.candidates) {
    if (std::binary_search(bodies.meeting.begin(), bodies.meeting.end(), pair)) continue;
    const Surface &a = bodies.surfaces[pair.first], &b = bodies.surfaces[pair.second];
    if (is_inside(a, b) || is_inside(b, a)) pairs.push_back(pair);
  }
  return pairs;
}

Methods bodies(const BodiesWork& work) {
  const auto state = std::make_shared<Bodies>();
  for (const MovingMesh& body : work.bodies) state->surfaces.push_back(to_surface(body));
  const auto run = [state, &work](std::size_t pose) {
    std::vector<BodyBox> boxes;
    for (std::size_t i = 0; i < work.bodies.size(); ++i) {
      set_points(state->surfaces[i], work.bodies[i], pose);
      boxes.push_back(box_of(work.bodies[i], pose));
    }
    state->candidates = box_pairs(boxes);
    state->meeting.clear();
    for (const BodyPair& pair : state->candidates) {
      if (pmp::do_intersect(state->surfaces[pair.first], state->surfaces[pair.second])) state->meeting.push_back(pair);
    }
  };
  return {{.library = kLibrary,
           .call = "do_intersect",
           .gives = "pairs of bodies",
           .run = run,
           .answer = [state] { return Answer{.bodies = state->meeting, .nested = nested(*state)}; },
           .exact = true}};
}

}  // namespace

Peer cgal_peer() {
  return {.name = kLibrary,
          .points = points,
          .pair = pair,
          .self = self,
          .bodies = bodies,
          .rigid = [](const RigidWork& work) { return bodies(work.placed); }};
}

}  // namespace lamella::bench::peers
