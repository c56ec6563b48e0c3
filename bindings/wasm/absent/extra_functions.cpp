// In place of extra_functions.cpp and image_functions.cpp, for lamella-engine: what the library has as functions,
// refused. Methods are not called here, as no object that has them is made.

#include "../src/calls.hpp"
#include "lamella/error.hpp"

namespace lamella::wasm {
namespace {

template <const char* kWhat>
void refuse(const Value&, Writer&) {
  throw Error(std::string(kWhat) + " not in the smaller module: load all of the library with load({ parts: 'all' })");
}
constexpr char kImages[] = "geometry images are";
constexpr char kClosest[] = "closest points are";
constexpr char kBatch[] = "batches are";
constexpr char kParticles[] = "pushing particles out is";
constexpr char kContact[] = "contact of soft bodies is";

}  // namespace

void add_image_functions(Functions& to) {
  for (const char* name : {"images", "imageFromPositions", "imageFromHeights", "imageOfSphere", "image.mesh", "pyramid",
                           "body", "body.collide"})
    to[name] = refuse<kImages>;
}

void add_extra_functions(Functions& to) {
  to["closest"] = refuse<kClosest>;
  to["batch"] = refuse<kBatch>;
  to["pushOut"] = refuse<kParticles>;
  to["contact"] = refuse<kContact>;
}

}  // namespace lamella::wasm
