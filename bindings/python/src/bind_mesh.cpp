#include <fmt/format.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/error.hpp"
#include "lamella/mesh.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/repair.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

/// A copy of what a caller gives as a mesh. Files and views of doubles get an origin where they need one.
Mesh mesh_of(const MeshInput& input) {
  const MeshView view = input.view();
  if (!view.wide.empty()) return rounded(view);
  return {{view.positions.begin(), view.positions.end()}, {view.triangles.begin(), view.triangles.end()}, view.origin};
}

py::array positions_of(py::handle self) { return rows_of(self.cast<const Mesh&>().positions, self); }
py::array triangles_of(py::handle self) { return rows_of(self.cast<const Mesh&>().triangles, self); }

/// In world coordinates: the positions themselves, or in doubles where the mesh has an origin.
py::array vertices_of(py::handle self) {
  const Mesh& mesh = self.cast<const Mesh&>();
  if (mesh.origin == Vec3d{}) return positions_of(self);
  py::array_t<double> out({mesh.positions.size(), std::size_t{3}});
  auto* to = reinterpret_cast<Vec3d*>(out.mutable_data());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) to[i] = mesh.origin + to_double(mesh.positions[i]);
  return out;
}

void bind_transform(py::module_& m) {
  py::class_<Transform>(m, "Transform", R"(A rigid placement: rotate, then translate.

Wherever a pose is asked for, None, (x, y, z), (x, y, z, qx, qy, qz, qw) or a 4 x 4 matrix will do as well.)")
      .def(py::init([](py::handle pose) { return pose_of(pose); }), py::arg("pose") = py::none())
      .def(py::init([](Vec3d translation, const std::array<double, 4>& q) {
             return Transform{translation, {q[0], q[1], q[2], q[3]}};
           }),
           py::arg("translation"), py::arg("rotation"))
      .def_property_readonly("translation", [](const Transform& t) { return t.translation; })
      .def_property_readonly(
          "rotation",
          [](const Transform& t) {
            return std::array{t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
          },
          "unit quaternion (x, y, z, w)")
      .def(
          "matrix",
          [](const Transform& t) {
            py::array_t<double> out({4, 4});
            auto at = out.mutable_unchecked<2>();
            for (int k = 0; k < 3; ++k) {
              Vec3d unit;
              unit[k] = 1;
              const Vec3d column = rotate(t.rotation, unit);
              for (int i = 0; i < 3; ++i) at(i, k) = column[i];
              at(k, 3) = t.translation[k];
              at(3, k) = 0;
            }
            at(3, 3) = 1;
            return out;
          },
          "As a 4 x 4 matrix.")
      .def(
          "__call__",
          [](const Transform& t, py::handle points) {
            const PointsInput input(points, "points");
            py::array_t<double> out({input.size(), std::size_t{3}});
            auto* to = reinterpret_cast<Vec3d*>(out.mutable_data());
            for (std::size_t i = 0; i < input.size(); ++i)
              to[i] = apply(t, input.wide() ? input.doubles()[i] : to_double(input.floats()[i]));
            return out;
          },
          py::arg("points"), "The points (n, 3), placed.")
      .def("__eq__",
           [](const Transform& a, py::handle other) {
             if (!py::isinstance<Transform>(other)) return false;
             const auto b = other.cast<Transform>();
             return a.translation == b.translation && a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y &&
                    a.rotation.z == b.rotation.z && a.rotation.w == b.rotation.w;
           })
      .def("__repr__",
           [](const Transform& t) {
             return fmt::format("Transform(({:g}, {:g}, {:g}), ({:g}, {:g}, {:g}, {:g}))", t.translation.x,
                                t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z,
                                t.rotation.w);
           })
      .def(py::pickle(
          [](const Transform& t) {
            return std::array{t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
                              t.rotation.y,    t.rotation.z,    t.rotation.w};
          },
          [](const std::array<double, 7>& n) {
            return Transform{{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
          }))
      .attr("__hash__") = py::none();
}

void bind_mesh_class(py::module_& m) {
  py::class_<Mesh, std::shared_ptr<Mesh>>(m, "Mesh", R"(A triangle mesh that owns its arrays.

`Mesh(vertices, faces)` copies; queries take the pair `(vertices, faces)` in place as well. `positions` and `triangles`
share the mesh's memory and may be written to. A mesh far from 0 has an `origin`, which its positions are relative to;
`vertices` are always in world coordinates.

>>> import lamella
>>> mesh = lamella.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
>>> mesh
<lamella.Mesh: 4 vertices, 4 faces>
>>> round(mesh.volume, 6)
0.166667)")
      .def(py::init([](py::handle vertices, py::handle faces) {
             return mesh_of(MeshInput(py::make_tuple(vertices, faces), "mesh"));
           }),
           py::arg("vertices"), py::arg("faces"))
      .def(py::init([](py::handle mesh) { return mesh_of(MeshInput(mesh, "mesh")); }), py::arg("mesh"))
      .def_property_readonly("positions", &positions_of, "float32 (n, 3), relative to origin; shares memory")
      .def_property_readonly("triangles", &triangles_of, "uint32 (m, 3); shares memory")
      .def_property_readonly("vertices", &vertices_of, "in world coordinates; positions where origin is 0")
      .def_property_readonly("faces", &triangles_of, "the same as triangles")
      .def_readwrite("origin", &Mesh::origin, "what positions are relative to")
      .def_property_readonly(
          "bounds", [](const Mesh& mesh) { return bounds(mesh); },
          "two rows, min and max, relative to origin; None without vertices")
      .def_property_readonly(
          "volume", [](const Mesh& mesh) { return signed_volume(mesh); },
          "signed, by the divergence theorem; meaningful when closed")
      .def("__repr__",
           [](const Mesh& mesh) {
             return fmt::format("<lamella.Mesh: {} vertices, {} faces>", mesh.positions.size(), mesh.triangles.size());
           })
      .def("__eq__",
           [](const Mesh& a, py::handle other) {
             if (!py::isinstance<Mesh>(other)) return false;
             const auto& b = other.cast<const Mesh&>();
             return a.positions == b.positions && a.triangles == b.triangles && a.origin == b.origin;
           })
      .def(py::pickle(
          [](py::handle self) {
            return py::make_tuple(positions_of(self), triangles_of(self), self.cast<const Mesh&>().origin);
          },
          [](const py::tuple& state) {
            const MeshInput input(py::make_tuple(state[0], state[1]), "mesh");
            Mesh mesh = mesh_of(input);
            mesh.origin = state[2].cast<Vec3d>();
            return mesh;
          }))
      .attr("__hash__") = py::none();
}

void bind_files(py::module_& m) {
  m.def(
      "read_mesh",
      [](const std::filesystem::path& path, const py::object& progress, std::optional<std::uint64_t> max_memory) {
        const Progress shown(progress, "reading");
        return released([&] { return read_mesh(path, {.progress = shown.callback(), .max_memory = max_memory}); });
      },
      py::arg("path"), py::kw_only(), py::arg("progress") = py::none(), py::arg("max_memory") = py::none(),
      "Reads a triangle mesh; the extension gives the format (PLY, OBJ, STL, OFF, glTF, GLB).");
  m.def(
      "read_mesh",
      [](const py::bytes& bytes, MeshFormat format, const std::string& name) {
        const std::string_view text = bytes;
        return released([&] { return read_mesh(std::as_bytes(std::span(text.data(), text.size())), format, name); });
      },
      py::arg("bytes"), py::arg("format"), py::arg("name") = "memory", "The same from the bytes of a file.");
  m.def(
      "read_points",
      [](const std::filesystem::path& path) {
        auto* points = new std::vector<Vec3d>(released([&] { return read_wide_points(path); }));
        const py::capsule owner(points, [](void* p) { delete static_cast<std::vector<Vec3d>*>(p); });
        return rows_of(*points, owner);
      },
      py::arg("path"), "Points (n, 3) of an .xyz file, or the vertices of any mesh file, as float64.");
  m.def(
      "read_parts",
      [](const std::filesystem::path& path, Split split) {
        py::list out;
        for (MeshPart& part : released([&] { return read_parts(path, split); }))
          out.append(py::make_tuple(part.name, std::move(part.mesh)));
        return out;
      },
      py::arg("path"), py::arg("split") = Split::automatic, "The parts of a file: pairs of name and Mesh.");
  m.def(
      "write_mesh",
      [](const std::filesystem::path& path, py::handle mesh) {
        const MeshInput input(mesh, "mesh");
        released({&input}, [&] { write_mesh(path, input.view()); });
      },
      py::arg("path"), py::arg("mesh"), "Writes .ply, .obj or .stl; the file appears complete or not at all.");
}

void bind_checks(py::module_& m) {
  Record<MeshReport>(m, "MeshReport", "What is known about a mesh as a solid.")
      .field("vertices", &MeshReport::vertices, "how many")
      .field("triangles", &MeshReport::triangles, "how many")
      .field("closed", &MeshReport::closed, "every edge has two triangles that run along it in opposite directions")
      .field("boundary_edges", &MeshReport::boundary_edges, "edges of one triangle")
      .field("nonmanifold_edges", &MeshReport::nonmanifold_edges, "edges of three or more triangles")
      .field("inconsistent_edges", &MeshReport::inconsistent_edges, "whose triangles run along it the same way")
      .field("degenerate_triangles", &MeshReport::degenerate_triangles, "zero area, or a repeated vertex")
      .field("nonfinite_vertices", &MeshReport::nonfinite_vertices, "NaN, infinite, or too large")
      .field("components", &MeshReport::components, "sets of triangles connected through shared edges")
      .field("open_edges", &MeshReport::open_edges, "0: the mesh bounds a solid")
      .field("holes", &MeshReport::holes, "loops of open edges")
      .field("inside_out_components", &MeshReport::inside_out_components, "surfaces whose faces look inwards")
      .field("cavities", &MeshReport::cavities, "surfaces that look inwards and lie inside another")
      .field("duplicate_faces", &MeshReport::duplicate_faces, "triangles too many at the same place")
      .field("volume", &MeshReport::volume, "signed; meaningful when closed")
      .field("area", &MeshReport::area, "of the surface")
      .field("origin", &MeshReport::origin, "what bounds and defects are relative to")
      .field("bounds", &MeshReport::bounds, "two rows, min and max; None without vertices")
      .array(
          "defects", [](const MeshReport& r, py::handle owner) { return read_only(rows_of(r.defects, owner)); },
          "midpoints of the first few defective edges");
  m.def(
      "inspect",
      [](py::handle mesh) {
        const MeshInput input(mesh, "mesh");
        return released({&input}, [&] { return inspect(input.view()); });
      },
      py::arg("mesh"), "Whether the mesh is closed, and where not; volume, area, bounds.");

  OptionsClass<RepairOptions>(m, "RepairOptions", "Which repairs to make; all by default.")
      .field("weld", &RepairOptions::weld, "vertices at the same place become one")
      .field("weld_distance", &RepairOptions::weld_distance, "how far apart they may be")
      .field("drop_degenerate", &RepairOptions::drop_degenerate, "faces that name a vertex twice")
      .field("drop_doubled", &RepairOptions::drop_doubled, "faces with the same three vertices")
      .field("orient", &RepairOptions::orient, "neighbours look the same way, and shells outwards")
      .field("close", &RepairOptions::close, "holes are closed by fans");
  Record<RepairReport>(m, "RepairReport", "What repair() did, and what it could not do.")
      .value(
          "changed", [](const RepairReport& r) { return r.changed(); }, "whether the mesh was changed at all")
      .field("unusable_faces", &RepairReport::unusable_faces, "removed")
      .field("welded_vertices", &RepairReport::welded_vertices, "that became part of another")
      .field("unused_vertices", &RepairReport::unused_vertices, "removed")
      .field("degenerate_faces", &RepairReport::degenerate_faces, "removed")
      .field("doubled_faces", &RepairReport::doubled_faces, "removed")
      .field("turned_faces", &RepairReport::turned_faces, "to look the same way as their neighbours")
      .field("turned_shells", &RepairReport::turned_shells, "connected parts that were inside out")
      .field("shells", &RepairReport::shells, "connected parts")
      .field("cavities", &RepairReport::cavities, "shells that look inwards and lie inside another")
      .field("closed_holes", &RepairReport::closed_holes, "how many")
      .field("closed_edges", &RepairReport::closed_edges, "of these holes")
      .field("fan_area", &RepairReport::fan_area, "of what closes them")
      .field("one_sided_patches", &RepairReport::one_sided_patches, "what cannot be oriented")
      .field("unjudged_shells", &RepairReport::unjudged_shells, "too many to judge")
      .field("open_edges", &RepairReport::open_edges, "that remain");
  Record<RepairResult>(m, "RepairResult", "A repaired mesh.")
      .field("mesh", &RepairResult::mesh, "the new mesh")
      .field("report", &RepairResult::report, "what was done")
      .array(
          "vertex_map",
          [](const RepairResult& r, py::handle owner) {
            return read_only(view_of<std::uint32_t>(r.vertex_map, owner));
          },
          "for each vertex of the given mesh its index in the new one, or 2^32 - 1");
  m.def(
      "repair",
      [](py::handle mesh, const py::object& options, const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const auto asked = options_of<RepairOptions>(options, keywords);
        return released({&input}, [&] { return repair(input.view(), asked); });
      },
      py::arg("mesh"), py::arg("options") = py::none(),
      "Makes a mesh that bounds a solid out of one that is not clean: weld, orient, close holes.");
  m.def(
      "is_closed",
      [](py::handle mesh) {
        const MeshInput input(mesh, "mesh");
        return released({&input}, [&] { return is_closed(input.view()); });
      },
      py::arg("mesh"), "Whether the mesh bounds a solid.");
  m.def(
      "split_components",
      [](py::handle mesh) {
        const MeshInput input(mesh, "mesh");
        return released({&input}, [&] { return split_components(input.view()); });
      },
      py::arg("mesh"), "A Mesh for each set of connected triangles.");
  m.def(
      "transformed",
      [](py::handle mesh, py::handle pose) {
        const MeshInput input(mesh, "mesh");
        const Transform at = pose_of(pose);
        return released({&input}, [&] { return transformed(input.view(), at); });
      },
      py::arg("mesh"), py::arg("pose"), "A copy with every vertex placed by a pose.");
}

}  // namespace

void bind_mesh(py::module_& m) {
  bind_transform(m);
  bind_mesh_class(m);
  bind_files(m);
  bind_checks(m);
}

}  // namespace lamella::python
