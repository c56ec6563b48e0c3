#pragma once

// A geometry image as JavaScript holds it.

#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {

struct HeldImage {
  GeometryImage image;
};
template <class Visit>
void fields(Visit& visit, HeldImage& a) {
  visit("n", a.image.n);
  visit.template array<float>("positions", a.image.positions);
  visit.template array<float>("normals", a.image.normals);
}

[[nodiscard]] inline const GeometryImage& image_of(const Value& arguments, const char* name) {
  return get<HeldImage>(arguments, name).image;
}

}  // namespace lamella::wasm
