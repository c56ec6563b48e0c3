#include "arrays.hpp"
#include "bind.hpp"
#include "in_place.hpp"
#include "lamella/particles.hpp"
#include "lamella/soft.hpp"
#include "pair_inputs.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using SharedPushOut = Locked<ParticlePushOut>;
using SharedContact = Locked<VolumeContact>;

/// Faces alone, checked and converted as those of a mesh.
class FacesInput {
 public:
  explicit FacesInput(py::handle faces) : mesh_(py::make_tuple(no_rows(), faces), "triangles") {}
  [[nodiscard]] std::span<const Triangle> triangles() const { return mesh_.view().triangles; }

 private:
  MeshInput mesh_;
};

const py::dtype& push_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(ParticlePush), {{"particle", "u4", offsetof(ParticlePush, particle)},
                                               {"triangle", "u4", offsetof(ParticlePush, triangle)},
                                               {"weights", "3f4", offsetof(ParticlePush, weights)},
                                               {"normal", "3f4", offsetof(ParticlePush, normal)},
                                               {"depth", "f4", offsetof(ParticlePush, depth)}});
  });
}

std::shared_ptr<PushOutReport> push_out(SharedPushOut& self, py::handle body, py::handle positions,
                                        const py::object& velocities, const py::object& before, float seconds) {
  const FloatRows now(body, "body");
  const FloatsInPlace at(positions, "positions");
  const auto speeds = velocities.is_none() ? FloatsInPlace() : FloatsInPlace(velocities, "velocities");
  const FloatRows then(before.is_none() ? no_rows() : before, "before");
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    return std::make_shared<PushOutReport>(
        self.object.push_out({now.rows(), then.rows(), seconds}, at.rows(), speeds.rows()));
  });
}

void bind_particles(py::module_& m) {
  OptionsClass<PushOutOptions>(m, "PushOutOptions", "Options of ParticlePushOut.")
      .field("resolution", &PushOutOptions::resolution, "cells along the longest side of the body's box")
      .field("threads", &PushOutOptions::threads, "0: all cores this process may use")
      .field("restitution", &PushOutOptions::restitution, "0 to 1: rebound speed divided by approach speed")
      .field("friction", &PushOutOptions::friction, "Coulomb's coefficient")
      .field("clearance", &PushOutOptions::clearance, "how far above the surface a particle is set")
      .field("strict", &PushOutOptions::strict, "a result whose health is not ok becomes an Error")
      .field("max_crossings", &PushOutOptions::max_crossings, "of one view");
  Record<PushOutReport>(m, "PushOutReport", "What push_out did.")
      .array(
          "pushes",
          [](const PushOutReport& r, py::handle owner) {
            return structs_of<ParticlePush>(r.pushes, push_dtype(), owner);
          },
          "structured array, ascending by particle: particle, triangle, weights, normal, depth")
      .field("turned_back_count", &PushOutReport::turned_back_count, "set onto the surface that they crossed")
      .field("deepest", &PushOutReport::deepest, "of all pushes")
      .field("motion", &PushOutReport::motion, "longest distance a vertex moved since `before`")
      .field("cell", &PushOutReport::cell, "edge of the largest sample cell")
      .field("health", &PushOutReport::health, "of all three views")
      .field("ms", &PushOutReport::ms, "times");
  py::class_<SharedPushOut>(m, "ParticlePushOut", R"(Keeps particles out of a closed body that moves and deforms.

push_out() changes positions and velocities, float32 arrays (n, 3), in place.

>>> import lamella, numpy
>>> box = lamella.model("box")
>>> out = lamella.ParticlePushOut(box.triangles, len(box.positions))
>>> positions = numpy.array([(0.9, 0, 0), (5, 0, 0)], numpy.float32)
>>> report = out.push_out(box.positions, positions)
>>> positions[0].round(3).tolist(), len(report.pushes)
([1.0, 0.0, 0.0], 1))")
      .def(py::init([](py::handle triangles, std::size_t vertex_count, const py::object& options,
                       const py::kwargs& keywords) {
             const FacesInput faces(triangles);
             const auto asked = options_of<PushOutOptions>(options, keywords);
             return released([&] { return std::make_unique<SharedPushOut>(faces.triangles(), vertex_count, asked); });
           }),
           py::arg("triangles"), py::arg("vertex_count"), py::arg("options") = py::none())
      .def("push_out", &push_out, py::arg("body"), py::arg("positions"), py::arg("velocities") = py::none(),
           py::kw_only(), py::arg("before") = py::none(), py::arg("seconds") = 0.0f,
           "Sets particles inside the body onto its surface. `body`: positions of its vertices; `before`: where they "
           "were `seconds` ago. A particle came from position - velocity * seconds.")
      .def_property_readonly(
          "report",
          [](SharedPushOut& self) {
            return released([&] {
              const std::scoped_lock lock(self.mutex);
              return std::make_shared<PushOutReport>(self.object.report());
            });
          },
          "what the last call did")
      .def_property_readonly("options", [](const SharedPushOut& self) { return self.object.options(); });
}

/// A deforming body: the caller's arrays, which it keeps alive.
struct SoftArrays {
  SoftArrays(py::handle triangles_given, py::handle positions_given, const py::object& masses, const py::object& before)
      : triangles(triangles_given), positions(positions_given, "positions"), earlier(before, "before") {
    if (masses.is_none()) return;
    inverse_masses = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(masses);
    if (!inverse_masses || inverse_masses.ndim() != 1) {
      PyErr_Clear();
      throw py::type_error("inverse_masses: must be an array of one number for each vertex");
    }
  }
  [[nodiscard]] SoftMesh mesh() const {
    return {triangles.triangles(),
            positions.rows(),
            {inverse_masses.data(), static_cast<std::size_t>(inverse_masses.size())},
            earlier.rows()};
  }

  FacesInput triangles;
  DoublesInPlace positions;
  py::array_t<double, py::array::c_style | py::array::forcecast> inverse_masses{0};
  DoubleRows earlier;
};

void bind_contact_report(py::module_& m) {
  OptionsClass<VolumeContactOptions>(m, "VolumeContactOptions", "Options of VolumeContact.")
      .field("resolution", &VolumeContactOptions::resolution, "cells along the longest side of the box")
      .field("cell", &VolumeContactOptions::cell, "if above 0, in place of resolution: the edge of a cell")
      .field("threads", &VolumeContactOptions::threads, "0: all cores this process may use")
      .field("stiffness", &VolumeContactOptions::stiffness, "of add_forces: pressure per depth")
      .field("damping", &VolumeContactOptions::damping, "of add_forces: pressure per speed")
      .field("passes", &VolumeContactOptions::passes, "of project: how often it samples")
      .field("iterations", &VolumeContactOptions::iterations, "of project: rounds of pushing for each")
      .field("relaxation", &VolumeContactOptions::relaxation, "of project: how much of the overlap a call removes")
      .field("max_way", &VolumeContactOptions::max_way, "of project: how much of a depth a pass removes at most")
      .field("friction", &VolumeContactOptions::friction, "of project: Coulomb's coefficient; needs `before`")
      .field("strict", &VolumeContactOptions::strict, "a result whose health is not ok becomes an Error")
      .field("max_crossings", &VolumeContactOptions::max_crossings, "of one view");
  Record<ContactReport>(m, "ContactReport", "What a call of VolumeContact found and did.")
      .field("verdict", &ContactReport::verdict, "by samples alone")
      .field("volume", &ContactReport::volume, "shared, before the call changed anything")
      .field("energy", &ContactReport::energy, "of add_forces, without damping")
      .field("area", &ContactReport::area, "of the surface of one body that is inside the other")
      .field("deepest", &ContactReport::deepest, "along the normal")
      .field("left", &ContactReport::left, "of project: what is still shared afterwards, by the last samples")
      .field("push", &ContactReport::push, "on a: the force, or the sum of mass times way")
      .field("span_count", &ContactReport::span_count, "of all three views")
      .field("cell", &ContactReport::cell, "edge of the largest sample cell")
      .field("health", &ContactReport::health, "of all three views")
      .field("ms", &ContactReport::ms, "times");
}

ContactReport add_forces(SharedContact& self, py::handle a, py::handle b, py::handle forces_a, py::handle forces_b,
                         py::handle velocities_a, py::handle velocities_b) {
  const MeshInput in_a(a, "a"), in_b(b, "b");
  const DoublesInPlace on_a(forces_a, "forces_a"), on_b(forces_b, "forces_b");
  const DoubleRows speeds_a(velocities_a, "velocities_a"), speeds_b(velocities_b, "velocities_b");
  return released({&in_a, &in_b}, [&] {
    const std::scoped_lock lock(self.mutex);
    return ContactReport(
        self.object.add_forces(in_a.view(), in_b.view(), on_a.rows(), on_b.rows(), speeds_a.rows(), speeds_b.rows()));
  });
}

ContactReport add_self_forces(SharedContact& self, py::handle mesh, py::handle forces, py::handle velocities) {
  const MeshInput input(mesh, "mesh");
  const DoublesInPlace on(forces, "forces");
  const DoubleRows speeds(velocities, "velocities");
  return released({&input}, [&] {
    const std::scoped_lock lock(self.mutex);
    return ContactReport(self.object.add_self_forces(input.view(), on.rows(), speeds.rows()));
  });
}

/// Calls `call(contact)` without the GIL, with the lock.
template <class Call>
ContactReport report_of(SharedContact& self, const Call& call) {
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    return ContactReport(call(self.object));
  });
}

void bind_soft(py::module_& m) {
  bind_contact_report(m);
  py::class_<SoftArrays>(m, "SoftMesh", R"(A deforming body for VolumeContact.project, as arrays of the caller's.

`positions`: float64 (n, 3), changed in place. `inverse_masses`: one number for each vertex, 0 where it does not move;
None: none moves. `before`: positions when the step began, for friction.)")
      .def(py::init<py::handle, py::handle, const py::object&, const py::object&>(), py::arg("triangles"),
           py::arg("positions"), py::arg("inverse_masses") = py::none(), py::arg("before") = py::none())
      .def_property_readonly(
          "positions", [](const SoftArrays& s) { return s.positions.array(); }, "the array that was given");
  py::class_<SharedContact>(m, "VolumeContact", R"(Contact of deforming bodies from the volume that they share.

>>> import lamella, numpy
>>> a, b = lamella.model("box"), lamella.transformed("model:box", (1.9, 0, 0))
>>> forces_a, forces_b = numpy.zeros((8, 3)), numpy.zeros((8, 3))
>>> report = lamella.VolumeContact(stiffness=10).add_forces(a, b, forces_a, forces_b)
>>> round(report.volume, 1), numpy.allclose(forces_a.sum(axis=0), -forces_b.sum(axis=0))
(0.4, True))")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             const auto asked = options_of<VolumeContactOptions>(options, keywords);
             return released([&] { return std::make_unique<SharedContact>(asked); });
           }),
           py::arg("options") = py::none())
      .def("add_forces", &add_forces, py::arg("a"), py::arg("b"), py::arg("forces_a"), py::arg("forces_b"),
           py::arg("velocities_a") = py::none(), py::arg("velocities_b") = py::none(),
           "Adds a force to each vertex of surface inside the other mesh; forces are float64 (n, 3), changed in place.")
      .def("add_self_forces", &add_self_forces, py::arg("mesh"), py::arg("forces"), py::arg("velocities") = py::none(),
           "The same where a mesh overlaps itself.")
      .def(
          "project",
          [](SharedContact& self, const SoftArrays& a, const SoftArrays& b) {
            return report_of(self, [&](VolumeContact& c) { return c.project(a.mesh(), b.mesh()); });
          },
          py::arg("a"), py::arg("b"), "Moves vertices so that the overlap ends, each by its inverse mass.")
      .def(
          "project_self",
          [](SharedContact& self, const SoftArrays& mesh) {
            return report_of(self, [&](VolumeContact& c) { return c.project_self(mesh.mesh()); });
          },
          py::arg("mesh"), "The same where a mesh overlaps itself.")
      .def_property_readonly(
          "report", [](SharedContact& self) { return report_of(self, [](VolumeContact& c) { return c.report(); }); },
          "what the last call found and did")
      .def_property_readonly("options", [](const SharedContact& self) { return self.object.options(); });
}

}  // namespace

void bind_contact(py::module_& m) {
  bind_particles(m);
  bind_soft(m);
}

}  // namespace lamella::python
