// In place of extra_functions.cpp, for lamella-engine: what the library has as functions, refused. Methods are not
// called here, as no object that has them is made.

#include "../src/calls.hpp"
#include "lamella/error.hpp"

namespace lamella::wasm {
namespace {

template <const char* kWhat>
void refuse(const Value&, Writer&) {
  throw Error(std::string(kWhat) + " not in the smaller module: load all of the library with load({ parts: 'all' })");
}
constexpr char kImages[] = "making and reading geometry images is";
constexpr char kClosest[] = "closest points are";
constexpr char kBatch[] = "batches are";
constexpr char kParticles[] = "pushing particles out is";
constexpr char kContact[] = "contact of soft bodies is";

}  // namespace

Functions extra_functions() {
  static constexpr Function kAll[] = {
      {"images", refuse<kImages>},     {"imageFromHeights", refuse<kImages>}, {"imageOfSphere", refuse<kImages>},
      {"image.mesh", refuse<kImages>}, {"pyramid", refuse<kImages>},          {"closest", refuse<kClosest>},
      {"batch", refuse<kBatch>},       {"pushOut", refuse<kParticles>},       {"contact", refuse<kContact>},
  };
  return kAll;
}

std::string_view missing_engine(std::string_view name) {
  if (name != "reference" && name != "software-wscg") return {};
  return "not in this build, but in that of load({ parts: 'all' })";
}

}  // namespace lamella::wasm
