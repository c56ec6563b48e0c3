// Queries of points: rigid meshes, which are sampled once. TR 395, tables 1 and 2: "stages 1 and 2 can be
// pre-computed".

#include "core/check_pose.hpp"
#include "core/placement.hpp"
#include "engines/checks.hpp"
#include "engines/query_parts.hpp"

namespace lamella {
namespace {

/// An empty mesh, in the memory of an earlier one.
void restart(RigidMesh& out, std::string_view engine) {
  RigidMesh fresh;
  std::swap(fresh.ldi, out.ldi);
  std::swap(fresh.vertices, out.vertices);
  fresh.ldi.grid = {};
  fresh.engine = engine;
  out = std::move(fresh);
}

/// The positions of a mesh: in the caller's arrays, in the engine's copy, or read into `memory` from its device.
std::span<const Vec3> positions_of(MeshRef mesh, std::vector<Vec3>& memory) {
  if (mesh.kept == nullptr || !mesh.view.positions.empty()) return mesh.view.positions;
  mesh.kept->read_positions(memory);
  return memory;
}

}  // namespace

void Engine::sample_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out) {
  check_options(options);
  check_owner(mesh);
  restart(out, name());
  find_rigid(mesh, options, out);
  require_health(out.health, options.strict);
}

void Engine::find_rigid(MeshRef mesh, const QueryOptions& options, RigidMesh& out) {
  Stopwatch watch;
  Scratch& s = scratch();
  const auto positions = positions_of(mesh, s.positions_a);
  out.vertices.assign(positions.begin(), positions.end());
  out.bounds = bounds(mesh);
  if (!build_in_own_box(*this, mesh, options, watch, out.ldi, out)) {
    out.ldi.grid = {};
    return;
  }
  out.health = health_of_columns(out.ldi, s.workers);
}

void Engine::contains(const RigidMesh& mesh, const Transform& pose, std::span<const Vec3> points,
                      const QueryOptions& options, Containment& out) {
  check_options(options);
  check_pose(pose, kPoseTolerance);
  restart(out, mesh.engine, points.size());
  Stopwatch watch;
  Scratch& s = scratch();
  const Placement into_mesh = placement_into(pose);
  const Placement* placement = is_identity(pose) ? nullptr : &into_mesh;
  flag_points({mesh.ldi, placement}, points, mesh.health, s.workers, s.lookup, out);
  watch.lap(out.ms.query);
  require_health(out.health, options.strict);
}

}  // namespace lamella
