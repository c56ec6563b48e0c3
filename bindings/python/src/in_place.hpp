#pragma once

// Arrays of the caller's that the library changes in place.

#include <fmt/format.h>

#include <span>

#include "casters.hpp"

namespace lamella::python {

/// Rows of three, to be written to; throws TypeError or ValueError that says what the array must be. Keeps it alive.
template <class Three, class Number>
class RowsInPlace {
 public:
  RowsInPlace() = default;
  RowsInPlace(py::handle source, const char* name) {
    constexpr const char* kType = sizeof(Number) == 4 ? "float32" : "float64";
    if (!py::isinstance<py::array>(source))
      throw py::type_error(fmt::format("{}: must be a numpy array of {}, since it is changed in place; not {}", name,
                                       kType, py::type::of(source).attr("__name__").cast<std::string>()));
    const auto array = py::reinterpret_borrow<py::array>(source);
    if (!py::isinstance<py::array_t<Number>>(array))
      throw py::type_error(fmt::format("{}: must be of {}, since it is changed in place; it is of {}", name, kType,
                                       py::str(array.dtype()).cast<std::string>()));
    if (array.ndim() != 2 || array.shape(1) != 3)
      throw py::value_error(fmt::format("{}: must have the shape (n, 3)", name));
    if ((array.flags() & py::array::c_style) == 0 || !array.writeable())
      throw py::value_error(fmt::format("{}: must be C-contiguous and writeable, since it is changed in place", name));
    array_ = array;
    rows_ = {static_cast<Three*>(const_cast<void*>(array.data())), static_cast<std::size_t>(array.shape(0))};
  }
  [[nodiscard]] std::span<Three> rows() const { return rows_; }
  [[nodiscard]] const py::object& array() const { return array_; }

 private:
  py::object array_ = py::none();
  std::span<Three> rows_;
};

using FloatsInPlace = RowsInPlace<Vec3, float>;
using DoublesInPlace = RowsInPlace<Vec3d, double>;

}  // namespace lamella::python
