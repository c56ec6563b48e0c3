// What lamella-engine-full has beyond lamella-engine.

#include "calls.hpp"
#include "fields.hpp"
#include "held_image.hpp"

namespace lamella::wasm {
namespace {

// ---------------------------------------------------------------------------------------- making and reading of images

void make_images(const Value& arguments, Writer& w) {
  MadeImages made =
      make_geometry_images(mesh_of(arguments, "mesh"), read_options<MakeImageOptions>(arguments["options"]));
  w.list(made.images.size());
  for (std::size_t i = 0; i < made.images.size(); ++i) {
    w.list(2);
    answer(w, HeldImage{std::move(made.images[i])});
    write(w, made.reports[i]);
  }
}

void image_of_heights(const Value& arguments, Writer& w) {
  answer(w, HeldImage{image_from_heights(array_of<const float, float>(arguments, "heights"),
                                         argument<Vec3>(arguments, "low"), argument<Vec3>(arguments, "high"))});
}
void sphere_image(const Value& arguments, Writer& w) {
  answer(w, HeldImage{image_of_sphere(argument<int>(arguments, "n"), argument_or(arguments, "center", Vec3{}),
                                      argument_or(arguments, "radius", 1.0f))});
}
void mesh_of_image(const Value& arguments, Writer& w) { write_mesh(w, to_mesh(image_of(arguments, "image"))); }

struct HeldPyramid {
  SpherePyramid pyramid;
};
template <class Visit>
void fields(Visit& visit, HeldPyramid& a) {
  int n = a.pyramid.n();
  visit("n", n);
  std::uint32_t width = a.pyramid.width(), height = a.pyramid.height();
  visit("width", width);
  visit("height", height);
  std::array<double, kMaxImageLevels + 1> offsets{};
  for (int level = 0; level <= n; ++level)
    offsets[static_cast<std::size_t>(level)] = static_cast<double>(a.pyramid.offset(level));
  visit("offsets", offsets);
  visit.template array<float>("spheres", a.pyramid.pixels());  // {x, y, z, radius}
}
void make_pyramid(const Value& arguments, Writer& w) {
  answer(w, HeldPyramid{SpherePyramid(image_of(arguments, "image"), argument_or(arguments, "fit", SphereFit::tight))});
}

// ------------------------------------------------------------------------------------------------------ closest points

/// The points as columns, which JavaScript reads without taking records apart.
struct ClosestColumns {
  std::vector<double> distances;
  std::vector<Vec3d> positions;
  std::vector<Vec3> normals;
  std::vector<std::uint32_t> triangles;
  Health health;
  Timings ms;
};
template <class Visit>
void fields(Visit& visit, ClosestColumns& a) {
  visit.template array<double>("distances", a.distances);
  visit.template array<double>("positions", a.positions);
  visit.template array<float>("normals", a.normals);
  visit.template array<std::uint32_t>("triangles", a.triangles);
  visit("health", a.health);
  visit("ms", a.ms);
}
void find_closest(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  const unsigned threads = argument_or(arguments, "threads", 0u);
  with_points(arguments, "points", [&](auto points) {
    const ClosestPoints found = closest(mesh, points, threads);
    ClosestColumns out;
    out.health = found.health;
    out.ms = found.ms;
    for (const ClosestPoint& p : found.points) {
      out.distances.push_back(p.distance);
      out.positions.push_back(p.position);
      out.normals.push_back(p.normal);
      out.triangles.push_back(p.triangle);
    }
    answer(w, std::move(out));
  });
}

// --------------------------------------------------------------------------------------------------------------- Batch

Batch& batch(const Value& arguments) { return get<Batch>(arguments, "batch"); }

void new_batch(const Value& arguments, Writer& w) {
  w.number(keep(Batch(read_options<Options>(arguments["options"]))));
}
void batch_add(const Value& arguments, Writer& w) { write(w, batch(arguments).add(mesh_of(arguments, "mesh"))); }
void batch_deform(const Value& arguments, Writer& w) {
  batch(arguments).deform(argument<ObjectId>(arguments, "object"), array_of<const Vec3, float>(arguments, "positions"));
  w.null();
}
std::vector<BatchPair> pairs_of(const Value& arguments) {
  const auto* list = arguments["pairs"].get<Value::List>();
  if (list == nullptr) fail_option("pairs", "a list of pairs");
  std::vector<BatchPair> pairs;
  for (const Value& pair : *list) {
    pairs.push_back({argument<ObjectId>(pair, "a"), argument<ObjectId>(pair, "b"), pose_of(pair["poseA"], "poseA"),
                     pose_of(pair["poseB"], "poseB")});
  }
  return pairs;
}
template <class T>
void write_all(Writer& w, std::span<const T> items) {
  w.list(items.size());
  for (const T& x : items) write(w, x);
}
void batch_intersect(const Value& arguments, Writer& w) {
  write_all(w, batch(arguments).intersect(pairs_of(arguments)));
}
void batch_volume_gradients(const Value& arguments, Writer& w) {
  write_all(w, batch(arguments).volume_gradients(pairs_of(arguments)));
}

// ------------------------------------------------------------------------------------------- particles and soft bodies

void new_push_out(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  w.number(
      keep(ParticlePushOut(mesh.triangles, mesh.vertex_count(), read_options<PushOutOptions>(arguments["options"]))));
}
void push_out(const Value& arguments, Writer& w) {
  BodyMotion motion;
  motion.positions = array_of<const Vec3, float>(arguments, "body");
  if (!arguments["before"].is_null()) motion.before = array_of<const Vec3, float>(arguments, "before");
  motion.seconds = argument_or(arguments, "seconds", 0.0f);
  write(w, get<ParticlePushOut>(arguments, "pushOut")
               .push_out(motion, array_of<Vec3, float>(arguments, "positions"),
                         array_of<Vec3, float>(arguments, "velocities")));
}

VolumeContact& contact(const Value& arguments) { return get<VolumeContact>(arguments, "contact"); }
void new_volume_contact(const Value& arguments, Writer& w) {
  w.number(keep(VolumeContact(read_options<VolumeContactOptions>(arguments["options"]))));
}
void add_forces(const Value& arguments, Writer& w) {
  if (arguments["b"].is_null()) {
    return write(
        w, contact(arguments).add_self_forces(mesh_of(arguments, "a"), array_of<Vec3d, double>(arguments, "forcesA")));
  }
  write(w, contact(arguments).add_forces(mesh_of(arguments, "a"), mesh_of(arguments, "b"),
                                         array_of<Vec3d, double>(arguments, "forcesA"),
                                         array_of<Vec3d, double>(arguments, "forcesB")));
}
SoftMesh soft_mesh(const Value& arguments, const char* mesh, const char* masses) {
  HeldMesh& held = get<HeldMesh>(arguments, mesh);
  if (held.wide.empty()) throw Error("a soft mesh needs positions in doubles: make it of a Float64Array");
  SoftMesh out{held.triangles, held.wide};
  if (!arguments[masses].is_null()) out.inverse_masses = array_of<const double, double>(arguments, masses);
  return out;
}
void project(const Value& arguments, Writer& w) {
  const SoftMesh a = soft_mesh(arguments, "a", "inverseMassesA");
  if (arguments["b"].is_null()) return write(w, contact(arguments).project_self(a));
  write(w, contact(arguments).project(a, soft_mesh(arguments, "b", "inverseMassesB")));
}

}  // namespace

Functions extra_functions() {
  static constexpr Function kAll[] = {
      {"images", make_images},
      {"imageFromHeights", image_of_heights},
      {"imageOfSphere", sphere_image},
      {"image.mesh", mesh_of_image},
      {"pyramid", make_pyramid},
      {"closest", find_closest},
      {"batch", new_batch},
      {"batch.add", batch_add},
      {"batch.deform", batch_deform},
      {"batch.intersect", batch_intersect},
      {"batch.volumeGradients", batch_volume_gradients},
      {"pushOut", new_push_out},
      {"pushOut.pushOut", push_out},
      {"contact", new_volume_contact},
      {"contact.addForces", add_forces},
      {"contact.project", project},
  };
  return kAll;
}

std::string_view missing_engine(std::string_view) { return {}; }

}  // namespace lamella::wasm
