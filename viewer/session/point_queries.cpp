#include <cmath>
#include <random>

#include "answer/distance.hpp"
#include "lamella/error.hpp"
#include "session/queries.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostPoints = 10'000'000;

/// Points to ask about, and what they are called.
struct Asked {
  std::vector<Vec3d> points;  ///< in the world
  std::string name;
};

Vec3d position(MeshView mesh, std::size_t i) { return to_double(mesh.positions[i]) + mesh.origin; }

/// The same for everybody: 24 bits of a generator that the language defines.
std::vector<Vec3d> random_points(MeshView mesh, std::uint32_t count) {
  const Aabb box = bounds(mesh);
  std::vector<Vec3d> points(box.empty() ? 0 : count);
  std::mt19937 random(1);
  for (Vec3d& p : points) {
    for (int i = 0; i < 3; ++i) {
      const double part = static_cast<double>(random() >> 8) * 0x1p-24;
      p[i] = box.min[i] + part * (double{box.max[i]} - box.min[i]) + mesh.origin[i];
    }
  }
  return points;
}

Asked read_points(Workspace& workspace, const Request& request, Object& object) {
  Asked asked{{}, "points"};
  if (request.has("points")) {
    const auto given = request.array<Vec3>("points");
    if (given.size() > kMostPoints) throw Error("'points' has more than 10,000,000 points");
    for (const Vec3 p : given) {
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        throw Error("'points' has a number that is not finite");
      asked.points.push_back(to_double(p));
    }
  } else if (request.has("points_of")) {
    Object& other = workspace.objects.at(request.id("points_of"));
    const MeshView mesh = other.placed();
    asked.points.resize(mesh.positions.size());
    for (std::size_t i = 0; i < asked.points.size(); ++i) asked.points[i] = position(mesh, i);
    asked.name = other.name;
  } else {
    asked.points = random_points(object.placed(), request.whole("points_in_box", 1, kMostPoints));
  }
  return asked;
}

}  // namespace

/// A corner of a box that limits sampling.
Vec3 read_corner(const Request& box, std::string_view name) {
  constexpr double kMost = 3e38;
  const Vec3d p = box.vector(name);
  if (!(std::abs(p.x) <= kMost && std::abs(p.y) <= kMost && std::abs(p.z) <= kMost))
    throw Error("'box' goes beyond the range of floats");
  return to_float(p);
}

Json query_contain(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object& object = workspace.objects.at(request.id("id"));
  const Request given = request.inside("options");
  Options options = read_options(workspace, request);
  options.exact = given.flag("exact");
  const Asked asked = read_points(workspace, request, object);
  Containment in_box;
  const bool boxed = given.has("box");
  if (boxed) {
    const Request box = given.inside("box");
    in_box = contains(object.placed(), asked.points, Aabb{read_corner(box, "min"), read_corner(box, "max")}, options);
  }
  const Containment& found = boxed ? in_box : workspace.detectors.contains(object, asked.points, options);
  answer::Subjects subjects = subjects_of(options, {&object});
  subjects.names.push_back(asked.name);
  subjects.boxed = boxed;
  const Vec3d origin = object.placed().origin;
  std::vector<Vec3> points(asked.points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = to_float(asked.points[i] - origin);
  return {{"answer", answer::contain_json(found, options.resolution, options.exact, subjects)},
          {"points", writer.add(std::move(points))},
          {"points_origin", answer::to_json(origin)},
          {"flags", writer.add(found.inside)}};
}

Json query_closest(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object& object = workspace.objects.at(request.id("id"));
  const Options options = read_options(workspace, request);
  const Asked asked = read_points(workspace, request, object);
  const ClosestPoints found = closest(object.placed(), asked.points, options.threads);
  answer::Subjects subjects = subjects_of(options, {&object});
  subjects.names.push_back(asked.name);
  std::vector<double> distances(found.points.size());
  std::vector<Vec3d> positions(found.points.size());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    distances[i] = found.points[i].distance;
    positions[i] = found.points[i].position;
  }
  return {{"answer", answer::closest_json(found, subjects)},
          {"distances", writer.add(std::move(distances))},
          {"positions", writer.add(std::move(positions))}};
}

}  // namespace lamella::session
