// Benes, Gomez Villanueva: GI-COLLIDE: Collision Detection with Geometry Images.

#include <fmt/core.h>

#include "cli/figure/figures.hpp"
#include "cli/figure/panels.hpp"
#include "cli/gi/sheet.hpp"
#include "lamella/geometry_image.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {

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
                       .size = task.size,
                       .threads = task.options.threads,
                       .progress = task.progress}));
}

}  // namespace lamella::cli
