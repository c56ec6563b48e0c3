#include "lamella/distance.hpp"

#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using SharedFinder = Locked<DistanceFinder>;

/// One member of every ClosestPoint.
template <class Field>
py::array column_of(const ClosestPoints& all, std::size_t offset, const std::vector<py::ssize_t>& shape,
                    py::handle owner) {
  std::vector<py::ssize_t> strides{sizeof(ClosestPoint)};
  if (shape.size() == 2) strides.push_back(sizeof(Field));
  const auto* first = reinterpret_cast<const std::byte*>(all.points.data()) + offset;
  return read_only(py::array(py::dtype::of<Field>(), shape, strides, first, owner));
}

std::vector<py::ssize_t> one_each(const ClosestPoints& all) { return {static_cast<py::ssize_t>(all.points.size())}; }
std::vector<py::ssize_t> three_each(const ClosestPoints& all) {
  return {static_cast<py::ssize_t>(all.points.size()), 3};
}

py::object triangle_number(std::uint32_t triangle) {
  return triangle == kNoTriangle ? py::object(py::none()) : py::object(py::int_(triangle));
}

void bind_records(py::module_& m) {
  Record<MeshDistance>(m, "MeshDistance", "The smallest distance of two meshes.")
      .field("distance", &MeshDistance::distance, "of the surfaces; 0 where they meet or overlap")
      .field("on_a", &MeshDistance::on_a, "the nearest point of the first mesh")
      .field("on_b", &MeshDistance::on_b, "the nearest point of the second mesh")
      .value(
          "triangle_a", [](const MeshDistance& d) { return triangle_number(d.triangle_a); }, "or None")
      .value(
          "triangle_b", [](const MeshDistance& d) { return triangle_number(d.triangle_b); }, "or None")
      .field("verdict", &MeshDistance::verdict, "whether they overlap")
      .field("skipped_triangles", &MeshDistance::skipped_triangles, "NaN, infinite or too far away")
      .field("ms", &MeshDistance::ms, "times");
  Record<ClosestPoints>(m, "ClosestPoints", "For each point given, the nearest point of a surface.")
      .array(
          "distance",
          [](const ClosestPoints& c, py::handle owner) {
            return column_of<double>(c, offsetof(ClosestPoint, distance), one_each(c), owner);
          },
          "below 0 for points inside")
      .array(
          "position",
          [](const ClosestPoints& c, py::handle owner) {
            return column_of<double>(c, offsetof(ClosestPoint, position), three_each(c), owner);
          },
          "of the nearest points")
      .array(
          "normal",
          [](const ClosestPoints& c, py::handle owner) {
            return column_of<float>(c, offsetof(ClosestPoint, normal), three_each(c), owner);
          },
          "unit, outwards")
      .array(
          "triangle",
          [](const ClosestPoints& c, py::handle owner) {
            return column_of<std::uint32_t>(c, offsetof(ClosestPoint, triangle), one_each(c), owner);
          },
          "on which they are; 2^32 - 1 where there is none")
      .field("health", &ClosestPoints::health, "of the test which points are inside")
      .field("ms", &ClosestPoints::ms, "times");
}

}  // namespace

void bind_distance(py::module_& m) {
  bind_records(m);
  m.def(
      "distance",
      [](py::handle a, py::handle b, unsigned threads) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        return released({&in_a, &in_b}, [&] { return distance(in_a.view(), in_b.view(), threads); });
      },
      py::arg("a"), py::arg("b"), py::arg("threads") = 0,
      R"(The smallest distance of two meshes, with its points: exact to rounding.

>>> import lamella
>>> box = lamella.model("box")
>>> lamella.distance(box, lamella.transformed(box, (5, 0, 0))).distance
3.0)");
  m.def(
      "closest",
      [](py::handle mesh, py::handle points, unsigned threads) {
        const MeshInput input(mesh, "mesh");
        const PointsInput at(points, "points");
        return released({&input}, [&] {
          return at.wide() ? closest(input.view(), at.doubles(), threads) : closest(input.view(), at.floats(), threads);
        });
      },
      py::arg("mesh"), py::arg("points"), py::arg("threads") = 0,
      "For each point: signed distance, nearest point of the surface, its triangle and normal.");
  py::class_<SharedFinder>(m, "DistanceFinder", "distance() and closest() for every frame: keeps its memory.")
      .def(py::init<unsigned>(), py::arg("threads") = 0)
      .def(
          "distance",
          [](SharedFinder& self, py::handle a, py::handle b) {
            const MeshInput in_a(a, "a"), in_b(b, "b");
            return released({&in_a, &in_b}, [&] {
              const std::scoped_lock lock(self.mutex);
              return MeshDistance(self.object.distance(in_a.view(), in_b.view()));
            });
          },
          py::arg("a"), py::arg("b"), "As lamella.distance.")
      .def(
          "closest",
          [](SharedFinder& self, py::handle mesh, py::handle points) {
            const MeshInput input(mesh, "mesh");
            const PointsInput at(points, "points");
            return released({&input}, [&] {
              const std::scoped_lock lock(self.mutex);
              return ClosestPoints(at.wide() ? self.object.closest(input.view(), at.doubles())
                                             : self.object.closest(input.view(), at.floats()));
            });
          },
          py::arg("mesh"), py::arg("points"), "As lamella.closest.");
}

}  // namespace lamella::python
