#include <cmath>

#include "answer/query.hpp"
#include "lamella/error.hpp"
#include "lamella/repair.hpp"
#include "session/holes.hpp"
#include "session/simplify.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

constexpr std::size_t kMostEdges = 100'000;  ///< of `holes`
constexpr float kFarthest = 1e30f;

void check_positions(std::span<const Vec3> positions) {
  for (const Vec3 p : positions) {
    if (!(std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest && std::abs(p.z) <= kFarthest))
      throw Error("'positions' has a number that is not finite, or too large to compute with");
  }
}

/// Follows the vertex by how near it is: 1 there, 0 at the radius, smooth at both.
double weight(Vec3d from, Vec3d to, double radius) {
  const Vec3d d = from - to;
  const double square = dot(d, d);
  if (square == 0) return 1;
  const double rest = 1 - square / (radius * radius);
  return rest > 0 ? rest * rest : 0;
}

}  // namespace

Json mesh(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object& object = workspace.objects.at(request.id("id"));
  const std::size_t faces = object.mesh.triangles.size();
  const std::uint32_t most = request.whole_or("most_faces", ~std::uint32_t{0}, 1, ~std::uint32_t{0});
  Json out{{"origin", answer::to_json(object.mesh.origin)}, {"faces", faces}, {"simplified", faces > most}};
  if (faces > most) {
    Mesh fewer = simplified(object.mesh, most);
    out["positions"] = writer.add(std::move(fewer.positions));
    out["triangles"] = writer.add(std::move(fewer.triangles));
  } else {
    out["positions"] = writer.add_view<Vec3>(object.mesh.positions);
    out["triangles"] = writer.add_view<Triangle>(object.mesh.triangles);
  }
  return out;
}

Json deform(Workspace& workspace, const Request& request, PacketWriter&) {
  Object& object = workspace.objects.at(request.id("id"));
  std::vector<Vec3> positions = request.array<Vec3>("positions");
  check_positions(positions);
  const std::size_t count = object.mesh.positions.size();
  if (request.has("vertices")) {
    const auto vertices = request.array<std::uint32_t>("vertices");
    if (vertices.size() != positions.size()) throw Error("'vertices' and 'positions' are not equally many");
    std::vector<Vec3> all = object.mesh.positions;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (vertices[i] >= count) throw Error("'vertices' names a vertex that the object does not have");
      all[vertices[i]] = positions[i];
    }
    positions = std::move(all);
  }
  if (positions.size() != count)
    throw Error("'positions' has " + std::to_string(positions.size()) + " places for " + std::to_string(count) +
                " vertices");
  object.before_pull.clear();
  object.deform(std::move(positions));
  return {{"object", object_json(object)}};
}

Json pull(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object& object = workspace.objects.at(request.id("id"));
  const std::uint32_t vertex = request.id("vertex");
  const double radius = request.number("radius");
  if (vertex >= object.mesh.positions.size()) throw Error("'vertex' is none of the object's");
  if (!(radius >= 0)) throw Error("'radius' is below 0");
  const Vec3d to = request.vector("to");
  if (!(length(to - object.mesh.origin) <= kFarthest)) throw Error("'to' is too far away to compute with");
  const std::vector<Vec3> before = object.before_pull.empty() ? object.mesh.positions : object.before_pull;
  const Vec3d held = to_double(before[vertex]), way = to - object.mesh.origin - held;
  std::vector<Vec3> positions = before;
  for (Vec3& p : positions) {
    if (const double w = weight(to_double(p), held, radius); w > 0) p = to_float(to_double(p) + way * w);
  }
  check_positions(positions);
  object.deform(std::move(positions));
  object.before_pull = request.flag("done") ? std::vector<Vec3>() : before;
  return {{"object", object_json(object)}, {"positions", writer.add_view<Vec3>(object.mesh.positions)}};
}

Json reset(Workspace& workspace, const Request& request, PacketWriter&) {
  Object& object = workspace.objects.at(request.id("id"));
  object.reset();
  return {{"object", object_json(object)}};
}

Json repair(Workspace& workspace, const Request& request, PacketWriter&) {
  Object& object = workspace.objects.at(request.id("id"));
  RepairResult result = lamella::repair(object.mesh);
  if (result.mesh.triangles.empty())
    throw Error("nothing would be left of '" + object.name + "': no triangle can be used, or each has an opposite");
  object.replace(std::move(result.mesh));
  return {{"object", object_json(object)}, {"report", answer::repair_json(result.report)}};
}

Json holes(Workspace& workspace, const Request& request, PacketWriter& writer) {
  OpenPlaces places = find_open_places(workspace.objects.at(request.id("id")).mesh, kMostEdges);
  return {{"count", places.open_count},
          {"nonmanifold_count", places.nonmanifold_count},
          {"most", kMostEdges},
          {"edges", writer.add(std::move(places.open))},
          {"nonmanifold", writer.add(std::move(places.nonmanifold))}};
}

}  // namespace lamella::session
