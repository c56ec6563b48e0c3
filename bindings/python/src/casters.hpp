#pragma once

// How the library's small types appear in Python: vectors as numpy arrays of three numbers, boxes as arrays of two rows
// (None when empty), ids as int, enumerators as members of the classes in lamella/_enums.py, which are strings too.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <string>

#include "lamella/clash.hpp"
#include "lamella/engine.hpp"
#include "lamella/geometry_image_io.hpp"
#include "lamella/image_collide.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/object_id.hpp"
#include "lamella/result.hpp"
#include "lamella/scene.hpp"

namespace lamella::python {

namespace py = pybind11;

/// The enumerators of E in order, and the name of its class in lamella/_enums.py.
template <class E>
struct EnumNames;
template <>
struct EnumNames<Verdict> {
  static constexpr const char* kClass = "Verdict";
  static constexpr std::array kNames{"clear", "colliding", "undecided"};
};
template <>
struct EnumNames<Axis> {
  static constexpr const char* kClass = "Axis";
  static constexpr std::array kNames{"x", "y", "z"};
};
template <>
struct EnumNames<Doubt::Cause> {
  static constexpr const char* kClass = "Cause";
  static constexpr std::array kNames{"open_columns",      "inside_out", "skipped_triangles",
                                     "dropped_crossings", "touching",   "closed_holes"};
};
template <>
struct EnumNames<End> {
  static constexpr const char* kClass = "End";
  static constexpr std::array kNames{"low", "high", "both"};
};
template <>
struct EnumNames<MeshFormat> {
  static constexpr const char* kClass = "MeshFormat";
  static constexpr std::array kNames{"ply", "obj", "stl", "off", "gltf", "glb", "xyz"};
};
template <>
struct EnumNames<Split> {
  static constexpr const char* kClass = "Split";
  static constexpr std::array kNames{"automatic", "none", "groups", "nodes", "components"};
};
template <>
struct EnumNames<Normals> {
  static constexpr const char* kClass = "Normals";
  static constexpr std::array kNames{"faces", "neighbours"};
};
template <>
struct EnumNames<PairMethod> {
  static constexpr const char* kClass = "PairMethod";
  static constexpr std::array kNames{"complete", "jang"};
};
template <>
struct EnumNames<ClashClass> {
  static constexpr const char* kClass = "ClashClass";
  static constexpr std::array kNames{"clear", "near", "touching", "overlapping", "piercing", "contained", "duplicate"};
};
template <>
struct EnumNames<WayOut> {
  static constexpr const char* kClass = "WayOut";
  static constexpr std::array kNames{"none", "normal", "shortest"};
};
template <>
struct EnumNames<SphereFit> {
  static constexpr const char* kClass = "SphereFit";
  static constexpr std::array kNames{"fast", "tight", "published", "published_enclosing"};
};
template <>
struct EnumNames<ImageWalk> {
  static constexpr const char* kClass = "ImageWalk";
  static constexpr std::array kNames{"guided", "zigzag"};
};
template <>
struct EnumNames<ImagePage::Kind> {
  static constexpr const char* kClass = "ImagePageKind";
  static constexpr std::array kNames{"positions", "normals", "pyramid"};
};

/// The members of E's class in Python. Kept until the process ends: destroying them after the interpreter would crash.
template <class E>
const std::vector<py::object>& enum_members() {
  static const auto* members = [] {
    const py::object type = py::module_::import("lamella._enums").attr(EnumNames<E>::kClass);
    auto* out = new std::vector<py::object>;
    for (const char* name : EnumNames<E>::kNames) out->push_back(type.attr(name));
    return out;
  }();
  return *members;
}

/// Three numbers of a tuple, list or array; false where it is none.
template <class Number>
bool load_three(py::handle from, Number (&to)[3]) {
  if (py::isinstance<py::str>(from) || !PySequence_Check(from.ptr()) || PySequence_Size(from.ptr()) != 3) {
    PyErr_Clear();
    return false;
  }
  for (int k = 0; k < 3; ++k) {
    const auto item = py::reinterpret_steal<py::object>(PySequence_GetItem(from.ptr(), k));
    const double x = item ? PyFloat_AsDouble(item.ptr()) : -1;
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    to[k] = static_cast<Number>(x);
  }
  return true;
}

template <class Number>
py::object make_three(Number x, Number y, Number z) {
  py::array_t<Number> out(3);
  Number* to = out.mutable_data();
  to[0] = x;
  to[1] = y;
  to[2] = z;
  return std::move(out);
}

}  // namespace lamella::python

namespace pybind11::detail {

template <class V, class Number>
struct three_caster {
  PYBIND11_TYPE_CASTER(V, const_name("numpy.ndarray"));
  bool load(handle from, bool) {
    Number n[3];
    if (!lamella::python::load_three(from, n)) return false;
    value = {n[0], n[1], n[2]};
    return true;
  }
  static handle cast(const V& v, return_value_policy, handle) {
    return lamella::python::make_three<Number>(v.x, v.y, v.z).release();
  }
};
template <>
struct type_caster<lamella::Vec3> : three_caster<lamella::Vec3, float> {};
template <>
struct type_caster<lamella::Vec3d> : three_caster<lamella::Vec3d, double> {};

template <>
struct type_caster<lamella::Aabb> {
  PYBIND11_TYPE_CASTER(lamella::Aabb, const_name("numpy.ndarray"));
  bool load(handle from, bool) {
    if (isinstance<str>(from) || !PySequence_Check(from.ptr()) || PySequence_Size(from.ptr()) != 2) {
      PyErr_Clear();
      return false;
    }
    float low[3], high[3];
    const auto sequence = reinterpret_borrow<object>(from);
    if (!lamella::python::load_three(object(sequence[int_(0)]), low) ||
        !lamella::python::load_three(object(sequence[int_(1)]), high))
      return false;
    value = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return true;
  }
  static handle cast(const lamella::Aabb& box, return_value_policy, handle) {
    if (box.empty()) return none().release();
    array_t<float> out({2, 3});
    float* to = out.mutable_data();
    for (int k = 0; k < 3; ++k) {
      to[k] = box.min[k];
      to[3 + k] = box.max[k];
    }
    return out.release();
  }
};

template <>
struct type_caster<lamella::ObjectId> {
  PYBIND11_TYPE_CASTER(lamella::ObjectId, const_name("int"));
  bool load(handle from, bool convert) {
    make_caster<std::uint32_t> number;
    if (!number.load(from, convert)) return false;
    value.number = cast_op<std::uint32_t>(number);
    return true;
  }
  static handle cast(lamella::ObjectId id, return_value_policy, handle) { return int_(id.number).release(); }
};

template <class E>
struct enum_caster {
  PYBIND11_TYPE_CASTER(E, const_name("str"));
  bool load(handle from, bool) {
    if (!isinstance<str>(from)) return false;
    const auto& members = lamella::python::enum_members<E>();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const int equal = PyObject_RichCompareBool(members[i].ptr(), from.ptr(), Py_EQ);
      if (equal < 0) throw error_already_set();
      if (equal == 0) continue;
      value = static_cast<E>(i);
      return true;
    }
    return false;
  }
  static handle cast(E e, return_value_policy, handle) {
    return lamella::python::enum_members<E>()[static_cast<std::size_t>(e)].inc_ref();
  }
};
template <>
struct type_caster<lamella::Verdict> : enum_caster<lamella::Verdict> {};
template <>
struct type_caster<lamella::Axis> : enum_caster<lamella::Axis> {};
template <>
struct type_caster<lamella::Doubt::Cause> : enum_caster<lamella::Doubt::Cause> {};
template <>
struct type_caster<lamella::End> : enum_caster<lamella::End> {};
template <>
struct type_caster<lamella::MeshFormat> : enum_caster<lamella::MeshFormat> {};
template <>
struct type_caster<lamella::Split> : enum_caster<lamella::Split> {};
template <>
struct type_caster<lamella::Normals> : enum_caster<lamella::Normals> {};
template <>
struct type_caster<lamella::PairMethod> : enum_caster<lamella::PairMethod> {};
template <>
struct type_caster<lamella::ClashClass> : enum_caster<lamella::ClashClass> {};
template <>
struct type_caster<lamella::WayOut> : enum_caster<lamella::WayOut> {};
template <>
struct type_caster<lamella::SphereFit> : enum_caster<lamella::SphereFit> {};
template <>
struct type_caster<lamella::ImageWalk> : enum_caster<lamella::ImageWalk> {};
template <>
struct type_caster<lamella::ImagePage::Kind> : enum_caster<lamella::ImagePage::Kind> {};

}  // namespace pybind11::detail
