#pragma once

// A geometry image as JavaScript holds it.

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

}  // namespace lamella::wasm
