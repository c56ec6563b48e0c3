#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {
namespace {

Scene& scene(const Value& arguments) { return get<Scene>(arguments, "scene"); }
ObjectId object(const Value& arguments) { return argument<ObjectId>(arguments, "object"); }

void new_scene(const Value& arguments, Writer& w) {
  w.number(keep(Scene(read_options<SceneOptions>(arguments["options"]))));
}
void scene_add(const Value& arguments, Writer& w) {
  const Transform pose = pose_of(arguments["pose"], "pose");
  if (!arguments["like"].is_null()) return write(w, scene(arguments).add(argument<ObjectId>(arguments, "like"), pose));
  write(w, scene(arguments).add(mesh_of(arguments, "mesh"), pose));
}
void scene_remove(const Value& arguments, Writer& w) {
  scene(arguments).remove(object(arguments));
  w.null();
}
void scene_move(const Value& arguments, Writer& w) {
  scene(arguments).move(object(arguments), pose_of(arguments["pose"], "pose"));
  w.null();
}
void scene_deform(const Value& arguments, Writer& w) {
  scene(arguments).deform(object(arguments), array_of<const Vec3, float>(arguments, "positions"));
  w.null();
}
void scene_fix(const Value& arguments, Writer& w) {
  scene(arguments).fix(object(arguments), argument<bool>(arguments, "fixed"));
  w.null();
}
void scene_ignore(const Value& arguments, Writer& w) {
  scene(arguments).ignore(argument<ObjectId>(arguments, "a"), argument<ObjectId>(arguments, "b"),
                          argument<bool>(arguments, "ignored"));
  w.null();
}
void scene_collide(const Value& arguments, Writer& w) { write(w, scene(arguments).collide()); }
void scene_sweep(const Value& arguments, Writer& w) {
  const auto motion = argument<Vec3d>(arguments, "motion");
  if (arguments["other"].is_null()) return write(w, scene(arguments).sweep(object(arguments), motion));
  write(w, scene(arguments).sweep(object(arguments), argument<ObjectId>(arguments, "other"), motion));
}
void scene_separation(const Value& arguments, Writer& w) {
  write(w, scene(arguments).separation(argument<ObjectId>(arguments, "a"), argument<ObjectId>(arguments, "b"),
                                       argument_or(arguments, "directions", std::uint32_t{1000})));
}
void scene_size(const Value& arguments, Writer& w) { w.number(static_cast<double>(scene(arguments).size())); }

}  // namespace

Functions scene_functions() {
  static constexpr Function kAll[] = {
      {"scene", new_scene},           {"scene.add", scene_add},
      {"scene.remove", scene_remove}, {"scene.move", scene_move},
      {"scene.deform", scene_deform}, {"scene.fix", scene_fix},
      {"scene.ignore", scene_ignore}, {"scene.collide", scene_collide},
      {"scene.sweep", scene_sweep},   {"scene.separation", scene_separation},
      {"scene.size", scene_size},
  };
  return kAll;
}

}  // namespace lamella::wasm
