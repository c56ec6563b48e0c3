#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {
namespace {

void find_separation(const Value& arguments, Writer& w) {
  write(w, separation(mesh_of(arguments, "a"), mesh_of(arguments, "b"),
                      read_options<SeparationOptions>(arguments["options"])));
}
void find_free_shifts(const Value& arguments, Writer& w) {
  write(w, free_shifts(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument<Vec3d>(arguments, "direction"),
                       argument_or(arguments, "resolution", std::uint32_t{256})));
}
void sweep_mesh(const Value& arguments, Writer& w) {
  write(w, sweep(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument<Vec3d>(arguments, "motion"),
                 argument_or(arguments, "threads", 0u)));
}
void find_distance(const Value& arguments, Writer& w) {
  write(w, distance(mesh_of(arguments, "a"), mesh_of(arguments, "b"), argument_or(arguments, "threads", 0u)));
}

}  // namespace

Functions measure_functions() {
  static constexpr Function kAll[] = {
      {"separation", find_separation},
      {"freeShifts", find_free_shifts},
      {"sweep", sweep_mesh},
      {"distance", find_distance},
  };
  return kAll;
}

}  // namespace lamella::wasm
