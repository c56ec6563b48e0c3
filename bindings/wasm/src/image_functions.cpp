// Geometry images that collide.

#include "calls.hpp"
#include "fields.hpp"
#include "held_image.hpp"

namespace lamella::wasm {
namespace {

void image_of_positions(const Value& arguments, Writer& w) {
  const auto positions = array_of<const Vec3, float>(arguments, "positions");
  answer(w, HeldImage{image_from_positions({positions.begin(), positions.end()})});
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

Functions image_functions() {
  static constexpr Function kAll[] = {
      {"imageFromPositions", image_of_positions},
      {"body", new_body},
      {"body.refit", refit_body},
      {"body.collide", collide_bodies},
  };
  return kAll;
}

}  // namespace lamella::wasm
