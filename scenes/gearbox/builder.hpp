#pragma once

#include <string>
#include <utility>

#include "scenes/prism_stack.hpp"
#include "scenes/sample_assembly.hpp"

// What the parts of the gearbox are made with. Everything in these files is in millimetres and in the gearbox's own
// frame: shafts along z, x across them, y up. The poses turn that into the world's, where z is up: an exact exchange of
// axes, so that faces which should lie in one plane do.

namespace lamella::scenes::gearbox_parts {

/// A place in the gearbox's frame, in that of the world.
constexpr Vec3d world(Vec3d p) { return {p.z, p.x, p.y}; }

// Where the mesh's own z axis points, in the gearbox's frame. The quaternions exchange axes without rounding.
inline constexpr Quaternion kAlongShaft{0.5, 0.5, 0.5, 0.5};      ///< mesh x, y, z are the gearbox's
inline constexpr Quaternion kAgainstShaft{0.5, 0.5, -0.5, -0.5};  ///< half a turn about x before
inline constexpr Quaternion kUp{0, 0, 0, 1};                      ///< mesh x is the gearbox's z, y its x
inline constexpr Quaternion kUpTurned{0, 0, 1, 0};                ///< half a turn about the mesh's z before
inline constexpr Quaternion kAcross{-0.5, -0.5, -0.5, 0.5};       ///< mesh x is the gearbox's y, y its z
inline constexpr Quaternion kAgainstAcross{0.5, -0.5, 0.5, 0.5};  ///< half a turn about x before

inline Transform at(Vec3d place, const Quaternion& axes = kAlongShaft) { return {world(place), axes}; }
/// Turned about the mesh's own z axis first.
inline Transform at(Vec3d place, const Quaternion& axes, double turn) {
  return {world(place), axes * rotation_about({0, 0, 1}, turn)};
}

class Builder {
 public:
  std::uint32_t mesh(std::string name, Mesh mesh) {
    sample_.assembly.meshes.push_back(std::move(mesh));
    sample_.assembly.mesh_names.push_back(std::move(name));
    return static_cast<std::uint32_t>(sample_.assembly.meshes.size() - 1);
  }
  std::uint32_t mesh(std::string name, const PrismStack& stack) { return mesh(std::move(name), stack.mesh()); }

  void part(std::string name, std::uint32_t mesh, const Transform& pose, std::string group, std::string layer) {
    sample_.assembly.parts.push_back({std::move(name), mesh, pose, std::move(group), std::move(layer)});
  }
  /// A mesh for one part, named after it.
  void single(std::string name, const PrismStack& stack, const Transform& pose, std::string group, std::string layer) {
    const std::uint32_t id = mesh(name, stack);
    part(std::move(name), id, pose, std::move(group), std::move(layer));
  }

  void plant(PlantedClash clash) { sample_.truth.push_back(std::move(clash)); }

  SampleAssembly sample_;
};

// One function for each group of parts; each also plants the clashes that are of its parts.
void add_housing(Builder& builder);
void add_drive(Builder& builder);
void add_bearings(Builder& builder);
void add_covers(Builder& builder);
void add_fasteners(Builder& builder);
void add_fittings(Builder& builder);

}  // namespace lamella::scenes::gearbox_parts
