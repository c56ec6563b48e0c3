#include "cli/gi/gi.hpp"

#include "cli/subcommands.hpp"

namespace lamella::cli {

void add_gi(const Command& app, int& status) {
  const Command gi = app.add_subcommand("gi", "Geometry images: surfaces as pictures, and collisions between them");
  gi.require_subcommand();
  gi.footer(
      "Examples:\n"
      "  lamella gi make bunny.ply -n 8 -o bunny.tiff\n"
      "  lamella gi collide bunny.tiff bunny.tiff --pose-b 0.05,0,0 --budget 15ms\n"
      "docs/geometry-images.md says what geometry images are.");
  add_gi_make(gi, status);
  add_gi_info(gi, status);
  add_gi_collide(gi, status);
  add_gi_picture(gi, status);
}

}  // namespace lamella::cli
