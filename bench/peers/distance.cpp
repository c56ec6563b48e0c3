#include "bench/peers/distance.hpp"

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "bench/peers/distance_peers.hpp"
#include "bench/peers/race.hpp"
#include "lamella/distance.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/models.hpp"
#include "scenes/motions.hpp"
#include "scenes/random.hpp"

namespace lamella::bench::peers {
namespace {

MovingMesh moving(const Mesh& rest, std::uint32_t seed) {
  MovingMesh mesh{rest.triangles, {}};
  mesh.positions[0] = rest.positions;
  mesh.positions[1].resize(rest.positions.size());
  scenes::wobble(rest.positions, 0, seed, mesh.positions[1]);
  return mesh;
}

Mesh placed(Mesh mesh, const Transform& pose) {
  for (Vec3& p : mesh.positions) p = to_float(apply(pose, to_double(p)));
  return mesh;
}

Mesh turned_inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

DistanceMethod our_closest(const PointsWork& work) {
  struct State {
    DistanceFinder finder{1};
    const ClosestPoints* last = nullptr;
  };
  const auto state = std::make_shared<State>();
  return {
      {.library = "Lamella",
       .call = "closest, signed",
       .gives = "points",
       .run = [state, &work](std::size_t i) { state->last = &state->finder.closest(work.solid.at(i), work.points); },
       .answer = [] { return Answer{}; },
       .ours = true},
      [state] {
        std::vector<double> all;
        for (const ClosestPoint& p : state->last->points) all.push_back(std::abs(p.distance));
        return all;
      }};
}

DistanceMethod our_distance(const PairWork& work) {
  struct State {
    DistanceFinder finder{1};
    const MeshDistance* last = nullptr;
  };
  const auto state = std::make_shared<State>();
  return {{.library = "Lamella",
           .call = "distance, with verdict",
           .gives = "distance",
           .run = [state, &work](std::size_t i) { state->last = &state->finder.distance(work.a.at(i), work.b.at(i)); },
           .answer = [] { return Answer{}; },
           .ours = true},
          [state] { return std::vector<double>{state->last->distance}; }};
}

struct Checked {
  double above = 0, below = 0;  ///< how far answers are above and below ours, at most
};
Checked check(const std::vector<double>& ours, const std::vector<double>& theirs) {
  Checked c;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    c.above = std::max(c.above, theirs[i] - ours[i]);
    c.below = std::max(c.below, ours[i] - theirs[i]);
  }
  return c;
}

/// Others compute in floats: an answer of ours is wrong where another library found less by more than `tolerance`.
bool compare(const std::string& title, DistanceMethods methods, std::size_t rounds, double tolerance) {
  Methods plain;
  for (const DistanceMethod& m : methods) plain.push_back(m.method);
  RaceOptions options;
  options.rounds = rounds;
  options.least = 1;
  const std::vector<Finished> done = race(std::move(plain), options);
  fmt::print("{}\n", title);
  for (DistanceMethod& m : methods) m.method.run(0);
  const std::vector<double> ours = methods[0].distances();
  bool right = true;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const auto& m = done[i].method;
    fmt::print("  {:<14} {:<28} {:>9.2f} ms  {:>7.2f} times", m.library, m.call, quartiles(done[i].ms).median,
               quartiles(done[i].ratio).median);
    if (methods[i].distances) {
      const Checked c = check(ours, methods[i].distances());
      right = right && c.below <= tolerance;
      fmt::print("  above ours by {:.1e}, below by {:.1e} at most", c.above, c.below);
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
  return right;
}

double diagonal(const MovingMesh& mesh) { return length(to_double(extent(bounds(mesh.at(0))))); }

bool compare_points(const std::string& name, const MovingMesh& mesh, bool near, const DistanceArgs& args) {
  PointsWork work{mesh, {}};
  const Aabb box = bounds(mesh.at(0));
  const Vec3d middle = to_double(center(box)), size = to_double(extent(box));
  scenes::Random random(5);
  for (std::size_t i = 0; i < args.points; ++i) {
    if (near) {
      const Triangle& t = mesh.triangles[random.next() % mesh.triangles.size()];
      work.points.push_back(to_float(to_double(mesh.positions[0][t.a]) +
                                     random.direction() * (diagonal(mesh) * random.uniform(0, 0.01))));
    } else {
      work.points.push_back(to_float(middle + Vec3d{size.x * random.uniform(-1, 1), size.y * random.uniform(-1, 1),
                                                    size.z * random.uniform(-1, 1)}));
    }
  }
  DistanceMethods methods{our_closest(work)};
#ifdef LAMELLA_PEER_EMBREE
  for (DistanceMethod& m : embree_closest(work)) methods.push_back(std::move(m));
#endif
  return compare(fmt::format("{}: {} faces, {} points {}", name, mesh.triangles.size(), work.points.size(),
                             near ? "within 1 % of the diagonal from the surface" : "in a box twice as large"),
                 std::move(methods), args.rounds, 1e-5 * diagonal(mesh));
}

bool compare_pair(const std::string& name, const MovingMesh& a, const MovingMesh& b, const DistanceArgs& args) {
  const PairWork work{a, b};
  DistanceMethods methods{our_distance(work)};
#ifdef LAMELLA_PEER_EMBREE
  for (DistanceMethod& m : embree_distance(work)) methods.push_back(std::move(m));
#endif
#ifdef LAMELLA_PEER_FCL
  for (DistanceMethod& m : fcl_distance(work)) methods.push_back(std::move(m));
#endif
  return compare(fmt::format("{}: {} and {} faces", name, a.triangles.size(), b.triangles.size()), std::move(methods),
                 args.rounds, 1e-5 * (diagonal(a) + diagonal(b)));
}

/// Both poses of a mesh, moved.
MovingMesh placed(MovingMesh mesh, const Transform& pose) {
  for (auto& positions : mesh.positions)
    for (Vec3& p : positions) p = to_float(apply(pose, to_double(p)));
  return mesh;
}

bool run_models(std::size_t faces, const DistanceArgs& args) {
  const MovingMesh blob = moving(scenes::blob(faces), 1), knot = moving(scenes::torus_knot(faces), 2);
  bool right = true;
  for (const bool near : {false, true})
    for (const auto& [name, mesh] : {std::pair{"blob", &blob}, std::pair{"torus knot", &knot}})
      right &= compare_points(name, *mesh, near, args);
  right &= compare_pair("blob and knot side by side", blob, placed(knot, {{3.2, 0.4, 0.3}, {}}), args);
  right &= compare_pair("blob and knot far apart", blob, placed(knot, {{30, 20, 15}, {}}), args);
  const Mesh ring = scenes::torus(faces, 1, 0.45f);
  const Transform through{{1, 0, 0}, rotation_about({1, 0, 0}, std::numbers::pi / 2)};
  right &= compare_pair("linked rings", moving(ring, 3), moving(placed(ring, through), 3), args);
  const Mesh inner = scenes::sphere(faces);
  for (const float radius : {1.01f, 1.1f})
    right &= compare_pair(fmt::format("a ball in a cavity, gap {:.2g}", radius - 1), moving(inner, 4),
                          moving(turned_inside_out(scenes::sphere(faces, radius)), 4), args);
  return right;
}

/// Each real mesh beside the next one, its box at a tenth of its size from the other's, and points around it.
bool run_real(const DistanceArgs& args) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(args.meshes))
    if (entry.path().extension() == ".ply") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<MovingMesh> meshes;
  for (const auto& path : paths) {
    Mesh mesh = in_world(read_mesh(path));
    const Aabb box = bounds(mesh);
    const float scale = 1 / length(extent(box));
    for (Vec3& p : mesh.positions) p = (p - center(box)) * scale;
    meshes.push_back(moving(mesh, 1));
  }
  bool right = true;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const std::size_t next = (i + 1) % meshes.size();
    for (const bool near : {false, true}) right &= compare_points(paths[i].stem().string(), meshes[i], near, args);
    const float apart = bounds(meshes[i].at(0)).max.x - bounds(meshes[next].at(0)).min.x + 0.1f;
    right &= compare_pair(paths[i].stem().string() + " beside " + paths[next].stem().string(), meshes[i],
                          placed(meshes[next], {{apart, 0, 0}, {}}), args);
  }
  return right;
}

}  // namespace

bool run_distance(const DistanceArgs& args) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print("One thread; from moved vertices to answers in each call; medians of processor time, and times ours.\n");
  bool right = true;
  if (!args.meshes.empty()) return run_real(args);
  if (args.faces != 0) return run_models(args.faces, args);
  for (const std::size_t faces : {50'000u, 520'000u}) right &= run_models(faces, args);
  return right;
}

}  // namespace lamella::bench::peers
