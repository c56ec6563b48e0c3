#include "cli/scene/file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/common.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

Quaternion unit(const Quaternion& q) {
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

/// Straight between translations; rotations the shorter way round, normalised.
Transform between(const Transform& a, const Transform& b, double part) {
  const Quaternion &p = a.rotation, &q = b.rotation;
  const double sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0 ? -1 : 1;
  const auto mix = [&](double from, double to) { return from * (1 - part) + sign * to * part; };
  return {a.translation * (1 - part) + b.translation * part,
          unit({mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z), mix(p.w, q.w)})};
}

bool moves(const SceneObject& object) {
  return object.keys.size() > 1 || !(object.velocity == Vec3d{}) || !(object.angular_velocity == Vec3d{});
}

MeshInstances load(const MeshRequest& request) {
  if (request.kind == MeshRequest::Kind::instances) return load_instances(request.name, request.split, request.doubles);
  if (request.kind != MeshRequest::Kind::model)
    return one_each(load_parts(request.name, request.split, request.doubles));
  std::vector<MeshPart> parts;
  Mesh mesh = scenes::make_model(request.name, request.faces, request.seed);
  if (request.split != Split::components) {
    parts.push_back({"", std::move(mesh)});
  } else {
    for (Mesh& part : split_components(mesh))
      parts.push_back({fmt::format("component {}", parts.size() + 1), std::move(part)});
  }
  return one_each(std::move(parts));
}

}  // namespace

LoadedMeshes load_here(const MeshRequest& request) {
  LoadedMeshes loaded{load(request), {}};
  for (const Mesh& mesh : loaded.all.meshes) loaded.triangle_counts.push_back(mesh.triangles.size());
  return loaded;
}

LoadedMeshes load_exactly(const MeshRequest& request) {
  MeshRequest exact = request;
  exact.doubles = true;
  return load_here(exact);
}

Transform pose_at(const SceneObject& object, std::uint32_t frame) {
  if (!object.keys.empty()) {
    const auto after = std::upper_bound(object.keys.begin(), object.keys.end(), frame,
                                        [](std::uint32_t f, const KeyPose& key) { return f < key.frame; });
    if (after == object.keys.begin()) return after->pose;
    if (after == object.keys.end()) return object.keys.back().pose;
    const KeyPose& before = *(after - 1);
    return between(before.pose, after->pose, static_cast<double>(frame - before.frame) / (after->frame - before.frame));
  }
  Transform pose = object.pose;
  pose.translation = pose.translation + object.velocity * frame;
  const double speed = std::sqrt(dot(object.angular_velocity, object.angular_velocity));
  if (speed > 0) pose.rotation = unit(rotation_about(object.angular_velocity, speed * frame) * pose.rotation);
  return pose;
}

Mesh mesh_of(const SceneFile& file, const SceneObject& object) {
  Mesh mesh = file.meshes[object.mesh];
  if (object.shapes.empty()) {
    if (object.scale != 1) scale(mesh, object.scale);
    return mesh;
  }
  mesh.positions = object.shapes.front();
  mesh.wide.clear();
  mesh.origin = mesh.origin * object.scale;
  return mesh;
}

void fill(Scene& scene, const SceneFile& file) {
  std::map<std::pair<std::uint32_t, double>, ObjectId> first;  // of a mesh and scale: the others share its memory
  for (const SceneObject& object : file.objects) {
    const bool shares = object.shapes.empty();
    const auto known = shares ? first.find({object.mesh, object.scale}) : first.end();
    const Transform pose = pose_at(object, 0);
    const ObjectId id = known != first.end() ? scene.add(known->second, pose) : scene.add(mesh_of(file, object), pose);
    if (shares) first.emplace(std::pair(object.mesh, object.scale), id);
    if (object.fixed) scene.fix(id);
  }
  for (const auto& [a, b] : file.ignored) scene.ignore(ObjectId{a}, ObjectId{b});
}

void go_to_frame(Scene& scene, const SceneFile& file, std::uint32_t frame) {
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) {
    const SceneObject& object = file.objects[i];
    if (moves(object)) scene.move(ObjectId{i}, pose_at(object, frame));
    if (!object.shapes.empty()) {
      scene.deform(ObjectId{i}, object.shapes[std::min<std::size_t>(frame, object.shapes.size() - 1)]);
    }
  }
}

}  // namespace lamella::cli
