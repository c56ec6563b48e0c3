#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/mesh.hpp"
#include "session/request.hpp"

namespace lamella::session {

/// A mesh that the page knows, and where it is.
struct Object {
  std::uint32_t id = 0;
  std::string name;
  Json source;                          ///< where it came from
  std::uint64_t source_faces = 0;       ///< above 0: the mesh has fewer faces than its source, which had so many
  std::optional<double> source_volume;  ///< that of the source, where it is known
  Mesh mesh;                            ///< as it is now, in its own frame
  MeshReport facts;               ///< of the mesh as it was read; volume, bounds and unusable vertices as it is now
  std::vector<Vec3> as_read;      ///< positions before the first deformation; empty: not deformed
  std::vector<Vec3> before_pull;  ///< positions before the pull that is going on; empty: none is
  Pose pose;
  std::uint64_t shape = 0;  ///< another number after each change of the mesh

  [[nodiscard]] bool deformed() const { return !as_read.empty(); }
  /// New positions, as many as there are.
  void deform(std::vector<Vec3> positions);
  void reset();
  /// Another mesh, as if it had been read.
  void replace(Mesh other);
  void set_pose(const Pose& to);
  /// The mesh where it stands, to the bit as the command line places it. Valid until it moves or deforms.
  [[nodiscard]] MeshView placed();
  /// Whether queries need not close holes: the mesh bounds a solid.
  [[nodiscard]] bool solid();

 private:
  void shape_changed();

  std::optional<Mesh> placed_;  ///< positions and origin alone; unset: not known, or where it was read
  std::optional<bool> solid_;
};

class Objects {
 public:
  /// Throws Error for a mesh that cannot be used. The name gets a number where there is such a name already.
  Object& add(std::string name, Mesh mesh, Json source);
  /// With the id that it has. Throws Error when there is one with this id.
  Object& put(Object object);
  /// Throws Error when there is none.
  [[nodiscard]] Object& at(std::uint32_t id);
  [[nodiscard]] bool has(std::uint32_t id) const { return objects_.count(id) != 0; }
  void remove(std::uint32_t id);
  void clear() { objects_.clear(); }

  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  [[nodiscard]] std::vector<Object*> all();
  [[nodiscard]] std::uint64_t faces() const;

 private:
  [[nodiscard]] std::string free_name(const std::string& name) const;

  std::map<std::uint32_t, Object> objects_;
  std::uint32_t next_id_ = 1;
};

/// Checks a mesh and finds out about it. Throws Error for an index out of range.
void inspect(Object& object);

/// What is known of the source of a mesh that was simplified; null for 0 faces.
[[nodiscard]] Json source_json(std::uint64_t faces, std::optional<double> volume);

/// What the page knows of an object.
[[nodiscard]] Json object_json(const Object& object);
[[nodiscard]] Json objects_json(std::span<Object* const> objects);

/// At most 512 bytes, cut between characters.
[[nodiscard]] std::string short_name(std::string_view name);

/// The most objects of a session.
inline constexpr std::size_t kMostObjects = 100'000;

}  // namespace lamella::session
