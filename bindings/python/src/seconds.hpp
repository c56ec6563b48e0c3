#pragma once

// Times are numbers of seconds in Python, or a datetime.timedelta. Not to be used beside pybind11/chrono.h.

#include <chrono>
#include <cmath>

#include "casters.hpp"

namespace pybind11::detail {

template <>
struct type_caster<std::chrono::nanoseconds> {
  PYBIND11_TYPE_CASTER(std::chrono::nanoseconds, const_name("float"));
  bool load(handle from, bool) {
    const object number =
        hasattr(from, "total_seconds") ? object(from.attr("total_seconds")()) : reinterpret_borrow<object>(from);
    const double seconds = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    if (!(std::abs(seconds) < 9e9)) return false;
    value = std::chrono::nanoseconds(std::llround(seconds * 1e9));
    return true;
  }
  static handle cast(std::chrono::nanoseconds time, return_value_policy, handle) {
    return float_(static_cast<double>(time.count()) * 1e-9).release();
  }
};

}  // namespace pybind11::detail
