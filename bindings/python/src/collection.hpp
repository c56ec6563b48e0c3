#pragma once

// Objects that keep one of Python's, which may keep them in turn: Python's collector of cycles has to know.

#include "casters.hpp"

namespace lamella::python {

/// For py::custom_type_setup of the class of T; `kept` gives what a T keeps.
template <class T, py::object& (*kept)(T&)>
void set_up_collection(PyHeapTypeObject* heap_type) {
  // Null for an object whose __init__ has not made it.
  static constexpr auto kMade = [](PyObject* self) -> T* {
    const auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
    return held.holder_constructed() ? held.value_ptr<T>() : nullptr;
  };
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    Py_VISIT(Py_TYPE(self));
    if (T* made = kMade(self)) Py_VISIT(kept(*made).ptr());
    return 0;
  };
  type.tp_clear = [](PyObject* self) -> int {
    if (T* made = kMade(self)) kept(*made) = py::none();
    return 0;
  };
}

}  // namespace lamella::python
