#include "inputs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "models.hpp"

namespace lamella::python {
namespace {

constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int kContiguous = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_;

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t k = 0; k < array.ndim(); ++k) text += fmt::format("{}{}", k == 0 ? "" : ", ", array.shape(k));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

/// An array as it is, or made of anything that numpy makes an array of.
py::array as_array(py::handle source, const char* name, const char* what) {
  if (py::isinstance<py::array>(source)) return py::reinterpret_borrow<py::array>(source);
  py::array array = py::array::ensure(source);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(fmt::format("{}: {} cannot be made an array of", name, what));
  }
  return array;
}

void check_rows(const py::array& array, const char* name, const char* what) {
  if (array.ndim() == 2 && array.shape(1) == 3) return;
  if (array.size() == 0 && array.ndim() <= 2) return;
  throw py::value_error(fmt::format("{}: {} must have the shape (n, 3), not {}", name, what, shape_text(array)));
}

template <class T>
bool is_plain(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array) && (array.flags() & kContiguous) != 0 && (array.flags() & kAligned) != 0;
}

template <class To, class T>
std::span<const To> rows(const py::array& array) {
  return {static_cast<const To*>(array.data()), static_cast<std::size_t>(array.size() / 3)};
}

bool is_real(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u';
}
bool is_whole(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'i' || kind == 'u';
}

/// A C-contiguous copy, or the array itself, with elements of type T.
template <class T>
py::array converted(const py::array& array) {
  auto out = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!out) throw py::error_already_set();
  return out;
}

bool has(py::handle object, const char* attribute) { return py::hasattr(object, attribute); }

}  // namespace

MeshInput::MeshInput(py::handle source, const char* name, bool keep_doubles) : name_(name) {
  if (PyTuple_Check(source.ptr()) != 0 || PyList_Check(source.ptr()) != 0) {
    if (PySequence_Size(source.ptr()) != 2)
      throw py::type_error(
          fmt::format("{}: a mesh is a pair (vertices, faces), not {} things", name_, PySequence_Size(source.ptr())));
    const auto vertices = py::reinterpret_steal<py::object>(PySequence_GetItem(source.ptr(), 0));
    const auto faces = py::reinterpret_steal<py::object>(PySequence_GetItem(source.ptr(), 1));
    take_arrays(vertices, faces);
  } else if (py::isinstance<Mesh>(source)) {
    source_ = py::reinterpret_borrow<py::object>(source);
    view_ = source_.cast<const Mesh&>();
  } else if (is_file_name(source)) {
    const auto path = source.cast<std::filesystem::path>();
    read_ = released([&] {
      return is_model(path.string()) ? make_model(path.string()) : read_mesh(path, {.keep_doubles = keep_doubles});
    });
    view_ = exact_view(*read_);
  } else if (has(source, "vertices") && (has(source, "faces") || has(source, "triangles"))) {
    take_arrays(source.attr("vertices"), has(source, "faces") ? source.attr("faces") : source.attr("triangles"));
  } else {
    throw py::type_error(
        fmt::format("{}: a mesh is a pair (vertices, faces), a lamella.Mesh, an object with vertices and faces (or "
                    "triangles), or a path; not {}",
                    name_, py::type::of(source).attr("__name__").cast<std::string>()));
  }
}

void MeshInput::take_arrays(py::handle vertices, py::handle faces) {
  take_vertices(vertices);
  take_faces(faces);
}

void MeshInput::take_vertices(py::handle vertices) {
  py::array array = as_array(vertices, name_, "vertices");
  check_rows(array, name_, "vertices");
  if (is_plain<float>(array)) {
    view_.positions = rows<Vec3, float>(array);
  } else if (is_plain<double>(array)) {
    view_.wide = rows<Vec3d, double>(array);
  } else {
    if (!is_real(array))
      throw py::type_error(
          fmt::format("{}: vertices must be real numbers, not {}", name_, py::str(array.dtype()).cast<std::string>()));
    const bool narrow = array.dtype().kind() == 'f' && array.itemsize() <= 4;
    array = narrow ? converted<float>(array) : converted<double>(array);
    if (narrow)
      view_.positions = rows<Vec3, float>(array);
    else
      view_.wide = rows<Vec3d, double>(array);
  }
  vertices_ = std::move(array);
}

void MeshInput::take_faces(py::handle faces) {
  py::array array = as_array(faces, name_, "faces");
  check_rows(array, name_, "faces");
  signed_faces_ = is_plain<std::int32_t>(array);
  if (!signed_faces_ && !is_plain<std::uint32_t>(array)) {
    if (array.size() != 0 && !is_whole(array))
      throw py::type_error(
          fmt::format("{}: faces must be whole numbers, not {}", name_, py::str(array.dtype()).cast<std::string>()));
    const py::array wide =
        array.dtype().kind() == 'u' && array.itemsize() == 8 ? array : converted<std::int64_t>(array);
    py::array_t<std::uint32_t> narrow(static_cast<py::ssize_t>(wide.size()));
    std::uint32_t* to = narrow.mutable_data();
    const auto checked = converted<std::uint64_t>(wide);
    const auto* from = static_cast<const std::uint64_t*>(checked.data());
    for (py::ssize_t i = 0; i < wide.size(); ++i) {
      if (from[i] > 0xffffffffu)
        throw py::value_error(fmt::format("{}: faces[{}, {}] is {}; indices are 0 or more, and below 2^32", name_,
                                          i / 3, i % 3, static_cast<std::int64_t>(from[i])));
      to[i] = static_cast<std::uint32_t>(from[i]);
    }
    array = std::move(narrow);
  }
  view_.triangles = rows<Triangle, std::uint32_t>(array);
  faces_ = std::move(array);
}

void MeshInput::explain_indices() const {
  if (!signed_faces_) return;
  for (std::size_t i = 0; i < view_.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (const auto index = static_cast<std::int32_t>(view_.triangles[i][k]); index < 0)
        throw Error(fmt::format("{}: faces[{}, {}] is {}; indices are 0 or more", name_, i, k, index));
}

PointsInput::PointsInput(py::handle source, const char* name) {
  py::array array = as_array(source, name, "points");
  check_rows(array, name, "points");
  if (!is_plain<float>(array) && !is_plain<double>(array)) {
    if (array.size() != 0 && !is_real(array))
      throw py::type_error(
          fmt::format("{}: points must be real numbers, not {}", name, py::str(array.dtype()).cast<std::string>()));
    array = array.dtype().kind() == 'f' && array.itemsize() <= 4 ? converted<float>(array) : converted<double>(array);
  }
  wide_ = py::isinstance<py::array_t<double>>(array);
  if (wide_)
    doubles_ = rows<Vec3d, double>(array);
  else
    floats_ = rows<Vec3, float>(array);
  array_ = std::move(array);
}

namespace {

/// Of a matrix of rows of `stride` numbers. Throws ValueError when it is no rotation.
Quaternion quaternion_of(const double* m, std::size_t stride) {
  const auto at = [&](std::size_t i, std::size_t k) { return m[i * stride + k]; };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = i; k < 3; ++k) {
      const double product = at(i, 0) * at(k, 0) + at(i, 1) * at(k, 1) + at(i, 2) * at(k, 2);
      if (!(std::abs(product - (i == k ? 1.0 : 0.0)) < 1e-3))
        throw py::value_error(
            "a pose must turn and move alone: the matrix scales or shears; apply that to the vertices first");
    }
  const double determinant = at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
                             at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
                             at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
  if (!(determinant > 0)) throw py::value_error("a pose must not mirror: apply that to the vertices and faces first");
  // The largest of the four components first: nothing is divided by a small number.
  Quaternion q;
  const double trace = at(0, 0) + at(1, 1) + at(2, 2);
  if (trace > 0) {
    q = {at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), 1 + trace};
  } else if (at(0, 0) >= at(1, 1) && at(0, 0) >= at(2, 2)) {
    q = {1 + at(0, 0) - at(1, 1) - at(2, 2), at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(2, 1) - at(1, 2)};
  } else if (at(1, 1) >= at(2, 2)) {
    q = {at(0, 1) + at(1, 0), 1 - at(0, 0) + at(1, 1) - at(2, 2), at(1, 2) + at(2, 1), at(0, 2) - at(2, 0)};
  } else {
    q = {at(0, 2) + at(2, 0), at(1, 2) + at(2, 1), 1 - at(0, 0) - at(1, 1) + at(2, 2), at(1, 0) - at(0, 1)};
  }
  return normalized(q);
}

Transform pose_of_matrix(const double* m) {
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
    throw py::value_error("the last row of a pose's matrix must be 0, 0, 0, 1");
  return {{m[3], m[7], m[11]}, quaternion_of(m, 4)};
}
Transform pose_of_seven(const double* n) { return {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}}; }

py::array numbers(py::handle source) {
  py::array array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(source);
  if (!array) {
    PyErr_Clear();
    throw py::type_error("a pose is None, a lamella.Transform, (x, y, z), (x, y, z, qx, qy, qz, qw) or a 4 x 4 matrix");
  }
  return array;
}

}  // namespace

Transform pose_of(py::handle source) {
  if (source.is_none()) return {};
  if (py::isinstance<Transform>(source)) return source.cast<Transform>();
  const py::array array = numbers(source);
  const auto* n = static_cast<const double*>(array.data());
  if (array.ndim() == 1 && array.size() == 7) return pose_of_seven(n);
  if (array.ndim() == 1 && array.size() == 3) return {{n[0], n[1], n[2]}, {}};
  if (array.ndim() == 2 && array.shape(0) == 4 && array.shape(1) == 4) return pose_of_matrix(n);
  throw py::value_error("a pose has 3 or 7 numbers or is a 4 x 4 matrix, not of shape " + shape_text(array));
}

std::vector<Transform> poses_of(py::handle source) {
  std::vector<Transform> out;
  if (!py::isinstance<py::array>(source) && PySequence_Check(source.ptr()) != 0) {
    for (const auto& one : py::reinterpret_borrow<py::sequence>(source)) out.push_back(pose_of(one));
    return out;
  }
  const py::array array = numbers(source);
  const auto* n = static_cast<const double*>(array.data());
  const bool matrices = array.ndim() == 3 && array.shape(1) == 4 && array.shape(2) == 4;
  const bool rows = array.ndim() == 2 && (array.shape(1) == 7 || array.shape(1) == 3);
  if (!matrices && !rows)
    throw py::value_error("poses have the shape (n, 7), (n, 3) or (n, 4, 4), not " + shape_text(array));
  const auto count = static_cast<std::size_t>(array.shape(0));
  const std::size_t stride = matrices ? 16 : static_cast<std::size_t>(array.shape(1));
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* at = n + i * stride;
    if (matrices)
      out.push_back(pose_of_matrix(at));
    else if (stride == 7)
      out.push_back(pose_of_seven(at));
    else
      out.push_back({{at[0], at[1], at[2]}, {}});
  }
  return out;
}

}  // namespace lamella::python
