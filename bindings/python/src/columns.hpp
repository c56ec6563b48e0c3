#pragma once

// One member of every struct of an answer as an array, and structs of an answer one by one: both share its memory.

#include <memory>
#include <span>
#include <vector>

#include "arrays.hpp"

namespace lamella::python {

/// `member(one)` returns a reference to what the array has of each; `inner`: the shape of that, of Numbers.
template <class Number, class T, class Get>
py::array column_of(const std::vector<T>& all, const Get& member, std::vector<py::ssize_t> inner, py::handle owner) {
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(all.size())}, strides{sizeof(T)};
  py::ssize_t stride = sizeof(Number);
  for (const py::ssize_t length : inner) stride *= length;
  for (const py::ssize_t length : inner) {
    stride /= length;
    shape.push_back(length);
    strides.push_back(stride);
  }
  const void* first = all.empty() ? nullptr : static_cast<const void*>(&member(all.front()));
  return read_only(py::array(py::dtype::of<Number>(), shape, strides, first, owner));
}

/// A new array with what `of` says of each.
template <class Number, class T, class Of>
py::array_t<Number> computed(const std::vector<T>& all, const Of& of) {
  py::array_t<Number> out(static_cast<py::ssize_t>(all.size()));
  Number* to = out.mutable_data();
  for (std::size_t i = 0; i < all.size(); ++i) to[i] = of(all[i]);
  return out;
}

/// One of many structs; keeps the object alive that they are in.
template <class T, class Owner>
std::shared_ptr<T> item_of(const std::shared_ptr<Owner>& owner, std::vector<T>& all, py::ssize_t index) {
  const auto count = static_cast<py::ssize_t>(all.size());
  if (index < 0) index += count;
  if (index < 0 || index >= count) throw py::index_error("index out of range");
  return {owner, &all[static_cast<std::size_t>(index)]};
}

/// Copies of objects that Python has; TypeError for one of another class.
template <class T>
std::vector<T> copies_of(const py::iterable& objects) {
  std::vector<T> out;
  for (const py::handle& one : objects) {
    if (!py::isinstance<T>(one))
      throw py::type_error("expected " + py::type::of<T>().attr("__name__").template cast<std::string>() + ", not " +
                           py::type::of(one).attr("__name__").template cast<std::string>());
    out.push_back(one.cast<const T&>());
  }
  return out;
}

/// What iter() gives of something with `__getitem__`.
inline py::object iterator_of(const py::object& sequence) {
  return py::reinterpret_steal<py::object>(PySeqIter_New(sequence.ptr()));
}

/// A sequence of structs that are in one object, made into Python's objects one by one, when they are asked for.
template <class T>
struct Items {
  std::shared_ptr<void> owner;
  std::vector<T>* all = nullptr;
};

template <class T>
void bind_items(py::module_& m, const char* name, const char* doc) {
  py::class_<Items<T>>(m, name, doc)
      .def("__len__", [](const Items<T>& items) { return items.all->size(); })
      .def(
          "__getitem__",
          [](const Items<T>& items, py::ssize_t index) { return item_of<T>(items.owner, *items.all, index); },
          py::arg("index"))
      .def(
          "__getitem__",
          [](const Items<T>& items, const py::slice& slice) {
            py::ssize_t start = 0, stop = 0, step = 0, length = 0;
            if (!slice.compute(static_cast<py::ssize_t>(items.all->size()), &start, &stop, &step, &length))
              throw py::error_already_set();
            py::list out;
            for (py::ssize_t i = 0; i < length; ++i) out.append(item_of<T>(items.owner, *items.all, start + i * step));
            return out;
          },
          py::arg("index"))
      .def("__iter__", &iterator_of)
      .def("__repr__", [](py::handle self) { return py::repr(py::list(py::reinterpret_borrow<py::object>(self))); });
}

}  // namespace lamella::python
