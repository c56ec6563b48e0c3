#include <hwy/targets.h>

#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/engine.hpp"
#include "lamella/query.hpp"
#include "lamella/version.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

template <class Result>
std::shared_ptr<Result> shared(Result&& result) {
  return std::make_shared<Result>(std::move(result));
}

/// Instruction sets that the library can use here, the best first, as Highway names them.
std::vector<std::string> cpu_features() {
  std::vector<std::string> out;
  for (std::uint64_t left = static_cast<std::uint64_t>(hwy::SupportedTargets()); left != 0; left &= left - 1)
    out.emplace_back(hwy::TargetName(static_cast<std::int64_t>(left & (~left + 1))));
  return out;
}

void bind_engines(py::module_& m) {
  Record<EngineInfo>(m, "EngineInfo", "An engine, and whether it is available here.")
      .field("name", &EngineInfo::name, "for the option engine")
      .field("summary", &EngineInfo::summary, "what it is, and what it runs on here")
      .field("available", &EngineInfo::available, "whether it can be used here")
      .field("why", &EngineInfo::why, "the reason when it is not available")
      .field("gpu", &EngineInfo::gpu, "runs on a GPU")
      .field("self_overlap", &EngineInfo::self_overlap, "answers self_intersect()")
      .field("hardware", &EngineInfo::hardware, "the first of devices is a real GPU")
      .field("devices", &EngineInfo::devices, "what it can run on; the index is the option device");
  m.def(
      "engines", [] { return released([] { return engines(); }); }, "Every engine, available or not.");
  m.def(
      "scene_engines", [] { return released([] { return scene_engines(); }); }, "The engines that a Scene can use.");
  m.def("engine_names", &engine_names, "Only the names of engines(); tests no device.");
  m.attr("__version__") = kVersion;
  m.attr("__cpu_features__") = py::tuple(py::cast(cpu_features()));
}

}  // namespace

void bind_query(py::module_& m) {
  m.def(
      "intersect",
      [](py::handle a, py::handle b, const py::object& options, const py::kwargs& keywords) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        const auto asked = options_of<Options>(options, keywords);
        return released({&in_a, &in_b}, [&] { return shared(intersect(in_a.view(), in_b.view(), asked)); });
      },
      py::arg("a"), py::arg("b"), py::arg("options") = py::none(),
      R"(Shared volume of two meshes. Options are keywords (see Options) or one object.

>>> import lamella
>>> overlap = lamella.intersect("model:hand", "model:phone")
>>> overlap.colliding, round(overlap.volume, 6)
(True, 0.000398))");
  m.def(
      "self_intersect",
      [](py::handle mesh, const py::object& options, const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const auto asked = options_of<Options>(options, keywords);
        return released({&input}, [&] { return shared(self_intersect(input.view(), asked)); });
      },
      py::arg("mesh"), py::arg("options") = py::none(), "Volume that a mesh covers more than once.");
  m.def(
      "contains",
      [](py::handle mesh, py::handle points, const std::optional<Aabb>& box, const py::object& options,
         const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const PointsInput at(points, "points");
        const auto asked = options_of<Options>(options, keywords);
        return released({&input}, [&] {
          const MeshView view = input.view();
          if (box)
            return shared(at.wide() ? contains(view, at.doubles(), *box, asked)
                                    : contains(view, at.floats(), *box, asked));
          return shared(at.wide() ? contains(view, at.doubles(), asked) : contains(view, at.floats(), asked));
        });
      },
      py::arg("mesh"), py::arg("points"), py::arg("box") = py::none(), py::arg("options") = py::none(),
      R"(Which points (n, 3) lie inside the mesh; with `box` (two rows, min and max) only those in it are looked at.

>>> import lamella
>>> lamella.contains(lamella.model("box"), [(0, 0, 0), (2, 0, 0)]).inside
array([ True, False]))");
  m.def(
      "vertices_inside",
      [](py::handle a, py::handle b, const py::object& options, const py::kwargs& keywords) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        const auto asked = options_of<Options>(options, keywords);
        return released({&in_a, &in_b}, [&] { return shared(vertices_inside(in_a.view(), in_b.view(), asked)); });
      },
      py::arg("a"), py::arg("b"), py::arg("options") = py::none(),
      "Which vertices of each mesh lie inside the other, and how deep along the rays.");
  m.def(
      "volume_gradient",
      [](py::handle a, py::handle b, bool vertices, const py::object& options, const py::kwargs& keywords) {
        const MeshInput in_a(a, "a"), in_b(b, "b");
        const auto asked = options_of<Options>(options, keywords);
        return released({&in_a, &in_b}, [&] {
          return shared(volume_gradient(in_a.view(), in_b.view(), asked, {.vertices = vertices}));
        });
      },
      py::arg("a"), py::arg("b"), py::arg("vertices") = true, py::arg("options") = py::none(),
      "Shared volume, and how it changes when the meshes move: for rigid motions, and for each vertex.");
  m.def(
      "self_gradient",
      [](py::handle mesh, bool vertices, const py::object& options, const py::kwargs& keywords) {
        const MeshInput input(mesh, "mesh");
        const auto asked = options_of<Options>(options, keywords);
        return released({&input}, [&] { return shared(self_gradient(input.view(), asked, {.vertices = vertices})); });
      },
      py::arg("mesh"), py::arg("vertices") = true, py::arg("options") = py::none(),
      "The same of the volume that a mesh covers more than once.");
  bind_engines(m);
}

}  // namespace lamella::python
