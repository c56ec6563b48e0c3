#include "calls.hpp"
#include "fields.hpp"
#include "lamella/detector.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"

namespace lamella::wasm {
namespace {

Options options_of(const Value& arguments) { return read_options<Options>(arguments["options"]); }
GradientOptions gradient_parts(const Value& arguments) { return {argument_or(arguments, "vertices", true)}; }

// ----------------------------------------------------------------------------------------------------- one-off queries

void intersect_meshes(const Value& arguments, Writer& w) {
  answer(w, intersect(mesh_of(arguments, "a"), mesh_of(arguments, "b"), options_of(arguments)));
}
void self_intersect_mesh(const Value& arguments, Writer& w) {
  answer(w, self_intersect(mesh_of(arguments, "mesh"), options_of(arguments)));
}
void find_contained(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  const Options options = options_of(arguments);
  with_points(arguments, "points", [&](auto points) {
    if (arguments["box"].is_null()) return answer(w, contains(mesh, points, options));
    answer(w, contains(mesh, points, argument<Aabb>(arguments, "box"), options));
  });
}
void find_vertices_inside(const Value& arguments, Writer& w) {
  answer(w, vertices_inside(mesh_of(arguments, "a"), mesh_of(arguments, "b"), options_of(arguments)));
}
void find_volume_gradient(const Value& arguments, Writer& w) {
  answer(w, volume_gradient(mesh_of(arguments, "a"), mesh_of(arguments, "b"), options_of(arguments),
                            gradient_parts(arguments)));
}
void find_self_gradient(const Value& arguments, Writer& w) {
  answer(w, self_gradient(mesh_of(arguments, "mesh"), options_of(arguments), gradient_parts(arguments)));
}
void make_prisms(const Value& arguments, Writer& w) {
  write_mesh(w, prisms(argument<Grid>(arguments, "grid"), array_of<const Span, std::uint32_t>(arguments, "spans")));
}

// ------------------------------------------------------------------------------------------------------------ Detector

/// Calls with meshes, or with numbers of those that the detector keeps: `aKept` in place of `a`.
template <class Call>
void with_pair(const Value& arguments, const Call& call) {
  if (arguments["aKept"].is_null()) return call(mesh_of(arguments, "a"), mesh_of(arguments, "b"));
  call(argument<ObjectId>(arguments, "aKept"), argument<ObjectId>(arguments, "bKept"));
}
template <class Call>
void with_mesh(const Value& arguments, const Call& call) {
  if (arguments["meshKept"].is_null()) return call(mesh_of(arguments, "mesh"));
  call(argument<ObjectId>(arguments, "meshKept"));
}
Detector& detector(const Value& arguments) { return get<Detector>(arguments, "detector"); }

void new_detector(const Value& arguments, Writer& w) { w.number(keep(Detector(options_of(arguments)))); }
void detector_intersect(const Value& arguments, Writer& w) {
  with_pair(arguments, [&](auto a, auto b) { write(w, detector(arguments).intersect(a, b)); });
}
void detector_self_intersect(const Value& arguments, Writer& w) {
  with_mesh(arguments, [&](auto mesh) { write(w, detector(arguments).self_intersect(mesh)); });
}
void detector_contains(const Value& arguments, Writer& w) {
  with_mesh(arguments, [&](auto mesh) {
    with_points(arguments, "points", [&](auto points) { write(w, detector(arguments).contains(mesh, points)); });
  });
}
void detector_vertices_inside(const Value& arguments, Writer& w) {
  with_pair(arguments, [&](auto a, auto b) { write(w, detector(arguments).vertices_inside(a, b)); });
}
void detector_volume_gradient(const Value& arguments, Writer& w) {
  with_pair(arguments,
            [&](auto a, auto b) { write(w, detector(arguments).volume_gradient(a, b, gradient_parts(arguments))); });
}
void detector_self_gradient(const Value& arguments, Writer& w) {
  with_mesh(arguments,
            [&](auto mesh) { write(w, detector(arguments).self_gradient(mesh, gradient_parts(arguments))); });
}
void detector_add(const Value& arguments, Writer& w) { write(w, detector(arguments).add(mesh_of(arguments, "mesh"))); }
void detector_add_rigid(const Value& arguments, Writer& w) {
  write(w, detector(arguments).add_rigid(mesh_of(arguments, "mesh"), pose_of(arguments["pose"], "pose")));
}
void detector_deform(const Value& arguments, Writer& w) {
  with_points(arguments, "positions",
              [&](auto positions) { detector(arguments).deform(argument<ObjectId>(arguments, "object"), positions); });
  w.null();
}
void detector_move(const Value& arguments, Writer& w) {
  detector(arguments).move(argument<ObjectId>(arguments, "object"), pose_of(arguments["pose"], "pose"));
  w.null();
}
void detector_remove(const Value& arguments, Writer& w) {
  detector(arguments).remove(argument<ObjectId>(arguments, "object"));
  w.null();
}

// ----------------------------------------------------------------------------------------------------------------- LDI

struct HeldLdi {
  Ldi ldi;
};
template <class Visit>
void fields(Visit& visit, HeldLdi& a) {
  visit("grid", a.ldi.grid);
  visit("outside", a.ldi.outside);
  visit.template array<std::uint32_t>("offsets", a.ldi.offsets);
  visit.template array<std::uint32_t>("crossings", a.ldi.crossings);  // Crossing::key
  visit("skippedTriangles", a.ldi.skipped_triangles);
}
const Ldi& ldi_of(const Value& arguments, const char* name) { return get<HeldLdi>(arguments, name).ldi; }

/// On the given grid, or over the mesh's own box as self_intersect() samples it.
void build_ldi(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  const Options options = options_of(arguments);
  const auto engine = make_engine(options);
  Grid grid;
  if (!arguments["grid"].is_null()) {
    grid = argument<Grid>(arguments, "grid");
  } else {
    const Aabb box = engine->bounds(mesh);
    const auto axis = choose_axis(box);
    if (!axis) throw Error("the mesh's box encloses no volume: there is nothing to sample");
    grid = square_grid(box, options.axis.value_or(*axis), options.resolution);
  }
  HeldLdi out;
  engine->build(mesh, grid, out.ldi);
  answer(w, std::move(out));
}
void intersect_ldis(const Value& arguments, Writer& w) {
  const Ldi &a = ldi_of(arguments, "a"), &b = ldi_of(arguments, "b");
  if (!(a.grid == b.grid)) throw Error("both images must have the same grid");
  Overlap out;
  intersect(a, b, argument_or(arguments, "minThickness", 0x1p-20f), out);
  answer(w, std::move(out));
}
void self_intersect_ldi(const Value& arguments, Writer& w) {
  SelfOverlap out;
  self_intersect(ldi_of(arguments, "ldi"), argument_or(arguments, "minThickness", 0x1p-20f), out);
  answer(w, std::move(out));
}
void contained_in_ldi(const Value& arguments, Writer& w) {
  Containment out;
  contains(ldi_of(arguments, "ldi"), array_of<const Vec3, float>(arguments, "points"), out);
  answer(w, std::move(out));
}

}  // namespace

Functions query_functions() {
  static constexpr Function kAll[] = {
      {"intersect", intersect_meshes},
      {"selfIntersect", self_intersect_mesh},
      {"contains", find_contained},
      {"verticesInside", find_vertices_inside},
      {"volumeGradient", find_volume_gradient},
      {"selfGradient", find_self_gradient},
      {"prisms", make_prisms},
      {"detector", new_detector},
      {"detector.intersect", detector_intersect},
      {"detector.selfIntersect", detector_self_intersect},
      {"detector.contains", detector_contains},
      {"detector.verticesInside", detector_vertices_inside},
      {"detector.volumeGradient", detector_volume_gradient},
      {"detector.selfGradient", detector_self_gradient},
      {"detector.add", detector_add},
      {"detector.addRigid", detector_add_rigid},
      {"detector.deform", detector_deform},
      {"detector.move", detector_move},
      {"detector.remove", detector_remove},
      {"ldi", build_ldi},
      {"ldi.intersect", intersect_ldis},
      {"ldi.selfIntersect", self_intersect_ldi},
      {"ldi.contains", contained_in_ldi},
  };
  return kAll;
}

}  // namespace lamella::wasm
