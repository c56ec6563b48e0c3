#pragma once

// What callers give: meshes, points, poses. Arrays of the library's own types are used in place.

#include <optional>
#include <span>
#include <variant>

#include "casters.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh.hpp"

namespace lamella::python {

/// A mesh for the length of a call: a lamella.Mesh, a pair (vertices, faces), an object with the attributes `vertices`
/// and `faces` or `triangles` (trimesh, Open3D), or the path of a file, which is read.
///
/// In place: float32 and float64 vertices, uint32 and int32 faces, if C-contiguous. Everything else is converted once.
/// Make and destroy it with the GIL held; view() may be used without.
class MeshInput {
 public:
  /// `name`: what error messages call it. `keep_doubles`: of files, as in ReadOptions.
  MeshInput(py::handle source, const char* name, bool keep_doubles = false);

  [[nodiscard]] const MeshView& view() const { return view_; }
  /// Vertices as the caller gave them, for errors that name an index: the first face with a negative index, if any.
  void explain_indices() const;

 private:
  void take_arrays(py::handle vertices, py::handle faces);
  void take_vertices(py::handle vertices);
  void take_faces(py::handle faces);

  const char* name_;
  py::object vertices_, faces_, source_;
  std::optional<Mesh> read_;
  bool signed_faces_ = false;
  MeshView view_;
};

/// Points for the length of a call: float32 and float64 in place, everything else as float64.
class PointsInput {
 public:
  PointsInput(py::handle source, const char* name);

  [[nodiscard]] bool wide() const { return wide_; }
  [[nodiscard]] std::span<const Vec3> floats() const { return floats_; }
  [[nodiscard]] std::span<const Vec3d> doubles() const { return doubles_; }
  [[nodiscard]] std::size_t size() const { return wide_ ? doubles_.size() : floats_.size(); }

 private:
  py::object array_;
  bool wide_ = false;
  std::span<const Vec3> floats_;
  std::span<const Vec3d> doubles_;
};

/// A str or anything else that names a file.
[[nodiscard]] inline bool is_file_name(py::handle source) {
  return py::isinstance<py::str>(source) || py::hasattr(source, "__fspath__");
}

/// A pose: None, a lamella.Transform, seven numbers (x, y, z, qx, qy, qz, qw), three (a translation), or a matrix of
/// 4 x 4 that turns and moves, without scale.
[[nodiscard]] Transform pose_of(py::handle source);
/// One pose a row of an array (n, 7), (n, 3) or (n, 4, 4), or a sequence of poses.
[[nodiscard]] std::vector<Transform> poses_of(py::handle source);

/// Runs `call` without the GIL. An Error about an index out of range says which of the caller's indices is negative.
template <class Call>
auto released(std::initializer_list<const MeshInput*> meshes, const Call& call) {
  try {
    const py::gil_scoped_release release;
    return call();
  } catch (const Error&) {
    for (const MeshInput* mesh : meshes) mesh->explain_indices();
    throw;
  }
}
template <class Call>
auto released(const Call& call) {
  const py::gil_scoped_release release;
  return call();
}

}  // namespace lamella::python
