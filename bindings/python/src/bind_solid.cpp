#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/solid.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

void bind_classes(py::module_& m) {
  Record<DrawnSolid>(m, "DrawnSolid", "A surface as renderers want it: a normal for each vertex.")
      .array(
          "positions", [](const DrawnSolid& s, py::handle owner) { return read_only(rows_of(s.positions, owner)); },
          "float32 (n, 3), relative to origin")
      .array(
          "normals", [](const DrawnSolid& s, py::handle owner) { return read_only(rows_of(s.normals, owner)); },
          "float32 (n, 3), one for each position")
      .array(
          "side", [](const DrawnSolid& s, py::handle owner) { return read_only(view_of<std::uint8_t>(s.side, owner)); },
          "uint8 (n,): 0 on the surface of the first mesh, 1 of the second")
      .array(
          "triangles", [](const DrawnSolid& s, py::handle owner) { return read_only(rows_of(s.triangles, owner)); },
          "uint32 (m, 3)")
      .field("origin", &DrawnSolid::origin, "what positions are relative to");

  Record<OverlapSolid>(m, "OverlapSolid", "A shared volume as one closed surface of triangles.")
      .field("mesh", &OverlapSolid::mesh, "closed and manifold, faces outwards; empty when nothing overlaps")
      .array(
          "normals", [](const OverlapSolid& s, py::handle owner) { return read_only(rows_of(s.normals, owner)); },
          "float32 (3 m, 3): unit vectors outwards, for the corners of each triangle in order")
      .array(
          "side",
          [](const OverlapSolid& s, py::handle owner) { return read_only(view_of<std::uint8_t>(s.side, owner)); },
          "uint8 (m,), for each triangle: 0 on the surface of the first mesh, 1 of the second")
      .field("box", &OverlapSolid::box, "of the lattice, relative to the mesh's origin; None when nothing was met")
      .field("points", &OverlapSolid::points, "of the lattice along x, y and z")
      .field("volume", &OverlapSolid::volume, "by rays: span lengths times the area of a cell")
      .field("missed_volume", &OverlapSolid::missed_volume, "too thin for the lattice: the mesh lacks it")
      .field("filled_volume", &OverlapSolid::filled_volume, "gaps too thin for the lattice: the mesh has them filled")
      .field("health", &OverlapSolid::health, "how far it can be trusted")
      .field("ms", &OverlapSolid::ms, "times")
      .def(
          "drawn",
          [](const OverlapSolid& s) { return released([&] { return std::make_shared<DrawnSolid>(drawn(s)); }); },
          "The surface with a normal for each vertex: vertices are doubled where an edge is sharp or sides meet.");
}

}  // namespace

void bind_solid(py::module_& m) {
  bind_classes(m);
  m.def(
      "overlap_solid",
      [](py::handle a, py::handle b, const py::object& options, const py::kwargs& keywords) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        const auto asked = options_of<SolidOptions>(options, keywords);
        return released({&in_a, &in_b},
                        [&] { return std::make_shared<OverlapSolid>(overlap_solid(in_a.view(), in_b.view(), asked)); });
      },
      py::arg("a"), py::arg("b"), py::arg("options") = py::none(),
      R"(The shared volume of two meshes as one smooth, closed surface. Options are keywords (see SolidOptions).

>>> import lamella
>>> solid = lamella.overlap_solid("model:hand", "model:phone", resolution=32)
>>> lamella.inspect(solid.mesh).closed
True)");
  m.def(
      "self_overlap_solid",
      [](py::handle mesh, const py::object& options, const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const auto asked = options_of<SolidOptions>(options, keywords);
        return released({&input},
                        [&] { return std::make_shared<OverlapSolid>(self_overlap_solid(input.view(), asked)); });
      },
      py::arg("mesh"), py::arg("options") = py::none(), "The volume that a mesh covers more than once, likewise.");
}

}  // namespace lamella::python
