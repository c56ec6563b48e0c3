// Contacts of soft bodies as constraints on positions (Müller, Heidelberger, Hennix, Ratcliff: "Position Based
// Dynamics", 2006): a vertex against a face of the other body, one after the other, in the order of vertices.

#include "simulate/soft_contact.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::simulate {
namespace {

void copy(std::span<const Vec3d> from, std::vector<Vec3>& to) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = to_float(from[i]);
}

std::uint32_t cells_of(MeshView mesh, const SceneOptions& options) {
  const Vec3 size = extent(bounds(mesh));
  const float cells = options.cell > 0 ? std::ceil(std::max({size.x, size.y, size.z}) / options.cell)
                                       : static_cast<float>(options.resolution);
  return static_cast<std::uint32_t>(std::clamp(cells, 1.0f, static_cast<float>(options.max_resolution)));
}

/// A vertex, and the place on a face that it must not be behind.
struct Touch {
  std::uint32_t vertex = 0;
  Triangle face;
  double weights[3];
  Vec3d normal;
};

Vec3d on_face(const Touch& t, std::span<const Vec3d> p) {
  return p[t.face.a] * t.weights[0] + p[t.face.b] * t.weights[1] + p[t.face.c] * t.weights[2];
}

/// Of each vertex, by the areas of its faces; not of unit length.
void find_normals(std::span<const Triangle> triangles, std::span<const Vec3> positions, std::vector<Vec3>& normals) {
  normals.assign(positions.size(), Vec3{});
  for (const Triangle t : triangles) {
    const Vec3 a = positions[t.a];
    const Vec3 n = cross(positions[t.b] - a, positions[t.c] - a);
    for (int i = 0; i < 3; ++i) normals[t[i]] = normals[t[i]] + n;
  }
}

Vec3d unit(Vec3d v) {
  const double l = std::sqrt(dot(v, v));
  return l > 0 ? v * (1 / l) : Vec3d{};
}

/// Moves both by `way` relative to one another and their velocities with them, by their inverse masses.
void move_apart(const Touch& t, Vec3d way, SoftBody& body, SoftBody& other, double seconds) {
  double ease = 1 / body.mass(t.vertex);
  for (int k = 0; k < 3; ++k) ease += t.weights[k] * t.weights[k] / other.mass(t.face[k]);
  const Vec3d impulse = way * (1 / ease);
  const auto give = [&](SoftBody& to, std::uint32_t i, double share) {
    const Vec3d d = impulse * (share / to.mass(i));
    to.positions()[i] = to.positions()[i] + d;
    to.velocities()[i] = to.velocities()[i] + d * (1 / seconds);
  };
  give(body, t.vertex, 1);
  for (int k = 0; k < 3; ++k) give(other, t.face[k], -t.weights[k]);
}

}  // namespace

SoftContacts::Side::Side(MeshView mesh, const SceneOptions& options)
    : triangles(mesh.triangles.begin(), mesh.triangles.end()),
      push_out(mesh.triangles, mesh.positions.size(),
               {.resolution = cells_of(mesh, options), .threads = options.threads}) {}

SoftContacts::SoftContacts(MeshView a, MeshView b, const SceneOptions& options, double friction)
    : scene_(options), a_(a, options), b_(b, options), friction_(friction) {
  id_a_ = scene_.add(a);
  id_b_ = scene_.add(b);
}

void SoftContacts::remember(const SoftBody& a, const SoftBody& b) {
  copy(a.positions(), a_.before);
  copy(b.positions(), b_.before);
  a_.exact_before.assign(a.positions().begin(), a.positions().end());
  b_.exact_before.assign(b.positions().begin(), b.positions().end());
}

const SceneResult& SoftContacts::detect(const SoftBody& a, const SoftBody& b) {
  copy(a.positions(), a_.now);
  copy(b.positions(), b_.now);
  scene_.deform(id_a_, a_.now);
  scene_.deform(id_b_, b_.now);
  const SceneResult& result = scene_.collide();
  timings_ += result.ms;
  return result;
}

/// Vertices of one body in the other.
std::span<const ParticlePush> SoftContacts::find_inside(Side& of, Side& in, double seconds) {
  of.points = of.now;
  of.velocities.resize(of.now.size());
  const auto rate = static_cast<float>(1 / seconds);
  for (std::size_t i = 0; i < of.now.size(); ++i) of.velocities[i] = (of.now[i] - of.before[i]) * rate;
  const PushOutReport& report =
      in.push_out.push_out({in.now, in.before, static_cast<float>(seconds)}, of.points, of.velocities);
  return report.pushes;
}

void SoftContacts::push(const Side& of, const Side& from, SoftBody& body, SoftBody& other,
                        std::span<const ParticlePush> pushes, double seconds) const {
  for (const ParticlePush& p : pushes) {
    const Triangle face = from.triangles[p.triangle];
    // Pushed along normals of single faces, surfaces under pressure would crumple: a dent turns them into one another.
    const Vec3 smooth =
        from.normals[face.a] * p.weights.x + from.normals[face.b] * p.weights.y + from.normals[face.c] * p.weights.z;
    const Vec3d normal = unit(unit(to_double(smooth)) - unit(to_double(of.normals[p.particle])));
    const double second = p.weights.y, third = p.weights.z;
    const Touch t{p.particle, face, {1 - second - third, second, third}, normal};  // 1 in all: momentum is kept
    const double depth = dot(t.normal, on_face(t, other.positions()) - body.positions()[t.vertex]);
    if (depth <= 0) continue;
    move_apart(t, t.normal * depth, body, other, seconds);
    // Friction: what they slid over one another in this step, as far as the pressure holds it.
    const Vec3d slid = (body.positions()[t.vertex] - of.exact_before[t.vertex]) -
                       (on_face(t, other.positions()) - on_face(t, from.exact_before));
    const Vec3d along = slid - t.normal * dot(slid, t.normal);
    const double length = std::sqrt(dot(along, along));
    if (length > 0) move_apart(t, along * -std::min(1.0, friction_ * depth / length), body, other, seconds);
  }
}

void SoftContacts::resolve(SoftBody& a, SoftBody& b, double seconds) {
  inside_ = 0;
  if (!detect(a, b).colliding()) return;
  find_normals(a_.triangles, a_.now, a_.normals);
  find_normals(b_.triangles, b_.now, b_.normals);
  const auto of_a = find_inside(a_, b_, seconds), of_b = find_inside(b_, a_, seconds);
  inside_ = static_cast<std::uint32_t>(of_a.size() + of_b.size());
  // What the one moves the other finds moved: two rounds even that out.
  for (int round = 0; round < 2; ++round) {
    push(a_, b_, a, b, of_a, seconds);
    push(b_, a_, b, a, of_b, seconds);
  }
}

}  // namespace lamella::simulate
