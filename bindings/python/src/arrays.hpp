#pragma once

// Arrays that share the memory of an answer: each has the Python object that owns the memory as its base, so that the
// memory lives as long as any array of it.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

#include "casters.hpp"

namespace lamella::python {

/// Answers are not to be written to.
inline py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// Plain numbers, one row for each.
template <class T>
py::array view_of(std::span<const T> values, py::handle owner) {
  return py::array(py::dtype::of<T>(), {values.size()}, {sizeof(T)}, values.data(), owner);
}

/// Vec3, Vec3d or Triangle as rows of three.
template <class Number, class Three>
py::array rows_of(std::span<const Three> values, py::handle owner) {
  static_assert(sizeof(Three) == 3 * sizeof(Number));
  return py::array(py::dtype::of<Number>(), {values.size(), std::size_t{3}}, {sizeof(Three), sizeof(Number)},
                   values.data(), owner);
}
inline py::array rows_of(std::span<const Vec3> values, py::handle owner) { return rows_of<float>(values, owner); }
inline py::array rows_of(std::span<const Vec3d> values, py::handle owner) { return rows_of<double>(values, owner); }
inline py::array rows_of(std::span<const Triangle> values, py::handle owner) {
  return rows_of<std::uint32_t>(values, owner);
}

/// A member of a struct, for a structured array: its name, numpy's word for its type ("u4", "3f8"), its offset.
struct Member {
  const char* name;
  const char* format;
  std::size_t offset;
};

/// The type of a structured array of a C++ struct of `size` bytes; members that are not listed are left out.
inline py::dtype struct_dtype(std::size_t size, std::initializer_list<Member> members) {
  py::list names, formats, offsets;
  for (const Member& m : members) {
    names.append(m.name);
    formats.append(m.format);
    offsets.append(m.offset);
  }
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
}

/// Structs as a structured array: `array["name"]` has one value, or one row of three, for each.
template <class T>
py::array structs_of(std::span<const T> values, const py::dtype& type, py::handle owner) {
  return read_only(py::array(type, {values.size()}, {sizeof(T)}, values.data(), owner));
}

/// A value that is computed once and never destroyed: Python's objects must not be, once the interpreter has ended.
template <class Make>
const py::dtype& kept_dtype(const Make& make) {
  static const auto* kept = new py::dtype(make());
  return *kept;
}

}  // namespace lamella::python
