#include "calls.hpp"
#include "fields.hpp"
#include "held_image.hpp"

namespace lamella::wasm {
namespace {

const GeometryImage& image_of(const Value& arguments, const char* name) {
  return get<HeldImage>(arguments, name).image;
}

void image_of_positions(const Value& arguments, Writer& w) {
  const auto positions = array_of<const Vec3, float>(arguments, "positions");
  answer(w, HeldImage{image_from_positions({positions.begin(), positions.end()})});
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

void new_body(const Value& arguments, Writer& w) {
  const auto* list = arguments["images"].get<Value::List>();
  if (list == nullptr) fail_option("images", "a list of images");
  std::vector<GeometryImage> images;
  for (const Value& image : *list) images.push_back(image_of(image, "image"));
  w.number(keep(make_body(std::move(images), argument_or(arguments, "fit", SphereFit::tight))));
}
void refit_body(const Value& arguments, Writer& w) {
  auto& body = get<ImageBody>(arguments, "body");
  const auto image = argument<std::uint32_t>(arguments, "image");
  const auto positions = array_of<const Vec3, float>(arguments, "positions");
  if (image >= body.images.size() || positions.size() != body.images[image].positions.size())
    throw Error("refit: there is no such image, or it has another number of positions");
  body.images[image].positions.assign(positions.begin(), positions.end());
  refit(body);
  w.null();
}
void collide_bodies(const Value& arguments, Writer& w) {
  const auto& a = get<ImageBody>(arguments, "a");
  const Transform pose_a = pose_of(arguments["poseA"], "poseA"), pose_b = pose_of(arguments["poseB"], "poseB");
  const auto options = read_options<ImageCollideOptions>(arguments["options"]);
  if (arguments["b"].is_null()) {
    return answer(w, collide(a, pose_a, mesh_of(arguments, "mesh"), pose_b, options));
  }
  answer(w, collide(a, pose_a, get<ImageBody>(arguments, "b"), pose_b, options));
}

}  // namespace

void add_image_functions(Functions& to) {
  to["imageFromPositions"] = image_of_positions;
  to["imageFromHeights"] = image_of_heights;
  to["imageOfSphere"] = sphere_image;
  to["image.mesh"] = mesh_of_image;
  to["pyramid"] = make_pyramid;
  to["body"] = new_body;
  to["body.refit"] = refit_body;
  to["body.collide"] = collide_bodies;
}

}  // namespace lamella::wasm
