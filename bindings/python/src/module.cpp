// The extension module lamella._lamella: the library itself, as Python sees it. lamella/__init__.py says what is
// public.

#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/error.hpp"

namespace lamella::python {
namespace {

/// lamella.Error, with the attribute `kind`: "input" or "device".
void bind_error(py::module_& m) {
  static PyObject* type = PyErr_NewExceptionWithDoc(
      "lamella.Error",
      "What the library throws. The message names the thing that failed and the remedy; `kind` is \"input\" for a "
      "file, "
      "mesh or option that cannot be used, and \"device\" for an engine that is missing or a device that failed.",
      PyExc_RuntimeError, nullptr);
  m.attr("Error") = py::handle(type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& e) {
      py::object error = py::handle(type)(e.what());
      error.attr("kind") = e.kind() == Error::Kind::input ? "input" : "device";
      PyErr_SetObject(type, error.ptr());
    }
  });
}

/// Where the library sees arrays, for tests of what is used in place.
void bind_addresses(py::module_& m) {
  const auto number = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  m.def("_addresses", [=](py::handle mesh) {
    const MeshInput input(mesh, "mesh");
    const MeshView& view = input.view();
    const void* vertices = view.wide.empty() ? static_cast<const void*>(view.positions.data()) : view.wide.data();
    return std::pair(number(vertices), number(view.triangles.data()));
  });
  m.def("_point_address", [=](py::handle points) {
    const PointsInput input(points, "points");
    return number(input.wide() ? static_cast<const void*>(input.doubles().data()) : input.floats().data());
  });
}

}  // namespace

PYBIND11_MODULE(_lamella, m) {
  m.doc() = "The library itself; use the package lamella.";
  bind_error(m);
  bind_addresses(m);
  bind_options(m);
  bind_mesh(m);
  bind_models(m);
  bind_results(m);
  bind_query(m);
  bind_solid(m);
  bind_detector(m);
  bind_batch(m);
  bind_sweep(m);
  bind_named_sweep(m);
  bind_separation(m);
  bind_distance(m);
  bind_clash(m);
  bind_ldi(m);
  bind_scene(m);
  bind_response(m);
  bind_contact(m);
  bind_images(m);
  bind_collider(m);
  bind_poses(m);
  bind_cuda(m);
}

}  // namespace lamella::python
