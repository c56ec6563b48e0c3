#include "cli/gi/gi.hpp"

#include "cli/subcommands.hpp"

namespace lamella::cli {

void add_gi(const Command& app, int& status) {
  const Command gi = app.add_subcommand("gi", "Geometry images: surfaces as pictures, and collisions between them");
  gi.require_subcommand();
  gi.footer(
      "Examples:\n"
      "  lamella gi make model:rabbit -n 7 -o rabbit.tiff\n"
      "  lamella gi collide rabbit.tiff rabbit.tiff --pose-b 0.3,0,0@z:90 --budget 15ms\n"
      "docs/geometry-images.md says what geometry images are.");
  add_gi_make(gi, status);
  add_gi_info(gi, status);
  add_gi_collide(gi, status);
  add_gi_picture(gi, status);
  add_gi_terrain(gi, status);
}

}  // namespace lamella::cli
