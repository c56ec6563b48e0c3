// Benes, Gomez Villanueva: GI-COLLIDE: Collision Detection with Geometry Images.

#include <fmt/core.h>

#include "cli/figure/figures.hpp"
#include "cli/figure/panels.hpp"
#include "cli/gi/approach.hpp"
#include "cli/gi/sheet.hpp"
#include "lamella/geometry_image.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

ImageBody rabbit_body(const FigureTask& task) {
  const MakeImageOptions options{.n = task.quick ? 4 : 6, .threads = task.options.threads};
  return make_body(make_geometry_images(scenes::rabbit(task.faces(12'000)), options).images);
}

picture::Image draw_search(const FigureTask& task, const ApproachBody& a, const ApproachBody& b, Vec3d from,
                           picture::Up up) {
  PictureArgs look;
  look.size = task.size;
  look.up = up;
  return approach_row({.file = {}, .from = from, .steps = 4}, a, b, {}, look);
}

}  // namespace

void draw_gi_2(const FigureTask& task) {
  const ImageBody rabbit = rabbit_body(task);
  const Transform beside{{0.66, 0.05, -0.1}, rotation_about({0, 1, 0}, 3.1)};
  task.add(draw_search(task, {rabbit, {}, "rabbit"}, {rabbit, beside, "rabbit"}, {0.9, 0, -0.3}, kUpY));
}

void draw_gi_7(const FigureTask& task) {
  const ImageBody rabbit = rabbit_body(task);
  const std::uint32_t side = task.quick ? 17 : 65;
  const std::vector<float> flat(static_cast<std::size_t>(side) * side, 0.0f);
  const ImageBody plane = make_body({image_from_heights(flat, {-1.5f, -1.5f, 0}, {1.5f, 1.5f, 1})});
  // The rabbit stands along y: turned so that its feet come down on the plane.
  const Transform standing{{0, 0, 0}, rotation_about({1, 0, 0}, 1.5707963)};
  const Aabb box = bounds(transformed(scenes::rabbit(2000), standing));
  const Transform above{{0, 0, 0.01 - static_cast<double>(box.min.z)}, standing.rotation};
  task.add(draw_search(task, {plane, {}, "plane"}, {rabbit, above, "rabbit"}, {0, 0, 1.1}, {}));
}

void draw_gi_3(const FigureTask& task) {
  const Mesh mesh = scenes::rabbit(task.faces(12'000));
  MakeImageOptions options{.n = task.quick ? 4 : 6, .threads = task.options.threads};
  MadeImages made = make_geometry_images(mesh, options);
  for (GeometryImage& image : made.images) compute_normals(image);
  const std::uint32_t side = made.images.front().side();
  task.add(draw_sheet({.images = made.images,
                       .original = mesh,
                       .title = fmt::format("rabbit: geometry image of {0} x {0} vertices", side),
                       .up = kUpY,
                       .view = {},
                       .size = task.size,
                       .threads = task.options.threads,
                       .progress = task.progress}));
}

}  // namespace lamella::cli
