#include "lamella/detector.hpp"

#include <ctime>

#include "bind.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using SharedDetector = Locked<Detector>;

bool is_id(py::handle h) { return PyLong_Check(h.ptr()) != 0; }

/// Two meshes, or two meshes that the detector keeps: ask(detector, a, b) is given MeshViews or ObjectIds.
template <class Result, class Ask>
std::shared_ptr<Result> ask_pair(SharedDetector& self, py::handle a, py::handle b, const Ask& ask) {
  auto out = std::make_shared<Result>();
  if (is_id(a) != is_id(b))
    throw py::type_error("either both are meshes, or both are ids of kept meshes (Detector.add)");
  if (is_id(a)) {
    const auto id_a = a.cast<ObjectId>(), id_b = b.cast<ObjectId>();
    const py::gil_scoped_release release;
    const std::scoped_lock lock(self.mutex);
    *out = ask(self.object, id_a, id_b);
    return out;
  }
  const MeshInput in_a(a, "a"), in_b(b, "b");
  released({&in_a, &in_b}, [&] {
    const std::scoped_lock lock(self.mutex);
    *out = ask(self.object, in_a.view(), in_b.view());
  });
  return out;
}

template <class Result, class Ask>
std::shared_ptr<Result> ask_one(SharedDetector& self, py::handle mesh, const Ask& ask) {
  auto out = std::make_shared<Result>();
  if (is_id(mesh)) {
    const auto id = mesh.cast<ObjectId>();
    const py::gil_scoped_release release;
    const std::scoped_lock lock(self.mutex);
    *out = ask(self.object, id);
    return out;
  }
  const MeshInput input(mesh, "mesh");
  released({&input}, [&] {
    const std::scoped_lock lock(self.mutex);
    *out = ask(self.object, input.view());
  });
  return out;
}

std::shared_ptr<Containment> contains_points(SharedDetector& self, py::handle mesh, py::handle points,
                                             const std::optional<Aabb>& box) {
  const PointsInput at(points, "points");
  if (box && at.wide()) throw py::type_error("points in a box must be float32 (Detector.contains)");
  return ask_one<Containment>(self, mesh, [&](Detector& d, const auto& m) -> const Containment& {
    if (box) return d.contains(m, at.floats(), *box);
    return at.wide() ? d.contains(m, at.doubles()) : d.contains(m, at.floats());
  });
}

/// For measuring what a call from Python adds: seconds of processor time for each of `times` calls made from here.
double time_intersect(SharedDetector& self, py::handle a, py::handle b, unsigned times) {
  const MeshInput in_a(a, "a"), in_b(b, "b");
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < times; ++i) (void)self.object.intersect(in_a.view(), in_b.view());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times;
  });
}
double time_contains(SharedDetector& self, py::handle mesh, py::handle points, unsigned times) {
  const MeshInput input(mesh, "mesh");
  const PointsInput at(points, "points");
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < times; ++i) (void)self.object.contains(input.view(), at.floats());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times;
  });
}

}  // namespace

void bind_detector(py::module_& m) {
  py::class_<SharedDetector>(m, "Detector", R"(The queries for every frame of a simulation: keeps its engine and memory.

Meshes are given as in the one-off queries, or as ids from add(). Results stay valid after the next call.

>>> import lamella
>>> detector = lamella.Detector(resolution=64)
>>> box = lamella.model("box")
>>> detector.intersect(box, box).volume
8.0)")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             const auto asked = options_of<Options>(options, keywords);
             return released([&] { return std::make_unique<SharedDetector>(asked); });
           }),
           py::arg("options") = py::none())
      .def(
          "intersect",
          [](SharedDetector& self, py::handle a, py::handle b) {
            return ask_pair<Overlap>(self, a, b, [](Detector& d, const auto& x, const auto& y) -> const Overlap& {
              return d.intersect(x, y);
            });
          },
          py::arg("a"), py::arg("b"), "As lamella.intersect.")
      .def(
          "self_intersect",
          [](SharedDetector& self, py::handle mesh) {
            return ask_one<SelfOverlap>(
                self, mesh, [](Detector& d, const auto& x) -> const SelfOverlap& { return d.self_intersect(x); });
          },
          py::arg("mesh"), "As lamella.self_intersect.")
      .def("contains", &contains_points, py::arg("mesh"), py::arg("points"), py::arg("box") = py::none(),
           "As lamella.contains.")
      .def(
          "vertices_inside",
          [](SharedDetector& self, py::handle a, py::handle b) {
            return ask_pair<VerticesInside>(self, a, b,
                                            [](Detector& d, const auto& x, const auto& y) -> const VerticesInside& {
                                              return d.vertices_inside(x, y);
                                            });
          },
          py::arg("a"), py::arg("b"), "As lamella.vertices_inside.")
      .def(
          "volume_gradient",
          [](SharedDetector& self, py::handle a, py::handle b, bool vertices) {
            return ask_pair<OverlapGradient>(self, a, b,
                                             [=](Detector& d, const auto& x, const auto& y) -> const OverlapGradient& {
                                               return d.volume_gradient(x, y, {.vertices = vertices});
                                             });
          },
          py::arg("a"), py::arg("b"), py::arg("vertices") = true, "As lamella.volume_gradient.")
      .def(
          "self_gradient",
          [](SharedDetector& self, py::handle mesh, bool vertices) {
            return ask_one<SelfGradient>(self, mesh, [=](Detector& d, const auto& x) -> const SelfGradient& {
              return d.self_gradient(x, {.vertices = vertices});
            });
          },
          py::arg("mesh"), py::arg("vertices") = true, "As lamella.self_gradient.")
      .def(
          "add",
          [](SharedDetector& self, py::handle mesh) {
            const MeshInput input(mesh, "mesh");
            return released({&input}, [&] {
              const std::scoped_lock lock(self.mutex);
              return self.object.add(input.view());
            });
          },
          py::arg("mesh"), "Keeps a mesh between frames, for engines on a GPU; returns its id.")
      .def(
          "add_rigid",
          [](SharedDetector& self, py::handle mesh, py::handle pose) {
            const MeshInput input(mesh, "mesh");
            const Transform at = pose_of(pose);
            return released({&input}, [&] {
              const std::scoped_lock lock(self.mutex);
              return self.object.add_rigid(input.view(), at);
            });
          },
          py::arg("mesh"), py::arg("pose") = py::none(),
          "Keeps a mesh that moves but never deforms: points are then looked up without sampling it again.")
      .def(
          "deform",
          [](SharedDetector& self, ObjectId mesh, py::handle positions) {
            const PointsInput at(positions, "positions");
            released([&] {
              const std::scoped_lock lock(self.mutex);
              if (at.wide())
                self.object.deform(mesh, at.doubles());
              else
                self.object.deform(mesh, at.floats());
            });
          },
          py::arg("mesh"), py::arg("positions"), "New positions of a kept mesh, as many as before.")
      .def(
          "move",
          [](SharedDetector& self, ObjectId rigid, py::handle pose) {
            const Transform at = pose_of(pose);
            released([&] {
              const std::scoped_lock lock(self.mutex);
              self.object.move(rigid, at);
            });
          },
          py::arg("rigid"), py::arg("pose"), "Places a rigid mesh.")
      .def(
          "remove",
          [](SharedDetector& self, ObjectId mesh) {
            released([&] {
              const std::scoped_lock lock(self.mutex);
              self.object.remove(mesh);
            });
          },
          py::arg("mesh"), "Forgets a kept mesh.")
      .def_property_readonly("options", [](const SharedDetector& self) { return self.object.options(); })
      .def("__repr__",
           [](py::handle self) {
             return "<lamella.Detector: " + py::repr(self.attr("options")).cast<std::string>() + ">";
           })
      .def("_time_intersect", &time_intersect)
      .def("_time_contains", &time_contains);
}

}  // namespace lamella::python
