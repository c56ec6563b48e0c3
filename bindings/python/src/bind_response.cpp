#include "lamella/response.hpp"

#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "shared_scene.hpp"

namespace lamella::python {
namespace {

using SharedWorld = Locked<RigidWorld>;

py::array_t<double> matrix_of(const Matrix3& rows) {
  py::array_t<double> out({3, 3});
  for (py::ssize_t i = 0; i < 3; ++i)
    for (py::ssize_t k = 0; k < 3; ++k) out.mutable_at(i, k) = rows[static_cast<std::size_t>(i)][static_cast<int>(k)];
  return out;
}

/// A body of a world: looked up by its id each time, so that it never refers to memory that is gone.
struct BodyHandle {
  std::shared_ptr<SharedWorld> world;
  ObjectId id;

  /// Calls `call(body)` without the GIL, with the world's lock.
  template <class Call>
  auto locked(const Call& call) const {
    return released([&] {
      const std::scoped_lock lock(world->mutex);
      return call(world->object.body(id));
    });
  }
};

template <class Call>
auto locked(SharedWorld& self, const Call& call) {
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    return call(self.object);
  });
}

/// A member of a body, to be read and set.
template <class Field>
void add_state(py::class_<BodyHandle>& body, const char* name, Field RigidBody::*member, const char* doc) {
  body.def_property(
      name, [member](const BodyHandle& b) { return b.locked([&](RigidBody& r) { return Field(r.*member); }); },
      [member](const BodyHandle& b, const Field& value) { b.locked([&](RigidBody& r) { r.*member = value; }); }, doc);
}

void bind_body(py::module_& m) {
  py::class_<BodyHandle> body(m, "RigidBody", R"(State of a body of a RigidWorld, which may be changed between steps.

Refers to the body by its id; an Error where the body was removed.)");
  body.def_readonly("id", &BodyHandle::id, "in the world");
  body.def_property(
      "pose", [](const BodyHandle& b) { return b.locked([](RigidBody& r) { return Transform(r.pose); }); },
      [](const BodyHandle& b, py::handle pose) {
        const Transform at = pose_of(pose);
        b.locked([&](RigidBody& r) { r.pose = at; });
      },
      "of the mesh's frame in the world");
  add_state(body, "velocity", &RigidBody::velocity, "of the center of mass");
  add_state(body, "angular_velocity", &RigidBody::angular_velocity, "radians per second about the world's axes");
  add_state(body, "inverse_mass", &RigidBody::inverse_mass, "0: fixed");
  add_state(body, "restitution", &RigidBody::restitution, "0 to 1");
  add_state(body, "friction", &RigidBody::friction, "Coulomb's coefficient");
  body.def_property_readonly(
      "center", [](const BodyHandle& b) { return b.locked([](RigidBody& r) { return Vec3d(r.center); }); },
      "of mass, in the mesh's frame");
  body.def_property_readonly(
      "inverse_inertia",
      [](const BodyHandle& b) { return matrix_of(b.locked([](RigidBody& r) { return Matrix3(r.inverse_inertia); })); },
      "3 x 3, about the center, in the mesh's axes; 0: fixed");
  body.def_property_readonly(
      "thickness", [](const BodyHandle& b) { return b.locked([](RigidBody& r) { return double(r.thickness); }); },
      "the box's thinnest side, or 4 volume / area if that is less");
  body.def_property_readonly(
      "reach", [](const BodyHandle& b) { return b.locked([](RigidBody& r) { return double(r.reach); }); },
      "distance of the farthest vertex from the center");
  body.def("__repr__", [](const BodyHandle& b) { return "<lamella.RigidBody " + std::to_string(b.id.number) + ">"; });
}

void bind_world_options(py::module_& m) {
  OptionsClass<BodyOptions>(m, "BodyOptions", "Options of RigidWorld.add.")
      .field("density", &BodyOptions::density, "finite and above 0; not used when fixed")
      .field("restitution", &BodyOptions::restitution, "0 to 1; a pair uses the smaller of the two")
      .field("friction", &BodyOptions::friction, "Coulomb's coefficient; a pair uses the larger of the two")
      .field("fixed", &BodyOptions::fixed, "infinite mass");
  OptionsClass<RigidWorldOptions>(m, "RigidWorldOptions", "Options of a RigidWorld beside those of its scene.")
      .field("gravity", &RigidWorldOptions::gravity, "acceleration")
      .field("collision_iterations", &RigidWorldOptions::collision_iterations, "rounds over all pairs at most")
      .field("contact_iterations", &RigidWorldOptions::contact_iterations, "sweeps over all contacts")
      .field("shock_propagation", &RigidWorldOptions::shock_propagation, "level by level from the ground up")
      .field("max_substeps", &RigidWorldOptions::max_substeps, "that a step is divided into at most")
      .field("ways_out", &RigidWorldOptions::ways_out, "bodies deep inside each other leave by the shortest way");
  Record<MassProperties>(m, "MassProperties", "Of a solid.")
      .field("mass", &MassProperties::mass, "volume times density")
      .field("center", &MassProperties::center, "of mass, in the mesh's frame")
      .value(
          "inertia", [](const MassProperties& p) { return matrix_of(p.inertia); },
          "3 x 3, about the center, in the mesh's axes");
  Record<StepReport>(m, "StepReport", "What the last step did.")
      .field("substep_count", &StepReport::substep_count, "substeps")
      .field("ms", &StepReport::ms, "times of all substeps")
      .field("impulse_count", &StepReport::impulse_count, "impulses")
      .field("pushed_count", &StepReport::pushed_count, "contacts that were too deep and were moved apart")
      .field("way_count", &StepReport::way_count, "pairs that were moved along their way out")
      .field("sweep_count", &StepReport::sweep_count, "pairs that were swept")
      .field("over_limit", &StepReport::over_limit, "a body spun faster than max_substeps allows")
      .field("seconds_left", &StepReport::seconds_left, "of the step, when max_substeps were used up");
  m.def(
      "mass_properties",
      [](py::handle mesh, double density) {
        const MeshInput input(mesh, "mesh");
        return released({&input}, [&] { return mass_properties(input.view(), density); });
      },
      py::arg("mesh"), py::arg("density") = 1.0, R"(Mass, center and inertia of a closed mesh filled with `density`.

>>> import lamella
>>> lamella.mass_properties("model:box", density=2).mass
16.0)");
}

template <class T>
bool has_option(const std::string& name) {
  const auto& fields = option_fields<T>();
  return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
}

/// Keywords go to the options that have them.
std::shared_ptr<SharedWorld> make_world(const py::object& scene, const py::object& options,
                                        const py::kwargs& keywords) {
  py::dict for_scene, for_world;
  for (const auto& [key, value] : keywords) {
    const auto name = py::cast<std::string>(key);
    if (!has_option<RigidWorldOptions>(name) && !has_option<SceneOptions>(name))
      throw py::type_error("there is no option '" + name + "'; there are those of RigidWorldOptions and SceneOptions");
    (has_option<RigidWorldOptions>(name) ? for_world : for_scene)[key] = value;
  }
  const auto asked = options_of<SceneOptions>(scene, for_scene);
  const auto rules = options_of<RigidWorldOptions>(options, for_world);
  return released([&] { return std::make_shared<SharedWorld>(asked, rules); });
}

using World = py::class_<SharedWorld, std::shared_ptr<SharedWorld>>;

void bind_bodies(World& world) {
  world
      .def(
          "add",
          [](SharedWorld& self, py::handle mesh, py::handle pose, const py::object& options,
             const py::kwargs& keywords) {
            const MeshInput input(mesh, "mesh");
            const Transform at = pose_of(pose);
            const auto asked = options_of<BodyOptions>(options, keywords);
            return released({&input}, [&] {
              const std::scoped_lock lock(self.mutex);
              return self.object.add(input.view(), at, asked);
            });
          },
          py::arg("mesh"), py::arg("pose") = py::none(), py::arg("options") = py::none(),
          "Adds a body with a copy of the mesh; options as keywords (see BodyOptions). Returns its id.")
      .def(
          "remove", [](SharedWorld& self, ObjectId object) { locked(self, [&](RigidWorld& w) { w.remove(object); }); },
          py::arg("object"), "Takes a body out; its id is not used again.")
      .def(
          "body",
          [](const std::shared_ptr<SharedWorld>& self, ObjectId object) {
            locked(*self, [&](RigidWorld& w) { (void)w.body(object); });  // throws Error where there is none
            return BodyHandle{self, object};
          },
          py::arg("object"), "The state of a body, to be read and set.")
      .def_property_readonly(
          "scene",
          [](const std::shared_ptr<SharedWorld>& self) {
            return SharedScene{self, &self->object.scene(), &self->mutex, true};
          },
          "the Scene it runs on: to ignore pairs, to look at meshes");
}

void bind_steps(World& world) {
  world
      .def(
          "step", [](SharedWorld& self, double seconds) { locked(self, [&](RigidWorld& w) { w.step(seconds); }); },
          py::arg("seconds"), "Moves all bodies on.")
      .def_property_readonly(
          "result",
          [](SharedWorld& self) {
            return locked(self, [](RigidWorld& w) { return std::make_shared<SceneResult>(w.result()); });
          },
          "what the scene found in the last substep, on the predicted poses")
      .def_property_readonly(
          "report",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return StepReport(w.report()); }); },
          "what the last step did")
      .def_property_readonly(
          "options",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return RigidWorldOptions(w.options()); }); })
      .def_property(
          "gravity",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return Vec3d(w.options().gravity); }); },
          [](SharedWorld& self, Vec3d gravity) { locked(self, [&](RigidWorld& w) { w.set_gravity(gravity); }); },
          "acceleration")
      .def_property_readonly(
          "kinetic_energy",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return w.kinetic_energy(); }); },
          "of all bodies that are not fixed")
      .def_property_readonly(
          "potential_energy",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return w.potential_energy(); }); },
          "in gravity; 0 at the origin")
      .def_property_readonly(
          "momentum", [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return w.momentum(); }); },
          "of all bodies that are not fixed")
      .def_property_readonly(
          "angular_momentum",
          [](SharedWorld& self) { return locked(self, [](RigidWorld& w) { return w.angular_momentum(); }); },
          "about the origin")
      .def("__repr__", [](py::handle self) {
        return "<lamella.RigidWorld: " + std::to_string(py::len(self.attr("scene"))) + " bodies>";
      });
}

}  // namespace

void bind_response(py::module_& m) {
  bind_world_options(m);
  bind_body(m);
  World world(m, "RigidWorld", R"(Rigid bodies under gravity that collide, roll, slide and stack.

`scene` and `options` are SceneOptions and RigidWorldOptions; the options of both may be given as keywords as well.

>>> import lamella
>>> world = lamella.RigidWorld(resolution=32)
>>> floor = world.add(lamella.model("box"), (0, 0, -1), fixed=True)
>>> ball = world.body(world.add(lamella.model("box"), (0, 0, 1.1)))
>>> for _ in range(60): world.step(1 / 60)
>>> abs(ball.pose.translation[2] - 1) < 0.05
True)");
  world.def(py::init(&make_world), py::arg("scene") = py::none(), py::arg("options") = py::none());
  bind_bodies(world);
  bind_steps(world);
}

}  // namespace lamella::python
