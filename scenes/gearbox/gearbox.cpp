#include "scenes/gearbox/builder.hpp"

namespace lamella::scenes {

SampleAssembly gearbox() {
  gearbox_parts::Builder builder;
  add_housing(builder);
  add_drive(builder);
  add_bearings(builder);
  add_covers(builder);
  add_fasteners(builder);
  add_fittings(builder);
  SampleAssembly sample = std::move(builder.sample_);
  sample.touch = 1.0 / 256;
  sample.rules = {
      {.name = "reference", .a = "layer:reference", .ignore = true},
      {.name = "seats of bolts", .a = "washer M6 *", .allow_contact = true},
      {.name = "seals", .a = "group:seals", .allow_contact = true},
      {.name = "bearings on shafts", .a = "bearing * inner ring", .b = "layer:rotating", .allowed_volume = 45},
      {.name = "dowels", .a = "dowel pin *", .b = "housing/*", .allowed_volume = 8},
      {.name = "squeezed gasket", .a = "housing/gasket", .b = "housing/*", .allowed_depth = 0.1},
      {.name = "seat of wheel 1", .a = "gear/wheel 1", .b = "shaft/intermediate pinion"},
      {.name = "backlash", .a = "group:gears", .b = "group:gears", .clearance = 0.05},
      {.name = "what turns", .a = "layer:rotating", .b = "group:housing", .clearance = 0.5},
      {.name = "room for a spanner", .a = "group:covers", .b = "group:covers", .clearance = 0.75},
  };
  return sample;
}

}  // namespace lamella::scenes
