#include "picture/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lamella/error.hpp"
#include "picture/parallel.hpp"
#include "picture/shading.hpp"

namespace lamella::picture {
namespace {

constexpr float kCreaseCosine = 0.7071f;  // 45 degrees
/// Corners are compared with all others at their vertex. A vertex with more triangles than this is the tip of a fan,
/// where smoothing is not worth the square of their number.
constexpr std::uint32_t kMostNeighbours = 256;
constexpr ScreenPoint kNowhere{std::numeric_limits<double>::quiet_NaN(), 0, 0};

/// The triangles at each vertex: those at v are triangles[offsets[v] .. offsets[v + 1]).
struct Incidence {
  std::vector<std::uint32_t> offsets, triangles;
};

Incidence incidence(MeshView mesh) {
  Incidence result;
  result.offsets.assign(mesh.positions.size() + 1, 0);
  for (const Triangle t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++result.offsets[t[i]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& offset : result.offsets) offset = sum += offset;
  result.triangles.resize(sum);
  // Filling from the back turns each end into the start, and leaves every vertex's triangles ascending.
  for (std::size_t f = mesh.triangles.size(); f-- > 0;) {
    for (int i = 0; i < 3; ++i)
      result.triangles[--result.offsets[mesh.triangles[f][i]]] = static_cast<std::uint32_t>(f);
  }
  return result;
}

/// Twice the triangle's area times its unit normal, in the scaled scene.
Vec3d area_normal(MeshView mesh, Triangle t, const Camera& camera) {
  const Vec3d a = to_double(mesh.positions[t.a]);
  return to_view(camera, cross((to_double(mesh.positions[t.b]) - a) * camera.scale,
                               (to_double(mesh.positions[t.c]) - a) * camera.scale));
}

struct Faces {
  std::vector<Vec3> normals;
  std::vector<float> areas;  // doubled
};

Faces face_normals(MeshView mesh, const Camera& camera) {
  Faces faces{std::vector<Vec3>(mesh.triangles.size()), std::vector<float>(mesh.triangles.size())};
  for_each(mesh.triangles.size(), [&](std::size_t f) {
    if (!drawable(mesh, mesh.triangles[f])) return;
    const Vec3d n = area_normal(mesh, mesh.triangles[f], camera);
    const double area = std::sqrt(dot(n, n));
    if (!(area > 0)) return;
    faces.normals[f] = to_float(n * (1 / area));
    faces.areas[f] = static_cast<float>(area);
  });
  return faces;
}

Vec3 corner_normal(const Faces& faces, const Incidence& incident, std::size_t face, std::uint32_t vertex) {
  const Vec3 own = faces.normals[face];
  const std::uint32_t begin = incident.offsets[vertex], end = incident.offsets[vertex + 1];
  if (end - begin > kMostNeighbours) return own;
  Vec3d sum;
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t other = incident.triangles[i];
    if (dot(own, faces.normals[other]) < kCreaseCosine) continue;
    sum = sum + to_double(faces.normals[other]) * faces.areas[other];
  }
  const double size = std::sqrt(dot(sum, sum));
  return size > 0 ? to_float(sum * (1 / size)) : own;
}

}  // namespace

void check_layer(const Layer& layer) {
  const MeshView mesh = layer.mesh;
  if (!layer.colors.empty() && layer.colors.size() != mesh.positions.size()) {
    throw Error("cannot draw a mesh of " + std::to_string(mesh.positions.size()) + " vertices with " +
                std::to_string(layer.colors.size()) + " colours; give one for each vertex");
  }
  for (const Triangle t : mesh.triangles) {
    const std::uint32_t largest = std::max({t.a, t.b, t.c});
    if (largest >= mesh.positions.size()) {
      throw Error("cannot draw a mesh whose triangle names vertex " + std::to_string(largest) + " of " +
                  std::to_string(mesh.positions.size()) + "; repair its indices");
    }
  }
}

Surface prepare_surface(const Layer& layer, const Camera& camera) {
  const MeshView mesh = layer.mesh;
  Surface surface{mesh, to_linear(layer.color), std::clamp(layer.opacity, 0.0f, 1.0f), {}, {}, {}, {}};
  surface.points.resize(mesh.positions.size());
  for_each(mesh.positions.size(), [&](std::size_t v) {
    surface.points[v] = in_sight(camera, mesh.positions[v]) ? project(camera, to_double(mesh.positions[v])) : kNowhere;
  });
  for (const Rgb color : layer.colors) surface.colors.push_back(to_linear(color));
  Faces faces = face_normals(mesh, camera);
  const Incidence incident = incidence(mesh);
  surface.normals.resize(mesh.triangles.size());
  for_each(mesh.triangles.size(), [&](std::size_t f) {
    for (int i = 0; i < 3; ++i) {
      surface.normals[f][static_cast<std::size_t>(i)] = corner_normal(faces, incident, f, mesh.triangles[f][i]);
    }
  });
  surface.face_normals = std::move(faces.normals);
  for_each(mesh.triangles.size(), [&](std::size_t f) {
    for (int i = 0; i < 3; ++i) {
      if (std::isnan(surface.points[mesh.triangles[f][i]].x)) surface.face_normals[f] = {};
    }
  });
  return surface;
}

}  // namespace lamella::picture
