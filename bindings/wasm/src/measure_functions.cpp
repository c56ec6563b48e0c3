#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {
namespace {

void find_separation(const Value& arguments, Writer& w) {
  write(w, separation(mesh_of(arguments, "a"), mesh_of(arguments, "b"),
                      read_options<SeparationOptions>(arguments["options"])));
}
void find_free_shifts(const Value& arguments, Writer& w) {
  write(w, free_shifts(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument<Vec3d>(arguments, "direction"),
                       argument_or(arguments, "resolution", std::uint32_t{256})));
}
void sweep_mesh(const Value& arguments, Writer& w) {
  write(w, sweep(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument<Vec3d>(arguments, "motion"),
                 argument_or(arguments, "threads", 0u)));
}
void find_distance(const Value& arguments, Writer& w) {
  write(w, distance(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument_or(arguments, "threads", 0u)));
}

/// The points as columns, which JavaScript reads without taking records apart.
struct ClosestColumns {
  std::vector<double> distances;
  std::vector<Vec3d> positions;
  std::vector<Vec3> normals;
  std::vector<std::uint32_t> triangles;
  Health health;
  Timings ms;
};
template <class Visit>
void fields(Visit& visit, ClosestColumns& a) {
  visit.template array<double>("distances", a.distances);
  visit.template array<double>("positions", a.positions);
  visit.template array<float>("normals", a.normals);
  visit.template array<std::uint32_t>("triangles", a.triangles);
  visit("health", a.health);
  visit("ms", a.ms);
}
void find_closest(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  const unsigned threads = argument_or(arguments, "threads", 0u);
  with_points(arguments, "points", [&](auto points) {
    const ClosestPoints found = closest(mesh, points, threads);
    ClosestColumns out;
    out.health = found.health;
    out.ms = found.ms;
    for (const ClosestPoint& p : found.points) {
      out.distances.push_back(p.distance);
      out.positions.push_back(p.position);
      out.normals.push_back(p.normal);
      out.triangles.push_back(p.triangle);
    }
    answer(w, std::move(out));
  });
}

}  // namespace

void add_measure_functions(Functions& to) {
  to["separation"] = find_separation;
  to["freeShifts"] = find_free_shifts;
  to["sweep"] = sweep_mesh;
  to["distance"] = find_distance;
  to["closest"] = find_closest;
}

}  // namespace lamella::wasm
