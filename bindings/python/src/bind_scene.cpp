#include "lamella/scene.hpp"

#include "bind.hpp"
#include "pair_inputs.hpp"
#include "records.hpp"
#include "shared_scene.hpp"

namespace lamella::python {
namespace {

void bind_scene_options(py::module_& m) {
  OptionsClass<Screen>(m, "Screen", "A viewer of a scene: how large a pixel is at each place.")
      .field("eye", &Screen::eye, "where the viewer is")
      .field("pixel_angle", &Screen::pixel_angle, "radians a pixel covers: 2 tan(field of view / 2) / pixels across");
  OptionsClass<SceneOptions>(m, "SceneOptions", "Options of a Scene, given as keywords or as one object.")
      .field("engine", &SceneOptions::engine, "\"software\", \"cuda\" or \"gl-pairs\"; \"automatic\" is software")
      .field("cell", &SceneOptions::cell, "edge of a sample cell, in the scene's units; 0: not given")
      .field("screen", &SceneOptions::screen, "sample as finely as this viewer sees")
      .field("resolution", &SceneOptions::resolution, "columns and rows of each pair's grid")
      .field("max_resolution", &SceneOptions::max_resolution, "of a group's grid, however small the cell")
      .field("axis", &SceneOptions::axis, "of all rays; then there is one view")
      .field("views", &SceneOptions::views, "3: each pair along all three axes; 1: one view for a whole group")
      .field("threads", &SceneOptions::threads, "0: all cores this process may use")
      .field("device", &SceneOptions::device, "which GPU")
      .field("close_holes", &SceneOptions::close_holes, "close holes by fans when meshes are added")
      .field("strict", &SceneOptions::strict, "a result that is not ok, or a pair that is undecided, becomes an Error")
      .field("min_thickness", &SceneOptions::min_thickness, "as in Options")
      .field("max_crossings", &SceneOptions::max_crossings, "of one group")
      .field("max_pairs", &SceneOptions::max_pairs, "of objects whose boxes share a volume; more are an Error")
      .field("max_spans", &SceneOptions::max_spans, "over all pairs and views; more are an Error")
      .field("self_overlap", &SceneOptions::self_overlap, "also report objects that overlap themselves")
      .field("points", &SceneOptions::points, "report collision points")
      .field("threshold", &SceneOptions::threshold, "how far apart the surfaces of a collision point are, in cells")
      .field("normals", &SceneOptions::normals, "where a contact's normal comes from: \"faces\" or \"neighbours\"")
      .field("max_contacts", &SceneOptions::max_contacts, "of a pair, at most 16; 0: make none")
      .field("patches", &SceneOptions::patches, "report a patch for each region that two objects share")
      .field("separations", &SceneOptions::separations, "also measure the separation of each patch")
      .field("method", &SceneOptions::method, "\"complete\", or \"jang\" with gl-pairs")
      .field("tolerance", &SceneOptions::tolerance, "how far off volumes may be")
      .field("certify", &SceneOptions::certify, "prove which candidates collide");
  m.def("jang_options", &jang_options, "Everything as Jang, Jeong and Han publish it: gl-pairs, one view.");
}

ObjectId add_object(SharedScene& self, py::handle mesh, py::handle pose) {
  self.check_own();
  const Transform at = pose_of(pose);
  if (PyLong_Check(mesh.ptr()) != 0) {
    const auto like = mesh.cast<ObjectId>();
    return self.locked([&](Scene& s) { return s.add(like, at); });
  }
  const MeshInput input(mesh, "mesh");
  return released({&input}, [&] {
    const std::scoped_lock lock(*self.mutex);
    return self.scene->add(input.view(), at);
  });
}

/// The methods that change objects.
template <class Class>
void bind_objects(Class& scene) {
  scene
      .def("add", &add_object, py::arg("mesh"), py::arg("pose") = py::none(),
           "Adds a copy of a mesh, or another object with the mesh of one whose id is given; returns its id.")
      .def(
          "remove",
          [](SharedScene& self, ObjectId object) {
            self.check_own();
            self.locked([&](Scene& s) { s.remove(object); });
          },
          py::arg("object"), "Takes an object out; its id is not used again.")
      .def(
          "move",
          [](SharedScene& self, ObjectId object, py::handle pose) {
            const Transform at = pose_of(pose);
            self.locked([&](Scene& s) { s.move(object, at); });
          },
          py::arg("object"), py::arg("pose"), "Places an object.")
      .def(
          "deform",
          [](SharedScene& self, ObjectId object, py::handle positions) {
            const FloatRows at(positions, "positions");
            self.locked([&](Scene& s) { s.deform(object, at.rows()); });
          },
          py::arg("object"), py::arg("positions"),
          "New positions in the object's own frame, relative to mesh(object).origin, as many as before.")
      .def(
          "fix",
          [](SharedScene& self, ObjectId object, bool fixed) { self.locked([&](Scene& s) { s.fix(object, fixed); }); },
          py::arg("object"), py::arg("fixed") = true, "Two fixed objects are never tested against each other.")
      .def(
          "ignore",
          [](SharedScene& self, ObjectId a, ObjectId b, bool ignored) {
            self.locked([&](Scene& s) { s.ignore(a, b, ignored); });
          },
          py::arg("a"), py::arg("b"), py::arg("ignored") = true, "Leaves a pair out of the tests, or takes it back in.")
      .def(
          "reserve",
          [](SharedScene& self, std::size_t objects, std::size_t pairs, std::size_t points, std::size_t groups,
             std::size_t group_objects, std::size_t group_spans) {
            const SceneSize size{objects, pairs, points, groups, group_objects, group_spans};
            self.locked([&](Scene& s) { s.reserve(size); });
          },
          py::kw_only(), py::arg("objects") = 0, py::arg("pairs") = 0, py::arg("points") = 0, py::arg("groups") = 0,
          py::arg("group_objects") = 0, py::arg("group_spans") = 0, "Takes memory for frames of this size now.")
      .def(
          "look_from",
          [](SharedScene& self, Vec3d eye, double pixel_angle) {
            self.locked([&](Scene& s) { s.look_from({eye, pixel_angle}); });
          },
          py::arg("eye"), py::arg("pixel_angle") = Screen{}.pixel_angle, "Moves the viewer (the option screen).");
}

/// The methods that ask.
template <class Class>
void bind_questions(Class& scene) {
  scene.def("__len__", [](const SharedScene& self) { return self.locked([](Scene& s) { return s.size(); }); })
      .def_property_readonly(
          "size", [](const SharedScene& self) { return self.locked([](Scene& s) { return s.size(); }); },
          "number of objects")
      .def(
          "pose",
          [](const SharedScene& self, ObjectId object) {
            return self.locked([&](Scene& s) { return Transform(s.pose(object)); });
          },
          py::arg("object"), "Where an object is.")
      .def(
          "mesh",
          [](const SharedScene& self, ObjectId object) {
            return self.locked([&](Scene& s) {
              const MeshView v = s.mesh(object);
              return Mesh{{v.positions.begin(), v.positions.end()}, {v.triangles.begin(), v.triangles.end()}, v.origin};
            });
          },
          py::arg("object"), "A copy of the kept mesh, in its own frame.")
      .def_property_readonly("options",
                             [](const SharedScene& self) { return self.locked([](Scene& s) { return s.options(); }); })
      .def(
          "collide",
          [](SharedScene& self) {
            return self.locked([](Scene& s) { return std::make_shared<SceneResult>(s.collide()); });
          },
          "Finds all pairs that overlap, as the objects are now.")
      .def(
          "sweep",
          [](SharedScene& self, ObjectId object, Vec3d motion) {
            return self.locked([&](Scene& s) { return s.sweep(object, motion); });
          },
          py::arg("object"), py::arg("motion"),
          "What `object` touches first when it moves by `motion` and all others stay: a SceneHit, or None.")
      .def(
          "sweep",
          [](SharedScene& self, ObjectId a, ObjectId b, Vec3d motion) {
            return self.locked([&](Scene& s) { return s.sweep(a, b, motion); });
          },
          py::arg("a"), py::arg("b"), py::arg("motion"),
          "The same against one other object alone: a SweepHit, or None.")
      .def(
          "separation",
          [](SharedScene& self, ObjectId a, ObjectId b, std::uint32_t directions) {
            return self.locked([&](Scene& s) { return s.separation(a, b, directions); });
          },
          py::arg("a"), py::arg("b"), py::arg("directions") = 1000,
          "The shortest translation of a that takes it out of b.")
      .def("__repr__", [](py::handle self) {
        return "<lamella.Scene: " + std::to_string(py::len(self)) + " objects, " +
               py::repr(self.attr("options")).cast<std::string>() + ">";
      });
}

}  // namespace

void bind_scene(py::module_& m) {
  bind_scene_options(m);
  bind_scene_results(m);
  py::class_<SharedScene> scene(m, "Scene", R"(Many closed objects that move and deform, tested all at once.

>>> import lamella
>>> scene = lamella.Scene()
>>> box = scene.add(lamella.model("box"))
>>> other = scene.add(box, (1.5, 0, 0))  # the same mesh, elsewhere
>>> result = scene.collide()
>>> result.pair_ids.tolist(), result.volumes.tolist()
([[0, 1]], [2.0])
>>> result.contacts["depth"].max()
0.5)");
  scene.def(py::init([](const py::object& options, const py::kwargs& keywords) {
              const auto asked = options_of<SceneOptions>(options, keywords);
              auto own = released([&] { return std::make_shared<Locked<Scene>>(asked); });
              return SharedScene{own, &own->object, &own->mutex, false};
            }),
            py::arg("options") = py::none());
  bind_objects(scene);
  bind_questions(scene);
}

}  // namespace lamella::python
