#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {
namespace {

// ---------------------------------------------------------------------------------------------------------- RigidWorld

RigidWorld& world(const Value& arguments) { return get<RigidWorld>(arguments, "world"); }
ObjectId object(const Value& arguments) { return argument<ObjectId>(arguments, "object"); }

void new_world(const Value& arguments, Writer& w) {
  w.number(keep(RigidWorld(read_options<SceneOptions>(arguments["scene"]),
                           read_options<RigidWorldOptions>(arguments["options"]))));
}
void world_add(const Value& arguments, Writer& w) {
  write(w, world(arguments).add(mesh_of(arguments, "mesh"), pose_of(arguments["pose"], "pose"),
                                read_options<BodyOptions>(arguments["options"])));
}
void world_remove(const Value& arguments, Writer& w) {
  world(arguments).remove(object(arguments));
  w.null();
}
void world_body(const Value& arguments, Writer& w) { write(w, world(arguments).body(object(arguments))); }
/// Changes those members of a body that are given.
void world_set_body(const Value& arguments, Writer& w) {
  RigidBody& body = world(arguments).body(object(arguments));
  FieldReader visit(arguments["body"]);
  fields(visit, body);
  visit.finish();
  w.null();
}
void world_ignore(const Value& arguments, Writer& w) {
  world(arguments).scene().ignore(argument<ObjectId>(arguments, "a"), argument<ObjectId>(arguments, "b"),
                                  argument<bool>(arguments, "ignored"));
  w.null();
}
void world_set_gravity(const Value& arguments, Writer& w) {
  world(arguments).set_gravity(argument<Vec3d>(arguments, "gravity"));
  w.null();
}
void world_step(const Value& arguments, Writer& w) {
  world(arguments).step(argument<double>(arguments, "seconds"));
  write(w, world(arguments).report());
}
void world_result(const Value& arguments, Writer& w) { write(w, world(arguments).result()); }

struct WorldSums {
  double kinetic_energy, potential_energy;
  Vec3d momentum, angular_momentum;
};
template <class Visit>
void fields(Visit& visit, WorldSums& a) {
  visit("kineticEnergy", a.kinetic_energy);
  visit("potentialEnergy", a.potential_energy);
  visit("momentum", a.momentum);
  visit("angularMomentum", a.angular_momentum);
}
void world_sums(const Value& arguments, Writer& w) {
  const RigidWorld& of = world(arguments);
  write(w, WorldSums{of.kinetic_energy(), of.potential_energy(), of.momentum(), of.angular_momentum()});
}
void find_mass(const Value& arguments, Writer& w) {
  write(w, mass_properties(mesh_of(arguments, "mesh"), argument_or(arguments, "density", 1.0)));
}

}  // namespace

Functions response_functions() {
  static constexpr Function kAll[] = {
      {"world", new_world},
      {"world.add", world_add},
      {"world.remove", world_remove},
      {"world.body", world_body},
      {"world.setBody", world_set_body},
      {"world.ignore", world_ignore},
      {"world.setGravity", world_set_gravity},
      {"world.step", world_step},
      {"world.result", world_result},
      {"world.sums", world_sums},
      {"massProperties", find_mass},
  };
  return kAll;
}

}  // namespace lamella::wasm
